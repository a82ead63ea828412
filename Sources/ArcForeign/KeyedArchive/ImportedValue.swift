import ArcRuntime

/// A value of an imported file, in eight bytes: its kind, and the index of its content.
struct ImportedValue: Hashable, Sendable {
  /// The kind of a value in the archive. The kind determines the array of ``ImportedGraph`` to which `index`
  /// refers.
  enum Kind: UInt8, Sendable {
    /// Nil.
    case nothing
    /// `NSNull`, which is an object and therefore not nil.
    case null
    /// A single value: an index in the nodes of `list`.
    case bool, integer, real, date, string, data, uuid
    /// A URL or a decimal: an index in `urls` or `decimals`.
    case url, decimal
    /// An object: an index in `rowOfObject`.
    case object
    /// A collection: an index in `collections`.
    case list, dictionary
    /// A structure: an index in `structures`.
    case structure
    /// A field of a structure for which the file has no value.
    case missing
  }

  let kind: Kind
  let index: UInt32

  init(_ kind: Kind, _ index: Int = 0) {
    self.kind = kind
    self.index = UInt32(truncatingIfNeeded: index)
  }
}

/// A key of an object with its value.
struct ImportedField: Sendable {
  /// The index of the key in ``ImportedGraph/keys``.
  let key: Int
  let value: ImportedValue
}

/// An object that becomes a row.
struct ImportedRow: Sendable {
  /// The index of the class in ``ImportedGraph/classes``.
  let classIndex: Int
  let fields: Range<Int>
  /// The UID of the object. Nil for a container that the file stores without an object.
  let uid: Int?
  /// The byte offset of the object in the file.
  let byteOffset: Int
}

/// A class as a file describes it. Classes are equal if all their names have the same bytes.
struct ImportedClass: Hashable, Sendable {
  let name: String
  /// The names of the superclasses, nearest first, without NSObject.
  let superclasses: [String]

  private var lineage: [ExactName] { [ExactName(name)] + superclasses.map(ExactName.init) }

  static func == (one: ImportedClass, other: ImportedClass) -> Bool { one.lineage == other.lineage }

  func hash(into hasher: inout Hasher) { hasher.combine(lineage) }
}

/// The content of an imported file in flat arrays: rows in the order of their numbers, and their values.
struct ImportedGraph: Sendable {
  var list: PropertyList
  var fileName: String?
  /// The format of the file, in words.
  var format = ""
  var roots: [(name: String, value: ImportedValue)] = []
  var classes: [ImportedClass] = []
  var keys: [String] = []
  var rows: [ImportedRow] = []
  var fields: [ImportedField] = []
  /// The row of each object, counted from 0. -1 if the object has no row.
  var rowOfObject: [Int32] = []
  /// Ranges of `elements`. The range of a dictionary contains its keys, then its values.
  var collections: [Range<Int>] = []
  var elements: [ImportedValue] = []
  /// The structures of the program that contain values of the file, with the fields as ranges of `elements`.
  var structures: [(form: ImportGuide.Shape.Structure, fields: Range<Int>)] = []
  var urls: [(text: String, base: String?)] = []
  var decimals: [String] = []
  /// Columns that the archive contains even if no row has a value in them.
  var columns: [Column] = []

  /// The indices of a column's class and key.
  struct Column: Sendable {
    let classIndex: Int
    let key: Int
  }

  init(list: PropertyList) { self.list = list }

  /// Returns the row of an object.
  func row(_ value: ImportedValue) -> Int { Int(rowOfObject[Int(value.index)]) }
}
