/// A dictionary that is an array while it has few entries.
///
/// When a program creates the first dictionary or set with a key type, the runtime searches all conformances
/// of the program for the type's conformance to `Hashable`. This search takes longer than reading a small
/// archive. A short array needs neither the search nor hashing.
@usableFromInline package struct ShortMap<Key: Hashable, Value> {
  /// The keys in order of insertion, and their values. Empty if the entries are in `table`.
  @usableFromInline var keys: [Key] = []
  @usableFromInline var values: [Value] = []
  @usableFromInline var table: [Key: Value] = [:]

  @inlinable static var maximumListCount: Int { 16 }

  /// Creates an empty map.
  @inlinable package init() {}

  /// The number of entries.
  @inlinable package var count: Int { keys.count + table.count }

  /// The value of a key. Nil if the key has no value.
  @inlinable package subscript(key: Key) -> Value? {
    guard table.isEmpty else { return table[key] }
    for index in keys.indices where keys[index] == key { return values[index] }
    return nil
  }

  /// Adds a value unless the key has one. Returns whether the value was added.
  @inlinable package mutating func insert(_ value: Value, for key: Key) -> Bool {
    guard self[key] == nil else { return false }
    if table.isEmpty, keys.count < Self.maximumListCount {
      keys.append(key)
      values.append(value)
    } else {
      hash()
      table[key] = value
    }
    return true
  }

  /// Calls `body` once per value.
  @inlinable package func forEachValue(_ body: (Value) -> Void) {
    for value in values { body(value) }
    for value in table.values { body(value) }
  }

  /// Removes the entries whose values satisfy a condition.
  @inlinable package mutating func removeAll(where fits: (Value) -> Bool) {
    for index in keys.indices.reversed() where fits(values[index]) {
      keys.remove(at: index)
      values.remove(at: index)
    }
    for (key, value) in table where fits(value) { table[key] = nil }
  }

  @inlinable @inline(never) mutating func hash() {
    for index in keys.indices { table[keys[index]] = values[index] }
    (keys, values) = ([], [])
  }
}
