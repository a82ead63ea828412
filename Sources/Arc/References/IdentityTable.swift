/// Rows of objects by address: open addressing with linear probing.
///
/// Addresses stay valid as keys because the graph encoder keeps every object that it numbered alive. A slot
/// has 8 bytes: the row, and the low 32 bits of the address in units of 8 bytes, which tell all objects
/// within 32 GiB apart. The few outside of that region, such as in another thread's heap, are in a
/// dictionary.
///
/// Invariant: `slots` has `capacity` initialised elements; 0 marks a free one (no object has row 0), and
/// there always is one.
@usableFromInline @safe struct IdentityTable {
  @usableFromInline var slots: UnsafeMutablePointer<UInt64>
  @usableFromInline var capacity: UInt64
  /// The high bits that the addresses in `slots` have in common: all but the low 35.
  @usableFromInline var region: UInt
  private var count = 0
  private var elsewhere: [UInt: UInt32] = [:]

  init() {
    capacity = 64
    region = 0
    unsafe slots = .allocate(capacity: Int(capacity))
    unsafe slots.initialize(repeating: 0, count: Int(capacity))
  }

  /// The row of an object, 0 if it has none. O(1).
  @inlinable @inline(__always)
  func row(of address: UInt) -> UInt32 {
    guard address >> 35 == region else { return rowElsewhere(address) }
    let key = UInt32(truncatingIfNeeded: address >> 3)
    var slot = home(of: key)
    while true {
      let entry = unsafe slots[slot]
      if UInt32(truncatingIfNeeded: entry) == key, entry != 0 {
        return UInt32(truncatingIfNeeded: entry >> 32)
      }
      if entry == 0 { return 0 }
      slot &+= 1
      if slot == Int(truncatingIfNeeded: capacity) { slot = 0 }
    }
  }

  /// The content of the first slot in which an object may be found.
  func firstEntry(of address: UInt) -> UInt64 {
    unsafe slots[home(of: UInt32(truncatingIfNeeded: address >> 3))]
  }

  /// The address of that slot.
  @inline(__always) func homeAddress(of address: UInt) -> UInt {
    unsafe UInt(bitPattern: slots + home(of: UInt32(truncatingIfNeeded: address >> 3)))
  }

  /// Whether an object at an address would be in `slots`.
  @inline(__always) func coversRegion(of address: UInt) -> Bool { address >> 35 == region }

  /// The first slot for a key.
  ///
  /// Multiplying spreads neighbours; taking the high part keeps the order when the table grows, so that
  /// growing goes through both tables from front to back.
  @inlinable @inline(__always)
  func home(of key: UInt32) -> Int {
    let hash = UInt64(key &* 0x9E37_79B1)
    return Int(truncatingIfNeeded: (hash &* capacity) >> 32)
  }

  @usableFromInline @inline(never)
  func rowElsewhere(_ address: UInt) -> UInt32 { elsewhere[address] ?? 0 }

  /// Assigns a row to an object that has none. Amortised O(1).
  mutating func insert(_ address: UInt, row: UInt32) {
    if count == 0 { region = address >> 35 }
    guard address >> 35 == region else {
      elsewhere[address] = row
      return
    }
    // At most two thirds full: then most objects are found in the first slot.
    if UInt64(count + 1) * 3 > capacity * 2 { grow() }
    place(UInt64(UInt32(truncatingIfNeeded: address >> 3)) | UInt64(row) << 32)
    count += 1
  }

  private func place(_ entry: UInt64) {
    var slot = home(of: UInt32(truncatingIfNeeded: entry))
    while unsafe slots[slot] != 0 {
      slot &+= 1
      if slot == Int(truncatingIfNeeded: capacity) { slot = 0 }
    }
    unsafe slots[slot] = entry
  }

  private mutating func grow() {
    let old = self
    // By half: unused slots cost memory, and growing costs little, since it goes front to back.
    capacity += capacity / 2
    unsafe slots = .allocate(capacity: Int(capacity))
    unsafe slots.initialize(repeating: 0, count: Int(capacity))
    for index in 0..<Int(old.capacity) where unsafe old.slots[index] != 0 { unsafe place(old.slots[index]) }
    unsafe old.slots.deallocate()
  }

  /// Forgets all objects; keeps a small capacity.
  mutating func reset() {
    if !elsewhere.isEmpty { elsewhere = [:] }
    if count > 0 {
      count = 0
      if capacity > 256 {
        free()
        self = IdentityTable()
      } else {
        unsafe slots.update(repeating: 0, count: Int(capacity))
      }
    }
  }

  func free() { unsafe slots.deallocate() }
}
