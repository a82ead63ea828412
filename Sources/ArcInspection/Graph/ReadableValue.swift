import ArcArchive

/// A value that a printer reads as tokens: the next value of a column, or a value in memory.
protocol ReadableValue {
  /// Reads the token of the value. Afterwards, an optional is the value that it contains.
  mutating func next() throws -> ValueToken
  /// The value inside at a position of the token, and for a collection at an index. A printer reads
  /// everything inside a value before the next value.
  func inside(_ position: Int, at index: Int) -> Self
  /// Calls `body`, which reads values inside this one. If `body` returns false, they can be read again.
  func attempt(_ body: () throws -> Bool) rethrows -> Bool
  /// Whether a value whose token was read surely contains a reference to an object. If not, the value may
  /// contain one.
  func surelyMentionsObject(_ token: ValueToken) -> Bool
}

extension ColumnTokens: ReadableValue {
  func inside(_ position: Int, at index: Int) -> ColumnTokens { inside(position) }
}

extension TypedValue: ReadableValue {
  mutating func next() -> ValueToken { ValueToken(value, isWeak: isWeak) }

  func inside(_ position: Int, at index: Int) -> TypedValue {
    // Only the keys and values of a dictionary are at two positions of one index.
    isCollection ? (position == 0 ? key(index) : nil) ?? child(index) : child(position)
  }

  func attempt(_ body: () throws -> Bool) rethrows -> Bool { try body() }

  func surelyMentionsObject(_ token: ValueToken) -> Bool { false }
}
