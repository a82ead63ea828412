import ArcArchive
import ArcFormat

/// Finds the roots and properties of the program that directly refer to objects of the classes of a file.
///
/// - Complexity: O(rows + references) at the first query.
final class ReferringProperties {
  private let file: ArchiveFile
  private var columns: ReferringColumns?

  init(in file: ArchiveFile) { self.file = file }

  /// Returns the types of the properties and roots that refer to objects of a class. Properties that the
  /// program does not read are omitted.
  func valueTypes(
    referringTo index: Int, _ types: ReachableClasses, roots: [(name: String, type: any ArchivableValue.Type)]
  ) throws -> [any ArchivableValue.Type] {
    let columns = try columns ?? ReferringColumns(of: RowsView(of: file))
    self.columns = columns
    return try columns.columns(referringTo: index).flatMap { column -> [any ArchivableValue.Type] in
      let description = file.classes[column.classIndex]
      let key = description.columns[column.position].key
      if column.classIndex == 0 { return roots.filter { $0.name.hasSameBytes(as: key) }.map(\.type) }
      guard let type = try types.type(named: description.name) else { return [] }
      return try ProgramClass.of(type).slots.filter { slot in
        slot.property.keys.contains { $0.hasSameBytes(as: key) }
      }.map(\.property.valueType)
    }
  }
}
