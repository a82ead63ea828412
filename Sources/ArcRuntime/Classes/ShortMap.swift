/// A dictionary that is a list as long as it is short.
///
/// To make the first dictionary or set of some key type in a process, the runtime looks for the key's
/// `Hashable` among the conformances of the whole program: that alone takes longer than a small archive. A
/// short list needs neither that nor hashing.
@usableFromInline package struct ShortMap<Key: Hashable, Value> {
  /// The entries in order of insertion, until there are too many to look through.
  @usableFromInline var keys: [Key] = []
  @usableFromInline var values: [Value] = []
  @usableFromInline var table: [Key: Value] = [:]

  @inlinable static var maximumListCount: Int { 16 }

  /// An empty map.
  @inlinable package init() {}

  /// Entries in the map.
  @inlinable package var count: Int { keys.count + table.count }

  /// The value of a key.
  @inlinable package subscript(key: Key) -> Value? {
    guard table.isEmpty else { return table[key] }
    for index in keys.indices where keys[index] == key { return values[index] }
    return nil
  }

  /// Adds a value unless the key has one; tells whether it was added.
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

  /// Calls `body` with every value.
  @inlinable package func forEachValue(_ body: (Value) -> Void) {
    for value in values { body(value) }
    for value in table.values { body(value) }
  }

  /// Removes the values that fit.
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
