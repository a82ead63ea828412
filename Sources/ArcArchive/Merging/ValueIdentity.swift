import ArcRuntime

/// A value that is another one if both are the same: order has no meaning in sets and dictionaries, numbers
/// that are none are the same if they have the same bits, and fields are told apart by their names.
struct ValueIdentity: Hashable {
  let value: ArchiveValue

  static func == (left: ValueIdentity, right: ValueIdentity) -> Bool { left.value.isSame(as: right.value) }

  func hash(into hasher: inout Hasher) {
    switch value {
    case .double(let number): hasher.combine(number.bitPattern)
    case .float(let number): hasher.combine(number.bitPattern)
    case .null, .reference(nil): hasher.combine(0)
    case .set(let elements): hasher.combine(elements.count)
    case .dictionary(let entries): hasher.combine(entries.count)
    case .array(let elements): for element in elements { hasher.combine(ValueIdentity(value: element)) }
    case .structure(_, let fields):
      // Fields may come in another order.
      hasher.combine(fields.reduce(0) { $0 ^ ValueIdentity(value: $1.value).hashValue })
    case .enumeration(_, let label, let payload):
      hasher.combine(ExactName(label))
      if let payload { hasher.combine(ValueIdentity(value: payload)) }
    default: hasher.combine(value)
    }
  }
}

extension ArchiveValue {
  /// Whether both are one value.
  func isSame(as other: ArchiveValue) -> Bool {
    switch (self, other) {
    case (.double(let value), .double(let other)): value.bitPattern == other.bitPattern
    case (.float(let value), .float(let other)): value.bitPattern == other.bitPattern
    case (.null, .reference(nil)), (.reference(nil), .null): true
    case (.set(let elements), .set(let others)):
      elements.count == others.count
        && Set(elements.map(ValueIdentity.init)) == Set(others.map(ValueIdentity.init))
    case (.dictionary(let entries), .dictionary(let others)):
      entries.count == others.count && Self.haveSameEntries(entries, others)
    default: hasParts(like: other) { $0.isSame(as: $1) } ?? (self == other)
    }
  }

  /// Whether two values contain equally many values, and the values at equal positions are alike: elements
  /// of arrays in order, fields of structures by their names, associated values of one case. Nil for other
  /// values.
  func hasParts(
    like other: ArchiveValue, _ areAlike: (ArchiveValue, ArchiveValue) -> Bool
  ) -> Bool? {
    switch (self, other) {
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy(areAlike)
    case (.structure(_, let fields), .structure(_, let others)):
      fields.count == others.count
        && fields.indices.allSatisfy { index in
          others.partner(of: index, in: fields).map { areAlike(fields[index].value, $0.value) } ?? false
        }
    case (.enumeration(_, let label, let payload), .enumeration(_, let other, let otherPayload)):
      label.hasSameBytes(as: other)
        && (payload.flatMap { value in otherPayload.map { areAlike(value, $0) } }
          ?? (payload == otherPayload))
    default: Optional.none
    }
  }

  private static func haveSameEntries(_ entries: [Entry], _ others: [Entry]) -> Bool {
    let values = Dictionary(others.map { (ValueIdentity(value: $0.key), $0.value) }) { first, _ in first }
    return entries.allSatisfy { values[ValueIdentity(value: $0.key)]?.isSame(as: $0.value) ?? false }
  }

  /// Whether the value is what is left of another one when some of that is not known, or when its numbers are
  /// read as ones of another kind.
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
    case (.set(let elements), .set(let others)):
      CollectionLosses(unordered: elements, of: others, unread: unread) != nil
    case (.dictionary(let entries), .dictionary(let others)):
      CollectionLosses(unordered: entries.map(\.key), of: others.map(\.key), unread: unread) != nil
    case (.array, .data), (.data, .array): isConverted(from: stored)
    // Array and set are read as each other, and a single value is read as a collection of it.
    case (.array(let elements), .set(let others)), (.set(let elements), .array(let others)):
      CollectionLosses(unordered: elements, of: others, unread: unread) != nil
    case (.array(let elements), _), (.set(let elements), _):
      elements.isEmpty
        ? stored.mayBeLeftOut(unread: unread) : elements.count == 1 && isRead(elements[0], stored)
    case (.structure(_, let fields), .structure(_, let others)):
      fields.indices.allSatisfy { index in
        others.partner(of: index, in: fields).map { isRead(fields[index].value, $0.value) } ?? true
      }
    case (.enumeration(_, let label, let payload?), .enumeration(_, let other, let otherPayload?)):
      label.hasSameBytes(as: other) && isRead(payload, otherPayload)
    case (.enumeration(_, let label, nil), .enumeration(_, let other, _?)): label.hasSameBytes(as: other)
    default: isConverted(from: stored)
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

  /// The value with those fields of structures alone that another one has, to tell which it was read from.
  func reduced(like other: ArchiveValue) -> ArchiveValue {
    switch (self, other) {
    case (.structure(let name, let fields), .structure(_, let others)):
      return .structure(
        name: name,
        fields: others.indices.compactMap { index in
          fields.partner(of: index, in: others).map {
            Field(name: $0.name, value: $0.value.reduced(like: others[index].value))
          }
        })
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
