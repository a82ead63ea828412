extension [UInt8] {
  /// The bytes with one bit changed; bits are counted from the first byte's lowest.
  package func flipping(bit: Int) -> [UInt8] {
    var bytes = self
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
