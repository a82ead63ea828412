/// Names of members that are looked for in many objects.
///
/// A key is compared with one name eight bytes at a time; only a key that comes unexpectedly is looked up
/// among all names.
@usableFromInline package struct JSONKeyTable: Sendable {
  /// The bytes of all names, each with zeros behind it up to a multiple of eight.
  @usableFromInline let words: [UInt64]
  @usableFromInline let places: [Place]
  private let numbers: [JSONName: Int]

  /// Where the bytes of a name are.
  @usableFromInline struct Place: Sendable {
    @usableFromInline let firstWord: Int
    @usableFromInline let byteCount: Int
  }

  /// A table of names, whose numbers are their indices: of equal ones only the first is found, and nil is
  /// never.
  package init(_ names: [String?]) {
    var words: [UInt64] = []
    places = names.map { name in
      guard let name else { return Place(firstWord: 0, byteCount: -1) }
      let bytes = Array(name.utf8)
      defer { words.append(packing: bytes) }
      return Place(firstWord: words.count, byteCount: bytes.count)
    }
    self.words = words
    numbers = Dictionary(
      names.enumerated().compactMap { number, name in name.map { (JSONName($0), number) } }
    ) { first, _ in first }
  }

  /// Whether the key of an entry is the name with a number.
  @inlinable @inline(__always)
  package func isName(_ number: Int, at index: Int, in document: JSONDocument) -> Bool {
    let key = document.word(at: index)
    let place = places[number]
    guard key.length == place.byteCount, key.kind != .escapedString else { return false }
    var (offset, rest, word) = (key.offset, place.byteCount, place.firstWord)
    while rest >= 8 {
      guard document.text.word(at: offset) == words[word] else { return false }
      offset &+= 8
      rest &-= 8
      word &+= 1
    }
    // What is in the text behind the key does not count.
    return rest == 0 || (document.text.word(at: offset) ^ words[word]) << UInt64((8 &- rest) &* 8) == 0
  }

  /// The number of the name that the key of an entry is; nil if it is none.
  package func number(at index: Int, in document: JSONDocument) -> Int? {
    numbers[JSONName(document.string(at: index))]
  }
}
