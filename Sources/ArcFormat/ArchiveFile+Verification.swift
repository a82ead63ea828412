import ArcRuntime

extension ArchiveFile {
  /// Reads the whole archive and checks every rule that does not need the program's classes: checksums, the sizes
  /// and counts of all columns, string encodings, and that every reference leads to a row of a fitting class.
  ///
  /// Throws the first `ArchiveError`, with the byte offset of the segment. O(bytes), in memory for some segments.
  public func verify() throws {
    try verifyStrings()
    try verifyRows(checksStrings: true)
  }

  /// Checks all rows; strings are left to a caller that checks each when it builds it.
  package func verifyRows(checksStrings: Bool) throws(ArchiveError) {
    _ = try metadata()
    let verifier = RowsVerifier(self, classOfRow: try ClassOfRow(self), checksStrings: checksStrings)
    try forEachRowsSegment { rows throws(ArchiveError) in try verifier.verify(rows) }
  }

  /// Checks one segment of rows for itself: what stands in it, and that its references lead to rows; those to rows
  /// in the same segment, to rows of a fitting class.
  func verifyRows(_ segment: RowsSegment) throws(ArchiveError) {
    let verifier = RowsVerifier(self, classOfRow: try ClassOfRow(segment, self), checksStrings: true)
    try verifier.verify(segment)
  }

  /// Calls `body` with all segments of rows in order.
  fileprivate func forEachRowsSegment(
    _ body: (RowsSegment) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var inflatedCount = 0
    for (position, index) in rowsSegments.enumerated() {
      if position == inflatedCount { inflatedCount = inflateRows(from: position) }
      do throws(ArchiveError) {
        try body(rows(inSegment: index))
        discardPages(ofSegment: index)
      } catch {
        throw error.located(byteOffset: segments[index].byteOffset)
      }
    }
  }
}

/// Checks rows against the class table. Spec: 05-graph, section 4.
private struct RowsVerifier {
  private let file: ArchiveFile
  private let checksStrings: Bool
  private let tables: FileTables
  private let stringCount: Int
  /// The class of every row that references are compared with.
  private let classOfRow: ClassOfRow
  private let elements = ElementBudget()

  init(_ file: ArchiveFile, classOfRow: ClassOfRow, checksStrings: Bool) {
    self.file = file
    self.classOfRow = classOfRow
    self.checksStrings = checksStrings
    tables = file.tables
    stringCount = file.stringCount
  }

  func verify(_ segment: RowsSegment) throws(ArchiveError) {
    var ownRows: [Int: [Int]] = [:]
    var row = segment.firstRow
    for run in segment.runs {
      if tables.hasConstructionColumn[run.classIndex] {
        ownRows[run.classIndex, default: []].append(contentsOf: row..<row + run.length)
      }
      row += run.length
    }
    for rows in segment.classes {
      let set = tables.columns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      try set.skip(roots: rows.columnCount, count: rows.rowCount)
      try set.checkAtEnd()
      try verifyKeys(of: set, rows)
      for index in set.areEmpty.indices { try verifyValues(of: set, node: index) }
      if let ownRows = ownRows[rows.classIndex] {
        try verifyConstructionOrder(of: set, rows.classIndex, rows.columnCount, ownRows)
      }
    }
  }

  /// A row has one value per key at most. Spec: 04-columns, rule K1.
  private func verifyKeys(of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows) throws(ArchiveError) {
    guard tables.hasKeyedColumn[rows.classIndex] else { return }
    let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    var nodesByKey: [String: [Int]] = [:]
    for (position, column) in columns.enumerated() where column.flags.contains(.keyed) {
      nodesByKey["\(column.declaringClass) \(column.key)", default: []].append(set.layout.roots[position])
    }
    for nodes in nodesByKey.values where nodes.count > 1 {
      for row in 0..<rows.rowCount where nodes.count(where: { set.chunk(ofNode: $0).bit(row) }) > 1 {
        throw set.column(ofNode: nodes[0]).__error(
          .malformedColumn, found: "two values of one row for one key", expected: "one at most")
      }
    }
  }

  private func verifyValues(of set: ColumnReaderSet, node index: Int) throws(ArchiveError) {
    let kind = set.kind(ofNode: index)
    switch kind {
    case .reference, .weak:
      try verifyReferences(
        set.chunk(ofNode: index), to: set.layout.nodes[index].name, set.column(ofNode: index))
    case .array, .set, .dictionary:
      let chunk = set.chunk(ofNode: index)
      let total = unsafe try ChunkView.sum(chunk.values, count: chunk.count, width: chunk.width)
      let hasBytes = set.layout.nodes[index].children.contains { !set.areEmpty[$0] }
      try elements.charge(total, hasBytes: hasBytes, limit: file.limits.elements)
    case .string, .data, .decimal:
      let chunk = set.chunk(ofNode: index)
      if chunk.usesStringTable {
        if let id = chunk.firstValue(notBelow: UInt64(stringCount)) {
          throw set.column(ofNode: index).__error(
            .malformedColumn, found: "string \(id)", expected: "below \(stringCount)")
        }
      } else if checksStrings, kind != .data {
        try verifyText(chunk, set.column(ofNode: index))
      }
    default: break
    }
  }

  /// Every reference leads to a row, and that to an object of a fitting class. Spec: 05-graph, rules G2 and G3.
  private func verifyReferences(
    _ chunk: ChunkView, to name: String?, _ column: ColumnReader
  ) throws(ArchiveError) {
    if let row = chunk.firstValue(notBelow: UInt64(file.rowCount)) {
      throw column.__error(.danglingReference, found: "row \(row)", expected: "below \(file.rowCount)")
    }
    guard let name else { return }
    let declared = tables.classIndices[name]
    func fits(_ index: Int) -> Bool {
      guard let declared else { return false }
      return tables.hierarchy.isClass(index, orSubclassOf: declared)
    }
    let hasRows = classOfRow.hasRows
    if hasRows.indices.dropFirst().allSatisfy({ !hasRows[$0] || fits($0) }) { return }
    let classes = classOfRow.classes
    for position in 0..<chunk.count {
      let row = Int(truncatingIfNeeded: chunk.unsigned(position))
      guard row != 0, classOfRow.rows.contains(row) else { continue }
      let index = Int(classes[row - classOfRow.rows.lowerBound])
      if fits(index) { continue }
      throw column.__error(
        .wrongClass, found: "row \(row) of class '\(file.classes[index].name)'",
        expected: "class '\(name)' or a subclass")
    }
  }

  private func verifyText(_ chunk: ChunkView, _ column: ColumnReader) throws(ArchiveError) {
    var start = 0
    for position in 0..<chunk.count {
      // A mapped file may have changed since the lengths were added up.
      let length = Int(truncatingIfNeeded: chunk.unsigned(position))
      guard length >= 0, unsafe length <= chunk.text.count - start,
        unsafe UnsafeRawBufferPointer(rebasing: chunk.text[start..<start + length]).isUTF8
      else { throw column.__error(.invalidString, found: "bytes that are not UTF-8") }
      start += length
    }
  }

  /// A plain reference in a construction column leads to an earlier row; references inside other values are
  /// checked when the object is built. Spec: 05-graph, rule G4.
  private func verifyConstructionOrder(
    of set: ColumnReaderSet, _ classIndex: Int, _ columnCount: Int, _ ownRows: [Int]
  ) throws(ArchiveError) {
    for (position, column) in file.classes[classIndex].columns[..<columnCount].enumerated()
    where column.flags.contains(.construction) {
      let node = set.layout.roots[position]
      guard set.layout.nodes[node].kind == .reference else { continue }
      let chunk = set.chunk(ofNode: node)
      for (index, ownRow) in ownRows.enumerated() where chunk.unsigned(index) >= UInt64(ownRow) {
        throw set.column(ofNode: node).__error(
          .constructionOrder, found: "a reference from row \(ownRow) to row \(chunk.unsigned(index))",
          expected: "an earlier row")
      }
    }
  }
}

/// The class of each of some rows: of all rows of a file, or of those of one segment.
private final class ClassOfRow {
  let rows: Range<Int>
  /// For each class of the file whether there are rows of it.
  private(set) var hasRows: [Bool] = []
  private let forEachSegment: ((RowsSegment) throws(ArchiveError) -> Void) throws(ArchiveError) -> Void

  /// All rows of a file.
  convenience init(_ file: ArchiveFile) throws(ArchiveError) {
    try self.init(file, rows: 0..<file.rowCount) { body throws(ArchiveError) in
      try file.forEachRowsSegment(body)
    }
  }

  /// The rows of one segment.
  convenience init(_ segment: RowsSegment, _ file: ArchiveFile) throws(ArchiveError) {
    let rows = segment.firstRow..<segment.firstRow + segment.rowCount
    try self.init(file, rows: rows) { body throws(ArchiveError) in try body(segment) }
  }

  /// Row 0, and only row 0, is of the class of the roots. Spec: 05-graph, rule G1.
  private init(
    _ file: ArchiveFile, rows: Range<Int>,
    forEachSegment: @escaping ((RowsSegment) throws(ArchiveError) -> Void) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    self.rows = rows
    self.forEachSegment = forEachSegment
    var isPresent = [Bool](repeating: false, count: file.classes.count)
    var rowsWithoutBytes = 0
    var row = rows.lowerBound
    try forEachSegment { segment throws(ArchiveError) in
      for rows in segment.classes where !rows.hasBytes { rowsWithoutBytes += rows.rowCount }
      try Limits.check(rowsWithoutBytes, within: file.limits.rows / Limits.costWithoutBytes, "rows")
      for run in segment.runs {
        guard (run.classIndex == 0) == (row == 0), row > 0 || run.length == 1 else {
          throw ArchiveError(.malformedSegment, found: "rows of roots", expected: "row 0, and only row 0")
        }
        row += run.length
        isPresent[run.classIndex] = true
      }
    }
    hasRows = isPresent
  }

  /// The class of every row, made when a class does not fit every reference. O(rows) once.
  private(set) lazy var classes: [UInt32] = {
    var classes: [UInt32] = []
    classes.reserveCapacity(rows.count)
    try? forEachSegment { segment throws(ArchiveError) in
      for run in segment.runs {
        classes.append(contentsOf: repeatElement(UInt32(run.classIndex), count: run.length))
      }
    }
    // Only a mapped file that changed can have become unreadable since `init`.
    classes.append(contentsOf: repeatElement(0, count: rows.count - min(rows.count, classes.count)))
    return classes
  }()
}

/// Elements of collections so far.
private final class ElementBudget {
  private var spent = 0

  func charge(_ count: Int, hasBytes: Bool, limit: Int) throws(ArchiveError) {
    let cost = count.multipliedReportingOverflow(by: hasBytes ? 1 : Limits.costWithoutBytes)
    let sum = spent.addingReportingOverflow(cost.partialValue)
    try Limits.check(cost.overflow || sum.overflow ? Int.max : sum.partialValue, within: limit, "elements")
    spent = sum.partialValue
  }
}
