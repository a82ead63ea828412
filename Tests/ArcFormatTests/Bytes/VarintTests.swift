import ArcTestSupport
import XCTest

@testable import ArcFormat

final class VarintTests: XCTestCase {
  func testBoundaryNumbersRoundTripInTheFewestBytes() throws {
    let numbers: [(UInt64, Int)] = [
      (0, 1), (127, 1), (128, 2), (16_383, 2), (16_384, 3), (1 << 32 - 1, 5), (.max >> 1, 9), (.max, 10),
    ]
    for (number, length) in numbers {
      var writer = ByteWriter()
      writer.varint(number)
      XCTAssertEqual(writer.count, length)
      XCTAssertEqual(try read(writer.bytes), number)
    }
  }

  func testOverlongAndOversizedVarintsAreRefused() {
    for bytes: [UInt8] in [[0x80, 0x00], [0xFF, 0x80, 0x00], Array(repeating: 0x80, count: 10) + [1]] {
      assertThrows(.malformedSegment) { try read(bytes) }
    }
    let tenBytes = Array(repeating: UInt8(0xFF), count: 9)
    XCTAssertThrowsError(try read(tenBytes + [2]))
    XCTAssertEqual(try read(tenBytes + [1]), .max)
  }

  func testTruncatedVarintIsReportedWithItsOffset() {
    XCTAssertEqual(assertThrows(.truncated) { try read([0x80]) }?.byteOffset, 101)
  }

  private func read(_ bytes: [UInt8]) throws -> UInt64 {
    try bytes.withByteView {
      var reader = ByteReader($0, fileOffset: 100)
      return try reader.varint()
    }
  }
}
