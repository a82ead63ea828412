import ArcFormat
import ArcRuntime

/// What the values of a column have in common: grows with each value, and becomes a type encoding.
struct ImportedType: Equatable {
  /// What a value is stored as.
  enum Family: Equatable {
    /// There was none yet.
    case nothing
    case bool, integer, real, date, string, data, uuid, url, decimal, object
    /// Values of several families, each with what it is.
    case any
    case list, dictionary
  }

  private(set) var family: Family
  /// Whether some are nil.
  private(set) var isOptional = false
  /// The least and greatest integer.
  private(set) var low: Int128 = 0
  private(set) var high: Int128 = 0
  /// The class of the objects, by its index in the catalog: the nearest that all are of; nil for none or any.
  private(set) var target: Target = .none
  /// Of a list the type of its elements; of a dictionary those of its keys and values.
  private(set) var children: [ImportedType] = []

  /// Which objects references lead to.
  enum Target: Equatable {
    case none
    case classIndex(Int)
    case any
  }

  init(_ family: Family) { self.family = family }

  /// The type of one value, which is no collection.
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

  /// Whether each value is one of 64 bits with a point, without loss.
  private var isNumber: Bool {
    let exact: Int128 = 1 << 53
    return family == .real || (family == .integer && low >= -exact && high <= exact)
  }

  /// Whether values of the type contain others, which `any` does not.
  private var isCollection: Bool { family == .list || family == .dictionary }

  /// Merges with the type of other values.
  ///
  /// - Parameters:
  ///   - other: the type of other values.
  ///   - shape: what the program declares: integers and reals are reals where it declares one.
  ///   - allowsAny: whether values of several families may become `any`.
  ///   - hierarchy: the classes, to find one that objects have in common.
  /// - Returns: the type of values of both; nil if there is none.
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

  /// The type encoding; `names` has the coded names of the classes, nil for one that references cannot name.
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

  /// Whether a value is preceded by whether it is there: references and `any` say so themselves.
  var hasPresence: Bool { isOptional && family != .nothing && family != .object && family != .any }

  /// How wide integers are stored.
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
  /// What the elements of a list, or the keys and values of a dictionary, are declared as.
  func child(_ index: Int, of count: Int) -> ImportGuide.Shape? {
    switch self {
    case .value(let isReal): isReal ? self : nil
    case .list(let element): count == 1 ? element : nil
    case .dictionary(let key, let value): count == 2 ? (index == 0 ? key : value) : nil
    }
  }
}

/// `Any`, an enumeration of all families of single values: what elements of mixed collections are stored as.
enum AnyValue {
  /// The cases in their order, with the types of their payloads.
  private static let cases: [(name: String, type: String?)] = [
    ("nil", nil), ("null", nil), ("bool", "B"), ("int", "q"), ("double", "d"), ("string", "@\"NSString\""),
    ("data", "@\"NSData\""), ("date", "@\"NSDate\""), ("uuid", "@\"NSUUID\""), ("url", "@\"NSURL\""),
    ("decimal", "@\"NSDecimalNumber\""), ("object", "@"), ("big", "t"),
  ]

  static let encoding =
    "$(Any=" + cases.map { "\"\($0.name)\"" + ($0.type.map { "{?=\"\"\($0)}" } ?? "") }.joined() + ")"

  /// The number of the case for a value; integers beyond 64 bits are `big`.
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
