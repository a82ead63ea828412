import ArcArchive

/// A value that becomes text: the next one of a column, or one in memory.
protocol ReadableValue {
  /// Takes the value, or of one with others inside what is not them. This is what is in an optional then.
  mutating func next() throws -> ValueToken
  /// What is inside the value at a position that its token says, of a collection that at an index. All of it
  /// is taken before what follows.
  func inside(_ position: Int, at index: Int) -> Self
  /// Does something that takes values inside this one; if that returns false, they are there again.
  func attempt(_ body: () throws -> Bool) rethrows -> Bool
  /// Whether the value, of which only this token was taken, is sure to have a reference inside that leads to
  /// an object. If not, it may have one.
  func surelyMentionsObject(_ token: ValueToken) -> Bool
}

extension ColumnTokens: ReadableValue {
  func inside(_ position: Int, at index: Int) -> ColumnTokens { inside(position) }
}

extension TypedValue: ReadableValue {
  mutating func next() -> ValueToken {
    switch value {
    case .reference(let id): .reference(id, isWeak: isWeak)
    case .array(let elements): .array(count: elements.count)
    case .set(let elements): .set(count: elements.count)
    case .dictionary(let entries): .dictionary(count: entries.count)
    case .structure(let name, let fields):
      .structure(ValueNames(type: name, labels: fields.map(\.name)))
    case .enumeration(let name, let caseName, let payload):
      .enumeration(ValueNames(type: name, labels: [caseName]), case: 0, payload: payload == nil ? nil : 0)
    case .null, .nestedNull, .bool, .integer, .unsigned, .float, .double, .string, .data, .date, .uuid,
      .decimal, .url:
      .scalar(value)
    }
  }

  func inside(_ position: Int, at index: Int) -> TypedValue {
    switch value {
    case .array, .set: child(index)
    case .dictionary: position == 0 ? key(index) ?? self : child(index)
    default: child(position)
    }
  }

  func attempt(_ body: () throws -> Bool) rethrows -> Bool { try body() }

  func surelyMentionsObject(_ token: ValueToken) -> Bool { false }
}
