import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

@Archivable("HostileFirst") class HostileFirst {
  var x = 1
  var w: UInt64 = 0x41_4141_4141
  init() {}
}

@Archivable("HostileSecond") final class HostileSecond {
  var y = "b"
  var z = ["q"]
  init() {}
}

@Archivable("HostileShared") final class HostileShared {
  @Key(json: "m") var a: HostileFirst? = HostileFirst()
  @Key(json: "m") var b: HostileSecond? = HostileSecond()
  var n = 0
  init() {}
}

@Archivable("HostileTwice") final class HostileTwice {
  @Key(json: "m") var a: HostileTwice?
  @Key(json: "m") var b: HostileTwice?
  init() {}
}

@Archivable("HostilePrepared") final class HostilePrepared {
  @Key(json: "m") var a: HostilePrepared?
  @Key(json: "m") var b: HostilePrepared?
  var count = 5
  nonisolated(unsafe) static var readCount = 0
  nonisolated(unsafe) static var freedCount = 0
  init() {}
  deinit { Self.freedCount += 1 }
}

extension HostilePrepared: JSONPreprocessing {
  static func willRead(_ object: inout JSONObject) throws {
    readCount += 1
    if object["count"] == nil, object["half"] != nil { object["count"] = 50 }
  }
}

@Archivable("HostileInner") final class HostileInner {
  var v = 0
  var list: [Int] = []
  var pending: [Int] = [1]
  init() {}
}

extension HostileInner: ModelFinishing, ArchivePreparing {
  func didRead() throws { if v < 0 { throw NegativeNumber() } }
  func willArchive(in context: ArchiveContext) { (list, pending) = (list + pending, []) }
}

@Archivable("HostileOuter") final class HostileOuter {
  var n = 0
  var inner: HostileInner? = HostileInner()
  var prepared: HostilePrepared? = HostilePrepared()
  var figure: Figure? = Disc()
  @JSONFormat(
    .custom(
      read: { value in
        readCount += 1
        if readCount > 1 { throw NegativeNumber() }
        return value
      }, write: { $0 }))
  var custom = 0
  nonisolated(unsafe) static var readCount = 0
  init() {}
}

/// Crafted JSON and classes that try to break reading and updating.
final class HostileModelTests: XCTestCase {
  func testUpdatingTwoObjectsFromOneMemberIsRefused() throws {
    let text = "{\"n\": 2, \"m\": {\"x\": 2, \"y\": \"ccc\", \"z\": [\"1\", \"2\"]}}"
    let shared = HostileShared()
    XCTAssertThrowsError(try shared.update(json: text))
    XCTAssertEqual(shared.n, 0)
    XCTAssertEqual(shared.a?.x, 1)
    let issues = try ModelReader(.lenient).update(shared, from: text)
    XCTAssertEqual(issues.map(\.path), ["m"])
    XCTAssertEqual(shared.n, 2)
    XCTAssertEqual(shared.a?.x, 2, "the first one takes it")
    XCTAssertEqual(shared.a?.w, 0x41_4141_4141)
    XCTAssertEqual(shared.b?.y, "b")
  }

  func testMemberReadByTwoPropertiesBuildsOneObject() throws {
    let twice = try HostileTwice(json: "{\"m\": {\"m\": {}}}")
    XCTAssertTrue(twice.a === twice.b)
    XCTAssertTrue(twice.a?.a === twice.a?.b)
    (HostilePrepared.readCount, HostilePrepared.freedCount) = (0, 0)
    try released {
      let depth = 9
      let text = String(repeating: "{\"m\":", count: depth) + "{}" + String(repeating: "}", count: depth)
      let prepared = try HostilePrepared(json: text)
      XCTAssertTrue(prepared.a === prepared.b)
    }
    XCTAssertEqual(HostilePrepared.readCount, 10, "once for each")
    XCTAssertEqual(HostilePrepared.freedCount, 10)
  }

  private func released(_ body: () throws -> Void) rethrows { try body() }

  func testTextTooDeepForPreprocessingIsRefused() {
    let depth = 1500
    let text = String(repeating: "{\"m\":", count: depth) + "{}" + String(repeating: "}", count: depth)
    XCTAssertThrowsError(
      try ModelReader(limits: JSONLimits(depth: 3000)).read(HostilePrepared.self, from: text)
    ) {
      XCTAssertEqual(
        ($0 as? ModelReadingError)?.issues.map(\.description),
        [
          "the root: found a value with more than 1000 nested levels, expected at most 1000 nested levels, "
            + "the maximum of a JSONValue"
        ]
      )
    }
  }

  func testObjectThatCannotBeReadIsTriedOnce() throws {
    let depth = 16
    let text = String(repeating: "{\"m\":", count: depth) + "5" + String(repeating: "}", count: depth)
    let issues = try ModelReader(.lenient).readWithIssues(HostileTwice.self, from: text).issues
    XCTAssertEqual(issues.count, 2, "one for each property that cannot be 5")
  }

  func testRefusedUpdateCallsNoArchivingHooks() throws {
    let outer = HostileOuter()
    try outer.update(json: "{\"inner\": {\"v\": 1}}")
    XCTAssertEqual(outer.inner?.v, 1)
    XCTAssertEqual(outer.inner?.list, [])
    XCTAssertThrowsError(try outer.update(json: "{\"n\": 3, \"inner\": {\"v\": -1, \"list\": [7]}}")) {
      XCTAssertTrue($0 is NegativeNumber, "\($0)")
    }
    XCTAssertEqual(outer.inner?.v, 1)
    XCTAssertEqual(outer.inner?.list, [])
    XCTAssertEqual(outer.n, 0)
  }

  func testCustomFormatIsReadOncePerUpdate() throws {
    HostileOuter.readCount = 0
    let outer = HostileOuter()
    try outer.update(json: "{\"n\": 1, \"inner\": {\"v\": 5}, \"custom\": 3}")
    XCTAssertEqual(HostileOuter.readCount, 1)
    XCTAssertEqual(outer.custom, 3)
    XCTAssertEqual(outer.n, 1)
  }

  func testObjectsWithClassChoiceOrPreprocessingAreUpdated() throws {
    let outer = HostileOuter()
    let disc = try XCTUnwrap(outer.figure as? Disc)
    try outer.update(json: "{\"figure\": {\"radius\": 9}}")
    XCTAssertTrue(outer.figure === disc)
    XCTAssertEqual(disc.radius, 9)
    try outer.update(json: "{\"figure\": {\"kind\": \"box\", \"width\": 2}}")
    XCTAssertEqual((outer.figure as? Box)?.width, 2)
    XCTAssertThrowsError(try outer.update(json: "{\"prepared\": {\"half\": true}}"))
    XCTAssertEqual(outer.prepared?.count, 5)
    let prepared = HostilePrepared()
    try prepared.update(json: "{\"half\": true}")
    XCTAssertEqual(prepared.count, 50)
  }

  func testTooLargeNumberDoesNotBecomeInfinity() throws {
    for text in ["1e39", "-1e39", "3.5e38"] { XCTAssertThrowsError(try Float(json: text), text) }
    XCTAssertEqual(try Float(json: "1.00000005960464477540"), Float(1).nextUp)
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      for text in ["65520", "1e9", "-1e39"] { XCTAssertThrowsError(try Float16(json: text), text) }
      XCTAssertEqual(try Float16(json: "65519"), 65504)
      XCTAssertEqual(try ModelReader(.lenient).read(Float16.self, from: "\"Infinity\""), .infinity)
    #endif
  }

  func testDuplicateMemberOfAStructureIsReported() {
    XCTAssertThrowsError(try GridPoint(json: "{\"x\": 1, \"y\": 2, \"x\": 3}")) {
      XCTAssertEqual(($0 as? ModelReadingError)?.issues.first?.code, .duplicateKey)
    }
  }

  func testCaseWithoutAssociatedValuesRefusesAssociatedValues() throws {
    XCTAssertEqual(try Outline(json: "{\"empty\": {}}"), .empty)
    XCTAssertEqual(try Outline(json: "{\"empty\": null}"), .empty)
    for text in ["{\"empty\": {\"percent\": 50}}", "{\"empty\": 5}", "{\"empty\": [1]}"] {
      XCTAssertThrowsError(try Outline(json: text), text)
    }
  }

  func testLenientReaderOmitsNullAmongObjects() throws {
    let (figures, issues) = try ModelReader(.lenient).readWithIssues([Figure].self, from: "[{}, null, {}]")
    XCTAssertEqual(figures.count, 2)
    XCTAssertEqual(issues.map(\.path), ["[1]"])
    XCTAssertEqual(try [Figure?](json: "[{}, null]").count, 2)
    XCTAssertThrowsError(try [Figure](json: "[null]"))
  }

  func testTagIsNotReadAsAssociatedValue() throws {
    for name in ["inner", "count", "maybe"] {
      let text = "{\"tagged\": {\"type\": \"\(name)\"}}"
      if name == "maybe" {
        XCTAssertEqual(try ClaimedEnumerations(json: text).tagged, .maybe(nil))
      } else {
        XCTAssertThrowsError(try ClaimedEnumerations(json: text), name)
      }
    }
    let inner = try ClaimedEnumerations(
      json: "{\"tagged\": {\"type\": \"inner\", \"_0\": {\"type\": \"none\"}}}")
    XCTAssertEqual(inner.tagged, .inner(.none))
  }

  func testUntaggedRecursiveEnumerationIsReadWithoutEndlessRecursion() throws {
    XCTAssertThrowsError(try ClaimedLooseOwner(json: "{\"loose\": true}"))
    XCTAssertEqual(try ClaimedLooseOwner(json: "{\"loose\": 5}").loose, .count(5))
  }

  /// At each level, two cases begin with equal members. A reader that tried the nested levels once per case
  /// would take 2^200 steps.
  func testNestedUntaggedEnumerationsTakeLinearTime() throws {
    let depth = 200
    for (inner, isRead) in [("5", true), ("true", false)] {
      let text =
        "{\"loose\": " + String(repeating: "{\"a\": ", count: depth) + inner
        + String(repeating: ", \"c\": \"x\"}", count: depth) + "}"
      guard isRead else {
        XCTAssertThrowsError(try ClaimedLooseOwner(json: text))
        continue
      }
      var value = try XCTUnwrap(try ClaimedLooseOwner(json: text).loose)
      var count = 0
      while case .right(let next, "x") = value { (value, count) = (next, count + 1) }
      XCTAssertEqual(count, depth)
      XCTAssertEqual(value, .count(5))
    }
  }

  func testTooLargeNumericTextDoesNotBecomeInfinity() throws {
    let lenient = ModelReader(.lenient)
    XCTAssertThrowsError(try lenient.read(Float.self, from: "\"1e39\""))
    XCTAssertEqual(try lenient.read(Float.self, from: "\"1.00000005960464477540\""), Float(1).nextUp)
    XCTAssertEqual(try lenient.read(Float.self, from: "\"inf\""), .infinity)
  }

  func testZeroIsAnIntegerWithAnyExponent() throws {
    XCTAssertEqual(try Int(json: "0e99999999999"), 0)
    XCTAssertEqual(try UInt8(json: "-0.000e-99999999999"), 0)
    XCTAssertThrowsError(try Int(json: "1e99999999999"))
  }
}
