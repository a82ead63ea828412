// Chunks of the values that a sieve keeps.

extension ColumnSieve.Stream {
  /// A chunk of the values that are kept.
  func copiedChunk(_ memory: inout [ByteBuffer]) -> Chunk {
    switch shape {
    case .optional: return bits(&memory) { numbers[$0] == 1 }
    case .list, .dictionary:
      let buffer = ByteBuffer(count: numbers.count * 8)
      memory.append(buffer)
      for (place, number) in numbers.enumerated() {
        buffer.store(UInt64(number).littleEndian, at: place * 8)
      }
      return Chunk(count: numbers.count, width: 8, values: buffer.view)
    case .leaf, .record, .enumeration:
      if chunk.width == 0 { return bits(&memory) { chunk.bit(Int(kept[$0])) } }
      let buffer = ByteBuffer(count: kept.count * chunk.width)
      memory.append(buffer)
      for (place, index) in kept.lazy.map(Int.init).enumerated() {
        buffer.copy(chunk.values[index * chunk.width..<(index + 1) * chunk.width], to: place * chunk.width)
      }
      var copy = Chunk(count: kept.count, width: chunk.width, values: buffer.view)
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

  private func bits(_ memory: inout [ByteBuffer], _ isOne: (_ place: Int) -> Bool) -> Chunk {
    let buffer = ByteBuffer(count: (kept.count + 7) / 8)
    memory.append(buffer)
    for start in stride(from: 0, to: kept.count, by: 8) {
      var byte: UInt8 = 0
      for place in start..<min(start + 8, kept.count) where isOne(place) { byte |= 1 << UInt8(place - start) }
      buffer.store(byte, at: start / 8)
    }
    return Chunk(count: kept.count, width: 0, values: buffer.view)
  }

  /// The rows that references led to before a revision.
  private func formerRows(_ memory: inout [ByteBuffer]) -> ByteView {
    let buffer = ByteBuffer(count: kept.count * 4)
    memory.append(buffer)
    for (place, index) in kept.lazy.map(Int.init).enumerated() {
      buffer.copy(chunk.text[index * 4..<(index + 1) * 4], to: place * 4)
    }
    return buffer.view
  }

  /// The texts that are kept, one after the other.
  private func text(_ memory: inout [ByteBuffer]) -> ByteView {
    let lengths = (0..<chunk.count).map { Int(truncatingIfNeeded: chunk.unsigned($0)) }
    let buffer = ByteBuffer(count: kept.reduce(0) { $0 + lengths[Int($1)] })
    memory.append(buffer)
    // Only values in another order need the start of each.
    let starts = isAscending ? [] : lengths.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    var (start, end, next) = (0, 0, 0)
    for index in kept.lazy.map(Int.init) {
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
