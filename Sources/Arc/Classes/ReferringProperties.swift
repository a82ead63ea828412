import ArcArchive
import ArcFormat

/// Finds the program's roots and properties through which a file refers directly to objects of a class.
///
/// - Complexity: O(rows + references) at the first query.
final class ReferringProperties {
  private let file: ArchiveFile
  private var columns: ReferringColumns?

  init(in file: ArchiveFile) { self.file = file }

  /// Returns the program's types of the roots and properties that, in the file, refer to objects of the class
  /// at `index`. Roots and properties that the program does not have are omitted.
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
