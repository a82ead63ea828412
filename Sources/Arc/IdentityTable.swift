/// Rows of objects by address: open addressing with linear probing, at most half full.
///
/// Addresses stay valid as keys because the graph encoder keeps every object that it numbered alive. Address 0
/// marks a free slot; no object has it.
struct IdentityTable {
  private var keys: [UInt] = Array(repeating: 0, count: 1024)
  private var rows: [UInt32] = Array(repeating: 0, count: 1024)
  private(set) var count = 0

  /// The row of an object, 0 if it has none.
  func row(of address: UInt) -> UInt32 {
    let mask = keys.count - 1
    var slot = Self.hash(address) & mask
    while keys[slot] != 0 {
      if keys[slot] == address { return rows[slot] }
      slot = (slot + 1) & mask
    }
    return 0
  }

  /// Gives an object that has none a row. Amortised O(1).
  mutating func insert(_ address: UInt, row: UInt32) {
    if (count + 1) * 2 > keys.count { grow() }
    place(address, row)
    count += 1
  }

  private mutating func place(_ address: UInt, _ row: UInt32) {
    let mask = keys.count - 1
    var slot = Self.hash(address) & mask
    while keys[slot] != 0 { slot = (slot + 1) & mask }
    keys[slot] = address
    rows[slot] = row
  }

  private mutating func grow() {
    let old = (keys, rows)
    keys = Array(repeating: 0, count: keys.count * 2)
    rows = Array(repeating: 0, count: keys.count)
    for (key, row) in zip(old.0, old.1) where key != 0 { place(key, row) }
  }

  /// Objects lie 16 bytes apart at least. Multiplying by 2^64 / golden ratio spreads neighbours over the high bits.
  private static func hash(_ address: UInt) -> Int {
    Int(truncatingIfNeeded: ((UInt64(address) >> 4) &* 0x9E37_79B9_7F4A_7C15) >> 20)
  }
}
