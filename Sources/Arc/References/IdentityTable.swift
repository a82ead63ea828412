import ArcFormat

/// The rows of objects by address: a hash table with open addressing and linear probing.
///
/// Addresses stay valid as keys because the graph encoder retains every numbered object. A slot has 8 bytes:
/// the row, and the low 32 bits of the address in units of 8 bytes. These bits distinguish all objects within
/// 32 GiB. The few objects outside that region, such as objects in another thread's heap, are in a
/// dictionary.
///
/// Invariant: the value 0 marks a free slot, because no object has row 0. At least one slot is free.
@usableFromInline struct IdentityTable {
  @usableFromInline var slots: HandleBuffer<UInt64>
  /// The bits above the low 35 bits, which are equal in all addresses in `slots`.
  @usableFromInline var region: UInt = 0
  private var count = 0
  /// The rows of objects whose addresses are outside the region that `slots` covers.
  private var distantRows: [UInt: UInt32] = [:]

  /// Creates a table with capacity for some objects.
  init(expectedCount: Int = 0) {
    let capacity = max(Self.firstCapacity, expectedCount + expectedCount / 2 + 2)
    slots = HandleBuffer<UInt64>(repeating: 0, count: capacity)
  }

  private static let firstCapacity = 64
  /// The maximum capacity that is reused for another graph.
  private static let reusableCapacity = 256

  /// Returns the row of an object. 0 if it has none. O(1).
  @inlinable @inline(__always)
  func row(of address: UInt) -> UInt32 {
    guard address >> 35 == region else { return distantRow(address) }
    let key = UInt32(truncatingIfNeeded: address >> 3)
    var slot = home(of: key)
    while true {
      let entry = slots[slot]
      if UInt32(truncatingIfNeeded: entry) == key, entry != 0 {
        return UInt32(truncatingIfNeeded: entry >> 32)
      }
      if entry == 0 { return 0 }
      slot &+= 1
      if slot == slots.count { slot = 0 }
    }
  }

  /// Returns the content of the slot at which the search for an object begins.
  func firstEntry(of address: UInt) -> UInt64 {
    slots[home(of: UInt32(truncatingIfNeeded: address >> 3))]
  }

  /// Returns the address of the slot at which the search for an object begins.
  @inline(__always) func homeAddress(of address: UInt) -> UInt {
    slots.address(ofElementAt: home(of: UInt32(truncatingIfNeeded: address >> 3)))
  }

  /// Whether an object belongs in `slots`: its address is in the region of 32 GiB that `slots` covers.
  @inline(__always) func coversRegion(of address: UInt) -> Bool { address >> 35 == region }

  /// Returns the first slot for a key.
  ///
  /// The multiplication spreads adjacent addresses. Because the high part of the product is used, slots keep
  /// their order when the table grows, so growing accesses both tables from front to back.
  @inlinable @inline(__always)
  func home(of key: UInt32) -> Int {
    let hash = UInt64(key &* 0x9E37_79B1)
    return Int(truncatingIfNeeded: (hash &* UInt64(truncatingIfNeeded: slots.count)) >> 32)
  }

  @usableFromInline @inline(never)
  func distantRow(_ address: UInt) -> UInt32 { distantRows[address] ?? 0 }

  /// Assigns a row to an object that has none. Amortized O(1).
  mutating func insert(_ address: UInt, row: UInt32) {
    if count == 0 { region = address >> 35 }
    guard address >> 35 == region else {
      distantRows[address] = row
      return
    }
    // The table is at most two thirds full, so that most objects are found in the first slot.
    if (count + 1) * 3 > slots.count * 2 { grow() }
    store(UInt64(UInt32(truncatingIfNeeded: address >> 3)) | UInt64(row) << 32)
    count += 1
  }

  private func store(_ entry: UInt64) { slots[slot(of: UInt32(truncatingIfNeeded: entry))] = entry }

  /// Returns the slot of a key, or the free slot that the key would get.
  @inline(__always) private func slot(of key: UInt32) -> Int {
    var slot = home(of: key)
    while slots[slot] != 0, UInt32(truncatingIfNeeded: slots[slot]) != key {
      slot &+= 1
      if slot == slots.count { slot = 0 }
    }
    return slot
  }

  /// Returns the row of an object. If it has none, assigns `newRow` to it. Amortized O(1).
  mutating func row(of address: UInt, orAssign newRow: UInt32) -> UInt32 {
    guard count > 0, address >> 35 == region, (count + 1) * 3 <= slots.count * 2 else {
      let row = row(of: address)
      if row == 0 { insert(address, row: newRow) }
      return row == 0 ? newRow : row
    }
    let key = UInt32(truncatingIfNeeded: address >> 3)
    let slot = slot(of: key)
    if slots[slot] != 0 { return UInt32(truncatingIfNeeded: slots[slot] >> 32) }
    slots[slot] = UInt64(key) | UInt64(newRow) << 32
    count += 1
    return newRow
  }

  private mutating func grow() {
    let old = slots
    // The table grows only by half, because unused slots cost memory, and growing is cheap.
    slots = HandleBuffer(repeating: 0, count: old.count + old.count / 2)
    for index in 0..<old.count where old[index] != 0 { store(old[index]) }
    old.free()
  }

  /// Removes all objects. Preserves the memory for the next graph if its capacity is small.
  mutating func removeAll() {
    if !distantRows.isEmpty { distantRows = [:] }
    if count > 0 {
      count = 0
      if slots.count > Self.reusableCapacity {
        free()
        self = IdentityTable()
      } else {
        for slot in 0..<slots.count { slots[slot] = 0 }
      }
    }
  }

  func free() { slots.free() }
}
