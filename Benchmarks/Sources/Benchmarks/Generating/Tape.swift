/// Values in the order in which a graph's objects ask for them: random ones the first time, the same ones again after
/// that. So a graph is built once by its generator and again by its rebuild floor, with the same code, and in between
/// it is nothing but plain arrays.
struct Tape<Value> {
  private var values: [Value] = []
  private var position = 0

  /// The value at hand, made if it is not there yet.
  @inline(__always) mutating func next(_ make: () -> Value) -> Value {
    if position == values.count { values.append(make()) }
    defer { position += 1 }
    return values[position]
  }

  mutating func rewind() { position = 0 }
}

/// Strings in the order in which objects ask for them; after the first time they are made anew out of UTF-8.
struct TextTape {
  private var texts = TextColumn()
  private var position = 0

  /// The text at hand.
  @inline(__always) mutating func next(_ make: () -> String) -> String {
    defer { position += 1 }
    if position == texts.count { texts.append(make()) }
    return texts[position]
  }

  mutating func rewind() { position = 0 }
}
