/// Finds strings by their bytes: open addressing over one run of all bytes.
struct StringIndex {
  /// All bytes, one string behind the other, and where each string ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// 0 is empty, otherwise id + 1 and the upper half of the hash. Never more than half full, so a free slot ends
  /// every search.
  private var slots = [UInt64](repeating: 0, count: 64)
  /// Chosen at random, so that nobody can choose strings that collide.
  private let seed = UInt64.random(in: .min ... .max) | 1

  var count: Int { ends.count }
  var byteCount: Int { bytes.count }

  /// Where the bytes of a string begin.
  func start(of id: Int) -> Int { id == 0 ? 0 : ends[id - 1] }

  /// The bytes of all strings from one on.
  func bytes(from id: Int) -> ArraySlice<UInt8> { bytes[start(of: id)...] }

  /// The id of a string, and whether it is a new one. Amortised O(bytes).
  mutating func id(ofUTF8 utf8: UnsafeRawBufferPointer) -> (id: UInt32, isNew: Bool) {
    let hash = unsafe hash(utf8)
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let id = UInt32(truncatingIfNeeded: slots[slot]) - 1
      if slots[slot] >> 32 == hash >> 32, unsafe isString(Int(id), utf8) { return (id, false) }
      slot = (slot + 1) & mask
    }
    unsafe bytes.append(contentsOf: utf8)
    ends.append(bytes.count)
    slots[slot] = UInt64(ends.count) | (hash >> 32) << 32
    if ends.count * 2 > slots.count { grow() }
    return (UInt32(ends.count - 1), true)
  }

  /// Forgets all strings and keeps the room, if it is little.
  mutating func restart() {
    guard !ends.isEmpty else { return }
    guard slots.count <= Self.greatestKeptSlotCount else {
      self = StringIndex()
      return
    }
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    for slot in slots.indices { slots[slot] = 0 }
  }

  private static let greatestKeptSlotCount = 256

  private func isString(_ id: Int, _ utf8: UnsafeRawBufferPointer) -> Bool {
    let start = start(of: id)
    guard ends[id] - start == utf8.count else { return false }
    return unsafe bytes.withUnsafeBytes { all in
      var offset = 0
      while offset + 8 <= utf8.count {
        let ours = unsafe all.loadUnaligned(fromByteOffset: start &+ offset, as: UInt64.self)
        let theirs = unsafe utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if ours != theirs { return false }
        offset += 8
      }
      while offset < utf8.count {
        if unsafe all[start &+ offset] != utf8[offset] { return false }
        offset += 1
      }
      return true
    }
  }

  /// Folds the full product of 8 bytes and a secret into the next 8, as wyhash does.
  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let secret = 0x9E37_79B9_7F4A_7C15 ^ seed
    var hash = seed ^ UInt64(truncatingIfNeeded: bytes.count)
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      hash = Self.fold(hash ^ word, secret)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = unsafe rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    return Self.fold(Self.fold(hash ^ rest, secret) ^ 0x5851_F42D_4C95_7F2D, secret)
  }

  private static func fold(_ value: UInt64, _ secret: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: secret)
    return product.high ^ product.low
  }

  private mutating func grow() {
    slots = [UInt64](repeating: 0, count: slots.count * 4)
    for id in ends.indices {
      let hashed = unsafe bytes[start(of: id)..<ends[id]].withUnsafeBytes { unsafe hash($0) }
      var slot = Int(truncatingIfNeeded: hashed) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt64(id + 1) | (hashed >> 32) << 32
    }
  }
}
