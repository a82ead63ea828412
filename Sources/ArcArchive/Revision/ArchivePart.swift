package import ArcFormat
package import ArcRuntime

/// How a reader treats the references in one node of a class's columns. The uses determine which rows belong
/// to a part of an archive.
package enum ReferenceUse: UInt8 {
  /// The references do not add their targets to the part. If nothing else adds a target, the reference
  /// becomes nil. Used for weak references in values, and for references that the program does not read.
  case incidental
  /// The references of a weak property. They do not add their targets to the part. If nothing else adds a
  /// target, the reference becomes nil. The part records the targets in `weakTargets`.
  case weak
  /// The references add their targets to the part.
  case followed
  /// The references do not add their targets to the part. If nothing else adds a target, the reference is
  /// preserved and refers to a row outside the part. Used for references that are read on demand, and for
  /// unowned references.
  case detached
}

/// The row from which the rows of a part are reached. It becomes row 0 of the part.
package struct PartRoot {
  /// The description of the row's columns.
  package let description: ClassDescription
  package let layout: ColumnLayout
  /// The new row; nil if the row is row 0 of the file.
  fileprivate let newRow: RowsSegment?

  /// Uses row 0 of a file, with its named roots.
  package init(rootsOf view: RowsView) {
    description = view.classes[0]
    layout = view.layouts[0]
    newRow = nil
  }

  /// Creates a new row with one value.
  ///
  /// - Parameters:
  ///   - value: the value, with references to rows of the file.
  ///   - attributes: the type of the value and the marks of absent fields. Other attributes are ignored.
  ///   - key: the key of the value in error messages.
  ///   - view: the rows from which the part is read.
  /// - Throws: `malformedEncoding` if no column can store the type.
  package init(
    _ value: ArchiveValue, of attributes: PropertyAttributes, key: String, in view: RowsView
  ) throws(ArchiveError) {
    let column = ColumnDescription(
      declaringClassIndex: 0, key: key,
      attributes: PropertyAttributes(type: attributes.type ?? .uncoded, flags: [], ivar: nil)
        .markingAbsentFields(attributes.nodesOfAbsentFields), flags: [])
    let rows = try NewRows(
      ClassDescription(name: ClassDescription.rootsName, superclassIndex: nil, columns: [column]))
    rows.add(ObjectID(rawValue: 0), [value])
    description = rows.description
    layout = rows.layout
    newRow = try rows.segment(classIndex: view.classes.count)
  }

  /// Returns the source of the row.
  fileprivate func source(in view: RowsView, _ uses: [ReferenceUse]) throws(ArchiveError) -> RowSource {
    var rows = newRow
    if rows == nil, let segment = view.segment(ofRow: 0) { rows = try view.checkedRows(inSegment: segment) }
    guard let rows, let first = rows.rows(ofClass: classIndex(in: view)) else {
      throw ArchiveError(
        .malformedSegment, found: "no segment with row 0",
        expected: "a segment with row 0, which contains the roots")
    }
    return RowSource(first, of: rows, layout, uses)
  }

  fileprivate func classIndex(in view: RowsView) -> Int { newRow == nil ? 0 : view.classes.count }
}

/// A part of an archive: copies of the rows that are reached from one row. The part is read like an archive
/// of its own.
package struct ArchivePart {
  /// The rows, which have new numbers. Row 0 is the row from which the part was reached.
  package let view: RowsView
  /// The rows to which the part refers but which it does not contain, by their numbers in the file. In the
  /// part, the numbers of these rows follow the numbers of the part's own rows.
  package let outside: [Int]
  /// The number of rows of the part, including row 0.
  package let rowCount: Int
  /// The targets of weak properties, whether the part contains them or not.
  package let weakTargets: [WeakTarget]
}

/// The target of a weak property of a row in a part.
package struct WeakTarget {
  /// The number of the row in the part.
  package let row: Int
  /// The index of the row's class.
  package let classIndex: Int
  /// The index of the property's column in the class.
  package let column: Int
  /// The number of the target in the file.
  package let target: Int
}

/// Extracts parts from an archive. Only the segments that contain rows of a part are read.
package final class ArchiveParts {
  package let view: RowsView
  private let uses: (_ classIndex: Int) throws -> [ReferenceUse]?
  /// Whether rows may be omitted. If true, the search also checks the targets of references that are not
  /// followed, because such a target may be an omitted row.
  private let mayOmitRows: Bool
  private var sources = RowSources()

  /// Prepares the extraction of parts from a view.
  ///
  /// - Parameters:
  ///   - view: the rows.
  ///   - mayOmitRows: whether `uses` may omit classes, so that targets of references that are not followed
  ///     are checked.
  ///   - uses: returns the use of the references of a class, by node of its columns; nil if rows of the class
  ///     are omitted. If it throws, the search ends with the error.
  package init(
    of view: RowsView, mayOmitRows: Bool,
    uses: @escaping (_ classIndex: Int) throws -> [ReferenceUse]?
  ) {
    self.view = view
    self.mayOmitRows = mayOmitRows
    self.uses = uses
  }

  /// Extracts the part that is reached from a row.
  ///
  /// - Parameters:
  ///   - root: the row.
  ///   - rootUses: the use of the row's references, by node of its columns.
  ///   - isKnown: returns whether the object of a row already exists. The part then does not contain the row.
  /// - Returns: the part.
  /// - Throws: the code of the damage if a segment with rows of the part is damaged, `limitExceeded` if the
  ///   part needs more memory than `ArchiveLimits.rawBytes`, or what `uses` throws.
  /// - Complexity: O(rows and references of the part + bytes of the segments that are read for the first
  ///   time).
  package func part(
    from root: PartRoot, _ rootUses: [ReferenceUse], isKnown: @escaping (_ row: Int) -> Bool
  ) throws -> ArchivePart {
    defer { sources.limit() }
    let rootSource = try root.source(in: view, rootUses)
    let rows = try search(from: rootSource, isKnown)
    return try copy(rows, root, rootSource, isKnown)
  }

  // MARK: Search

  /// Returns the rows that paths of references with the use `followed` reach, in ascending order. Rows for
  /// which `isKnown` returns true are omitted.
  private func search(from root: RowSource, _ isKnown: (Int) -> Bool) throws -> [Int] {
    var seen = [UInt64](repeating: 0, count: view.rowCount / 64 + 1)
    var found: [Int] = []
    var pending: [Int] = []
    func add(_ target: Int) {
      let row = view.target(ofRow: target)
      let (word, bit) = (row / 64, UInt64(1) << UInt64(row % 64))
      guard row > 0, word < seen.count, seen[word] & bit == 0 else { return }
      seen[word] |= bit
      pending.append(row)
    }
    try root.forEachTarget(ofRow: 0, add)
    while let row = pending.popLast() {
      if isKnown(row) { continue }
      guard let (source, rowInClass) = try source(ofRow: row) else { continue }
      found.append(row)
      try source.forEachTarget(ofRow: rowInClass, add)
    }
    return found.sorted()
  }

  /// Returns the source of a row. Nil if the row is omitted.
  private func source(ofRow row: Int) throws -> (RowSource, rowInClass: Int)? {
    guard let segment = view.segment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an object with a number below \(view.rowCount)")
    }
    return try sources.source(ofRow: row, inSegment: segment, of: view, uses)
  }

  private func isOmitted(_ row: Int) throws -> Bool {
    guard let segment = view.segment(ofRow: row), mayOmitRows else { return false }
    return try sources.source(ofRow: row, inSegment: segment, of: view, uses) == nil
  }

  // MARK: Columns

  /// Copies the columns of rows. References get the new numbers of their targets.
  private func copy(
    _ rows: [Int], _ root: PartRoot, _ rootSource: RowSource, _ isKnown: @escaping (Int) -> Bool
  ) throws -> ArchivePart {
    let groups = groups(of: rows)
    var fileRows = [0]
    for group in groups { fileRows += group.rows }
    let ownCount = fileRows.count
    var numbers: [Int: UInt32] = [:]
    numbers.reserveCapacity(ownCount)
    for (number, row) in fileRows.enumerated().dropFirst() {
      numbers[row] = UInt32(truncatingIfNeeded: number)
    }
    func number(_ target: Int, _ use: ReferenceUse) throws -> UInt32 {
      let row = view.target(ofRow: target)
      if let known = numbers[row] {
        // An unknown row outside the part exists only for references that are read on demand.
        return Int(known) < ownCount || use == .detached || isKnown(row) ? known : 0
      }
      guard row > 0, try use == .detached ? !isOmitted(row) : isKnown(row) else { return 0 }
      let number = UInt32(truncatingIfNeeded: fileRows.count)
      numbers[row] = number
      fileRows.append(row)
      return number
    }
    let columns = PartColumns(byteLimit: view.file.limits.rawBytes, number: number)
    let rootIndex = root.classIndex(in: view)
    var segments = [
      try columns.segment(firstRow: 0, [(rootIndex, rootSource, [0..<1])], runs: [(rootIndex, 1)])
    ]
    var firstRow = 1
    for group in groups {
      segments.append(try segment(group, firstRow: firstRow, columns))
      firstRow += group.rows.count
    }
    let isNewRoot = rootIndex > 0
    let part = RowsView(
      part: segments, of: view.file, classes: view.classes + (isNewRoot ? [root.description] : []),
      layouts: view.layouts + (isNewRoot ? [root.layout] : []), fileRows: fileRows)
    return ArchivePart(
      view: part, outside: Array(fileRows[ownCount...]), rowCount: ownCount,
      weakTargets: columns.weakTargets)
  }

  /// Groups rows by segment. The groups are in the order of their first rows.
  private func groups(of rows: [Int]) -> [(segment: Int, rows: [Int])] {
    var groups: [(segment: Int, rows: [Int])] = []
    var groupOfSegment: [Int: Int] = [:]
    for row in rows {
      guard let segment = view.segment(ofRow: row) else { continue }
      if let last = groups.last, last.segment == segment {
        groups[groups.count - 1].rows.append(row)
      } else if let known = groupOfSegment[segment] {
        groups[known].rows.append(row)
      } else {
        groupOfSegment[segment] = groups.count
        groups.append((segment, [row]))
      }
    }
    return groups
  }

  /// Copies the rows of one segment that belong to the part.
  private func segment(
    _ group: (segment: Int, rows: [Int]), firstRow: Int, _ columns: PartColumns
  ) throws -> RowsSegment {
    var runs: [(classIndex: Int, count: Int)] = []
    var ofClass: [Int: (source: RowSource, ranges: [Range<Int>])] = [:]
    for row in group.rows {
      guard
        let (source, rowInClass) = try sources.source(
          ofRow: row, inSegment: group.segment, of: view, uses)
      else { continue }
      let index = source.classIndex
      if runs.last?.classIndex == index { runs[runs.count - 1].count += 1 } else { runs.append((index, 1)) }
      var ranges = ofClass[index]?.ranges ?? []
      ofClass[index] = nil
      if ranges.last?.upperBound == rowInClass {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<rowInClass + 1
      } else {
        ranges.append(rowInClass..<rowInClass + 1)
      }
      ofClass[index] = (source, ranges)
    }
    let classes = ofClass.sorted { $0.key < $1.key }.map { ($0.key, $0.value.source, $0.value.ranges) }
    return try columns.segment(firstRow: firstRow, classes, runs: runs)
  }
}
