import ArcArchive

/// A value that a printer reads as tokens. It is either the next value of a column, or a value in memory.
protocol ReadableValue {
  /// Reads the token of the value. If the value is an optional, this method replaces `self` with the wrapped
  /// value.
  mutating func next() throws -> ValueToken
  /// Returns a nested value. `position` states which part of the value's token describes the nested value:
  /// for example a field, or 0 for a key and 1 for a value of a dictionary. `index` is the index of the
  /// element or entry. A printer must read all nested values of a value before the next value.
  func inside(_ position: Int, at index: Int) -> Self
  /// Calls `body`, which reads nested values. If `body` returns false, the nested values can be read again.
  func attempt(_ body: () throws -> Bool) rethrows -> Bool
  /// Returns whether the value certainly contains a reference to an object. `token` is the value's token,
  /// which was already read. If the result is false, the value may or may not contain a reference.
  func surelyMentionsObject(_ token: ValueToken) -> Bool
}

extension ColumnTokens: ReadableValue {
  func inside(_ position: Int, at index: Int) -> ColumnTokens { inside(position) }
}

extension TypedValue: ReadableValue {
  mutating func next() -> ValueToken { ValueToken(value, isWeak: isWeak) }

  func inside(_ position: Int, at index: Int) -> TypedValue {
    // Only in a dictionary do two nested values, a key and a value, have one index.
    isCollection ? (position == 0 ? key(index) : nil) ?? child(index) : child(position)
  }

  func attempt(_ body: () throws -> Bool) rethrows -> Bool { try body() }

  func surelyMentionsObject(_ token: ValueToken) -> Bool { false }
}
