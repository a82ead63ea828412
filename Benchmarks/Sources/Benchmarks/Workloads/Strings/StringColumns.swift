import Arc

/// Many strings with few distinct values, like a column of a table.
@Archivable
final class StringList {
  let strings: [String]

  init(strings: [String]) { self.strings = strings }

  /// A checksum over the UTF-8 of all strings.
  var digest: UInt64 {
    var digest = Digest()
    for string in strings { digest.fold(string) }
    return digest.value
  }
}

/// A pool of strings and indices into it, as a perfect archive would store them. A fifth of the pool is so
/// short that Swift stores the strings inline.
struct StringColumns {
  private let pool: [String]
  private let bytes: TextColumn
  private let indices: [Int32]

  init(count: Int) {
    var random = SeededGenerator(seed: 5)
    let pool = (0..<1000).map { number in
      random.chance(percent: 20)
        ? Words.identifier(words: 1...1, number: number, &random)
        : Words.sentence(words: 2...6, &random) + String(number)
    }
    var bytes = TextColumn()
    for string in pool { bytes.append(string) }
    self.pool = pool
    self.bytes = bytes
    indices = (0..<count).map { _ in Int32(random.index(below: pool.count)) }
  }

  /// Returns all strings, sharing the storage of the pool.
  func rebuildShared() -> StringList { rebuild { pool[$0] } }

  /// Returns all strings, each with its own storage.
  func rebuildAnew() -> StringList { rebuild { bytes[$0] } }

  @inline(__always) private func rebuild(_ string: (Int) -> String) -> StringList {
    StringList(
      strings: Array(unsafeUninitializedCapacity: indices.count) { buffer, count in
        for position in indices.indices {
          buffer.initializeElement(at: position, to: string(Int(indices[position])))
        }
        count = indices.count
      })
  }
}
