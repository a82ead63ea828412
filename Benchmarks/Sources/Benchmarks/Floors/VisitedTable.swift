/// The addresses of objects that a walk has visited: a hash table with open addressing and linear probing.
///
/// The table is one block, at most half full, and hashes by multiplication. It never grows, so the walk does
/// not check for growth. A handle: `WalkMemory` owns the block.
///
/// Invariant of the pointer work: a shift or a mask makes every slot index less than `slotCount`, a power of
/// two. A free slot exists because `insert` is called for at most `capacity` distinct addresses.
struct VisitedTable {
  private let slots: UnsafeMutablePointer<UInt>
  private let slotCount: Int
  private let shift: UInt64

  /// Allocates a table for `capacity` addresses. `deallocate` frees it.
  init(capacity: Int) {
    var bits: UInt64 = 4
    while 1 << bits < capacity * 2 { bits += 1 }
    slotCount = 1 << bits
    shift = 64 - bits
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  func deallocate() { slots.deallocate() }

  /// Removes all addresses. The time for this is part of the time of each walk.
  func removeAll() { slots.update(repeating: 0, count: slotCount) }

  /// Inserts an address. Returns whether it was new.
  @inline(__always) func insert(_ address: UInt) -> Bool {
    let mask = slotCount - 1
    var slot = Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    while slots[slot] != 0 {
      if slots[slot] == address { return false }
      slot = (slot + 1) & mask
    }
    slots[slot] = address
    return true
  }
}
