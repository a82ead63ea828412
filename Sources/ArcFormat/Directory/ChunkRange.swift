/// The minimum and the maximum of the values of a chunk, and the number of values without an order: nil in
/// reference columns, NaN in columns of numbers. Spec: 13-directory, section 2.
package struct ChunkRange {
  /// The order of the values.
  package let order: Order
  let outsideCount: UInt64
  /// The bits of the minimum. `order` determines how to interpret them.
  package let least: UInt64
  /// The bits of the maximum. `order` determines how to interpret them.
  package let most: UInt64

  /// The order of the values of a kind.
  package enum Order {
    /// Signed or unsigned integers.
    case signed, unsigned
    /// Row numbers, ordered as unsigned integers. 0 is nil, which is not ordered.
    case references
    /// Floating-point numbers.
    case numbers
    /// Strings, ordered by their first eight bytes or by their ids in the string table.
    case texts

    /// Creates the order of a kind of values. Nil if such values have no order.
    package init?(_ kind: ColumnKind) {
      switch kind {
      case .int8, .int16, .int32, .int64: self = .signed
      case .uint8, .uint16, .uint32, .uint64, .enumeration: self = .unsigned
      case .reference, .weak: self = .references
      case .float16, .float32, .float64, .date: self = .numbers
      case .string: self = .texts
      case .bool, .int128, .uint128, .data, .uuid, .decimal, .url, .optional, .array, .set, .dictionary,
        .structure:
        return nil
      }
    }
  }
}

extension ChunkRange: Equatable {
  /// Whether both ranges are equal. Zeros with different signs are equal. Ranges do not contain NaN.
  package static func == (one: ChunkRange, other: ChunkRange) -> Bool {
    guard one.outsideCount == other.outsideCount, one.order == other.order else { return false }
    guard one.order == .numbers else { return one.least == other.least && one.most == other.most }
    return Double(bitPattern: one.least) == Double(bitPattern: other.least)
      && Double(bitPattern: one.most) == Double(bitPattern: other.most)
  }
}

extension ChunkRange {
  /// Returns the first eight bytes of a string as an integer. The first byte is the highest byte. A shorter
  /// string is padded with zeros.
  package static func prefix(_ text: [UInt8]) -> UInt64 {
    (0..<8).reduce(0) { $0 << 8 | ($1 < text.count ? UInt64(text[$1]) : 0) }
  }

  /// Determines the range of a chunk's values. Nil if no value has an order.
  ///
  /// - Complexity: O(values).
  init?(of chunk: Chunk, _ kind: ColumnKind) {
    guard let order = Order(kind) else { return nil }
    guard chunk.form != .plain else {
      self.init(of: chunk, chunk.values, order, kind)
      return
    }
    let memory = ByteBuffer(count: chunk.plainByteCount)
    defer { memory.free() }
    chunk.expand(into: memory)
    self.init(of: chunk, memory.view, order, kind)
  }

  /// Determines the range of a chunk. `values` are the values of the chunk in their plain form.
  private init?(of chunk: Chunk, _ values: ByteView, _ order: Order, _ kind: ColumnKind) {
    let width = chunk.width
    switch order {
    case .signed:
      self.init(
        order, chunk.count, bits: UInt64.init(bitPattern:), value: { values.signed($0, width: width) })
    case .texts where !chunk.usesStringTable: self.init(ofTexts: chunk, lengths: values)
    case .unsigned, .texts:
      self.init(order, chunk.count, bits: { $0 }, value: { values.unsigned($0, width: width) })
    case .references:
      func row(_ index: Int) -> UInt64? {
        let row = values.unsigned(index, width: width)
        return row == 0 ? nil : row
      }
      self.init(order, chunk.count, bits: { $0 }, value: row)
    case .numbers:
      func number(_ index: Int) -> Double? {
        let number = Self.number(values, index, kind)
        return number.isNaN ? nil : number
      }
      self.init(order, chunk.count, bits: \.bitPattern, value: number)
    }
  }

  /// Determines the range of `count` values. `value` returns nil for a value without an order. Nil if no
  /// value has an order.
  @inline(__always) private init?<Value: Comparable>(
    _ order: Order, _ count: Int, bits: (Value) -> UInt64, value: (Int) -> Value?
  ) {
    var found: (least: Value, most: Value)?
    var outsideCount: UInt64 = 0
    for index in 0..<count {
      guard let value = value(index) else {
        outsideCount += 1
        continue
      }
      let known = found ?? (value, value)
      found = (min(known.least, value), max(known.most, value))
    }
    guard let found else { return nil }
    self.init(
      order: order, outsideCount: outsideCount, least: bits(found.least), most: bits(found.most))
  }

  private init?(ofTexts chunk: Chunk, lengths: ByteView) {
    var start = 0
    func prefix(_ index: Int) -> UInt64? {
      // The chunk's reader has checked that the sum of the lengths is the number of bytes.
      let length = Int(truncatingIfNeeded: lengths.unsigned(index, width: chunk.width))
      let end = start + min(max(length, 0), chunk.text.count - start)
      defer { start = end }
      return (0..<8).reduce(0) { word, index in
        word << 8 | (start + index < end ? UInt64(chunk.text[start + index]) : 0)
      }
    }
    self.init(.texts, chunk.count, bits: { $0 }, value: prefix)
  }

  private static func number(_ values: ByteView, _ index: Int, _ kind: ColumnKind) -> Double {
    switch kind {
    case .float16: Double(Float(half: values.integer(at: index * 2)))
    case .float32: Double(Float(bitPattern: values.integer(at: index * 4)))
    default: Double(bitPattern: values.integer(at: index * 8))
    }
  }
}
