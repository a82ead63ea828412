import ArcFormat
import XCTest

/// The checksums of short and long inputs are computed by different algorithms with the same result.
final class ChecksumTests: XCTestCase {
  /// Returns the checksum, computed bit by bit from the polynomial.
  private func sum(_ bytes: [UInt8], _ seed: UInt32) -> UInt32 {
    var sum = ~seed
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  func testChecksumIsCorrectForEveryLength() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<1100).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    for length in Array(0...600) + [1023, 1024, 1025] {
      let start = length % 17
      let part = Array(bytes[start..<start + length])
      let seed = UInt32.random(in: .min ... .max, using: &generator)
      XCTAssertEqual(
        Checksum.crc32(part, seed: seed), sum(part, seed), "\(length) bytes from \(seed): \(part)")
    }
  }

  func testChecksumOfStandardCheckStringIsCorrect() {
    // The check value of CRC-32/ISO-HDLC.
    XCTAssertEqual(Checksum.crc32(Array("123456789".utf8)), 0xCBF4_3926)
  }
}
