import XCTest

@testable import ArcFormat

final class PlainTextTests: XCTestCase {
  func testTextIsPlainIfNoByteNeedsEscaping() {
    for byte in UInt8.min...UInt8.max {
      let isPlain = byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      for count in 1...19 {
        for place in 0..<count {
          // Neighbouring bytes from which a calculation with whole words could borrow a bit.
          for other in [UInt8(ascii: " "), UInt8(ascii: "!"), UInt8(ascii: "a"), UInt8(ascii: "~")] {
            var bytes = [UInt8](repeating: other, count: count)
            bytes[place] = byte
            XCTAssertEqual(bytes.withByteView(\.isPlainText), isPlain, "\(byte) at \(place) of \(count)")
          }
        }
      }
    }
    XCTAssertTrue([UInt8]().withByteView(\.isPlainText))
  }
}
