/// Ids of strings by their bytes: a hash table with open addressing over copies that never move.
///
/// Finding a string costs two cache misses: its slot, and its copy, which has its id and length in front.
///
/// Invariant: `slots` has `capacity` initialised elements. One that is not 0 has the upper half of a hash in
/// its upper half, and the number of a copy plus 1 in its lower half. Copy *p* begins in
/// `chunks[p >> chunkShift]`, at the remaining bits of *p* times `unit`: id and length, 4 bytes each, then
/// the text. The last chunk ends at number `limit`.
@safe struct StringIndex {
  /// Bytes from one copy number to the next.
  private static let unit = 8
  /// Copy numbers of one chunk, as a power of two: half a megabyte.
  private static let chunkShift = 16
  private static let firstChunkShift = 9
  private static let firstCapacity = 64
  private static let maximumKeptCapacity = 256
  private static let headByteCount = 8

  private var slots: UnsafeMutablePointer<UInt64>
  private var capacity = Self.firstCapacity
  /// A string that is longer than a chunk has several, which are contiguous.
  private var chunks: [UnsafeMutableRawPointer] = unsafe []
  private var allocations: [UnsafeMutableRawPointer] = unsafe []
  /// The first free copy number, and the end of the last chunk.
  private var end = 0
  private var limit = 0
  /// Strings whose length exceeds 32 bits, or that came when all copy numbers were in use.
  private var others: [[UInt8]: UInt32] = [:]
  private(set) var count = 0
  /// Random, so that nobody can choose strings that collide.
  private let seed = UInt64.random(in: .min ... .max) | 1

  init() {
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: 0, count: capacity)
  }

  /// The id of a string, which is added if it is new.
  ///
  /// - Complexity: amortised O(*n*) in the number of bytes.
  mutating func id(ofUTF8 utf8: UnsafeRawBufferPointer) -> (id: UInt32, isNew: Bool) {
    let hash = unsafe hash(utf8) >> 32
    var slot = home(of: hash)
    while unsafe slots[slot] != 0 {
      let entry = unsafe slots[slot]
      if entry >> 32 == hash,
        let id = unsafe id(ofCopyAt: UInt32(truncatingIfNeeded: entry) &- 1, equalTo: utf8)
      {
        return (id, false)
      }
      slot &+= 1
      if slot == capacity { slot = 0 }
    }
    guard let place = unsafe addCopy(of: utf8) else { return unsafe otherID(of: utf8) }
    unsafe slots[slot] = hash << 32 | UInt64(place &+ 1)
    count += 1
    // At most two thirds are in use, so every search ends at a free slot.
    if count * 3 > capacity * 2 { grow() }
    return (UInt32(truncatingIfNeeded: count - 1), true)
  }

  /// The first slot for a hash. Slots are in the order of hashes, so that growing goes through both tables
  /// from front to back and does not compute hashes again.
  private func home(of hash: UInt64) -> Int { Int(truncatingIfNeeded: (hash &* UInt64(capacity)) >> 32) }

  /// The copy with a number.
  private func copy(at place: UInt32) -> UnsafeMutableRawPointer {
    let chunk = unsafe chunks[Int(place) >> Self.chunkShift]
    return unsafe chunk + (Int(place) & (1 << Self.chunkShift - 1)) * Self.unit
  }

  /// The id of a copy if its text is the same; otherwise nil.
  private func id(ofCopyAt place: UInt32, equalTo utf8: UnsafeRawBufferPointer) -> UInt32? {
    let copy = unsafe copy(at: place)
    let head = unsafe copy.load(as: UInt64.self)
    guard head >> 32 == utf8.count else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: copy + Self.headByteCount, count: utf8.count)
    var offset = 0
    while offset &+ 8 <= utf8.count {
      if unsafe Self.word(bytes, offset) != Self.word(utf8, offset) { return nil }
      offset &+= 8
    }
    return unsafe Self.lastWord(bytes) == Self.lastWord(utf8) ? UInt32(truncatingIfNeeded: head) : nil
  }

  @inline(__always) private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  /// The last 8 bytes, which may overlap the word before; of a shorter string all bytes.
  @inline(__always) private static func lastWord(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    if count >= 8 { return unsafe word(bytes, count &- 8) }
    if count >= 4 {
      let first = unsafe bytes.loadUnaligned(as: UInt32.self)
      let last = unsafe bytes.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
      return UInt64(first) | UInt64(last) << 32
    }
    var word: UInt64 = 0
    for index in 0..<count { word = unsafe word << 8 | UInt64(bytes[index]) }
    return word
  }

  /// Copies a string, which gets the next id, and returns the copy's number; nil if there is no number for
  /// it.
  private mutating func addCopy(of utf8: UnsafeRawBufferPointer) -> UInt32? {
    let byteCount = Self.headByteCount + utf8.count
    let places = (byteCount + Self.unit - 1) / Self.unit
    guard UInt32(exactly: utf8.count) != nil else { return nil }
    if end + places > limit { addChunk(of: places) }
    guard let place = UInt32(exactly: end), place < .max else { return nil }
    let copy = unsafe copy(at: place)
    unsafe copy.storeBytes(of: UInt64(utf8.count) << 32 | UInt64(count), as: UInt64.self)
    if let source = utf8.baseAddress {
      unsafe (copy + Self.headByteCount).copyMemory(from: source, byteCount: utf8.count)
    }
    end += places
    return place
  }

  /// Begins a new chunk; the rest of the last one stays unused. The first ones are small, as most archives
  /// are.
  private mutating func addChunk(of places: Int) {
    let usual = unsafe 1 << min(Self.chunkShift, Self.firstChunkShift + 3 * allocations.count)
    let room = max(places, usual)
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: room * Self.unit, alignment: 16)
    unsafe end = chunks.count << Self.chunkShift
    limit = end + room
    unsafe allocations.append(chunk)
    for start in stride(from: 0, to: room, by: 1 << Self.chunkShift) {
      unsafe chunks.append(chunk + start * Self.unit)
    }
  }

  /// Slow path of `id(ofUTF8:)`: a string that has no copy.
  @inline(never)
  private mutating func otherID(of utf8: UnsafeRawBufferPointer) -> (id: UInt32, isNew: Bool) {
    let bytes = unsafe [UInt8](utf8)
    if let id = others[bytes] { return (id, false) }
    let id = UInt32(truncatingIfNeeded: count)
    others[bytes] = id
    count += 1
    return (id, true)
  }

  private mutating func grow() {
    let (old, oldCapacity) = unsafe (slots, capacity)
    // By half: unused capacity costs memory, and growing costs little.
    capacity += capacity / 2
    unsafe slots = .allocate(capacity: capacity)
    unsafe slots.initialize(repeating: 0, count: capacity)
    for index in 0..<oldCapacity where unsafe old[index] != 0 {
      var slot = unsafe home(of: old[index] >> 32)
      while unsafe slots[slot] != 0 {
        slot &+= 1
        if slot == capacity { slot = 0 }
      }
      unsafe slots[slot] = unsafe old[index]
    }
    unsafe old.deallocate()
  }

  /// Removes all strings, and keeps the memory if it is small.
  mutating func restart() {
    guard count > 0 else { return }
    guard capacity <= Self.maximumKeptCapacity, unsafe allocations.count == 1, others.isEmpty else {
      free()
      self = StringIndex()
      return
    }
    (count, end) = (0, 0)
    unsafe slots.update(repeating: 0, count: capacity)
  }

  func free() {
    unsafe slots.deallocate()
    for index in unsafe allocations.indices { unsafe allocations[index].deallocate() }
  }

  /// Folds the full product of 8 bytes and a secret into the next 8, as wyhash does.
  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let secret = 0x9E37_79B9_7F4A_7C15 ^ seed
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset &+ 8 < bytes.count {
      hash = unsafe Self.fold(hash ^ Self.word(bytes, offset), secret)
      offset &+= 8
    }
    hash = unsafe Self.fold(hash ^ Self.lastWord(bytes), secret)
    return Self.fold(hash ^ 0x5851_F42D_4C95_7F2D, secret)
  }

  private static func fold(_ value: UInt64, _ secret: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: secret)
    return product.high ^ product.low
  }
}
