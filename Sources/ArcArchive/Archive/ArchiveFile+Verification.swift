public import ArcFormat
import ArcRuntime

extension ArchiveFile {
  /// Checks the whole archive for damage, as far as possible without the classes of a program.
  ///
  ///     let file = try ArchiveFile(contentsOf: url)
  ///     do {
  ///       try file.verify()
  ///     } catch {
  ///       print("damaged at byte \(error.byteOffset ?? 0): \(error)")
  ///     }
  ///
  /// The function checks the checksums, the sizes and counts of all columns, and the encoding of strings. The
  /// function also checks that every reference refers to an existing object of a suitable class.
  ///
  /// - Throws: the first `ArchiveError` that is found, with the byte offset of the segment and the path of
  ///   the file.
  /// - Complexity: O(*n*) in the number of bytes of the file. Memory contains only some segments at a time.
  public func verify() throws(ArchiveError) {
    do throws(ArchiveError) {
      try verifyStrings()
      try verifyRows(isComplete: true)
    } catch {
      throw error.located(filePath: store.path)
    }
    do throws(ArchiveError) {
      try verifyDirectory()
      isVerified = true
    } catch {
      let error = error.located(filePath: store.path)
      guard let wrongDirectoryHandler else { throw error }
      wrongDirectoryHandler(error)
    }
  }

  /// Checks all rows.
  ///
  /// - Parameters:
  ///   - isComplete: whether all errors are checked. False for a caller that builds all values afterwards.
  ///     Three errors are then left to the building: wrong strings, values that are nested too deeply, and
  ///     wrong construction references nested in other values.
  ///   - shouldContinue: called with the index of each segment, once after its rows were counted and once
  ///     after its values were checked. If it returns false, the rest is not checked.
  /// - Throws: the code of the damage that is found first.
  package func verifyRows(
    isComplete: Bool, shouldContinue: (_ segment: Int) -> Bool = { _ in true }
  ) throws(ArchiveError) {
    if contents.hasMetadata { _ = try metadataEntries() }
    var verifier = RowsVerifier(self, counts: schema.takeRowCounts(), isComplete: isComplete)
    guard try verifier.countRows(shouldContinue: shouldContinue),
      try forEachRowsSegment(
        shouldContinue: shouldContinue, { rows throws(ArchiveError) in try verifier.verify(rows) })
    else { return }
    schema.rowCounts = verifier.rowCounts
  }

  /// Checks one segment of rows on its own. If a reference refers to a row of another segment, the class of
  /// that row is not known and not checked.
  func verifyRows(_ segment: RowsSegment) throws(ArchiveError) {
    let counts = [Int](repeating: 0, count: classes.count)
    var verifier = RowsVerifier(self, only: segment, counts: counts, isComplete: true)
    guard try verifier.countRows() else { return }
    try verifier.verify(segment)
  }

  /// Calls a closure with each segment of rows in order, and then calls `shouldContinue`. Returns false if
  /// `shouldContinue` ended the loop.
  func forEachRowsSegment(
    shouldContinue: (_ segment: Int) -> Bool = { _ in true },
    _ body: (RowsSegment) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> Bool {
    var inflatedCount = 0
    for (position, index) in rowsSegments.enumerated() {
      if position == inflatedCount { inflatedCount = inflateRows(from: position) }
      do throws(ArchiveError) {
        try body(rows(inSegment: index))
        discardPages(ofSegment: index)
      } catch {
        throw error.located(byteOffset: segments[index].byteOffset)
      }
      guard shouldContinue(index) else { return false }
    }
    return true
  }
}

/// Checks rows against the class table. Spec: 05-graph, section 4.
struct RowsVerifier {
  let file: ArchiveFile
  /// The only segment to check; nil if all segments are checked.
  private let segment: RowsSegment?
  let isComplete: Bool
  private let schema: FileSchema
  private let stringCount: Int
  /// The rows to check.
  private let rows: Range<Int>
  /// The number of rows of each class, among the rows to check.
  private(set) var rowCounts: [Int]
  /// The class of each row to check; nil until the class of a reference's target is needed.
  private var classes: RowClasses?
  /// The cost of the elements of collections that were checked so far. Spec: 07-limits, rule A7.
  private var elementCount = 0

  /// Creates a verifier. `counts` contains a zero for each class.
  init(_ file: ArchiveFile, only segment: RowsSegment? = nil, counts: [Int], isComplete: Bool) {
    self.file = file
    self.segment = segment
    self.isComplete = isComplete
    schema = file.schema
    stringCount = file.stringCount
    rows = segment.map { $0.firstRow..<$0.firstRow + $0.rowCount } ?? 0..<file.rowCount
    rowCounts = counts
  }

  /// Calls a closure with each segment to check: `segment`, or all segments of a file. Returns false if
  /// `shouldContinue` ended the loop. The function is static, because a method would copy the verifier.
  private static func forEachSegment(
    _ segment: RowsSegment?, of file: ArchiveFile, shouldContinue: (_ segment: Int) -> Bool = { _ in true },
    _ body: (RowsSegment) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> Bool {
    guard let segment else { return try file.forEachRowsSegment(shouldContinue: shouldContinue, body) }
    try body(segment)
    return true
  }

  /// Counts the rows of each class. Checks that row 0, and no other row, belongs to the class of the roots.
  ///
  /// Spec: 05-graph, rule G1; 07-limits, rule A3.
  ///
  /// - Returns: false if `shouldContinue` ended the loop. `rowCounts` is then empty.
  mutating func countRows(
    shouldContinue: (_ segment: Int) -> Bool = { _ in true }
  ) throws(ArchiveError) -> Bool {
    var counts: [Int] = []
    swap(&counts, &rowCounts)
    var rowsWithoutBytes = 0
    let file = file
    let isComplete = try Self.forEachSegment(segment, of: file, shouldContinue: shouldContinue) {
      segment throws(ArchiveError) in
      for rows in segment.classes {
        if !rows.hasBytes { rowsWithoutBytes += rows.rowCount }
        counts[rows.classIndex] += rows.rowCount
      }
      try ArchiveLimits.check(
        rowsWithoutBytes, within: file.limits.rows / ArchiveLimits.costWithoutBytes, "rows")
      for run in segment.runs {
        let row = run.rows.lowerBound
        guard (run.classIndex == 0) == (row == 0), row > 0 || run.rows.count == 1 else {
          throw ArchiveError(
            .malformedSegment,
            found:
              "\(plural(run.rows.count, "row")) of class '\(file.classes[run.classIndex].name)' from row \(row) on",
            expected:
              "the class '\(ClassDescription.rootsName)' for row 0 and for no other row"
          )
        }
      }
    }
    if isComplete { rowCounts = counts }
    return isComplete
  }

  /// Checks the values of one segment. Spec: 04-columns, rule V2.
  mutating func verify(_ segment: RowsSegment) throws(ArchiveError) {
    var ownRows: [Int: [Range<Int>]] = [:]
    for run in segment.runs where schema.hasConstructionColumn[run.classIndex] {
      ownRows[run.classIndex, default: []].append(run.rows)
    }
    for rows in segment.classes {
      let set = schema.columns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      try set.skip(roots: rows.columnCount, count: rows.rowCount)
      try set.checkAtEnd()
      if isComplete, var nesting = NestingVerifier(set, limit: file.limits.nesting) {
        try nesting.verify(roots: 0..<rows.columnCount, rowCount: rows.rowCount)
      }
      if schema.hasKeyedColumn[rows.classIndex] { try verifyKeys(of: set, rows) }
      for index in set.areEmpty.indices { try verifyValues(of: set, node: index) }
      if !ownRows.isEmpty, let ownRows = ownRows[rows.classIndex] {
        try verifyConstructionOrder(of: set, rows, RowRanges(ownRows[...]))
      }
    }
  }

  /// Checks the values of some columns of a class. The other columns need not have been read, so rules K1 and
  /// G4 of the Spec are not checked.
  mutating func verify(columns: [Int], of rows: RowsSegment.ClassRows) throws(ArchiveError) {
    let set = schema.columns(ofClass: rows.classIndex)
    set.bind(rows.chunks)
    for column in columns { try set.skip(root: column, count: rows.rowCount) }
    try set.checkAtEnd()
    if var nesting = NestingVerifier(set, limit: file.limits.nesting) {
      for column in columns { try nesting.verify(roots: column..<column + 1, rowCount: rows.rowCount) }
    }
    for column in columns {
      for node in set.layout.nodes(ofRoot: column) { try verifyValues(of: set, node: node) }
    }
  }

  /// Checks that a row has at most one value for a key. Spec: 04-columns, rule K1.
  private func verifyKeys(of set: ColumnReaderSet, _ rows: RowsSegment.ClassRows) throws(ArchiveError) {
    let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
    var nodesByKey: [DeclaredKey: [Int]] = [:]
    for (position, column) in columns.enumerated() where column.flags.contains(.keyed) {
      nodesByKey[DeclaredKey(column), default: []].append(set.layout.roots[position])
    }
    for nodes in nodesByKey.values where nodes.count > 1 {
      for row in 0..<rows.rowCount where nodes.count(where: { set.chunk(ofNode: $0).bit(row) }) > 1 {
        throw set.column(ofNode: nodes[0]).error(
          .malformedColumn, found: "two values for one key of an object",
          expected: "at most one value for each key")
      }
    }
  }

  /// Checks the values of one node: references, lengths, cases and strings.
  ///
  /// Spec: 04-columns, rules V5, V6, V7 and X2.
  private mutating func verifyValues(of set: ColumnReaderSet, node index: Int) throws(ArchiveError) {
    let kind = set.kind(ofNode: index)
    switch kind {
    case .reference, .weak:
      try verifyReferences(
        set.chunk(ofNode: index), to: set.layout.nodes[index].name, set.column(ofNode: index))
    case .array, .set, .dictionary:
      let chunk = set.chunk(ofNode: index)
      let total = try Chunk.sum(chunk.values, count: chunk.count, width: chunk.width)
      let hasBytes = set.layout.nodes[index].children.contains { !set.areEmpty[$0] }
      try charge(total, hasBytes: hasBytes)
    case .enumeration where set.layout.nodes[index].children.isEmpty:
      // If a case has a payload, `skip` has already checked the cases while it counted the payloads.
      let caseCount = set.layout.nodes[index].labels.count
      if let tag = set.chunk(ofNode: index).firstValue(notBelow: UInt64(caseCount)) {
        throw set.column(ofNode: index).error(
          .unknownCase,
          found: "case number \(tag) of the enumeration '\(set.layout.nodes[index].name ?? "")'",
          expected: "a case number below \(caseCount)")
      }
    case .string, .data, .decimal:
      let chunk = set.chunk(ofNode: index)
      if chunk.usesStringTable {
        if let id = chunk.firstValue(notBelow: UInt64(stringCount)) {
          throw set.column(ofNode: index).error(
            .malformedColumn, found: "string number \(id)", expected: "a string number below \(stringCount)")
        }
      } else if isComplete, kind != .data {
        try verifyText(chunk, set.column(ofNode: index))
      }
    case .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .int128, .uint128, .float16,
      .float32, .float64, .date, .uuid, .optional, .structure, .enumeration, .url:
      break
    }
  }

  /// Checks that every reference refers to an existing row, whose class is the declared class or a subclass.
  /// Spec: 05-graph, rules G2 and G3.
  private mutating func verifyReferences(
    _ chunk: Chunk, to name: String?, _ column: ColumnReader
  ) throws(ArchiveError) {
    if let row = chunk.firstValue(notBelow: UInt64(file.rowCount)) {
      throw column.error(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an object with a number below \(file.rowCount)")
    }
    guard let name else { return }
    let declared = schema.classIndices[ExactName(name)]
    func fits(_ index: Int) -> Bool {
      guard let declared else { return false }
      return schema.hierarchy.isClass(index, orSubclassOf: declared)
    }
    if rowCounts.indices.dropFirst().allSatisfy({ rowCounts[$0] == 0 || fits($0) }) { return }
    let classes = classes ?? findClasses()
    self.classes = classes
    try classes.forEachTarget(of: chunk) { row, index throws(ArchiveError) in
      if fits(index) { return }
      throw column.error(
        .wrongClass, found: "a reference to object #\(row) of class '\(file.classes[index].name)'",
        expected: "a reference to an object of class '\(name)' or a subclass")
    }
  }

  /// Returns the classes of the rows to check.
  ///
  /// - Complexity: O(*n*) in the number of rows.
  private func findClasses() -> RowClasses {
    var classes = RowClasses(ofRows: rows)
    // The rows were already read when they were counted. Reading can fail now only if a mapped file has
    // changed.
    _ = try? Self.forEachSegment(segment, of: file) { segment throws(ArchiveError) in classes.add(segment) }
    return classes
  }

  /// Adds the cost of elements of collections, and checks the limit. Spec: 04-columns, rule V7; 07-limits,
  /// rule A7.
  private mutating func charge(_ count: Int, hasBytes: Bool) throws(ArchiveError) {
    let cost = count.multipliedReportingOverflow(by: hasBytes ? 1 : ArchiveLimits.costWithoutBytes)
    let sum = elementCount.addingReportingOverflow(cost.partialValue)
    try ArchiveLimits.check(
      cost.overflow || sum.overflow ? Int.max : sum.partialValue, within: file.limits.elements, "elements")
    elementCount = sum.partialValue
  }

  /// Checks that the strings in a chunk without string numbers are UTF-8. Spec: 04-columns, rule V5.
  private func verifyText(_ chunk: Chunk, _ column: ColumnReader) throws(ArchiveError) {
    var start = 0
    for position in 0..<chunk.count {
      // A mapped file may have changed since the lengths were added.
      let length = Int(truncatingIfNeeded: chunk.unsigned(position))
      guard length >= 0, length <= chunk.text.count - start, chunk.text[start..<start + length].isUTF8
      else { throw column.error(.invalidString, found: "a string whose bytes are not UTF-8") }
      start += length
    }
  }
}
