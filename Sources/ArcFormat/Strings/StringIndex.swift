/// The ids of strings by their UTF-8 bytes: a hash table with open addressing. The strings are copied to
/// memory that does not move.
///
/// Finding a string costs two cache misses: one for its slot in the table, and one for the copy of the
/// string. The copy begins with the id and the length.
///
/// Invariant: the upper half of a slot that is not 0 is the upper half of a hash, and its lower half is a
/// copy number plus 1. Copy *p* begins in `chunks[p >> chunkShift]`. Its offset is the remaining bits of *p*
/// times `unit`. A copy consists of the id and the length, 4 bytes each, and the text. The last chunk ends at
/// number `limit`.
struct StringIndex {
  /// The alignment of copies, in bytes. Copy numbers count units of this size.
  private static let unit = 8
  /// The base-2 logarithm of the number of copy numbers per chunk. A chunk has half a megabyte.
  private static let chunkShift = 16
  private static let firstChunkShift = 9
  private static let firstCapacity = 64
  private static let maximumRetainedCapacity = 256
  private static let headByteCount = 8

  private var slots = HandleBuffer(repeating: 0 as UInt64, count: Self.firstCapacity)
  /// The memory of the copies. A string that is longer than a chunk occupies several contiguous chunks.
  private var chunks: [ByteBuffer] = []
  private var allocations: [ByteBuffer] = []
  /// The first free copy number. `limit` is the copy number at the end of the last chunk.
  private var end = 0
  private var limit = 0
  /// The strings without a copy: their length exceeds 32 bits, or all copy numbers were in use.
  private var others: [[UInt8]: UInt32] = [:]
  private(set) var count = 0
  /// The seed of the hash. It is random, so that an attacker cannot choose strings whose hashes collide.
  private let seed = UInt64.random(in: .min ... .max) | 1

  /// Returns the id of a string. Adds the string if it is new.
  ///
  /// - Complexity: amortized O(*n*) in the number of bytes.
  mutating func id(ofUTF8 utf8: ByteView) -> (id: UInt32, isNew: Bool) {
    let hash = hash(utf8) >> 32
    var slot = home(of: hash)
    while slots[slot] != 0 {
      let entry = slots[slot]
      if entry >> 32 == hash,
        let id = id(ofCopy: UInt32(truncatingIfNeeded: entry) &- 1, equalTo: utf8)
      {
        return (id, false)
      }
      slot &+= 1
      if slot == slots.count { slot = 0 }
    }
    guard let number = addCopy(of: utf8) else { return otherID(of: utf8) }
    slots[slot] = hash << 32 | UInt64(number &+ 1)
    count += 1
    // At most two thirds of the slots are in use, so each search ends at a free slot.
    if count * 3 > slots.count * 2 { grow() }
    return (UInt32(truncatingIfNeeded: count - 1), true)
  }

  /// Returns the string with an id, for error messages. Nil if the index does not contain a copy of the
  /// string. Takes O(strings).
  func string(_ id: UInt32) -> String? {
    for slot in 0..<slots.count where slots[slot] != 0 {
      let copy = copy(UInt32(truncatingIfNeeded: slots[slot]) &- 1).view
      let head = copy.load(at: 0, as: UInt64.self)
      guard UInt32(truncatingIfNeeded: head) == id, copy.count - Self.headByteCount >= head >> 32 else {
        continue
      }
      return String(checkedUTF8: copy[Self.headByteCount..<Self.headByteCount + Int(head >> 32)])
    }
    return nil
  }

  /// Returns the first slot for a hash. The slots have the order of the hashes. Therefore, `grow` can
  /// traverse the old and the new table in ascending order, and does not compute hashes again.
  private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash &* UInt64(slots.count)) >> 32) }

  /// Returns the memory from the beginning of a copy to the end of its chunk.
  private func copy(_ number: UInt32) -> ByteBuffer {
    chunks[Int(number) >> Self.chunkShift].suffix(
      from: (Int(number) & (1 << Self.chunkShift - 1)) * Self.unit)
  }

  /// Returns the id of a copy if its text is equal to `utf8`. Otherwise nil.
  private func id(ofCopy number: UInt32, equalTo utf8: ByteView) -> UInt32? {
    let copy = copy(number).view
    let head = copy.load(at: 0, as: UInt64.self)
    guard head >> 32 == utf8.count else { return nil }
    let bytes = copy[Self.headByteCount..<Self.headByteCount &+ utf8.count]
    return bytes.isEqual(to: utf8) ? UInt32(truncatingIfNeeded: head) : nil
  }

  /// Copies a string, which gets the next id. Returns the number of the copy. Nil if the string is not
  /// copied, because it is too long or all copy numbers are in use.
  private mutating func addCopy(of utf8: ByteView) -> UInt32? {
    let byteCount = Self.headByteCount + utf8.count
    let unitCount = (byteCount + Self.unit - 1) / Self.unit
    guard UInt32(exactly: utf8.count) != nil else { return nil }
    if end + unitCount > limit { addChunk(of: unitCount) }
    guard let number = UInt32(exactly: end), number < .max else { return nil }
    let copy = copy(number)
    copy.store(UInt64(utf8.count) << 32 | UInt64(count), at: 0)
    copy.copy(utf8, to: Self.headByteCount)
    end += unitCount
    return number
  }

  /// Adds a chunk. The rest of the previous chunk stays unused. The first chunks are small, because most
  /// archives are small.
  private mutating func addChunk(of unitCount: Int) {
    let usual = 1 << min(Self.chunkShift, Self.firstChunkShift + 3 * allocations.count)
    let capacity = max(unitCount, usual)
    let chunk = ByteBuffer(count: capacity * Self.unit)
    end = chunks.count << Self.chunkShift
    limit = end + capacity
    allocations.append(chunk)
    for start in stride(from: 0, to: capacity, by: 1 << Self.chunkShift) {
      chunks.append(chunk.suffix(from: start * Self.unit))
    }
  }

  /// Returns the id of a string, and whether the string is new. Called by `id(ofUTF8:)` for strings
  /// that `others` stores instead of `chunks`.
  @inline(never)
  private mutating func otherID(of utf8: ByteView) -> (id: UInt32, isNew: Bool) {
    let bytes = [UInt8](utf8)
    if let id = others[bytes] { return (id, false) }
    let id = UInt32(truncatingIfNeeded: count)
    others[bytes] = id
    count += 1
    return (id, true)
  }

  private mutating func grow() {
    let old = slots
    // The table grows by half: unused capacity costs memory, and growing costs little.
    slots = HandleBuffer(repeating: 0, count: old.count + old.count / 2)
    for index in 0..<old.count where old[index] != 0 {
      var slot = home(of: old[index] >> 32)
      while slots[slot] != 0 {
        slot &+= 1
        if slot == slots.count { slot = 0 }
      }
      slots[slot] = old[index]
    }
    old.free()
  }

  /// Removes all strings. Does not free the memory if it is small.
  mutating func removeAll() {
    guard count > 0 else { return }
    guard slots.count <= Self.maximumRetainedCapacity, allocations.count == 1, others.isEmpty else {
      free()
      self = StringIndex()
      return
    }
    (count, end) = (0, 0)
    slots.fill(0..<slots.count, with: 0)
  }

  func free() {
    slots.free()
    for chunk in allocations { chunk.free() }
  }

  /// Computes the hash of bytes. Multiplies 8 bytes by a secret, and combines the full product with the next
  /// 8 bytes, as wyhash does.
  private func hash(_ bytes: ByteView) -> UInt64 {
    let secret = 0x9E37_79B9_7F4A_7C15 ^ seed
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset &+ 8 < bytes.count {
      hash = Self.fold(hash ^ bytes.load(at: offset, as: UInt64.self), secret)
      offset &+= 8
    }
    hash = Self.fold(hash ^ bytes.lastWord, secret)
    return Self.fold(hash ^ 0x5851_F42D_4C95_7F2D, secret)
  }

  private static func fold(_ value: UInt64, _ secret: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: secret)
    return product.high ^ product.low
  }
}
