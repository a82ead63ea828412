import ArcFormat
import ArcRuntime

/// The classes whose initializers need objects of other classes. Spec: 05-graph, rule G4.
struct ConstructionNeeds {
  /// The indices of all classes. A group contains one class, or several classes that need each other's
  /// objects. If objects of a group need objects of another group, the other group comes first.
  let groups: [[Int]]
  /// The references in construction columns, from each row to the rows that its initializer needs.
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
      let (classIndex, neededIndex) = (rowClasses[row], rowClasses[target])
      if classIndex != neededIndex { needs[classIndex].insert(neededIndex) }
    }
    groups = Self.groups(needs)
    (self.references, self.rowClasses) = (references, rowClasses)
  }

  /// Adds the references in construction columns of a segment to a log, including references that are nested
  /// in other values.
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

  /// Divides the classes into groups, so that each class comes after the classes that it needs. `needs`
  /// contains the classes that each class needs.
  ///
  /// The next group is the first class that needs no remaining class. If there is none, the next group is the
  /// smallest set of classes that need only each other.
  private static func groups(_ needs: [Set<Int>]) -> [[Int]] {
    var needs = needs
    var groups: [[Int]] = []
    var remaining = Array(needs.indices)
    while !remaining.isEmpty {
      let group =
        remaining.first { needs[$0].isEmpty }.map { [$0] }
        ?? remaining.map { closure(of: $0, needs) }.min { $0.count < $1.count } ?? remaining
      groups.append(group)
      remaining.removeAll(where: group.contains)
      for index in remaining { needs[index].subtract(group) }
    }
    return groups
  }

  /// Returns the indices of a class and of all classes that it needs, directly or indirectly.
  private static func closure(of index: Int, _ needs: [Set<Int>]) -> [Int] {
    var found: Set<Int> = [index]
    var next = [index]
    while let index = next.popLast() {
      for other in needs[index] where found.insert(other).inserted { next.append(other) }
    }
    return found.sorted()
  }

  /// Checks that sorting keeps the order of construction.
  ///
  /// Throws `constructionOrder` if a row would precede a row that its initializer needs, or if the rows of a
  /// sorted class must stay mixed with rows of other classes.
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
