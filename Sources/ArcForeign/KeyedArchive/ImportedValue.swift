import ArcRuntime

/// A value of a file that becomes a value of an archive, by where it is: eight bytes.
struct ImportedValue: Hashable, Sendable {
  /// What a value is in an archive, and what its index means.
  enum Kind: UInt8, Sendable {
    /// No object.
    case nothing
    /// `NSNull`, which is an object, and not nil.
    case null
    /// A node of the property list.
    case bool, integer, real, date, string, data, uuid
    /// A place in `urls` or `decimals`.
    case url, decimal
    /// An object: its number among all that can become rows.
    case object
    /// A place in `collections`.
    case list, dictionary
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
  /// The UID of the object; nil for a container in place of an object.
  let uid: Int?
  /// Where the object is in the file.
  let byteOffset: Int
}

/// A class as a file describes it; equal to another if all names have the same bytes.
struct ImportedClass: Hashable, Sendable {
  let name: String
  /// The names of its superclasses upwards, without NSObject.
  let superclasses: [String]

  /// The class, then its superclasses.
  private var lineage: [ExactName] { [ExactName(name)] + superclasses.map(ExactName.init) }

  static func == (one: ImportedClass, other: ImportedClass) -> Bool { one.lineage == other.lineage }

  func hash(into hasher: inout Hasher) { hasher.combine(lineage) }
}

/// What a file holds, flat: rows in the order in which they are numbered, and what they refer to.
struct ImportedGraph: Sendable {
  let list: PropertyList
  /// The name of the file; nil if it has none.
  var fileName: String?
  /// What the file is, in words.
  var format = ""
  var roots: [(name: String, value: ImportedValue)] = []
  var classes: [ImportedClass] = []
  var keys: [String] = []
  var rows: [ImportedRow] = []
  var fields: [ImportedField] = []
  /// For each number of an object its row, from 0; -1 for those that are none.
  var rowOfObject: [Int32] = []
  /// Ranges of `elements`; of a dictionary the keys and then the values.
  var collections: [Range<Int>] = []
  var elements: [ImportedValue] = []
  var urls: [(text: String, base: String?)] = []
  var decimals: [String] = []
  /// Columns that there are even where no row has a value in them.
  var columns: [Column] = []

  /// A column of a class, by the indices of the class and of its key.
  struct Column: Sendable {
    let classIndex: Int
    let key: Int
  }

  init(list: PropertyList) { self.list = list }

  /// The row of an object.
  func row(_ value: ImportedValue) -> Int { Int(rowOfObject[Int(value.index)]) }
}
