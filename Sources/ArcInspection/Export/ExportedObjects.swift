import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects and properties that an export contains.
///
///     let objects = try ExportedObjects(catalog, classes: ["Person"], columns: ["name", "mother"])
///     try objects.forEachRow { row in print(row.id, row.values) } onBatchEnd: {}
struct ExportedObjects {
  let catalog: ObjectCatalog
  /// The indices of the exported columns, by class index. Nil if the class is not exported.
  let columns: [[Int]?]
  /// The numbers of the exported objects. Nil if all objects are exported.
  private let numbers: ExportedNumbers?

  /// Selects objects by class and columns by name.
  ///
  /// If `classes` and `names` are empty, all objects are exported, including the named roots.
  ///
  /// - Parameters:
  ///   - catalog: The objects of the file.
  ///   - classes: The names of the classes to export. Their subclasses are exported too.
  ///   - names: The names of the properties to export, as `tree` shows them. A class without any of them is
  ///     not exported.
  /// - Throws: `unknownClass` if no class has a name in `classes`, or `missingKey` if no property has a name
  ///   in `names`.
  init(_ catalog: ObjectCatalog, classes: [String], columns names: [String]) throws(QueryError) {
    self.catalog = catalog
    let file = catalog.file
    var isWanted = [Bool](repeating: classes.isEmpty, count: file.classes.count)
    for name in classes {
      guard let index = catalog.classIndex(named: name) else {
        throw QueryError(
          .unknownClass, found: "no class '\(name)'",
          expected: "a class of the file: \(QueryError.choice(file.classes.dropFirst().map(\.name)))",
          remedy: "list the classes with arcdump classes")
      }
      for (index, isMember) in catalog.isFamily(ofClass: index).enumerated() where isMember {
        isWanted[index] = true
      }
    }
    var columns = isWanted.enumerated().map { index, isWanted in
      isWanted ? Array(file.classes[index].columns.indices) : nil
    }
    if !names.isEmpty { try Self.keep(names, of: &columns, catalog) }
    self.columns = columns
    numbers =
      columns.contains { $0 == nil } ? ExportedNumbers(file, isWanted: columns.map { $0 != nil }) : nil
  }

  /// Removes the columns whose names are not in `names`, and the classes without remaining columns.
  private static func keep(
    _ names: [String], of columns: inout [[Int]?], _ catalog: ObjectCatalog
  ) throws(QueryError) {
    let wanted = columns.indices.filter { columns[$0] != nil }
    for index in wanted { columns[index] = [] }
    for name in names {
      var isFound = false
      for index in wanted {
        let found = catalog.columns(named: ValuePath.Name(name), ofClass: index)
        isFound = isFound || !found.isEmpty
        for column in found where columns[index]?.contains(column) == false { columns[index]?.append(column) }
      }
      guard !isFound else { continue }
      var seen: Set<ExactName> = []
      let known = wanted.lazy.flatMap { catalog.names(ofClass: $0) }
        .filter { seen.insert(ExactName($0)).inserted }
      throw QueryError(
        .missingKey, found: "no property '\(name)'",
        expected: "a property of the exported classes: \(QueryError.choice(known))",
        remedy: "list the properties with arcdump classes")
    }
    for index in wanted where columns[index]?.isEmpty == true { columns[index] = nil }
  }

  /// Calls `body` with each exported object, ordered by segment and then by class. Calls `onBatchEnd` after
  /// the last object of each class in each segment.
  ///
  /// - Throws: `ArchiveError` if a segment is damaged, or the errors of the closures.
  /// - Complexity: O(bytes of the file) time. Memory contains one segment and the values of one object.
  func forEachRow(_ body: (ExportedRow) throws -> Void, onBatchEnd: () throws -> Void) throws {
    func isWanted(_ classIndex: Int) -> Bool { columns[classIndex] != nil }
    try catalog.file.forEachBatch(where: isWanted) { classIndex, ids, batch in
      let cursors = try (columns[classIndex] ?? []).map { column in try batch.cursor(at: column) }
      for id in ids {
        let values = try cursors.map { cursor in try cursor?.next() }
        try body(ExportedRow(id: id, classIndex: classIndex, values: values))
      }
      try onBatchEnd()
    }
  }

  /// Whether the object `id` is exported. Called for the targets of references.
  ///
  /// - Throws: `ArchiveError` if a segment is damaged.
  func isExported(_ id: ObjectID) throws -> Bool { try numbers?.contains(id) ?? true }

  /// The indices of the exported classes.
  var classes: [Int] { columns.indices.filter { columns[$0] != nil } }
}

/// An exported object with the values of its exported columns.
struct ExportedRow {
  let id: ObjectID
  /// The index of the object's class in the class table. 0 for the named roots.
  let classIndex: Int
  /// The values of the exported columns. A value is nil if a hand-written coder did not write its key for
  /// this object.
  let values: [ArchiveValue?]
}
