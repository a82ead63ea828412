import ArcFormat

/// A collection whose values have positions or keys, such as an array or a dictionary.
protocol EntryContainer {
  static var entryType: Any.Type { get }
  /// Whether a path can contain the key of an entry of this collection as a name, without brackets.
  static var hasNames: Bool { get }
  /// Returns the value of an entry. Nil if the value is nil, or if a dictionary does not have the entry.
  /// Throws `noElement` if a position is out of range, or if the dictionary's key type cannot represent the
  /// key.
  func value(of entry: ValuePath.Step) throws(KeyAccessError) -> Any?
  /// Returns a copy of the collection in which an entry has the value `value`.
  func setting(_ value: Any?, of entry: ValuePath.Step) throws(KeyAccessError) -> Any
}

/// A collection, such as an array or a set, whose elements a path can reach all at once.
protocol ElementContainer {
  /// The elements. An element is nil if it is an optional that is nil.
  var elements: [Any?] { get }
  /// Returns a copy of the collection in which elements are replaced with the results of `change`. If a
  /// result is nil, the element is unchanged. Returns nil if no element was replaced.
  func changing(_ change: (Any?) throws(KeyAccessError) -> Any?) throws(KeyAccessError) -> Any?
}

extension EntryContainer
where Self: ElementContainer & MutableCollection & RandomAccessCollection, Index == Int {
  static var entryType: Any.Type { Element.self }
  static var hasNames: Bool { false }
  var elements: [Any?] { map { unwrapped($0) } }

  func value(of entry: ValuePath.Step) throws(KeyAccessError) -> Any? {
    unwrapped(self[try index(of: entry)])
  }

  func setting(_ value: Any?, of entry: ValuePath.Step) throws(KeyAccessError) -> Any {
    let index = try index(of: entry)
    var changed = self
    changed[index] = try settable(value)
    return changed
  }

  func changing(_ change: (Any?) throws(KeyAccessError) -> Any?) throws(KeyAccessError) -> Any? {
    var changed: Self?
    for index in indices {
      guard let value = try change(unwrapped(self[index])) else { continue }
      if changed == nil { changed = self }
      changed?[index] = try settable(value)
    }
    return changed
  }

  private func index(of entry: ValuePath.Step) throws(KeyAccessError) -> Int {
    if case .index(let number) = entry, let index = Int(exactly: number), indices.contains(index) {
      return index
    }
    throw KeyAccessError(
      .noElement, found: "\(entry.text) as an element of a collection of \(plural(count, "element"))",
      expected: "the index of an existing element")
  }
}

extension Array: EntryContainer, ElementContainer {}
extension ContiguousArray: EntryContainer, ElementContainer {}

extension Dictionary: EntryContainer {
  static var entryType: Any.Type { Value.self }
  static var hasNames: Bool { true }

  func value(of entry: ValuePath.Step) throws(KeyAccessError) -> Any? {
    self[try key(of: entry)].flatMap { unwrapped($0) }
  }

  /// Returns the dictionary in which an entry has the value `value`. If the value is nil, the entry is
  /// removed, unless the type of the values is optional.
  func setting(_ value: Any?, of entry: ValuePath.Step) throws(KeyAccessError) -> Any {
    let key = try key(of: entry)
    var changed = self
    if value == nil, !(Value.self is any OptionalValue.Type) {
      changed[key] = nil
    } else {
      changed.updateValue(try settable(value), forKey: key)
    }
    return changed
  }

  private func key(of entry: ValuePath.Step) throws(KeyAccessError) -> Key {
    if let key = entry.key(of: Key.self) as? Key { return key }
    if case .key(.enumerationCase(let name)) = entry, let key = keys.first(where: { name.names($0) }) {
      return key
    }
    guard ValuePath.Step.hasLiteral(for: Key.self) else {
      throw KeyAccessError(
        .noElement, found: "a dictionary with keys of type '\(Key.self)'",
        expected: "a dictionary whose keys, or their raw values, are strings, integers, Booleans or cases of "
          + "a CaseIterable type; a case of another enumeration must already be a key of the dictionary")
    }
    throw KeyAccessError(
      .noElement, found: "the key \(entry.text)",
      expected: "a key of type '\(Key.self)', such as [\"a\"] for a string or [7] for an integer")
  }
}

extension ValuePath.Step {
  /// Returns the key of the step as a value of a type: a string, an integer, a Boolean, a case, or a value
  /// with such a raw value. Nil if the type has no such value.
  fileprivate func key(of type: Any.Type) -> Any? {
    func integer<Number: BinaryInteger>(_ type: Number.Type, _ number: Int128) -> Any? {
      Number(exactly: number)
    }
    func value<Key: RawRepresentable>(_ type: Key.Type) -> Any? {
      (key(of: Key.RawValue.self) as? Key.RawValue).flatMap { Key(rawValue: $0) }
    }
    func enumerationCase<Key: CaseIterable>(_ type: Key.Type, _ name: ValuePath.Name) -> Any? {
      Key.allCases.first { name.names($0) }
    }
    switch self {
    case .name: return nil
    case .index(let number):
      if let type = type as? any BinaryInteger.Type { return integer(type, number) }
    case .key(.text(let name)): if type == String.self { return name.text }
    case .key(.bool(let flag)): if type == Bool.self { return flag }
    case .key(.enumerationCase(let name)):
      return (type as? any CaseIterable.Type).flatMap { enumerationCase($0, name) }
    }
    return (type as? any RawRepresentable.Type).flatMap { value($0) }
  }

  /// Whether values of a type can be written as keys in a path: strings, integers, Booleans, and values with
  /// such raw values.
  fileprivate static func hasLiteral(for type: Any.Type) -> Bool {
    func hasRawLiteral<Key: RawRepresentable>(_ type: Key.Type) -> Bool {
      hasLiteral(for: Key.RawValue.self)
    }
    if type == String.self || type == Bool.self || type is any BinaryInteger.Type { return true }
    return (type as? any RawRepresentable.Type).map { hasRawLiteral($0) } ?? false
  }
}

extension ValuePath.Name {
  /// Whether a value is the case with this name and has no associated values.
  fileprivate func names(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .enum && mirror.children.isEmpty && means("\(value)")
  }
}

extension Set: ElementContainer {
  var elements: [Any?] { map { unwrapped($0) } }

  /// Calls `change` with each element. Throws `readOnly` if a result is not nil, because an element of a set
  /// cannot be replaced: the set finds its elements by their values. Otherwise, returns nil.
  func changing(_ change: (Any?) throws(KeyAccessError) -> Any?) throws(KeyAccessError) -> Any? {
    for element in self where try change(unwrapped(element)) != nil {
      throw KeyAccessError(
        .readOnly, found: "a set whose elements are not objects and so cannot be changed",
        expected: "a set whose elements are objects")
    }
    return nil
  }
}
