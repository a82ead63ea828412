import ArcFormat

/// A table of an export. Its rows are the objects of a class, or the elements of a collection property.
struct ExportTable {
  /// A column of a table.
  struct Column {
    var name: String
    let kind: Kind
  }

  /// The kind of the values of a column, apart from null.
  enum Kind: Equatable {
    case boolean
    /// A signed integer of at most 64 bits.
    case integer
    /// An integer that may not fit in 64 signed bits.
    case wideInteger
    case real
    case text
    case bytes
    /// The JSON of a value with nested values, as `arcdump --json` writes it.
    case json
    /// A reference, as the number of the target. `classIndex` is the class of the target or one of its
    /// superclasses. Nil if the class is unknown.
    case reference(classIndex: Int?)
  }

  let name: String
  /// The index of a class. For a table of objects, this is the class of the objects. For a table of elements,
  /// this is the class that has the collection property.
  let classIndex: Int
  /// The name of the property whose collections the table contains. The property is a collection, or contains
  /// a collection in a structure or case. Nil in a table of objects.
  let property: String?
  /// The columns. The first is `row`, the number of the object. In the table of a collection, `position` is
  /// next, then the columns of the key if the collection is a dictionary, then the columns of the value.
  let columns: [Column]

  /// Whether the rows are elements of collections. If true, `row` and `position` together are the primary
  /// key.
  var isCollection: Bool { property != nil }
}

/// The cells that represent a value of a property in a row.
indirect enum CellShape {
  /// One cell with the value.
  case value
  /// One cell with the JSON of the value.
  case json
  /// The cells of each field of a structure.
  case fields([CellShape])
  /// A cell with the name of the case, then the cells of the associated values of each case.
  case cases([(label: String, payload: CellShape?)])
  /// A cell with the number of elements or entries. The elements or entries themselves are rows of another
  /// table. `parts` describes such a row: the cells of an element, or the cells of the key and of the value.
  case rows(table: Int, parts: [CellShape])

  /// The number of cells.
  var cellCount: Int {
    switch self {
    case .value, .json, .rows: 1
    case .fields(let fields): fields.reduce(0) { $0 + $1.cellCount }
    case .cases(let cases): 1 + cases.reduce(0) { $0 + ($1.payload?.cellCount ?? 0) }
    }
  }
}
