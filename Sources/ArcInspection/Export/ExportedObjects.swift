import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects that are exported, and which of their properties.
///
///     let objects = try ExportedObjects(catalog, classes: ["Person"], columns: ["name", "mother"])
///     try objects.forEachRow { row in print(row.id, row.values) } onBatchEnd: {}
struct ExportedObjects {
  let catalog: ObjectCatalog
  /// For each class of the table the columns to export, by their indices; nil for a class that is left out.
  let columns: [[Int]?]
  /// Which objects are exported; nil if all are.
  private let numbers: ExportedNumbers?

  /// Chooses objects.
  ///
  /// Without names, everything is exported, the named roots included.
  ///
  /// - Parameters:
  ///   - catalog: the file.
  ///   - classes: names of classes, whose subclasses belong to them.
  ///   - names: those of properties as `tree` shows them; a class that has none of them is left out.
  /// - Throws: `unknownClass` or `missingKey` if there is none of such a name.
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

  /// Leaves only the columns with some names, and the classes that have any.
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

  /// Calls `body` with each object, in the order of segments and in each in that of classes, and `onBatchEnd`
  /// after those of a class in a segment.
  ///
  /// - Throws: what is wrong with a segment, or what the closures throw.
  /// - Complexity: O(bytes of the file); memory contains one segment, and the values of one object.
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

  /// Whether an object is exported, to which another one refers.
  ///
  /// - Throws: what is wrong with a segment.
  func isExported(_ id: ObjectID) throws -> Bool { try numbers?.contains(id) ?? true }

  /// The classes that are exported, as indices in the table.
  var classes: [Int] { columns.indices.filter { columns[$0] != nil } }
}

/// An object on its way out.
struct ExportedRow {
  let id: ObjectID
  /// The index of the object's class in the table; 0 for the named roots.
  let classIndex: Int
  /// The values of the columns that are exported; nil for those that the object does not have, keys that a
  /// hand-written coder did not write.
  let values: [ArchiveValue?]
}
