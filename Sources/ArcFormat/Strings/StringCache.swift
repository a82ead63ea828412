/// Ids of strings by the bits of the `String` value: finds strings that share storage without reading their
/// text.
///
/// Equal bits mean equal strings, because the cache retains each string that it contains: its storage does
/// not move, and Swift copies it before a change. Entries replace each other, so a string that is not found
/// may still be in the table.
///
/// Invariant: `entries` has `mask + 1` initialised elements, a power of two.
@usableFromInline @safe struct StringCache {
  @usableFromInline struct Entry {
    @usableFromInline var text: String
    @usableFromInline var id: UInt32
  }
  @usableFromInline typealias Bits = (UInt64, UInt64)

  /// An id that no string has: there are never so many.
  @usableFromInline static let none = UInt32.max
  private static let maximumCount = 1 << 14
  private static let firstMask = 63

  @usableFromInline var entries: UnsafeMutablePointer<Entry>
  @usableFromInline var mask: Int
  private var insertions = 0

  init() {
    mask = Self.firstMask
    unsafe entries = .allocate(capacity: mask + 1)
    unsafe entries.initialize(repeating: Entry(text: "", id: Self.none), count: mask + 1)
  }

  /// The id of a string if the cache contains it, otherwise `none`.
  @inlinable @inline(__always)
  func id(of text: String) -> UInt32 {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return Self.none }
    return unsafe id(ofBits: unsafeBitCast(text, to: Bits.self))
  }

  /// The id of the string in memory at `place` if the cache contains it, otherwise `none`.
  @inlinable @inline(__always)
  func id(at place: UnsafeRawPointer) -> UInt32 {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return Self.none }
    return unsafe id(ofBits: place.loadUnaligned(as: Bits.self))
  }

  @inlinable @inline(__always)
  func id(ofBits bits: Bits) -> UInt32 {
    let entry = unsafe entries + (Self.hash(bits) & mask)
    let known = unsafe UnsafeRawPointer(entry).loadUnaligned(as: Bits.self)
    return unsafe known == bits ? entry.pointee.id : Self.none
  }

  @inlinable @inline(__always)
  static func hash(_ bits: Bits) -> Int {
    Int(truncatingIfNeeded: ((bits.0 &+ bits.1 &* 3) &* 0x9E37_79B9_7F4A_7C15) >> 40)
  }

  /// Adds a string, which may replace another.
  mutating func insert(_ text: String, id: UInt32) {
    guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return }
    insertions += 1
    if insertions > mask / 2, mask + 1 < Self.maximumCount { grow() }
    let bits = unsafe unsafeBitCast(text, to: Bits.self)
    unsafe entries[Self.hash(bits) & mask] = Entry(text: text, id: id)
  }

  private mutating func grow() {
    let old = self
    mask = mask * 4 + 3
    insertions = 0
    unsafe entries = .allocate(capacity: mask + 1)
    unsafe entries.initialize(repeating: Entry(text: "", id: Self.none), count: mask + 1)
    for index in 0...old.mask where unsafe old.entries[index].id != Self.none {
      unsafe insert(old.entries[index].text, id: old.entries[index].id)
    }
    old.free()
  }

  /// Removes all strings.
  mutating func restart() {
    guard insertions > 0 || mask > Self.firstMask else { return }
    guard mask == Self.firstMask else {
      free()
      self = StringCache()
      return
    }
    insertions = 0
    for index in 0...mask where unsafe entries[index].id != Self.none {
      unsafe entries[index] = Entry(text: "", id: Self.none)
    }
  }

  func free() {
    unsafe entries.deinitialize(count: mask + 1)
    unsafe entries.deallocate()
  }
}
