import Arc
import Foundation

/// The checksum of a `.deb` file.
@Archivable
enum Checksum: Hashable, Sendable {
  case md5(Data)
  case sha1(Data)
  case sha256(Data)

  /// Consumes and returns the checksums of a paragraph, weakest first. A checksum of a wrong length is not
  /// consumed.
  static func all(consuming paragraph: inout ControlParagraph) -> [Checksum] {
    [
      paragraph.consume("md5sum") { Data(hexadecimal: $0, count: 16) }.map(Checksum.md5),
      paragraph.consume("sha1") { Data(hexadecimal: $0, count: 20) }.map(Checksum.sha1),
      paragraph.consume("sha256") { Data(hexadecimal: $0, count: 32) }.map(Checksum.sha256),
    ].compactMap { $0 }
  }
}

extension Data {
  /// Creates data from lower-case hexadecimal digits. Nil unless they represent exactly `count` bytes.
  init?(hexadecimal text: String, count: Int) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var high: UInt8?
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil, bytes.count == count else { return nil }
    self.init(bytes)
  }
}
