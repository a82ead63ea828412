import ArcFormat
import Foundation
import XCTest

@testable import ArcForeign

/// The reader of property lists, compared with Foundation's reader.
final class PropertyListReadingTests: XCTestCase {
  func testIntegersOfAllWidthsAreRead() throws {
    let values: [Int] = [0, 255, 256, 65_535, 65_536, 1 << 32, -1, .min, .max]
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
      let list = try PropertyList(parsing: Array(data), limits: .untrusted)
      let elements = try XCTUnwrap(list.elements(list.top))
      let read = elements.map { index -> Int128? in
        if case .integer(let value) = list.nodes[Int(index)] { value } else { nil }
      }
      XCTAssertEqual(read, values.map { Int128($0) })
    }
  }

  func testRealNumbersDatesAndDataAreReadExactly() throws {
    let values: [Any] = [0.1, -Double.infinity, Date(timeIntervalSinceReferenceDate: 0.25), Data([0, 255])]
    let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    let list = try PropertyList(parsing: Array(data), limits: .untrusted)
    let nodes = try XCTUnwrap(list.elements(list.top)).map { list.nodes[Int($0)] }
    guard case .real(0.1) = nodes[0], case .real(-Double.infinity) = nodes[1], case .date(0.25) = nodes[2],
      case .data = nodes[3]
    else { return XCTFail("\(nodes)") }
  }

  func testFoundationTextIsReadFromXMLAndBinary() throws {
    let texts = ["", "plain", "Grüße", "日本 \u{1F600}", "<&>\"' \n\t", "cafe\u{301}", "a\u{0}b"]
    let data = try PropertyListSerialization.data(fromPropertyList: texts, format: .binary, options: 0)
    let list = try PropertyList(parsing: Array(data), limits: .untrusted)
    let read = try XCTUnwrap(list.elements(list.top)).map { list.string(Int($0)) ?? "-" }
    XCTAssertEqual(read.map { Array($0.utf8) }, texts.map { Array($0.utf8) })
    let xml = try PropertyListSerialization.data(
      fromPropertyList: Array(texts.dropLast()), format: .xml, options: 0)
    let other = try PropertyList(parsing: Array(xml), limits: .untrusted)
    let readOther = try XCTUnwrap(other.elements(other.top)).map { other.string(Int($0)) ?? "-" }
    XCTAssertEqual(readOther.map { Array($0.utf8) }, texts.dropLast().map { Array($0.utf8) })
  }

  func testNamesOfTheObjectiveCRuntimeAreDemangled() {
    XCTAssertEqual(ImportGuide.demangled("_TtC5MyApp4Node"), ["MyApp", "Node"])
    XCTAssertEqual(ImportGuide.demangled("_TtCC5MyApp5Outer5Inner"), ["MyApp", "Outer", "Inner"])
    XCTAssertNil(ImportGuide.demangled("_TtC99MyApp"))
    XCTAssertNil(ImportGuide.demangled("Node"))
  }
}
