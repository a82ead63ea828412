// Chunks of the values that a sieve copied.

extension ColumnSieve.Stream {
  /// Creates a chunk of the copied values.
  func copiedChunk(_ memory: inout [ByteBuffer]) -> Chunk {
    switch nesting {
    case .elements where kind == .optional: return bits(&memory) { numbers[$0] == 1 }
    case .elements:
      let buffer = ByteBuffer(count: numbers.count * 8)
      memory.append(buffer)
      for (position, number) in numbers.enumerated() {
        buffer.store(UInt64(number).littleEndian, at: position * 8)
      }
      return Chunk(count: numbers.count, width: 8, values: buffer.view)
    case .none, .fields, .payload:
      if chunk.width == 0 { return bits(&memory) { chunk.bit(Int(copied[$0])) } }
      let buffer = ByteBuffer(count: copied.count * chunk.width)
      memory.append(buffer)
      for (position, index) in copied.lazy.map(Int.init).enumerated() {
        buffer.copy(chunk.values[index * chunk.width..<(index + 1) * chunk.width], to: position * chunk.width)
      }
      var copy = Chunk(count: copied.count, width: chunk.width, values: buffer.view)
      copy.usesStringTable = chunk.usesStringTable
      if chunk.text.isEmpty { return copy }
      if kind == .reference || kind == .weak {
        copy.text = formerRows(&memory)
      } else if !chunk.usesStringTable {
        copy.text = text(&memory)
      }
      return copy
    }
  }

  private func bits(_ memory: inout [ByteBuffer], _ isOne: (_ position: Int) -> Bool) -> Chunk {
    let buffer = ByteBuffer(count: (copied.count + 7) / 8)
    memory.append(buffer)
    for start in stride(from: 0, to: copied.count, by: 8) {
      var byte: UInt8 = 0
      for position in start..<min(start + 8, copied.count) where isOne(position) {
        byte |= 1 << UInt8(position - start)
      }
      buffer.store(byte, at: start / 8)
    }
    return Chunk(count: copied.count, width: 0, values: buffer.view)
  }

  /// Returns the former targets of the copied references that a revision made nil.
  private func formerRows(_ memory: inout [ByteBuffer]) -> ByteView {
    let buffer = ByteBuffer(count: copied.count * 4)
    memory.append(buffer)
    for (position, index) in copied.lazy.map(Int.init).enumerated() {
      buffer.copy(chunk.text[index * 4..<(index + 1) * 4], to: position * 4)
    }
    return buffer.view
  }

  /// Returns the bytes of the copied strings, one after another.
  private func text(_ memory: inout [ByteBuffer]) -> ByteView {
    let lengths = (0..<chunk.count).map { Int(truncatingIfNeeded: chunk.unsigned($0)) }
    let buffer = ByteBuffer(count: copied.reduce(0) { $0 + lengths[Int($1)] })
    memory.append(buffer)
    // If the order is unchanged, the starts are found by adding the lengths.
    let starts = isAscending ? [] : lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    var (start, end, next) = (0, 0, 0)
    for index in copied.lazy.map(Int.init) {
      while isAscending, next < index {
        start += lengths[next]
        next += 1
      }
      if !isAscending { start = starts[index] }
      buffer.copy(chunk.text[start..<start + lengths[index]], to: end)
      end += lengths[index]
    }
    return buffer.view
  }
}
