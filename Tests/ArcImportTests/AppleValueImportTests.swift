import Arc
import ArcFoundation
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

/// Objects in the form that Foundation on Apple's platforms writes, where this machine's Foundation cannot
/// archive the object or writes another form.
///
/// The keys are those of `plutil -p` for files of macOS: NSDecimalNumber as in the samples of `make.py`,
/// undefined components of 32-bit programs as in files of iOS 6, geometry as `NSStringFromCGRect` prints it.
final class AppleValueImportTests: XCTestCase {
  private typealias UID = KeyedUID

  private func read<Value: ArchivableValue>(
    _ type: Value.Type, _ className: [String], _ members: [String: Any], _ others: Any...
  ) throws -> Value {
    var object = members
    object["$class"] = UID(2)
    let description: [String: Any] = ["$classname": className[0], "$classes": className + ["NSObject"]]
    let bytes = KeyedSamples.archive(["$null", object, description] + others)
    return try ArchiveImporter(classes: ClassTable(), limits: .untrusted).unarchive(type, from: bytes)
  }

  func testDecimalNumberIsADecimal() throws {
    var mantissa = [UInt8](repeating: 0, count: 16)
    (mantissa[0], mantissa[1]) = (0xD2, 0x04)
    let members: [String: Any] = [
      "NS.compact": true, "NS.exponent": -2, "NS.length": 1, "NS.mantissa": mantissa, "NS.mantissa.bo": 1,
      "NS.negative": true,
    ]
    XCTAssertEqual(
      try read(Decimal.self, ["NSDecimalNumber", "NSNumber", "NSValue"], members), Decimal(string: "-12.34"))
    XCTAssertEqual(try read(Double.self, ["NSDecimalNumber", "NSNumber", "NSValue"], members), -12.34)
  }

  func testUndefinedComponentsOf32BitProgramsAreNil() throws {
    let undefined = Int(Int32.max)
    let components = try read(
      DateComponents.self, ["NSDateComponents"],
      ["NS.year": 2012, "NS.month": undefined, "NS.day": 3, "NS.era": undefined, "NS.timezone": UID(0)])
    XCTAssertEqual(components, DateComponents(year: 2012, day: 3))
  }

  func testGeometryOfUIKitIsReadFromStrings() throws {
    XCTAssertEqual(
      try read(CGRect.self, ["NSValue"], ["NS.rectval": UID(3), "NS.special": 3], "{{0, -1.5}, {2e3, 4}}"),
      CGRect(x: 0, y: -1.5, width: 2000, height: 4))
    XCTAssertEqual(try read(CGPoint.self, ["NSValue"], ["NS.pointval": "{1, 2}"]), CGPoint(x: 1, y: 2))
    let empty = try read(CGRect.self, ["NSValue"], ["NS.rectval": "{{inf, inf}, {0, 0}}"])
    XCTAssertEqual(empty.origin.x, .infinity)
    for text in ["{{0, 0}, {1}}", "{0, 0, 1, 2}", "{{0, 0}, {1, x}}", "{{{{1}}}}", "{", ""] {
      assertThrows(ArchiveError.self, for: text) { try read(CGRect.self, ["NSValue"], ["NS.rectval": text]) }
    }
  }

  func testMutableAttributedStringOfACocoaClassIsAString() throws {
    let names = ["NSConcreteMutableAttributedString", "NSMutableAttributedString", "NSAttributedString"]
    XCTAssertEqual(
      try read(
        String.self, names, ["NSString": UID(3), "NSAttributes": UID(5)],
        ["$class": UID(4), "NS.string": "shared"],
        KeyedSamples.classDescription("NSMutableString", "NSString"), ["$class": UID(6)],
        KeyedSamples.classDescription("NSDictionary")), "shared")
  }

  func testTimeZoneWithoutDataIsATimeZone() throws {
    XCTAssertEqual(
      try read(TimeZone.self, ["__NSTimeZone", "NSTimeZone"], ["NS.name": "Asia/Tokyo"]),
      TimeZone(identifier: "Asia/Tokyo"))
    assertThrows(.valueOutOfRange) { try read(TimeZone.self, ["NSTimeZone"], ["NS.name": "Mars/Phobos"]) }
  }

  func testIrregularObjectsAreRefused() throws {
    let range: [String: Any] = ["NSRangeCount": 2, "NSRangeData": [0x80, 0x80] as [UInt8]]
    assertThrows(ArchiveError.self) { try read(IndexSet.self, ["NSIndexSet"], range) }
    let negative: [String: Any] = ["NSRangeCount": 1, "NSLocation": -1, "NSLength": 2]
    assertThrows(ArchiveError.self) { try read(IndexSet.self, ["NSIndexSet"], negative) }
    let large: [String: Any] = ["NSRangeCount": 1, "NSLocation": Int.max, "NSLength": Int.max]
    assertThrows(ArchiveError.self) { try read(IndexSet.self, ["NSIndexSet"], large) }
    let path: [String: Any] = ["NSIndexPathLength": 3, "NSIndexPathData": [1, 2] as [UInt8]]
    assertThrows(ArchiveError.self) { try read(IndexPath.self, ["NSIndexPath"], path) }
    let itself: [String: Any] = ["NSString": UID(1)]
    assertThrows(ArchiveError.self) { try read(String.self, ["NSAttributedString"], itself) }
    let unit: [String: Any] = ["NS.value": 1.0, "NS.unit": UID(1)]
    assertThrows(ArchiveError.self) { try read(Measurement<UnitLength>.self, ["NSMeasurement"], unit) }
    let interval: [String: Any] = ["NS.startDate": UID(0), "NS.endDate": UID(1)]
    assertThrows(ArchiveError.self) { try read(DateInterval.self, ["NSDateInterval"], interval) }
    let bounds: [String: Any] = ["NS.rangeval.location": Int.max, "NS.rangeval.length": Int.max]
    assertThrows(ArchiveError.self) { try read(Range<Int>.self, ["NSValue"], bounds) }
    let text: [String: Any] = [
      "NSString": "abc", "NSAttributes": UID(3), "NSAttributeInfo": [9, 0] as [UInt8],
    ]
    assertThrows(ArchiveError.self) {
      try read(
        HeldText.self, ["NSAttributedString"], text, ["$class": UID(4), "NS.objects": [Any]()],
        KeyedSamples.classDescription("NSArray"))
    }
  }
}
