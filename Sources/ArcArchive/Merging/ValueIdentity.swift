import ArcFormat
import ArcRuntime

/// A value that is compared by `isSame(as:)`. The order of sets and dictionaries has no meaning, two NaN with
/// the same bits are equal, and fields of structures are compared by label.
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
      // The hash does not depend on the order of the fields, because equal structures may have different
      // orders.
      if let fields = value.fields {
        return hasher.combine(fields.reduce(0) { $0 ^ ValueIdentity(value: $1.value).hashValue })
      }
      if case .enumeration(_, let label, _) = value { hasher.combine(ExactName(label)) }
      for (_, child) in value.children { hasher.combine(ValueIdentity(value: child)) }
    }
  }
}

extension ChildPairs {
  /// Pairs the values nested directly in two values. Elements of sets and keys of dictionaries are partners
  /// if they are equal by `isSame(as:)`. Nil if the values have different kinds or cases, or contain no
  /// values.
  init?(_ first: ArchiveValue, _ second: ArchiveValue) {
    self.init(first, second) { ValueIdentity(value: $0) }
  }
}

extension ArchiveValue {
  /// Whether two values have the same content. Floating-point numbers are compared by their bits, and the
  /// order of sets and dictionaries is ignored. A null value equals a nil reference.
  func isSame(as other: ArchiveValue) -> Bool {
    switch (self, other) {
    case (.double(let value), .double(let other)): return value.bitPattern == other.bitPattern
    case (.float(let value), .float(let other)): return value.bitPattern == other.bitPattern
    case (.null, .reference(nil)), (.reference(nil), .null): return true
    // The pairing has already compared the partners. To compare them again would take exponential time for
    // nested sets.
    case (.set, .set): return ChildPairs(self, other)?.isComplete ?? false
    default:
      guard let pairs = ChildPairs(self, other) else { return self == other }
      return hasParts(pairs) { $0.isSame(as: $1) }
    }
  }

  /// Whether two values contain equally many nested values, and all pairs of nested values satisfy
  /// `areAlike`. Nil if the two values have different kinds or cases, if they contain no values, or if they
  /// are sets or dictionaries.
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

  /// Whether the program could have read this value from a stored value. The program may not know some parts
  /// of the stored value, and may read numbers as another kind.
  ///
  /// References to objects in `unread` are nil in the program. If `unread` is nil, any reference may be nil
  /// in the program.
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
    // An array can be read as a set, a set as an array, and a single value as a collection with this value.
    case (.array(let elements), .set(let others)), (.set(let elements), .array(let others)):
      CollectionLosses(unordered: elements, of: others, unread: unread) != nil
    case (.array(let elements), _), (.set(let elements), _):
      elements.isEmpty
        ? stored.mayBeOmitted(unread: unread) : elements.count == 1 && isRead(elements[0], stored)
    default:
      ChildPairs(self, stored).map { pairs in
        children.enumerated().allSatisfy { index, child in
          // The program may have fields that the stored structure lacks.
          pairs[index].map { isRead(child.value, $0) } ?? (fields != nil)
        }
      } ?? isConverted(from: stored)
    }
  }

  /// Whether a program may have read a stored single value as an empty collection. True for nil, for an
  /// object that was not read, and for an enumeration, because the program may not have its case.
  private func mayBeOmitted(unread: UnreadObjects?) -> Bool {
    switch self {
    case .null, .nestedNull, .reference(nil), .enumeration: true
    case .reference(let id?): unread?.contains(id) ?? true
    default: false
    }
  }

  /// Returns the value without the structure fields that another value does not have. Used to find the stored
  /// value from which a value was read.
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
