package import ArcFormat

/// The token of a value. For a value that contains no other values, the token is the complete value.
/// Otherwise, the token contains the value's kind, its names and the number of nested values, whose tokens
/// follow. A printer writes tokens directly, so it creates no values in memory.
package enum ValueToken {
  /// A string of printable ASCII without quotes and backslashes. The bytes are valid until the next token of
  /// the file.
  case plainText(ByteView)
  /// Any other value that contains no other value, except a reference.
  case scalar(ValueScalar)
  /// A reference. The number is nil if the reference is nil.
  case reference(ObjectID?, isWeak: Bool)
  /// An array or a set. The elements follow, at position 0.
  case elements(count: Int, isOrdered: Bool)
  /// A dictionary. The entries follow, each with the key at position 0 and the value at position 1.
  case entries(count: Int)
  /// A structure. The fields follow, at the positions of their labels.
  case fields(ValueNames)
  /// A case of an enumeration, by its index in the labels. The associated values follow at the position
  /// `payload`, which is nil if the case has none.
  case enumerationCase(ValueNames, index: Int, payload: Int?)

  /// Creates the token of a value in memory.
  package init(_ value: ArchiveValue, isWeak: Bool = false) {
    switch value {
    case .reference(let id): self = .reference(id, isWeak: isWeak)
    case .array(let elements): self = .elements(count: elements.count, isOrdered: true)
    case .set(let elements): self = .elements(count: elements.count, isOrdered: false)
    case .dictionary(let entries): self = .entries(count: entries.count)
    case .structure(let name, let fields): self = .fields(ValueNames(type: name, labels: fields.map(\.name)))
    case .enumeration(let name, let label, let payload):
      let names = ValueNames(type: name, labels: [label])
      self = .enumerationCase(names, index: 0, payload: payload == nil ? nil : 0)
    default: self = .scalar(ValueScalar(value) ?? .null(depth: 0))
    }
  }

  /// Calls `body` with the position of each directly nested value, in order. `index` is the index of the
  /// element or entry, and 0 for other nested values.
  package func forEachInside(_ body: (_ position: Int, _ index: Int) throws -> Void) rethrows {
    switch self {
    case .plainText, .scalar, .reference: break
    case .elements(let count, _): for index in 0..<count { try body(0, index) }
    case .entries(let count):
      for index in 0..<count {
        try body(0, index)
        try body(1, index)
      }
    case .fields(let names): for position in names.labels.indices { try body(position, 0) }
    case .enumerationCase(_, _, let payload): if let payload { try body(payload, 0) }
    }
  }
}

/// The names of a structure or an enumeration.
package final class ValueNames: Sendable {
  /// The name of the type, or `?` if the type has no name.
  package let type: String
  /// The labels of the fields, or the names of the cases. A field without a label has an empty string.
  package let labels: [String]
  /// The printable name of the type. It is created once, because a file may contain a million values of the
  /// type.
  package let shownType: String
  /// The printable labels.
  package let shownLabels: [String]

  package init(type: String, labels: [String]) {
    self.type = type
    self.labels = labels
    shownType = printableName(type)
    shownLabels = labels.map { printableName($0) }
  }

  /// Whether the type has no name. An example is the structure of the associated values of a case.
  package var isNameless: Bool { type == "?" }
}
