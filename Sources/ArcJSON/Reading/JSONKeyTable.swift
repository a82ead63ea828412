/// A table of member names. For the key of an object's member, the table finds the number of the equal name.
///
/// A key is first compared with the name that the caller expects, eight bytes at a time. If they differ, the
/// key is searched in a hash table by its length and its first bytes.
@usableFromInline package struct JSONKeyTable: Sendable {
  /// The bytes of all names. Each name is filled with zeros to a multiple of eight bytes.
  @usableFromInline let words: [UInt64]
  @usableFromInline let nameBytes: [NameBytes]
  /// Whether all names can be written in JSON without escapes. False if a name is nil.
  package let arePlain: Bool
  /// The hash table of the names. A slot contains the number of a name, or -1 if the slot is empty. If
  /// another name occupies the slot of a name, the name is stored in the next empty slot.
  private let numbers: [Int]

  /// The bytes of one name in `words`.
  @usableFromInline struct NameBytes: Sendable {
    /// The kind and length in the entry of a key that equals this name and has no escapes.
    @usableFromInline let head: UInt32
    @usableFromInline let firstWord: Int
    @usableFromInline let byteCount: Int
  }

  /// Creates a table of names. The number of a name is its index.
  ///
  /// If two names are equal, only the first is found. An index at which `names` contains nil is never found.
  package init(_ names: [String?]) {
    var words: [UInt64] = []
    nameBytes = names.map { name in
      // A missing name gets the kind of a number, because no key has this kind.
      guard let name else {
        return NameBytes(head: JSONWord(.integer, length: 0, offset: 0).head, firstWord: 0, byteCount: 0)
      }
      let bytes = Array(name.utf8)
      defer { words.append(packing: bytes) }
      let kind: JSONWord.Kind = bytes.allSatisfy { $0 < 0x80 } ? .asciiString : .string
      return NameBytes(
        head: JSONWord(kind, length: min(bytes.count, JSONWord.maximumLength), offset: 0).head,
        firstWord: words.count, byteCount: bytes.count)
    }
    self.words = words
    arePlain = names.allSatisfy { name in
      guard let name else { return false }
      return name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
    var numbers = [Int](repeating: -1, count: Self.capacity(for: names.count))
    for (number, name) in names.enumerated() {
      guard let name, !names[..<number].contains(where: { $0.map(JSONName.init) == JSONName(name) }) else {
        continue
      }
      let bytes = nameBytes[number]
      var index = Self.hash(bytes.byteCount > 0 ? words[bytes.firstWord] : 0, bytes.byteCount)
      while numbers[index & (numbers.count - 1)] >= 0 { index += 1 }
      numbers[index & (numbers.count - 1)] = number
    }
    self.numbers = numbers
  }

  /// Returns the smallest power of two that is at least 4 and at least twice the number of names.
  private static func capacity(for count: Int) -> Int {
    var capacity = 4
    while capacity < count * 2 { capacity *= 2 }
    return capacity
  }

  /// Returns a hash of 31 bits for a name, from its length and its first eight bytes.
  private static func hash(_ beginning: UInt64, _ byteCount: Int) -> Int {
    let product = (beginning ^ UInt64(truncatingIfNeeded: byteCount)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> 33)
  }

  /// Returns whether the key at an index equals name `number` of the table. False for a key with escapes.
  @inlinable @inline(__always)
  package func isName(_ number: Int, at index: Int, in document: JSONDocument) -> Bool {
    let key = document.word(at: index)
    return key.head == nameBytes[number].head && areBytes(ofName: number, at: key.offset, in: document.text)
  }

  /// Whether the text at offset `start` begins with the bytes of name `number`.
  @inlinable @inline(__always) func areBytes(ofName number: Int, at start: Int, in text: JSONText) -> Bool {
    var (offset, rest, word) = (start, nameBytes[number].byteCount, nameBytes[number].firstWord)
    while rest >= 8 {
      guard text.word(at: offset) == words[word] else { return false }
      offset &+= 8
      rest &-= 8
      word &+= 1
    }
    // The bytes after the key are shifted out.
    return rest == 0 || (text.word(at: offset) ^ words[word]) << UInt64((8 &- rest) &* 8) == 0
  }

  /// Returns the number of the name that equals the key at an index. Nil if no name equals it.
  package func number(at index: Int, in document: JSONDocument) -> Int? {
    let key = document.word(at: index)
    if key.kind == .escapedString { return number(of: document.string(at: index)) }
    return number(ofBytes: key.length, at: key.offset, in: document.text)
  }

  /// Returns the number of the name that equals the bytes at an offset. Nil if no name equals them.
  func number(ofBytes byteCount: Int, at offset: Int, in text: JSONText) -> Int? {
    // The bytes after the key are shifted out. For an empty key, the shift is 64 bits, which leaves 0.
    let others = UInt64(truncatingIfNeeded: 8 - min(byteCount, 8)) * 8
    let beginning = (text.word(at: offset) << others) >> others
    var slot = Self.hash(beginning, byteCount)
    while case let number = numbers[slot & (numbers.count - 1)], number >= 0 {
      if nameBytes[number].byteCount == byteCount, areBytes(ofName: number, at: offset, in: text) {
        return number
      }
      slot += 1
    }
    return nil
  }

  /// Returns the number of a name. Nil if the table does not contain the name.
  private func number(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    var own: [UInt64] = []
    own.append(packing: bytes)
    return numbers.filter { number in
      guard number >= 0, nameBytes[number].byteCount == bytes.count else { return false }
      return words[nameBytes[number].firstWord...].prefix(own.count).elementsEqual(own)
    }.first
  }
}
