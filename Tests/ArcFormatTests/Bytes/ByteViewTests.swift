import ArcFormat
import XCTest

/// Bytes are compared in words. The last word overlaps the word before it.
final class ByteViewTests: XCTestCase {
  func testViewsAreEqualIfAllBytesAreEqual() {
    for count in 0...33 {
      let bytes = (0..<count).map { UInt8($0 + 1) }
      // The copy has another alignment.
      let shifted = [0] + bytes
      bytes.withByteView { view in
        shifted.withByteView { XCTAssert(view.isEqual(to: $0.suffix(from: 1)), "\(count) bytes") }
      }
      for index in 0..<count {
        var other = bytes
        other[index] ^= 0x80
        bytes.withByteView { view in
          other.withByteView { XCTAssertFalse(view.isEqual(to: $0), "\(count) bytes, byte \(index)") }
        }
      }
      (bytes + [0]).withByteView { longer in
        bytes.withByteView { XCTAssertFalse(longer.isEqual(to: $0), "\(count) bytes and one more") }
      }
    }
  }

  func testViewBytesAreAppendedToAnArray() {
    var bytes: [UInt8] = [9]
    ([1, 2, 3] as [UInt8]).withByteView { bytes.append(contentsOf: $0.suffix(from: 1)) }
    bytes.append(contentsOf: ByteView())
    XCTAssertEqual(bytes, [9, 2, 3])
  }
}
