/// Addresses of objects that a walk has seen: open addressing with linear probing over one pre-sized block, at most
/// half full, hashed by multiplication. It never grows, so the walk pays no growth check. A handle: `WalkMemory` owns
/// the block.
///
/// Invariant of the pointer work: every slot index is below `slotCount`, a power of two, by a shift or a mask. A free
/// slot is there because `insert` is called for at most `capacity` distinct addresses.
struct VisitedTable {
  private let slots: UnsafeMutablePointer<UInt>
  private let slotCount: Int
  private let shift: UInt64

  /// Allocates a table for that many objects; `deallocate` frees it.
  init(capacity: Int) {
    var bits: UInt64 = 4
    while 1 << bits < capacity * 2 { bits += 1 }
    slotCount = 1 << bits
    shift = 64 - bits
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  func deallocate() { slots.deallocate() }

  /// Forgets all addresses; part of every walk's time.
  func removeAll() { slots.update(repeating: 0, count: slotCount) }

  /// Inserts an address; says whether it was new.
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
