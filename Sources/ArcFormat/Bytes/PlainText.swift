extension ByteView {
  /// Whether all bytes are printable ASCII characters other than `"` and `\`. Such text can be shown and
  /// quoted without escapes.
  package var isPlainText: Bool {
    var offset = 0
    while offset &+ 8 <= count {
      guard Self.arePlain(load(at: offset, as: UInt64.self)) else { return false }
      offset &+= 8
    }
    // The rest is padded with a letter, which is plain.
    var rest: UInt64 = 0x6161_6161_6161_6161
    while offset < count {
      rest = rest << 8 | UInt64(self[offset])
      offset &+= 1
    }
    return Self.arePlain(rest)
  }

  /// Whether all eight bytes of a word are printable ASCII characters other than `"` and `\`.
  @inline(__always) private static func arePlain(_ word: UInt64) -> Bool {
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    guard word & highs == 0 else { return false }
    // The highest bit of each byte is set before the subtraction, so no byte borrows from the next byte. The
    // bit is cleared if the byte is less than the subtrahend.
    let controls = ~((word | highs) &- ones &* 0x20)
    let deletes = word &+ ones
    let quotes = ~((word ^ ones &* 0x22 | highs) &- ones)
    let backslashes = ~((word ^ ones &* 0x5C | highs) &- ones)
    return (controls | deletes | quotes | backslashes) & highs == 0
  }
}
