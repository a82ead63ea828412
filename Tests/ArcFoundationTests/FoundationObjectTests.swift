import Arc
import ArcFormat
import ArcFoundation
import ArcTestSupport
import Foundation
import XCTest

/// Foundation objects that represent values, in properties of type `Any`.
final class FoundationObjectTests: XCTestCase {
  func testFoundationJSONRoundTrips() throws {
    let text = #"{"a":1,"b":true,"c":1.5,"d":null,"e":[1,"x",[]],"f":{"g":18446744073709551615,"h":-1}}"#
    let crate = Crate()
    crate.content = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let copy = try roundTrip(crate).content
    XCTAssertEqual(try json(copy), try json(crate.content))
    let members = try XCTUnwrap(copy as? [String: Any])
    XCTAssertTrue(members["d"] is NSNull)
    for (name, value) in try XCTUnwrap(crate.content as? [String: Any]) {
      XCTAssertEqual("\(type(of: members[name] ?? 0))", "\(type(of: value))", name)
    }
  }

  func testFoundationNumbersPreserveTheirTypes() throws {
    let numbers: [NSNumber] = [
      NSNumber(value: true), NSNumber(value: false), NSNumber(value: 1), NSNumber(value: -0.0),
      NSNumber(value: Float(1.5)), NSNumber(value: Int64.min), NSNumber(value: UInt64.max),
      NSNumber(value: Double.infinity), NSDecimalNumber(string: "1.10"),
    ]
    let crate = Crate()
    crate.content = numbers as [Any]
    let copy = try XCTUnwrap(roundTrip(crate).content as? [Any])
    for (number, found) in zip(numbers, copy) {
      let found = try XCTUnwrap(found as? NSNumber)
      XCTAssertEqual(found, number)
      XCTAssertEqual("\(type(of: found))", "\(type(of: number))")
      unsafe XCTAssertEqual(String(cString: found.objCType), String(cString: number.objCType))
    }
    XCTAssertEqual((copy[3] as? NSNumber)?.doubleValue.sign, .minus)
  }

  func testFoundationStringsAndKeysRoundTrip() throws {
    let crate = Crate()
    crate.content =
      [AnyHashable(NSString(string: "key")): NSString(string: "é"), 2: NSNull()] as [AnyHashable: Any]
    let copy = try XCTUnwrap(roundTrip(crate).content as? [AnyHashable: Any])
    XCTAssertEqual(copy[NSString(string: "key")] as? NSString, "é")
    XCTAssertTrue(copy[2] is NSNull)
  }

  func testObjectOfUnsupportedClassIsRefused() {
    let crate = Crate()
    crate.content = [NSObject()] as [Any]
    assertThrows(.notArchivable, "NSObject") { try Archiver().archive(crate) }
  }

  private func json(_ value: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])
  }
}

@Archivable private final class Crate { @Boxed var content: Any = 0 }
