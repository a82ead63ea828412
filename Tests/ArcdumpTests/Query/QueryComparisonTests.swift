import ArcArchive
import ArcFormat
import XCTest

@testable import ArcInspection

final class QueryComparisonTests: XCTestCase {
  private func compare(_ left: ArchiveValue, _ right: ArchiveValue) -> QueryComparison.Order {
    QueryComparison.order(left, right)
  }

  func testNumbersOfDifferentTypesAreComparedByValue() {
    XCTAssertEqual(compare(.integer(3), .double(3)), .equal)
    XCTAssertEqual(compare(.integer(-1), .unsigned(.max)), .less)
    XCTAssertEqual(compare(.unsigned(.max), .integer(.max)), .greater)
    XCTAssertEqual(compare(.float(0.1), .double(0.1)), .equal)
    XCTAssertEqual(compare(.decimal("1.5"), .double(1.5)), .equal)
    XCTAssertEqual(compare(.decimal("1.5"), .integer(2)), .less)
    XCTAssertEqual(compare(.double(.nan), .double(.nan)), .none)
    XCTAssertEqual(compare(.integer(1 << 60), .integer((1 << 60) + 1)), .less)
    XCTAssertEqual(compare(.bool(true), .integer(1)), .none)
  }

  func testStringNotationsAreComparedWithTypedValues() {
    XCTAssertEqual(compare(.date(0), .string("2001-01-01")), .equal)
    XCTAssertEqual(compare(.string("2000-12-31T23:00:00Z"), .date(0)), .less)
    XCTAssertEqual(compare(.date(0), .string("yesterday")), .none)
    let uuid = Array(UInt8(0)...15)
    XCTAssertEqual(compare(.uuid(uuid), .string("00010203-0405-0607-0809-0a0b0c0d0e0f")), .equal)
    XCTAssertEqual(compare(.url("a/b", base: nil), .string("a/b")), .equal)
    XCTAssertEqual(compare(.decimal("1.5"), .string("1.50")), .equal)
    let circle = ArchiveValue.enumeration(name: "Shape", case: "circle", payload: nil)
    XCTAssertEqual(compare(circle, .enumeration(name: "", case: "circle", payload: nil)), .equal)
    XCTAssertEqual(compare(circle, .string("square")), .none)
  }

  func testNilIsEqualOnlyToNil() {
    XCTAssertEqual(compare(.null, .reference(nil)), .equal)
    XCTAssertEqual(compare(.null, .integer(0)), .none)
    XCTAssertEqual(compare(.reference(ObjectID(rawValue: 1)), .null), .none)
  }

  func testTextOperatorsFindPartsOfStrings() {
    XCTAssertTrue(QueryComparison.holds(.string("Adele"), .contains, .string("del")))
    XCTAssertFalse(QueryComparison.holds(.string("del"), .contains, .string("Adele")))
    XCTAssertTrue(QueryComparison.holds(.string("a"), .contains, .string("")))
    XCTAssertTrue(QueryComparison.holds(.string("Adele"), .beginsWith, .string("Ad")))
    XCTAssertTrue(QueryComparison.holds(.string("Adele"), .endsWith, .string("le")))
    XCTAssertFalse(QueryComparison.holds(.string("Adele"), .endsWith, .string("el")))
    XCTAssertFalse(QueryComparison.holds(.integer(12), .contains, .string("1")))
  }
}
