/// A cache of the ids of strings. It compares the bits of `String` values. Therefore, it finds strings that
/// share storage, without reading their text.
///
/// Equal bits mean equal strings, because the cache retains each string that it contains: the storage does
/// not move, and Swift copies shared storage before it is changed. A new entry can replace an older entry, so
/// a string that the cache does not find may still be in the string table.
///
/// Invariant: `keys` and `texts` have `mask + 1` elements, a power of two. If the id of a key is not `none`,
/// the key has the bits of the string at the same index in `texts`.
@usableFromInline struct StringCache {
  @usableFromInline struct Key {
    @usableFromInline var bits: Bits
    @usableFromInline var id: UInt32
    static var none: Key { Key(bits: (0, 0), id: StringCache.none) }
  }
  @usableFromInline typealias Bits = (UInt64, UInt64)

  /// The id that represents no string. No table has enough strings to assign this id.
  @usableFromInline static var none: UInt32 { .max }
  private static let maximumCount = 1 << 14
  private static let firstMask = 63

  @usableFromInline var keys: HandleBuffer<Key>
  /// The strings whose bits are the keys. The cache retains the strings so that the bits stay valid.
  private var texts: HandleBuffer<String>
  @usableFromInline var mask: Int
  private var insertions = 0

  init() { self.init(mask: Self.firstMask) }

  private init(mask: Int) {
    self.mask = mask
    keys = HandleBuffer(repeating: .none, count: mask + 1)
    texts = HandleBuffer(repeating: "", count: mask + 1)
  }

  /// Returns the id of a string. Returns `none` if the cache does not contain the string.
  @inlinable @inline(__always)
  func id(of text: String) -> UInt32 {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return Self.none }
    return id(ofBits: unsafe unsafeBitCast(text, to: Bits.self))
  }

  @inlinable @inline(__always)
  func id(ofBits bits: Bits) -> UInt32 {
    let index = Self.hash(bits) & mask
    return keys[index].bits == bits ? keys[index].id : Self.none
  }

  @inlinable @inline(__always)
  static func hash(_ bits: Bits) -> Int {
    Int(truncatingIfNeeded: ((bits.0 &+ bits.1 &* 3) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  /// Adds a string. The new entry may replace the entry of another string.
  mutating func insert(_ text: String, id: UInt32) {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return }
    insertions += 1
    if insertions > mask / 2, mask + 1 < Self.maximumCount { grow() }
    let bits = unsafe unsafeBitCast(text, to: Bits.self)
    let index = Self.hash(bits) & mask
    keys[index] = Key(bits: bits, id: id)
    texts[index] = text
  }

  private mutating func grow() {
    let old = self
    self = StringCache(mask: mask * 4 + 3)
    for index in 0...old.mask where old.keys[index].id != Self.none {
      insert(old.texts[index], id: old.keys[index].id)
    }
    old.free()
  }

  mutating func removeAll() {
    guard insertions > 0 || mask > Self.firstMask else { return }
    guard mask == Self.firstMask else {
      free()
      self = StringCache()
      return
    }
    insertions = 0
    keys.fill(0..<mask + 1, with: .none)
    texts.fill(0..<mask + 1, with: "")
  }

  func free() {
    keys.free()
    texts.free()
  }
}
