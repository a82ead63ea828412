/// Ids of strings by their bytes: a hash table with open addressing over copies that never move.
///
/// Finding a string costs two cache misses: its slot, and its copy, which has its id and length in front.
///
/// Invariant: an element of `slots` that is not 0 has the upper half of a hash in its upper half, and the
/// number of a copy plus 1 in its lower half. Copy *p* begins in `chunks[p >> chunkShift]`, at the remaining
/// bits of *p* times `unit`: id and length, 4 bytes each, then the text. The last chunk ends at number
/// `limit`.
struct StringIndex {
  /// Bytes from one copy number to the next.
  private static let unit = 8
  /// Copy numbers of one chunk, as a power of two: half a megabyte.
  private static let chunkShift = 16
  private static let firstChunkShift = 9
  private static let firstCapacity = 64
  private static let maximumKeptCapacity = 256
  private static let headByteCount = 8

  private var slots = HandleBuffer(repeating: 0 as UInt64, count: Self.firstCapacity)
  /// A string that is longer than a chunk has several, which are contiguous.
  private var chunks: [ByteBuffer] = []
  private var allocations: [ByteBuffer] = []
  /// The first free copy number, and the end of the last chunk.
  private var end = 0
  private var limit = 0
  /// Strings whose length exceeds 32 bits, or that came when all copy numbers were in use.
  private var others: [[UInt8]: UInt32] = [:]
  private(set) var count = 0
  /// Random, so that nobody can choose strings that collide.
  private let seed = UInt64.random(in: .min ... .max) | 1

  /// The id of a string, which is added if it is new.
  ///
  /// - Complexity: amortised O(*n*) in the number of bytes.
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
    // At most two thirds are in use, so every search ends at a free slot.
    if count * 3 > slots.count * 2 { grow() }
    return (UInt32(truncatingIfNeeded: count - 1), true)
  }

  /// The string with an id, for errors; nil for one that is not among the copies. O(strings).
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

  /// The first slot for a hash. Slots are in the order of hashes, so that growing goes through both tables
  /// from front to back and does not compute hashes again.
  private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash &* UInt64(slots.count)) >> 32) }

  /// The memory from the copy with a number on.
  private func copy(_ number: UInt32) -> ByteBuffer {
    chunks[Int(number) >> Self.chunkShift].suffix(
      from: (Int(number) & (1 << Self.chunkShift - 1)) * Self.unit)
  }

  /// The id of a copy if its text is the same; otherwise nil.
  private func id(ofCopy number: UInt32, equalTo utf8: ByteView) -> UInt32? {
    let copy = copy(number).view
    let head = copy.load(at: 0, as: UInt64.self)
    guard head >> 32 == utf8.count else { return nil }
    let bytes = copy[Self.headByteCount..<Self.headByteCount &+ utf8.count]
    return bytes.isEqual(to: utf8) ? UInt32(truncatingIfNeeded: head) : nil
  }

  /// Copies a string, which gets the next id, and returns the copy's number; nil if there is no number for
  /// it.
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

  /// Begins a new chunk; the rest of the last one stays unused. The first ones are small, as most archives
  /// are.
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

  /// Slow path of `id(ofUTF8:)`: a string that has no copy.
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
    // By half: unused capacity costs memory, and growing costs little.
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

  /// Removes all strings, and keeps the memory if it is small.
  mutating func removeAll() {
    guard count > 0 else { return }
    guard slots.count <= Self.maximumKeptCapacity, allocations.count == 1, others.isEmpty else {
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

  /// Folds the full product of 8 bytes and a secret into the next 8, as wyhash does.
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
