/// A class while its rows are written.
final class ClassWriter {
  let shape: ClassShape
  /// The coded name.
  let name: String
  /// Its index in the class table.
  let index: Int
  /// One column per slot.
  let columns: [ColumnWriter]
  /// The columns of the class in the file, and columns of the same kind that go nowhere.
  let set: ColumnWriterSet
  private(set) lazy var scratch: ColumnWriterSet = makeScratch()
  private let makeScratch: () -> ColumnWriterSet
  /// Columns with dynamic keys: position in the class by what they were encoded as.
  var keyedColumns: [KeyedColumn: Int] = [:]
  /// The last row that has a value for a key.
  var lastRows: [String: Int] = [:]
  let visitsConstructionReferences: Bool

  /// A column that goes nowhere, by its position in the class; dynamic keys add columns as they appear.
  func scratchColumn(_ position: Int) -> ColumnWriter {
    if scratch.layout.roots.count <= position { scratch.extend(to: set.layout) }
    return scratch.column(position)
  }

  /// A key, and the type under which values are encoded for it.
  struct KeyedColumn: Hashable {
    let key: String
    let type: ObjectIdentifier
    let flags: ColumnDescription.Flags
    let isWeak: Bool
  }

  init(shape: ClassShape, index: Int, in archive: ArchiveWriter) {
    self.shape = shape
    self.index = index
    name = shape.schema.name
    set = archive.columnSet(ofClass: index)
    columns = Array(set.columns)
    visitsConstructionReferences = shape.hasConstructionReferences
    makeScratch = { [unowned archive] in archive.scratchColumnSet(ofClass: index) }
  }
}
