import ArcFormat

/// A collection whose values have positions or keys of their own, as arrays and dictionaries.
protocol EntryContainer {
  /// The type of the values.
  static var entryType: Any.Type { get }
  /// Whether a key of the path without brackets is that of an entry.
  static var hasNames: Bool { get }
  /// The value of an entry; nil for an optional that is nil, and of a dictionary for an entry that is not
  /// there. Throws `noElement` for a position that no element has, and a key that no entry can have.
  func value(of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any?
  /// The collection with another value of an entry.
  func setting(_ value: Any?, of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any
}

/// A collection whose elements are reached all together, as arrays and sets.
protocol ElementContainer {
  /// The elements; nil for an optional one that is nil.
  var elements: [Any?] { get }
  /// The collection with each element that `change` gives another value for; nil if it gives none.
  func changing(_ change: (Any?) throws(KeyAccessError) -> Any?) throws(KeyAccessError) -> Any?
}

extension EntryContainer
where Self: ElementContainer & MutableCollection & RandomAccessCollection, Index == Int {
  static var entryType: Any.Type { Element.self }
  static var hasNames: Bool { false }
  var elements: [Any?] { map { unwrapped($0) } }

  func value(of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any? {
    unwrapped(self[try index(of: entry)])
  }

  func setting(_ value: Any?, of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any {
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

  private func index(of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Int {
    if case .position(let index) = entry, indices.contains(index) { return index }
    throw KeyAccessError(
      .noElement, found: "\(entry.notation) as an element of a collection of \(plural(count, "element"))",
      expected: "the index of an existing element")
  }
}

extension Array: EntryContainer, ElementContainer {}
extension ContiguousArray: EntryContainer, ElementContainer {}

extension Dictionary: EntryContainer {
  static var entryType: Any.Type { Value.self }
  static var hasNames: Bool { true }

  func value(of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any? {
    self[try key(of: entry)].flatMap { unwrapped($0) }
  }

  /// Nil removes the entry, unless values are optional.
  func setting(_ value: Any?, of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Any {
    let key = try key(of: entry)
    var changed = self
    if value == nil, !(Value.self is any OptionalValue.Type) {
      changed[key] = nil
    } else {
      changed.updateValue(try settable(value), forKey: key)
    }
    return changed
  }

  private func key(of entry: KeyPathRest.Entry) throws(KeyAccessError) -> Key {
    if let key = entry.value(of: Key.self) as? Key { return key }
    guard KeyPathRest.Entry.hasNotation(for: Key.self) else {
      throw KeyAccessError(
        .noElement, found: "a dictionary with keys of type '\(Key.self)'",
        expected: "a dictionary whose keys, or their raw values, are strings or integers")
    }
    throw KeyAccessError(
      .noElement, found: "the key \(entry.notation)",
      expected: "a key of type '\(Key.self)', such as [\"a\"] for a string or [7] for an integer")
  }
}

extension KeyPathRest.Entry {
  /// The entry as a key of a type: a text, an integer, or what has such a raw value.
  fileprivate func value(of type: Any.Type) -> Any? {
    func integer<Number: BinaryInteger>(_ type: Number.Type, _ number: Int) -> Any? {
      Number(exactly: number)
    }
    func value<Key: RawRepresentable>(_ type: Key.Type) -> Any? {
      (self.value(of: Key.RawValue.self) as? Key.RawValue).flatMap { Key(rawValue: $0) }
    }
    switch self {
    case .position(let number):
      if let type = type as? any BinaryInteger.Type { return integer(type, number) }
    case .name(let name): if type == String.self { return name }
    }
    return (type as? any RawRepresentable.Type).flatMap { value($0) }
  }

  /// Whether values of a type can be written as keys in a path: strings, integers, and types with such raw
  /// values.
  fileprivate static func hasNotation(for type: Any.Type) -> Bool {
    func hasRawNotation<Key: RawRepresentable>(_ type: Key.Type) -> Bool {
      hasNotation(for: Key.RawValue.self)
    }
    if type == String.self || type is any BinaryInteger.Type { return true }
    return (type as? any RawRepresentable.Type).map { hasRawNotation($0) } ?? false
  }
}

extension Set: ElementContainer {
  var elements: [Any?] { map { unwrapped($0) } }

  /// Throws `readOnly` where an element would change: elements are found by what they are.
  func changing(_ change: (Any?) throws(KeyAccessError) -> Any?) throws(KeyAccessError) -> Any? {
    for element in self where try change(unwrapped(element)) != nil {
      throw KeyAccessError(
        .readOnly, found: "a set whose elements are not objects and so cannot be changed",
        expected: "a set whose elements are objects")
    }
    return nil
  }
}
