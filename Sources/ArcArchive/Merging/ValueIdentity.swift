import ArcFormat
import ArcRuntime

/// A value that is equal to another value if both are the same: the order of sets and dictionaries has no
/// meaning, two NaN with the same bits are the same, and the fields of structures are compared by label.
struct ValueIdentity: Hashable {
  let value: ArchiveValue

  static func == (left: ValueIdentity, right: ValueIdentity) -> Bool { left.value.isSame(as: right.value) }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .double(let number): hasher.combine(number.bitPattern)
    case .float(let number): hasher.combine(number.bitPattern)
    case .null, .reference(nil): hasher.combine(0)
    case .set, .dictionary: hasher.combine(value.elementCount)
    default:
      guard value.containerKind != nil else { return hasher.combine(value) }
      // The fields of two structures may be in two orders.
      if let fields = value.fields {
        return hasher.combine(fields.reduce(0) { $0 ^ ValueIdentity(value: $1.value).hashValue })
      }
      if case .enumeration(_, let label, _) = value { hasher.combine(ExactName(label)) }
      for (_, child) in value.children { hasher.combine(ValueIdentity(value: child)) }
    }
  }
}

extension ChildPairs {
  /// Pairs the values inside two values. Keys of sets and dictionaries are partners if they are the same.
  init?(_ first: ArchiveValue, _ second: ArchiveValue) {
    self.init(first, second) { ValueIdentity(value: $0) }
  }
}

extension ArchiveValue {
  /// Whether both are the same value.
  func isSame(as other: ArchiveValue) -> Bool {
    switch (self, other) {
    case (.double(let value), .double(let other)): return value.bitPattern == other.bitPattern
    case (.float(let value), .float(let other)): return value.bitPattern == other.bitPattern
    case (.null, .reference(nil)), (.reference(nil), .null): return true
    // Partners are the same. To compare them again would take exponential time for sets of sets.
    case (.set, .set): return ChildPairs(self, other)?.isComplete ?? false
    default:
      guard let pairs = ChildPairs(self, other) else { return self == other }
      return hasParts(pairs) { $0.isSame(as: $1) }
    }
  }

  /// Whether two values contain equally many values, and partners are alike. Nil if the values are of two
  /// kinds or cases, if they contain no others, and for sets and dictionaries.
  func hasParts(
    like other: ArchiveValue, _ areAlike: (ArchiveValue, ArchiveValue) -> Bool
  ) -> Bool? {
    guard keys == nil else { return Optional.none }
    return ChildPairs(self, other).map { hasParts($0, areAlike) }
  }

  private func hasParts(_ pairs: ChildPairs, _ areAlike: (ArchiveValue, ArchiveValue) -> Bool) -> Bool {
    guard pairs.isComplete else { return false }
    return children(keys: .none).enumerated().allSatisfy { index, child in
      pairs[index].map { areAlike(child.value, $0) } ?? false
    }
  }

  /// Whether a program that does not know some parts of a stored value, or that reads its numbers as another
  /// kind, reads this value from the stored value.
  ///
  /// References to the objects `unread` are nil in the program; if it is nil, any reference may be nil.
  func isRead(from stored: ArchiveValue, unread: UnreadObjects? = nil) -> Bool {
    if let isRead = isTreeRead(from: stored, unread: unread) { return isRead }
    func isRead(_ value: ArchiveValue, _ stored: ArchiveValue) -> Bool {
      value.isRead(from: stored, unread: unread)
    }
    return switch (self, stored) {
    case (.null, .reference(let id?)), (.reference(nil), .reference(let id?)): unread?.contains(id) ?? true
    case (.null, _), (.nestedNull, _), (.reference(nil), _): true
    case (.array(let elements), .array(let others)):
      CollectionLosses(elements, of: others, unread: unread) != nil
    case (.set, .set), (.dictionary, .dictionary):
      CollectionLosses(unordered: keys ?? [], of: stored.keys ?? [], unread: unread) != nil
    case (.array, .data), (.data, .array): isConverted(from: stored)
    // Array and set are read as each other, and a single value is read as a collection of it.
    case (.array(let elements), .set(let others)), (.set(let elements), .array(let others)):
      CollectionLosses(unordered: elements, of: others, unread: unread) != nil
    case (.array(let elements), _), (.set(let elements), _):
      elements.isEmpty
        ? stored.mayBeLeftOut(unread: unread) : elements.count == 1 && isRead(elements[0], stored)
    default:
      ChildPairs(self, stored).map { pairs in
        children.enumerated().allSatisfy { index, child in
          // The stored structure may lack fields that the program has.
          pairs[index].map { isRead(child.value, $0) } ?? (fields != nil)
        }
      } ?? isConverted(from: stored)
    }
  }

  /// Whether a collection that a single value is read as may be empty: for nil, for an object that is not
  /// read, and for a case that the program does not have.
  private func mayBeLeftOut(unread: UnreadObjects?) -> Bool {
    switch self {
    case .null, .nestedNull, .reference(nil), .enumeration: true
    case .reference(let id?): unread?.contains(id) ?? true
    default: false
    }
  }

  /// The value with only the fields that the structures of another value have, to find the value that it was
  /// read from.
  func reduced(like other: ArchiveValue) -> ArchiveValue {
    if let fields, let others = other.fields, let pairs = ChildPairs(other, self) {
      return .structure(
        name: typeName ?? "",
        fields: others.indices.compactMap { index in
          pairs.partner(of: index).map {
            Field(name: fields[$0].name, value: fields[$0].value.reduced(like: others[index].value))
          }
        })
    }
    switch (self, other) {
    case (.enumeration(let name, let label, let payload?), .enumeration(_, _, let other?)):
      return .enumeration(name: name, case: label, payload: payload.reduced(like: other))
    case (.enumeration(let name, let label, _?), .enumeration(_, let other, nil))
    where label.hasSameBytes(as: other):
      return .enumeration(name: name, case: label, payload: nil)
    case (.integer, .double), (.integer, .float): return double.map { .double($0) } ?? self
    default: return self
    }
  }
}
