import Arc
import ArcFormat
import ArcFoundation
import ArcImport
import ArcTestSupport
import Foundation
import XCTest

/// An object of a Foundation program, which archives one value under two keys.
final class FoundationHolder: NSObject, NSCoding {
  let value: NSObject

  init(_ value: NSObject) { self.value = value }

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(value, forKey: "value")
    coder.encode(value, forKey: "same")
  }
}

@Archivable final class HeldValue<Value: ArchivableValue> {
  var value: Value?
  var same: Value?
  init() {}
}

@Archivable struct HeldInsets: Equatable { var top = 0.0, left = 0.0, bottom = 0.0, right = 0.0 }
@Archivable struct HeldPattern: Equatable {
  var pattern = ""
  var options = 0
}
@Archivable struct HeldRun: Equatable {
  var text = ""
  var location = 0
  var length = 0
  var attributes: [String: String] = [:]
}
@Archivable struct HeldText: Equatable {
  var string = ""
  var runs: [HeldRun] = []
}
@Archivable struct HeldNotification: Equatable { var name = "" }

/// Archives that this machine's Foundation writes during the test, with an object of each class of Foundation
/// that it can archive, are read as values of the Swift types.
final class FoundationValueImportTests: XCTestCase {
  private var archiveCount = 0

  private func archive(_ object: NSObject) throws -> Data {
    archiveCount += 1
    return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
  }

  /// Reads an object as a root, as a property, as an element and as the value of a dictionary.
  private func read<Value: ArchivableValue>(
    _ type: Value.Type, from object: NSObject, asElement: Bool = true
  ) throws -> [Value?] {
    let classes = ClassTable()
    try classes.register(HeldValue<Value>.self, formerly: "FoundationHolder")
    let importer = ArchiveImporter(classes: classes, limits: .untrusted)
    let holder = try importer.unarchive(HeldValue<Value>.self, from: archive(FoundationHolder(object)))
    guard asElement else { return [holder.value, holder.same] }
    let list = try importer.unarchive([Value?].self, from: archive(NSArray(array: [object, object])))
    let entries = try importer.unarchive(
      [String: Value].self, from: archive(NSDictionary(dictionary: ["key": object])))
    return [holder.value, holder.same] + list + [entries["key"]]
  }

  /// Reads an object in each location, and compares the values. Foundation on Linux replaces some objects
  /// when they become elements of collections, such as URLs with a base; they are not read as elements.
  private func check<Value: ArchivableValue & Equatable>(
    _ object: NSObject, _ expected: Value, asElement: Bool = true, file: StaticString = #filePath,
    line: UInt = #line
  ) {
    do {
      let values = try read(Value.self, from: object, asElement: asElement)
      XCTAssertEqual(values, Array(repeating: expected, count: asElement ? 5 : 2), file: file, line: line)
      let root = try ArchiveImporter(classes: ClassTable()).unarchive(Value.self, from: archive(object))
      XCTAssertEqual(root, expected, file: file, line: line)
    } catch {
      XCTFail("\(type(of: object)) as \(Value.self): \(error)", file: file, line: line)
    }
  }

  func testSingleValuesAreReadAsSwiftTypes() throws {
    check(NSString(string: "Grüße"), "Grüße")
    check(NSMutableString(string: "mutable"), "mutable")
    check(NSData(data: Data([0, 1, 255])), Data([0, 1, 255]))
    check(NSMutableData(data: Data([7])), Data([7]))
    check(NSMutableData(data: Data([7, 8])), [7, 8] as [UInt8])
    check(NSDate(timeIntervalSinceReferenceDate: 1.5), Date(timeIntervalSinceReferenceDate: 1.5))
    check(NSNumber(value: -3), -3)
    check(NSNumber(value: 100), 100 as Int8)
    check(NSNumber(value: UInt64.max), UInt64.max)
    check(NSNumber(value: 2.5), 2.5)
    check(NSNumber(value: Float(0.1)), Float(0.1))
    check(NSNumber(value: true), true)
    check(NSNumber(value: 3), 3.0)
    check(NSNumber(value: 4.0), 4)
    check(NSNumber(value: 12), Decimal(12))
    let uuid = UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F") ?? UUID()
    check(NSUUID(uuidString: uuid.uuidString) ?? NSUUID(), uuid)
    check(NSUUID(uuidString: uuid.uuidString) ?? NSUUID(), uuid.uuidString)
    let base = try XCTUnwrap(URL(string: "http://example.org/a/"))
    let relative = try XCTUnwrap(NSURL(string: "b?c=d", relativeTo: base))
    check(
      try XCTUnwrap(NSURL(string: "http://example.org/")), try XCTUnwrap(URL(string: "http://example.org/")))
    check(relative, try XCTUnwrap(URL(string: "b?c=d", relativeTo: base)), asElement: false)
    check(try XCTUnwrap(NSURL(string: "http://example.org/")), "http://example.org/")
    check(NSURLQueryItem(name: "q", value: "v"), URLQueryItem(name: "q", value: "v"))
    check(NSURLQueryItem(name: "q", value: nil), URLQueryItem(name: "q", value: nil))
    XCTAssertGreaterThan(archiveCount, 40)
  }

  func testCollectionsAreReadAsSwiftTypes() {
    check(NSArray(array: [1, 2, 3]), [1, 2, 3])
    check(NSMutableArray(array: ["a", NSMutableString(string: "b")]), ["a", "b"])
    check(NSArray(array: [[1], [2, 3], []] as [NSArray]), [[1], [2, 3], []])
    check(NSArray(array: [1, 2.5, true]), [1, 2.5, 1] as [Double])
    check(NSArray(array: [1, 2.5]), [1, 2.5] as [Decimal])
    check(NSArray(array: [NSNull(), 1]), [nil, 1] as [Int?])
    check(NSSet(array: [1, 2]), [1, 2] as Set<Int>)
    check(NSMutableSet(array: ["a"]), ["a"] as Set<String>)
    check(NSCountedSet(array: ["a", "a", "b"]), ["a", "b"] as Set<String>, asElement: false)
    check(NSCountedSet(array: ["a", "a", "b"]), ["a": 2, "b": 1], asElement: false)
    check(NSOrderedSet(array: [3, 1, 2]), [3, 1, 2])
    check(NSMutableOrderedSet(array: ["b", "a"]), ["b", "a"])
    check(NSOrderedSet(), [] as [String])
    check(NSDictionary(dictionary: ["a": 1, "b": 2]), ["a": 1, "b": 2])
    check(NSMutableDictionary(dictionary: ["a": [1, 2]]), ["a": [1, 2]])
    check(NSDictionary(dictionary: [1: "one"]), [1: "one"])
    check(NSDictionary(), [:] as [String: [Int]])
  }

  func testIndicesAndRangesAreReadAsSwiftTypes() {
    let set = NSMutableIndexSet(indexesIn: NSRange(location: 300, length: 3))
    check(set, IndexSet(integersIn: 300..<303))
    set.add(1 << 40)
    set.add(0)
    check(set, IndexSet([0, 300, 301, 302, 1 << 40]))
    check(set, [0, 300, 301, 302, 1 << 40])
    check(set, [0, 300, 301, 302, 1 << 40] as Set<Int>)
    check(NSIndexSet(index: 4), IndexSet(integer: 4))
    check(NSIndexSet(), IndexSet())
    check(NSIndexPath(), IndexPath())
    check(NSIndexPath(index: 7), IndexPath(index: 7))
    check(unsafe NSIndexPath(indexes: [1, 300, 70_000], length: 3), [1, 300, 70_000] as IndexPath)
    let range = NSValue(range: NSRange(location: 2, length: 3))
    check(range, NSRange(location: 2, length: 3))
    check(range, 2..<5)
    check(range, 2...4)
    check(NSValue(range: NSRange(location: NSNotFound, length: 0)), NSRange(location: NSNotFound, length: 0))
    check(
      NSString(string: NSStringFromRange(NSRange(location: 1, length: 2))), NSRange(location: 1, length: 2))
    check(NSString(string: "{1, 2}"), 1..<3)
    check(NSCharacterSet(charactersIn: "acbxé"), CharacterSet(charactersIn: "acbxé"))
  }

  func testGeometryIsReadFromValuesAndStrings() {
    let (point, size) = (CGPoint(x: 1.5, y: -2), CGSize(width: 3, height: 4))
    let rectangle = CGRect(origin: point, size: size)
    check(NSValue(point: point), point)
    check(NSValue(size: size), size)
    check(NSValue(rect: rectangle), rectangle)
    check(
      NSValue(edgeInsets: NSEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)),
      HeldInsets(top: 1, left: 2, bottom: 3, right: 4))
    check(NSString(string: NSStringFromPoint(point)), point)
    check(NSString(string: NSStringFromSize(size)), size)
    check(NSString(string: NSStringFromRect(rectangle)), rectangle)
    check(NSMutableString(string: "{{0, 0}, {1, 2}}"), CGRect(x: 0, y: 0, width: 1, height: 2))
    check(NSString(string: "{1, 2, 3, 4}"), HeldInsets(top: 1, left: 2, bottom: 3, right: 4))
    let transform = NSAffineTransform()
    transform.translateX(by: 2, yBy: 3)
    check(transform, AffineTransform(translationByX: 2, byY: 3))
  }

  func testDatesAndUnitsAreReadAsSwiftTypes() throws {
    let zone = try XCTUnwrap(NSTimeZone(name: "Europe/Berlin"))
    check(zone, try XCTUnwrap(TimeZone(identifier: "Europe/Berlin")))
    check(zone, "Europe/Berlin")
    check(NSLocale(localeIdentifier: "de_DE"), Locale(identifier: "de_DE"))
    check(NSLocale(localeIdentifier: "de_DE"), "de_DE")
    var components = DateComponents(year: 2026, month: 11, nanosecond: 5, weekOfYear: 48)
    components.isLeapMonth = false
    check(components as NSDateComponents, components)
    components.timeZone = zone as TimeZone
    check(components as NSDateComponents, components)
    let start = Date(timeIntervalSinceReferenceDate: 10)
    check(NSDateInterval(start: start, duration: 5), DateInterval(start: start, duration: 5))
    check(
      NSMeasurement(doubleValue: 3, unit: UnitLength.kilometers),
      Measurement(value: 3, unit: UnitLength.kilometers))
    check(
      NSMeasurement(doubleValue: 21, unit: UnitTemperature.celsius),
      Measurement(value: 21, unit: UnitTemperature.celsius))
    check(
      NSMeasurement(doubleValue: 30, unit: UnitFuelEfficiency.milesPerGallon),
      Measurement(value: 30, unit: UnitFuelEfficiency.milesPerGallon))
    check(
      NSMeasurement(doubleValue: 1, unit: Unit(symbol: "u")), Measurement(value: 1, unit: Unit(symbol: "u")))
    check(UnitLength.miles, "mi")
    let calendar = try XCTUnwrap(NSCalendar(identifier: .hebrew))
    calendar.timeZone = zone as TimeZone
    calendar.firstWeekday = 3
    for copy in try read(Calendar.self, from: calendar) {
      XCTAssertEqual(copy?.identifier, .hebrew)
      XCTAssertEqual(copy?.timeZone, zone as TimeZone)
      XCTAssertEqual(copy?.firstWeekday, 3)
    }
  }

  func testAttributedStringsAreReadAsStringsAndRuns() throws {
    let text = NSMutableAttributedString(string: "hello 🌍 world")
    text.addAttribute(NSAttributedString.Key("k"), value: "v", range: NSRange(location: 6, length: 2))
    check(text, "hello 🌍 world")
    check(
      text,
      HeldText(
        string: "hello 🌍 world",
        runs: [
          HeldRun(text: "hello ", location: 0, length: 6, attributes: [:]),
          HeldRun(text: "🌍", location: 6, length: 2, attributes: ["k": "v"]),
          HeldRun(text: " world", location: 8, length: 6, attributes: [:]),
        ]))
    check(NSAttributedString(string: "plain"), "plain")
    let styled = NSAttributedString(string: "abc", attributes: [NSAttributedString.Key("k"): "v"])
    check(
      styled,
      HeldText(string: "abc", runs: [HeldRun(text: "abc", location: 0, length: 3, attributes: ["k": "v"])]))
    var name = PersonNameComponents()
    (name.givenName, name.familyName) = ("Ada", "Lovelace")
    check(name as NSPersonNameComponents, name)
    check(
      try NSRegularExpression(pattern: "a+", options: .caseInsensitive),
      HeldPattern(pattern: "a+", options: 1))
    check(try NSRegularExpression(pattern: "a+"), "a+")
    check(NSNotification(name: Notification.Name("n"), object: nil), HeldNotification(name: "n"))
    check(NSNotification(name: Notification.Name("n"), object: nil), Notification.Name("n"))
  }

  func testChangedArchivesGiveErrorOrValue() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    func change<Value: ArchivableValue>(_ type: Value.Type, _ object: NSObject) throws {
      let classes = ClassTable()
      try classes.register(HeldValue<Value>.self, formerly: "FoundationHolder")
      let importer = ArchiveImporter(classes: classes, limits: .untrusted)
      let original = Array(try archive(FoundationHolder(object)))
      for _ in 0..<RandomTrials.count(usually: 60, exhaustively: 500) {
        var bytes = original
        for _ in 0...random.next() % 3 {
          // The last 32 bytes locate all others.
          let index = Int(random.next() % UInt64(bytes.count - 32))
          bytes[index] = random.next() % 2 == 0 ? bytes[index] ^ 1 : UInt8(truncatingIfNeeded: random.next())
        }
        do {
          _ = try importer.unarchive(HeldValue<Value>.self, from: bytes)
        } catch {
          XCTAssertTrue(error is ImportError || error is ArchiveError, "\(error): \(bytes)")
        }
      }
    }
    let text = NSMutableAttributedString(string: "hello world")
    text.addAttribute(NSAttributedString.Key("k"), value: "v", range: NSRange(location: 0, length: 5))
    let indices = NSMutableIndexSet(index: 300)
    indices.add(5)
    try change(IndexSet.self, indices)
    try change([Int].self, indices)
    try change(IndexPath.self, NSIndexPath(index: 300))
    try change(Range<Int>.self, NSValue(range: NSRange(location: 1, length: 2)))
    try change(CGRect.self, NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)))
    try change(HeldText.self, text)
    try change(DateComponents.self, DateComponents(year: 2026) as NSDateComponents)
    try change(Measurement<UnitLength>.self, NSMeasurement(doubleValue: 3, unit: UnitLength.miles))
    try change(DateInterval.self, NSDateInterval(start: Date(timeIntervalSinceReferenceDate: 0), duration: 5))
    try change([String: Int].self, NSCountedSet(array: ["a", "a"]))
    try change(CharacterSet.self, NSCharacterSet(charactersIn: "abx"))
    try change(AffineTransform.self, NSAffineTransform())
    let list = try archive(NSArray(array: [1, "a"]))
    try change([[Int?]].self, NSArray(array: [NSData(data: list), NSArray(array: [1])]))
  }

  func testRangesBeyond64BitsAreRefused() throws {
    let xml = """
      <plist><dict><key>$archiver</key><string>NSKeyedArchiver</string><key>$version</key><integer>100000</integer>
      <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>1</integer></dict></dict>
      <key>$objects</key><array><string>$null</string><dict><key>$class</key><dict><key>CF$UID</key><integer>2</integer></dict>
      <key>NS.rangeval.location</key><integer>NUMBER</integer><key>NS.rangeval.length</key><integer>NUMBER</integer>
      <key>NSRangeCount</key><integer>NUMBER</integer><key>NSLocation</key><integer>NUMBER</integer>
      <key>NSLength</key><integer>NUMBER</integer></dict>
      <dict><key>$classname</key><string>CLASS</string></dict></array></dict></plist>
      """
    for name in ["NSValue", "NSIndexSet"] {
      for number in [Int128.max, .min, Int128(Int64.max), Int128(UInt64.max)] {
        let text = xml.replacingOccurrences(of: "NUMBER", with: "\(number)")
          .replacingOccurrences(of: "CLASS", with: name)
        let importer = ArchiveImporter(classes: ClassTable(), limits: .untrusted)
        XCTAssertThrowsError(try importer.unarchive(Range<Int>.self, from: Array(text.utf8)))
        XCTAssertThrowsError(try importer.unarchive(IndexSet.self, from: Array(text.utf8)))
        XCTAssertThrowsError(try importer.unarchive([Int].self, from: Array(text.utf8)))
      }
    }
  }

  func testObjectOfAnotherTypeIsRefusedWithOneReason() throws {
    func refuse<Value: ArchivableValue>(
      _ type: Value.Type, _ object: NSObject, line: UInt = #line
    ) throws {
      let error = assertThrows(ArchiveError.self, line: line) { try read(type, from: object) }
      // The only other reason is the same mismatch under the other key.
      let keys = error.map { [$0] + $0.otherReasons }?.map(\.key)
      XCTAssertEqual(keys, ["value", "same"], "\(String(describing: error))", line: line)
      XCTAssertFalse("\(String(describing: error))".contains("hand-written"), line: line)
      XCTAssertFalse("\(String(describing: error))".contains("register(NS"), line: line)
    }
    try refuse(Int.self, XCTUnwrap(NSTimeZone(name: "Europe/Berlin")))
    try refuse(CGRect.self, NSValue(point: CGPoint(x: 1, y: 2)))
    try refuse(CGRect.self, NSString(string: "{1, 2}"))
    try refuse(CGRect.self, NSString(string: "text"))
    try refuse(IndexSet.self, NSIndexPath(index: 1))
    try refuse(Measurement<UnitMass>.self, NSMeasurement(doubleValue: 3, unit: UnitLength.kilometers))
    try refuse(DateInterval.self, NSDate())
    try refuse(String.self, NSArray(array: [NSArray(array: [1]), NSDictionary(dictionary: ["a": 1])]))
    try refuse([Int].self, NSDictionary(dictionary: ["a": 1]))
    try refuse([String: Int].self, NSArray(array: [1]))
  }
}
