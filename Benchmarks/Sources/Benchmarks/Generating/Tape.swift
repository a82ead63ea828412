/// A sequence of values that the objects of a graph request while the graph is built.
///
/// The first time, the values are random; later they are the same values again. So the same code builds a
/// graph by its generator and again by its rebuild floor. Between these times, the graph exists only as plain
/// arrays.
struct Tape<Value> {
  private var values: [Value] = []
  private var position = 0

  /// Returns the next value. `make` creates it the first time.
  @inline(__always) mutating func next(_ make: () -> Value) -> Value {
    if position == values.count { values.append(make()) }
    defer { position += 1 }
    return values[position]
  }

  mutating func rewind() { position = 0 }
}

/// A sequence of strings that objects request. After the first time, each string is created from UTF-8 again.
struct TextTape {
  private var texts = TextColumn()
  private var position = 0

  /// Returns the next string. `make` creates it the first time.
  @inline(__always) mutating func next(_ make: () -> String) -> String {
    defer { position += 1 }
    if position == texts.count { texts.append(make()) }
    return texts[position]
  }

  mutating func rewind() { position = 0 }
}
