import ArcMemory
import ArcTestSupport
import Foundation
import XCTest

/// Strings of each storage form are read from their memory.
final class TextMemoryTests: XCTestCase {
  private let texts = TextMemory()

  private func bytes(of text: String?) -> [UInt8]? {
    var text = text
    return unsafe withUnsafeBytes(of: &text) { memory -> [UInt8]? in
      guard let address = memory.baseAddress, unsafe !texts.isNil(at: address) else { return nil }
      return unsafe texts.withUTF8(at: address) { bytes in bytes.indices.map { bytes[$0] } }
    }
  }

  func testBytesOfStringsInEachFormAreRead() {
    var forms: [String] = [
      "", "a", "fifteen letters", "sixteen letters.", "ä\0ß", "a constant — of the program 🙂",
    ]
    for count in 0...40 {
      forms.append(String(repeating: "x", count: count))
      forms.append(String(repeating: "ö", count: count))
    }
    let long = String(repeating: "Wörter und mehr Wörter. ", count: 1000)
    forms += [long, String(long.dropFirst(7)), String(long.prefix(3)), long.uppercased(), long + "."]
    forms += [String(describing: self), "\(1.5) and \(forms.count)", String(UnicodeScalar(0x1F600)!)]
    for form in forms { XCTAssertEqual(bytes(of: form), Array(form.utf8), form) }
    XCTAssertNil(bytes(of: nil))
  }

  func testBytesOfFoundationStringsAreRead() {
    let bridged = NSString(string: String(repeating: "größer ", count: 20)) as String
    XCTAssertEqual(bytes(of: bridged), Array(bridged.utf8))
    XCTAssertEqual(bytes(of: String(format: "%d Ärzte, so viele", 12)), Array("12 Ärzte, so viele".utf8))
  }

  func testRandomStringsAreComparedByTheirBytes() {
    var random = SplitMix64(seed: 7)
    for number in 0..<4000 {
      var (one, other): (String?, String?) = (text(&random), text(&random))
      if number & 1 == 0 { other = one.map { String($0.reversed().reversed()) } }
      let areSame = unsafe withUnsafeBytes(of: &one) { ones in
        unsafe withUnsafeBytes(of: &other) { others in
          guard let first = ones.baseAddress, let second = others.baseAddress else {
            return false
          }
          return unsafe texts.areSame(first, second)
        }
      }
      XCTAssertEqual(areSame, one.map { Array($0.utf8) } == other.map { Array($0.utf8) })
    }
  }

  private func text(_ random: inout SplitMix64) -> String? {
    let count = Int(random.next() % 24)
    if count == 23 { return nil }
    return String((0..<count).map { _ in ["a", "é", "e\u{301}", "b"][Int(random.next() % 4)] }.joined())
  }
}
