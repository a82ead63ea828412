extension [UInt8] {
  /// Returns the bytes with one bit inverted. Bit 0 is the lowest bit of the first byte.
  package func flipping(bit: Int) -> [UInt8] {
    var bytes = self
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
