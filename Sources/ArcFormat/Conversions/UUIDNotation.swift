/// UUIDs in their usual notation, `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, and as the 16 bytes that archives
/// have, the first in the lowest byte of an integer.
package enum UUIDNotation {
  /// Before which digits a hyphen stands.
  private static let hyphens: Set<Int> = [8, 12, 16, 20]

  /// The bytes of a notation, of letters in either case; nil for any other text.
  package static func bytes(_ text: String) -> UInt128? {
    guard text.utf8.count == 36 else { return nil }
    var (bytes, count): (UInt128, Int) = (0, 0)
    var isAfterHyphen = false
    for character in text.utf8 {
      if hyphens.contains(count), !isAfterHyphen {
        guard character == UInt8(ascii: "-") else { return nil }
        isAfterHyphen = true
        continue
      }
      guard let digit = Character(Unicode.Scalar(character)).hexDigitValue, character < 0x80 else {
        return nil
      }
      // The digits of a byte follow each other, the higher one first.
      bytes |= UInt128(digit) << UInt128(count / 2 * 8 + (count % 2 == 0 ? 4 : 0))
      count += 1
      isAfterHyphen = false
    }
    return count == 32 ? bytes : nil
  }

  /// The notation of 16 bytes, in capital letters.
  package static func text(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if hyphens.contains(index * 2) { text.append(UInt8(ascii: "-")) }
      text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: text, as: UTF8.self)
  }
}
