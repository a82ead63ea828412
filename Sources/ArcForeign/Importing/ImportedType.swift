import ArcFormat
import ArcRuntime

/// The common type of a column's values. The type of each value is merged into this type. After all values,
/// this type is converted to a type encoding.
struct ImportedType: Equatable {
  /// The kind of the column in which the archive stores the values.
  enum Family: Equatable {
    /// All values so far are nil.
    case nothing
    case bool, integer, real, date, string, data, uuid, url, decimal, object
    /// Single values of several families. Each value is stored with its own type.
    case any
    case list, dictionary
  }

  private(set) var family: Family
  /// Whether some values are nil.
  private(set) var isOptional = false
  /// The minimum of the integers.
  private(set) var low: Int128 = 0
  /// The maximum of the integers.
  private(set) var high: Int128 = 0
  /// The nearest common class of all referenced objects.
  private(set) var target: Target = .none
  /// The type of a list's elements, or the types of a dictionary's keys and values.
  private(set) var children: [ImportedType] = []

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
    case .bool: family = .bool
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
    case .list, .dictionary: family = .any
    }
  }

  init(collection family: Family, of children: [ImportedType]) {
    self.family = family
    self.children = children
  }

  /// Whether a Double represents each value without loss.
  private var isNumber: Bool {
    let exact: Int128 = 1 << 53
    return family == .real || (family == .integer && low >= -exact && high <= exact)
  }

  /// Whether the values are collections. False for the family `any`, which contains only single values.
  private var isCollection: Bool { family == .list || family == .dictionary }

  /// Returns a type for the values of this type and of another type.
  ///
  /// - Parameters:
  ///   - other: the other type.
  ///   - shape: the shape that the program declares. If the shape is a real, integers and reals merge to
  ///     reals.
  ///   - allowsAny: whether values of several families may merge to the family `any`.
  ///   - hierarchy: the superclasses, which determine the common class of objects.
  /// - Returns: the merged type. Nil if the types cannot be merged.
  func merged(
    with other: ImportedType, shape: ImportGuide.Shape?, allowsAny: Bool, _ hierarchy: ImportedHierarchy
  ) -> ImportedType? {
    var result = self
    result.isOptional = isOptional || other.isOptional
    if other.family == .nothing { return result }
    if family == .nothing {
      result = other
      result.isOptional = isOptional || other.isOptional
      return result
    }
    if family == other.family {
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
    if case .value(isReal: true)? = shape, isNumber, other.isNumber {
      result.family = .real
      return result
    }
    guard allowsAny, !isCollection, !other.isCollection else { return nil }
    result.family = .any
    return result
  }

  /// Returns the type encoding. `names` contains the coded name of each class. An element is nil if a
  /// reference cannot contain the name.
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
      }
    return hasPresence ? "$?" + base : base
  }

  private func objectEncoding(_ names: [String?]) -> String {
    if case .classIndex(let index) = target, let name = names[index] { "@\"\(name)\"" } else { "@" }
  }

  /// Whether a presence bit precedes each value. References and `Any` have their own representation of nil.
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
    }
  }
}

extension ImportGuide.Shape {
  /// Returns the declared shape of a list's elements, or of a dictionary's keys (`index` 0) or values
  /// (`index` 1). Nil if this shape is not a collection of this kind. `count` is 1 for a list and 2 for a
  /// dictionary. For a real, returns the shape itself, so that reals in collections are converted too.
  func child(_ index: Int, of count: Int) -> ImportGuide.Shape? {
    switch self {
    case .value(let isReal): isReal ? self : nil
    case .list(let element): count == 1 ? element : nil
    case .dictionary(let key, let value): count == 2 ? (index == 0 ? key : value) : nil
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
    case .nothing, .list, .dictionary: 0
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
