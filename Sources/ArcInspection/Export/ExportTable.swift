import ArcFormat

/// A table of an export: the objects of a class, or the elements of a collection in them.
struct ExportTable {
  /// A column of a table.
  struct Column {
    var name: String
    let kind: Kind
  }

  /// What the cells of a column are, if they are not null.
  enum Kind: Equatable {
    case boolean
    /// An integer of at most 64 bits, with a sign.
    case integer
    /// An integer that may need more.
    case wideInteger
    case real
    case text
    case bytes
    /// A value that no cell can be, as `arcdump --json` writes it.
    case json
    /// The number of an object, whose class is that of an index or a subclass; nil if it may be any.
    case reference(classIndex: Int?)
  }

  let name: String
  /// The index of the class whose objects are in the table or have the collection.
  let classIndex: Int
  /// The property that is the collection, or has it in its structures; nil for a table of objects.
  let property: String?
  /// The first is `row`, the number of the object; of a collection `position` is next, then those of the key
  /// if it is a dictionary, then those of the value.
  let columns: [Column]

  /// Whether the table is that of a collection: then `row` and `position` together are the key of it.
  var isCollection: Bool { property != nil }
}

/// How a value becomes cells of a row.
indirect enum CellShape {
  /// One cell, in which the value is.
  case value
  /// One cell with the JSON of the value.
  case json
  /// The cells of the fields.
  case structure([CellShape])
  /// A cell with the name of the case, then the cells of what each case carries.
  case enumeration([(label: String, payload: CellShape?)])
  /// A cell with the number of elements, which are rows of another table.
  case array(table: Int, element: CellShape)
  case dictionary(table: Int, key: CellShape, value: CellShape)

  /// The number of cells.
  var cellCount: Int {
    switch self {
    case .value, .json, .array, .dictionary: 1
    case .structure(let fields): fields.reduce(0) { $0 + $1.cellCount }
    case .enumeration(let cases): 1 + cases.reduce(0) { $0 + ($1.payload?.cellCount ?? 0) }
    }
  }
}
