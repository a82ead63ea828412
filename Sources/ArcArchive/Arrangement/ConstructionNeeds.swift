import ArcFormat
import ArcRuntime

/// Which classes have objects that are built with objects of which. Spec: 05-graph, rule G4.
struct ConstructionNeeds {
  /// All classes, each behind those that its objects need; those that need each other in one group.
  let groups: [[Int]]
  /// The references in construction columns: from each row to the rows that it needs.
  private let references: ReferenceLog
  private let rowClasses: RowClasses
  private let classes: [ClassDescription]

  init(in view: RowsView) throws(ArchiveError) {
    classes = view.classes
    let rowClasses = try view.rowClasses()
    var references = ReferenceLog()
    for segment in view.segments { try Self.find(&references, in: view.rows(inSegment: segment), view.file) }
    var needs: [Set<Int>] = Array(repeating: [], count: view.classes.count)
    references.forEachReference { row, target in
      let (one, other) = (rowClasses[row], rowClasses[target])
      if one != other { needs[one].insert(other) }
    }
    groups = Self.groups(needs)
    (self.references, self.rowClasses) = (references, rowClasses)
  }

  /// Finds the references in construction columns of a segment, also inside of other values.
  private static func find(
    _ references: inout ReferenceLog, in segment: RowsSegment, _ file: ArchiveFile
  ) throws(ArchiveError) {
    for (rows, ranges) in RowGroups(segment) where file.schema.hasConstructionColumn[rows.classIndex] {
      let columns = file.classes[rows.classIndex].columns[..<rows.columnCount]
      let set = file.schema.columns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      for (root, column) in columns.enumerated() where column.flags.contains(.construction) {
        let nodes = set.referenceNodes(ofRoot: root)
        try set.forEachReference(of: ranges, ofRoot: root, nodes: nodes) { row, _, target in
          if target > 0, target < UInt64(file.rowCount) { references.add(owner: row, target: Int(target)) }
        }
      }
    }
  }

  /// Puts classes behind those that they need: the first that needs none of the others, or where all do, the
  /// fewest that need only each other.
  private static func groups(_ needs: [Set<Int>]) -> [[Int]] {
    var needs = needs
    var groups: [[Int]] = []
    var open = Array(needs.indices)
    while !open.isEmpty {
      let group =
        open.first { needs[$0].isEmpty }.map { [$0] }
        ?? open.map { closure(of: $0, needs) }.min { $0.count < $1.count } ?? open
      groups.append(group)
      open.removeAll(where: group.contains)
      for index in open { needs[index].subtract(group) }
    }
    return groups
  }

  /// A class and all that it needs, directly and through others.
  private static func closure(of index: Int, _ needs: [Set<Int>]) -> [Int] {
    var found: Set<Int> = [index]
    var next = [index]
    while let index = next.popLast() {
      for other in needs[index] where found.insert(other).inserted { next.append(other) }
    }
    return found.sorted()
  }

  /// Throws `constructionOrder` if rows cannot be sorted: one would come before another that it is built
  /// with, or they stay mixed with those of other classes.
  func check(_ newRow: [UInt32], sortedBy sorting: RowSorting) throws(ArchiveError) {
    func error(_ classIndex: Int, _ found: String) -> ArchiveError {
      ArchiveError(
        .constructionOrder, found: found,
        expected: "an order in which each object comes after the objects that its initializer needs",
        remedy:
          "do not sort the objects of the class, or declare the properties by which they refer to each other "
          + "as 'var' with an initial value",
        className: classes[classIndex].name)
    }
    for group in groups where group.count > 1 {
      if let index = group.first(where: sorting.sorts) {
        throw error(
          index,
          "a class to sort and \(plural(group.count - 1, "other class", "other classes")) whose initializers need each other's objects"
        )
      }
    }
    try references.forEachReference { row, target throws(ArchiveError) in
      if newRow[target] < newRow[row] { return }
      throw error(
        rowClasses[row], "an object that would be sorted before an object that its initializer needs")
    }
  }
}
