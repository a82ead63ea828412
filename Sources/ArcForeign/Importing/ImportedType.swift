import ArcFormat
import ArcRuntime

/// The common type of a column's values. The type of each value is merged into this type. After all values,
/// this type is converted to a type encoding.
struct ImportedType {
  /// The kind of the column in which the archive stores the values.
  enum Family {
    /// All values so far are nil.
    case nothing
    case bool, integer, real, date, string, data, uuid, url, decimal, object
    /// Single values of several families. Each value is stored with its own type.
    case any
    case list, dictionary, structure
  }

  private(set) var family: Family
  /// Whether some values are nil.
  private(set) var isOptional = false
  /// Whether no structure has a value for the field of this type.
  private(set) var isAbsent = false
  /// The minimum of the integers.
  private(set) var low: Int128 = 0
  /// The maximum of the integers.
  private(set) var high: Int128 = 0
  /// The nearest common class of all referenced objects.
  private(set) var target: Target = .none
  /// The type of a list's elements, the types of a dictionary's keys and values, or the types of a
  /// structure's fields.
  private(set) var children: [ImportedType] = []
  /// The program's structure. Nil for other families.
  private var structure: ImportGuide.Shape.Structure?

  /// The class of the referenced objects. `none` if the column has no object yet.
  enum Target: Equatable {
    case none
    case classIndex(Int)
    case any
  }

  init(_ family: Family) { self.family = family }

  /// Creates the type of one value that is not a collection. If the value is an object, `target` is the index
  /// of its class. If `target` is nil, the object can have any class.
  init(scalar value: ImportedValue, _ graph: ImportedGraph, target: Int?) {
    switch value.kind {
    case .nothing:
      family = .nothing
      isOptional = true
    case .null: family = .any
    case .missing:
      family = .nothing
      isOptional = true
      isAbsent = true
    case .bool:
      family = .bool
      (low, high) = (0, 1)
    case .integer:
      family = .integer
      if case .integer(let number) = graph.list.nodes[Int(value.index)] { (low, high) = (number, number) }
    case .real: family = .real
    case .date: family = .date
    case .string: family = .string
    case .data: family = .data
    case .uuid: family = .uuid
    case .url: family = .url
    case .decimal: family = .decimal
    case .object:
      family = .object
      self.target = target.map { .classIndex($0) } ?? .any
    case .list, .dictionary, .structure: family = .any
    }
  }

  /// Creates the type of a structure's value from the types of its fields.
  init(_ structure: ImportGuide.Shape.Structure, fields: [ImportedType]) {
    family = .structure
    children = fields
    self.structure = structure
  }

  init(collection family: Family, of children: [ImportedType]) {
    self.family = family
    self.children = children
  }

  /// Whether the values are numbers or Booleans.
  var isNumber: Bool { [.bool, .integer, .real, .decimal].contains(family) }

  /// Whether a Double represents each number without loss.
  private var isExactAsReal: Bool {
    let exact: Int128 = 1 << 53
    return family == .real || (low >= -exact && high <= exact)
  }

  /// Whether the values contain other values. False for the family `any`, which contains only single values.
  private var isCollection: Bool { [.list, .dictionary, .structure].contains(family) }

  /// Returns a family that can contain the numbers of this type and of another type. Nil if the declared
  /// shape allows no such family.
  private func commonNumber(_ other: ImportedType, _ shape: ImportGuide.Shape?) -> Family? {
    guard case .value(let scalar)? = shape, isNumber, other.isNumber else { return nil }
    let families = [family, other.family]
    switch scalar {
    case .decimal,
      .real where families.contains(.decimal):
      return families.contains(.bool) ? nil : .decimal
    case .number where !families.contains(.real) && !families.contains(.decimal): return .integer
    case .number where !families.contains(.decimal), .real where !families.contains(.bool):
      return isExactAsReal && other.isExactAsReal && families.contains(.real) ? .real : nil
    default: return nil
    }
  }

  /// Whether an export writes numbers of this type in another notation if they are stored as a merged type.
  /// For example, the integer 15 becomes 15.0 in a column of reals, and the real 1e-05 becomes 0.00001 in a
  /// column of decimals.
  func rewritesNumbers(in merged: ImportedType) -> Bool {
    switch (family, merged.family) {
    case (.integer, .real), (.real, .decimal): true
    default: zip(children, merged.children).contains { $0.rewritesNumbers(in: $1) }
    }
  }

  /// Returns a type for the values of this type and of another type.
  ///
  /// - Parameters:
  ///   - other: the other type.
  ///   - shape: the shape that the program declares. If the shape is a number, integers and reals merge
  ///     to reals.
  ///   - allowsAny: whether values of several families may merge to the family `any`.
  ///   - hierarchy: the superclasses, which determine the common class of objects.
  /// - Returns: the merged type. Nil if the types cannot be merged.
  func merged(
    with other: ImportedType, shape: ImportGuide.Shape?, allowsAny: Bool, _ hierarchy: ImportedHierarchy
  ) -> ImportedType? {
    var result = self
    result.isOptional = isOptional || other.isOptional
    result.isAbsent = isAbsent && other.isAbsent
    if other.family == .nothing { return result }
    if family == .nothing {
      result = other
      result.isOptional = isOptional || other.isOptional
      result.isAbsent = false
      return result
    }
    if family == other.family {
      guard structure === other.structure else { return nil }
      (result.low, result.high) = (min(low, other.low), max(high, other.high))
      result.target = hierarchy.common(target, other.target)
      for index in children.indices {
        guard
          let child = children[index].merged(
            with: other.children[index], shape: shape?.child(index, of: children.count), allowsAny: allowsAny,
            hierarchy)
        else { return nil }
        result.children[index] = child
      }
      return result
    }
    if let family = commonNumber(other, shape) {
      result.family = family
      (result.low, result.high) = (min(low, other.low), max(high, other.high))
      return result
    }
    guard allowsAny, !isCollection, !other.isCollection else { return nil }
    result.family = .any
    return result
  }

  /// If all values are nil, returns the type that the program declares for them. The same applies to the
  /// fields of structures. Without a declared type, a program could read nil as an empty list of objects, and
  /// an error could not name the value.
  func resolved(_ shape: ImportGuide.Shape?) -> ImportedType {
    var result = self
    if family == .structure, let structure {
      result.children = zip(children, structure.fields).map { $0.resolved($1.shape) }
    }
    guard family == .nothing, isOptional, !isAbsent else { return result }
    switch shape {
    case .value(.string), .value(.textual): result.family = .string
    case .value(.number): result.family = .integer
    case .value(.decimal): result.family = .decimal
    case .value(.data): result.family = .data
    case .optional(.list): (result.family, result.children) = (.list, [ImportedType(.nothing)])
    case .dictionary, .optional(.dictionary):
      (result.family, result.children) = (.dictionary, [ImportedType(.nothing), ImportedType(.nothing)])
    case .structure(let form):
      result = ImportedType(form, fields: form.fields.map { Self.declaredField($0.shape) })
      result.isOptional = true
    case nil, .value(.real), .value(.other), .reference, .list, .optional: break
    }
    return result
  }

  /// Returns the declared type of a field, for structures that are all nil. If this type is not known, the
  /// returned type is absent.
  private static func declaredField(_ shape: ImportGuide.Shape) -> ImportedType {
    var type = ImportedType(.nothing)
    type.isOptional = true
    type = type.resolved(shape)
    if type.family == .nothing { type.isAbsent = true } else { type.isOptional = false }
    return type
  }

  /// Returns the type encoding. `names` contains the coded name of each class, or nil if the type encoding of
  /// a reference cannot contain this name.
  func encoding(_ names: [String?]) -> String {
    let base =
      switch family {
      case .nothing: "@"
      case .bool: "B"
      case .integer: width.encoding
      case .real: "d"
      case .date: "@\"NSDate\""
      case .string: "@\"NSString\""
      case .data: "@\"NSData\""
      case .uuid: "@\"NSUUID\""
      case .url: "@\"NSURL\""
      case .decimal: "@\"NSDecimalNumber\""
      case .object: objectEncoding(names)
      case .any: AnyValue.encoding
      case .list: "$[\(children[0].encoding(names))]"
      case .dictionary: "$<\(children[0].encoding(names)):\(children[1].encoding(names))>"
      case .structure: structureEncoding(names)
      }
    return hasPresence ? "$?" + base : base
  }

  private func objectEncoding(_ names: [String?]) -> String {
    if case .classIndex(let index) = target, let name = names[index] { "@\"\(name)\"" } else { "@" }
  }

  /// Returns the encoding of the structure. Fields for which the file has no values are omitted, so that the
  /// program uses their initial values.
  private func structureEncoding(_ names: [String?]) -> String {
    guard let structure else { return "@" }
    let fields = zip(structure.fields, children).filter { !$1.isAbsent }
    return "{\(structure.name)=" + fields.map { "\"\($0.label)\"" + $1.encoding(names) }.joined() + "}"
  }

  /// Whether the column stores a presence bit for each value. Columns of references and of `Any` do not,
  /// because they represent nil in another form.
  var hasPresence: Bool { isOptional && family != .nothing && family != .object && family != .any }

  /// The width and signedness of stored integers.
  enum Width {
    case signed64, unsigned64, signed128

    var encoding: String {
      switch self {
      case .signed64: "q"
      case .unsigned64: "Q"
      case .signed128: "t"
      }
    }
  }

  var width: Width {
    if Int64(exactly: low) != nil, Int64(exactly: high) != nil { return .signed64 }
    return low >= 0 && UInt64(exactly: high) != nil ? .unsigned64 : .signed128
  }

  /// The type in words, for errors.
  var words: String {
    switch family {
    case .nothing: "nil"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a real"
    case .date: "a date"
    case .string: "a string"
    case .data: "data"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .decimal: "a decimal"
    case .object: "an object"
    case .any: "values of several types"
    case .list: "a list"
    case .dictionary: "a dictionary"
    case .structure: "a structure"
    }
  }
}

/// The enumeration `Any`, which has a case for each family of single values.
///
/// The elements of collections with several families are stored as values of this enumeration.
enum AnyValue {
  /// The cases in the order of their indices, each with the type encoding of its payload.
  private static let cases: [(name: String, type: String?)] = [
    ("nil", nil), ("null", nil), ("bool", "B"), ("int", "q"), ("double", "d"), ("string", "@\"NSString\""),
    ("data", "@\"NSData\""), ("date", "@\"NSDate\""), ("uuid", "@\"NSUUID\""), ("url", "@\"NSURL\""),
    ("decimal", "@\"NSDecimalNumber\""), ("object", "@"), ("big", "t"),
  ]

  static let encoding =
    "$(Any=" + cases.map { "\"\($0.name)\"" + ($0.type.map { "{?=\"\"\($0)}" } ?? "") }.joined() + ")"

  /// Returns the index of the case for a value. Integers beyond 64 bits use the case `big`.
  static func caseIndex(_ kind: ImportedValue.Kind, isBig: Bool) -> Int {
    switch kind {
    case .nothing, .list, .dictionary, .structure, .missing: 0
    case .null: 1
    case .bool: 2
    case .integer: isBig ? 12 : 3
    case .real: 4
    case .string: 5
    case .data: 6
    case .date: 7
    case .uuid: 8
    case .url: 9
    case .decimal: 10
    case .object: 11
    }
  }
}
