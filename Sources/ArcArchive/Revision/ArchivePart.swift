package import ArcFormat
package import ArcRuntime

/// What a reader does with the references in a node of a class's columns: it decides which rows belong to a
/// part of an archive.
package enum ReferenceUse: UInt8 {
  /// They bring nothing into the part, and lead nowhere where their targets are not in it: weak ones in
  /// values, and those that nobody reads.
  case incidental
  /// The same of a weak property, for which it is noted where it leads.
  case weak
  /// Their targets belong to the part.
  case followed
  /// They bring nothing into the part, and stay where their targets are not in it: those that are read on
  /// demand, and unowned ones.
  case detached
}

/// The row that everything in a part is reached from, which becomes row 0 of the part.
package struct PartRoot {
  /// What the columns of the row are.
  package let description: ClassDescription
  package let layout: ColumnLayout
  /// A row that was made; nil for row 0 of the file.
  fileprivate let made: RowsSegment?

  /// Row 0 of a file: its named roots.
  package init(rootsOf view: RowsView) {
    description = view.classes[0]
    layout = view.layouts[0]
    made = nil
  }

  /// A row with one value.
  ///
  /// - Parameters:
  ///   - value: the value, with references to rows of the file.
  ///   - attributes: its type and marks of absent fields; nothing else of them counts.
  ///   - key: what errors call it.
  ///   - view: the rows from which the part is read.
  /// - Throws: `malformedEncoding` for a type that no column holds.
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
    made = try rows.segment(classIndex: view.classes.count)
  }

  /// The source of the row.
  fileprivate func source(in view: RowsView, _ uses: [ReferenceUse]) throws(ArchiveError) -> RowSource {
    var rows = made
    if rows == nil, let segment = view.segment(ofRow: 0) { rows = try view.checkedRows(inSegment: segment) }
    guard let rows, let first = rows.rows(ofClass: classIndex(in: view)) else {
      throw ArchiveError(
        .malformedSegment, found: "no segment with row 0",
        expected: "a segment with row 0, which contains the roots")
    }
    return RowSource(first, of: rows, layout, uses)
  }

  fileprivate func classIndex(in view: RowsView) -> Int { made == nil ? 0 : view.classes.count }
}

/// A part of an archive: the rows that one of them leads to, as an archive of their own.
package struct ArchivePart {
  /// The rows, with numbers of their own: row 0 is what the part is reached from.
  package let view: RowsView
  /// The numbers in the file of rows that the part refers to but does not have, in the order of their numbers
  /// in the part, which follow those of its rows.
  package let outside: [Int]
  /// The number of rows that the part has, row 0 included.
  package let rowCount: Int
  /// Where weak properties lead, whether the part has their targets or not.
  package let weakTargets: [WeakTarget]
}

/// Where a weak property of a row in a part leads.
package struct WeakTarget {
  /// The row in the part, and its class.
  package let row: Int
  package let classIndex: Int
  /// The index of the property's column in the class.
  package let column: Int
  /// The number of the target in the file.
  package let target: Int
}

/// Takes parts from an archive, at the cost of the segments that they touch.
package final class ArchiveParts {
  package let view: RowsView
  private let uses: (_ classIndex: Int) throws -> [ReferenceUse]?
  /// Whether references that are not followed may lead to rows that are left out.
  private let checksDetached: Bool
  private var sources = RowSources()

  /// Takes parts from a view.
  ///
  /// - Parameters:
  ///   - view: the rows.
  ///   - checksDetached: whether `uses` may leave out classes.
  ///   - uses: what is done with the references of a class, by node of its columns; nil for a class whose
  ///     rows
  ///     are left out. What it throws ends the search.
  package init(
    of view: RowsView, checksDetached: Bool,
    uses: @escaping (_ classIndex: Int) throws -> [ReferenceUse]?
  ) {
    self.view = view
    self.checksDetached = checksDetached
    self.uses = uses
  }

  /// Takes the part that a row leads to.
  ///
  /// - Parameters:
  ///   - root: the row.
  ///   - rootUses: what is done with its references.
  ///   - isKnown: whether the object of a row is there already: then the part does not have the row.
  /// - Returns: the part.
  /// - Throws: what is wrong with a segment that the part touches, `limitExceeded` for a part that needs more
  ///   than `ArchiveLimits.rawBytes`, or what `uses` throws.
  /// - Complexity: O(rows and references of the part + bytes of the segments that it touches for the first
  ///   time).
  package func part(
    from root: PartRoot, _ rootUses: [ReferenceUse], isKnown: @escaping (_ row: Int) -> Bool
  ) throws -> ArchivePart {
    defer { sources.limit() }
    let rootSource = try root.source(in: view, rootUses)
    let rows = try search(from: rootSource, isKnown)
    return try gather(rows, root, rootSource, isKnown)
  }

  // MARK: Search

  /// The rows that are followed to, in order, but those that are known.
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

  /// The source of a row; nil if the row is omitted.
  private func source(ofRow row: Int) throws -> (RowSource, rowInClass: Int)? {
    guard let segment = view.segment(ofRow: row) else {
      throw ArchiveError(
        .danglingReference, found: "a reference to object #\(row)",
        expected: "a reference to an object with a number below \(view.rowCount)")
    }
    return try sources.source(ofRow: row, inSegment: segment, of: view, uses)
  }

  private func isLeftOut(_ row: Int) throws -> Bool {
    guard let segment = view.segment(ofRow: row), checksDetached else { return false }
    return try sources.source(ofRow: row, inSegment: segment, of: view, uses) == nil
  }

  // MARK: Columns

  /// Copies the columns of rows, with references to their new numbers.
  private func gather(
    _ rows: [Int], _ root: PartRoot, _ rootSource: RowSource, _ isKnown: @escaping (Int) -> Bool
  ) throws -> ArchivePart {
    let groups = groups(of: rows)
    var fileRows = [0]
    for group in groups { fileRows += group.rows }
    let builtCount = fileRows.count
    var numbers: [Int: UInt32] = [:]
    numbers.reserveCapacity(builtCount)
    for (number, row) in fileRows.enumerated().dropFirst() {
      numbers[row] = UInt32(truncatingIfNeeded: number)
    }
    func number(_ target: Int, _ use: ReferenceUse) throws -> UInt32 {
      let row = view.target(ofRow: target)
      if let known = numbers[row] {
        // What is read on demand is there for the references that do so alone.
        return Int(known) < builtCount || use == .detached || isKnown(row) ? known : 0
      }
      guard row > 0, try use == .detached ? !isLeftOut(row) : isKnown(row) else { return 0 }
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
    let isMade = rootIndex > 0
    let part = RowsView(
      part: segments, of: view.file, classes: view.classes + (isMade ? [root.description] : []),
      layouts: view.layouts + (isMade ? [root.layout] : []), fileRows: fileRows)
    return ArchivePart(
      view: part, outside: Array(fileRows[builtCount...]), rowCount: builtCount,
      weakTargets: columns.weakTargets)
  }

  /// Rows by segment, these in the order of their first rows.
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

  /// The rows of one segment that belong to the part.
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
