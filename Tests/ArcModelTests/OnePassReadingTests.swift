import Arc
import ArcJSON
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcModel

/// Reading in one pass through a text gives the same objects as reading by an index, and the same errors.
final class OnePassReadingTests: XCTestCase {
  private static let text = #"""
    {"name":"Ada \"L\" é","note":null,"tags":["a","ü",""],"number":-9223372036854775808,"wide":17,"maybe":12,
     "counts":[1,2.0,3e2],"isOpen":true,"maybeOpen":false,"share":0.1,"maybeShare":-1e-7,"shares":[1,-0.0,1e300],
     "unknown":{"a":[1,{"b":"c\n"}],"d":null}, "rings":[[[1.5,2],[3,4]],[]],"words":{"x":"y"},"small":[255,0],
     "inner":{"name":"inner","share":5,"small":[],"rings":[],"others":[],"inner":null,"title":"t"},
     "others":[{"name":"1"},{"name":"2","title":"b"}],"named":{"k":{"name":"v"}},"title":"T" }
    """#

  /// A text in which each object has all required members.
  private static let completeText = text.replacing(#"{"name":"1"}"#, with: #"{"name":"1","title":""}"#)

  /// Returns the text of the read value, or the error.
  private func outcome(_ read: () throws -> any Archivable) -> String {
    do { return try ModelWriter(nulls: .written).text(of: read()) } catch { return "\(error)" }
  }

  private func assertSame<Model: Archivable>(
    _ type: Model.Type, _ bytes: [UInt8], file: StaticString = #filePath, line: UInt = #line
  ) {
    for mode in [ModelReader.Mode.strict, .lenient] {
      let reader = ModelReader(mode)
      let one = outcome { try reader.read(type, from: bytes) }
      let other = outcome { try reader.read(type, from: JSONDocument(bytes, duplicateKeys: .last)) }
      XCTAssertEqual(one, other, String(decoding: bytes, as: UTF8.self), file: file, line: line)
    }
  }

  private func inOnePass<Value: ArchivableValue>(
    _ type: Value.Type, _ text: String, limits: JSONLimits = JSONLimits()
  ) -> Value? {
    inOnePass(type, Array(text.utf8), limits: limits)
  }

  private func inOnePass<Value: ArchivableValue>(
    _ type: Value.Type, _ bytes: [UInt8], limits: JSONLimits = JSONLimits()
  ) -> Value? {
    let pool = ReadingPool()
    let rules = ReadingRules(
      isLenient: false, naming: .asDeclared, mappings: [:], references: [], reportsUnknownKeys: false,
      preservesUnknownMembers: false, limits: limits, pool: pool, userInfo: [:])
    return try? BorrowedPlans(pool, [:], rules).plans.valueInOnePass(type) { bytes }
  }

  func testOnePassReadingMatchesReadingByIndex() throws {
    let parcel = try XCTUnwrap(inOnePass(Sealed.self, Self.completeText))
    let other = try ModelReader().read(Sealed.self, from: JSONDocument(Self.completeText))
    XCTAssertEqual(try parcel.json(), try other.json())
    XCTAssertEqual(parcel.name, "Ada \"L\" é")
    XCTAssertEqual(parcel.counts, [1, 2, 300])
    XCTAssertEqual(parcel.rings, [[[1.5, 2], [3, 4]], []])
    XCTAssertEqual(parcel.small, [255, 0])
    XCTAssertNil(parcel.missing)
    assertSame(Parcel.self, Array(Self.text.utf8))
    assertSame(Sealed.self, Array(Self.completeText.utf8))
  }

  func testArraysAndDictionariesOfObjectsAreRead() throws {
    let list = try XCTUnwrap(inOnePass([Stamp].self, #" [{"id":1,"next":{"id":2}} , {"next":null,"id":3}] "#))
    XCTAssertEqual(list.map(\.id), [1, 3])
    XCTAssertEqual(list[0].next?.id, 2)
    XCTAssertEqual(inOnePass([Stamp].self, "[]")?.count, 0)
    let named = try XCTUnwrap(inOnePass([String: Stamp].self, #"{"a":{"id":1},"é":{"id":2}}"#))
    XCTAssertEqual(named.mapValues(\.id), ["a": 1, "é": 2])
    // The read arrays can be changed like other arrays.
    var more = list
    more.append(more.removeFirst())
    more += more
    XCTAssertEqual(more.map(\.id), [3, 1, 3, 1])
  }

  func testOnePassReadingDeclinesUnsuitableInput() {
    for text in [
      #"[{"id":1},]"#, #"[{"id":1,}]"#, #"[{"id":"1"}]"#, #"[{"id":1,"id":2}]"#, #"[{"id":1}] 2"#,
      #"[{"id":01}]"#, #"[{"id":1.5}]"#, #"[{"id":9223372036854775808}]"#, #"[{"\u0069d":1}]"#, "[{}]",
      #"[{"id":1,"next":1}]"#, #"[null]"#, #"[{"id":1,"x":[1 2]}]"#, #"[{"id":1,"x":"\x"}]"#, "[", "", " ",
      #"[{"id":1,"x":{"a" 1}}]"#, #"[{"id":1"x":2}]"#, #"[{"id" 1}]"#, "[{\"id\":1,\"x\":\"\u{1}\"}]",
      #"[{"id":1,"x":tru}]"#, #"[{"id":-}]"#, #"[{"id":1]"#, #"{"id":1}"#,
    ] {
      XCTAssertNil(inOnePass([Stamp].self, text), text)
    }
    XCTAssertNil(inOnePass([String: Stamp].self, #"{"a":{"id":1},"a":{"id":2}}"#))
    XCTAssertNil(inOnePass([Int].self, "[1]"), "values without objects")
  }

  func testOnePassReadingObeysDepthLimits() throws {
    let text = #"[{"id":1,"next":{"id":2,"x":[[1]]}}]"#
    XCTAssertNotNil(inOnePass([Stamp].self, text, limits: JSONLimits(depth: 5)))
    XCTAssertNil(inOnePass([Stamp].self, text, limits: JSONLimits(depth: 4)))
    XCTAssertNoThrow(try ModelReader(limits: JSONLimits(depth: 5)).read([Stamp].self, from: text))
    XCTAssertThrowsError(try ModelReader(limits: JSONLimits(depth: 4)).read([Stamp].self, from: text))
    XCTAssertThrowsError(try ModelReader(limits: JSONLimits(bytes: 10)).read([Stamp].self, from: text))
    let deep =
      String(repeating: #"{"id":1,"next":"#, count: 200) + #"{"id":2}"# + String(repeating: "}", count: 200)
    var last = try Stamp(json: deep)
    while let next = last.next { last = next }
    XCTAssertEqual(last.id, 2)
  }

  func testOnePassReadingMatchesIndexForDamagedText() throws {
    let bytes = Array(Self.completeText.utf8)
    for count in RandomTrials.sample(of: stride(from: 0, to: bytes.count, by: 3), oneIn: 20) {
      assertSame(Sealed.self, Array(bytes.prefix(count)))
    }
    let usual = Array("\"\\{}[],:09-.eEnt \u{0}\u{7F}".utf8) + [0x80, 0xC3, 0xFF]
    var takenCount = 0
    for place in RandomTrials.sample(of: bytes.indices, oneIn: 40) {
      var changed = bytes
      changed[place] = usual[place % usual.count]
      assertSame(Sealed.self, changed)
      assertSame(Parcel.self, changed)
      if inOnePass(Sealed.self, changed) != nil { takenCount += 1 }
    }
    if RandomTrials.isExhaustive {
      XCTAssertGreaterThan(takenCount, 50, "texts that are read in one pass")
    }
  }

  func testOnePassReadingMatchesIndexForNumbers() throws {
    var random = SystemRandomNumberGenerator()
    func digits(_ count: Int) -> String {
      String(
        (0..<count).map { _ in Character(Unicode.Scalar(UInt8(ascii: "0") + UInt8(random.next() % 10))) })
    }
    var texts = [
      "0", "-0", "-0.0", "0.1", "1e5", "1E-5", "1.5e+3", "9223372036854775807", "-9223372036854775808",
      "9223372036854775808", "1.0", "100e-2", "9007199254740993", "0.30000000000000004", "1e400", "-1e-400",
    ]
    for _ in 0..<2_000 {
      let sign = random.next() % 2 == 0 ? "" : "-"
      let whole = random.next() % 4 == 0 ? "0" : "\(1 + random.next() % 9)" + digits(Int(random.next() % 20))
      let fraction = random.next() % 3 == 0 ? "" : "." + digits(1 + Int(random.next() % 20))
      let exponent = random.next() % 6 == 0 ? "e\(Int(random.next() % 40) - 20)" : ""
      texts.append(sign + whole + fraction + exponent)
    }
    for text in texts {
      let document = try JSONDocument(text)
      var (one, other) = (JSONCursor(Array(text.utf8).span), JSONCursor(Array(text.utf8).span))
      XCTAssertEqual(try? one.integer(), document.integer(at: 0), text)
      let double = try? other.double()
      XCTAssertEqual(double?.bitPattern, document.double(at: 0)?.bitPattern, text)
      if let double { XCTAssertEqual(double.bitPattern, Double(text)?.bitPattern, text) }
    }
  }

  func testCommonNotationsAreReadInOnePass() throws {
    let values: [String: [String]] = [
      "total": ["0", "0.0", "0.00", "7", "10", "1200", "12.5", "12.50", "12.00", "-3.10", "0.05", "0.050"],
      "created": [
        #""2026-11-28T10:00:00Z""#, #""2026-11-28T10:00:00.5Z""#, #""2026-11-28T10:00:00.120Z""#,
        #""2026-11-28T10:00:00.123456Z""#, #""2026-11-28T10:00:00+02:00""#, #""2026-11-28 10:00:00-0930""#,
        "0", "1795860000", "1795860000.25",
      ],
      "link": [
        #""https://example.org""#, #""https://example.org/a%20b?c=d&e=%C3%A9#f""#, #""http://[::1]:80/""#,
        #""mailto:a@example.org""#, #""a/b""#, #""https:\/\/example.org\/a""#,
      ],
      "token": [
        #""00000000-0000-0000-0000-00000000000a""#, #""6BA7B810-9DAD-11D1-80B4-00C04FD430C8""#,
      ],
      "share": ["0", "-0.0", "0.5", "1.50", "1e3", "16777217"],
      "size": ["0", "18446744073709551615"],
      "discount": ["null", "0.10", "5"],
    ]
    for (name, notations) in values {
      for notation in notations {
        let text = #"[{"\#(name)":\#(notation)}]"#
        let receipts = try XCTUnwrap(inOnePass([Receipt].self, text), text)
        let others = try ModelReader().read([Receipt].self, from: JSONDocument(text))
        XCTAssertEqual(receipts, others, text)
      }
    }
  }

  func testNamesWithTheLargestHashesAreFound() throws {
    // Nine names have the same index in the hash table and fill the table up to its end. The key has this
    // index too.
    let text = "{\"'_MI\u{7F}ʩT\":0,\"gateway9\":9}"
    XCTAssertEqual(try Gateways(json: text).gateway9, 9)
    XCTAssertEqual(try Gateways(json: JSONDocument(text)).gateway9, 9)
  }

  func testIncompleteObjectsNeverRunTheirDeinit() throws {
    Counted.freed.value = 0
    for text in [
      #"{"word":"w","list":["a"],"inner":null,"last":"no"}"#, #"{"word":"w","list":["a"],"inner":null}"#,
      #"{"last":1,"list":[1]}"#, #"{"word":"long enough to be in memory of its own","x":}"#,
    ] {
      XCTAssertThrowsError(try Counted(json: text))
    }
    XCTAssertEqual(Counted.freed.value, 0)
    // A complete object in an incomplete object is released.
    XCTAssertThrowsError(
      try Counted(json: #"{"inner":{"word":"w","list":[],"inner":null,"last":1},"last":"no"}"#))
    XCTAssertGreaterThan(Counted.freed.value, 0)
    Counted.freed.value = 0
    _ = try Counted(json: #"{"word":"w","list":["a"],"last":3}"#)
    XCTAssertEqual(Counted.freed.value, 1)
  }

  func testObserversOfNewObjectsDoNotRun() throws {
    let text = #"{"name":"a"}"#
    let one = try Ticking(json: text)
    let other = try Ticking(json: JSONDocument(text))
    XCTAssertEqual(one.name, "a")
    XCTAssertEqual(other.name, "a")
    XCTAssertEqual([one.ticks, other.ticks], [[], []])
  }

  func testVaryingMemberOrderIsReadInOnePass() throws {
    let texts = (0..<40).map { number in
      number % 2 == 0
        ? #"{"id":\#(number),"next":null}"# : #"{"extra":[{}],"next":{"id":0},"id":\#(number)}"#
    }
    let stamps = try XCTUnwrap(inOnePass([Stamp].self, "[" + texts.joined(separator: ",") + "]"))
    XCTAssertEqual(stamps.map(\.id), Array(0..<40))
  }
}

@Archivable private class Parcel {
  var name: String
  var note: String?
  var tags: [String] = []
  var number = 0
  var wide: Int64 = 0
  var maybe: Int?
  var counts: [Int] = []
  var isOpen = false
  var maybeOpen: Bool?
  var share = 0.0
  var maybeShare: Double?
  var shares: [Double] = []
  var rings: [[[Double]]] = []
  var words: [String: String] = [:]
  var small: [UInt8] = []
  var missing: [String: Int]?
  var inner: Parcel?
  var others: [Parcel] = []
  var named: [String: Parcel] = [:]
  init(name: String) { self.name = name }
}

@Archivable private final class Sealed {
  var title = ""
  var name: String
  var note: String?
  var tags: [String]
  var number: Int
  var wide: Int64
  var maybe: Int?
  var counts: [Int]
  var isOpen: Bool
  var maybeOpen: Bool?
  var share: Double
  var maybeShare: Double?
  var shares: [Double]
  var rings: [[[Double]]]
  var words: [String: String]
  var small: [UInt8]
  let missing: [String: Int]?
  var inner: Label?
  var others: [Label]
  var named: [String: Name]

  init(name: String) {
    self.name = name
    (tags, number, wide, counts, isOpen, share, shares) = ([], 0, 0, [], false, 0, [])
    (rings, words, small, missing, others, named) = ([], [:], [], nil, [], [:])
  }
}

/// An object whose values have several notations in JSON.
@Archivable private final class Receipt: ModelEquatable {
  var total: Decimal = 1
  var discount: Decimal?
  var created = Date(timeIntervalSinceReferenceDate: 0)
  var link: URL?
  var token: UUID? = nil
  var share: Float = 0
  var size: UInt64 = 0
}

@Archivable private final class Gateways {
  var gateway1 = 0
  var gateway2 = 0
  var gateway3 = 0
  var gateway4 = 0
  var gateway5 = 0
  var gateway6 = 0
  var gateway7 = 0
  var gateway8 = 0
  var gateway9 = 0
}

@Archivable private class Name { var name = "" }

@Archivable private final class Label: Name { var title = "" }

@Archivable private final class Stamp {
  let id: Int
  let next: Stamp?
  init(id: Int, next: Stamp?) { (self.id, self.next) = (id, next) }
}

@Archivable private final class Counted {
  static let freed = Box()
  let word: String
  let list: [String]
  let inner: Counted?
  let last: Int
  init(word: String) { (self.word, list, inner, last) = (word, [], nil, 0) }
  deinit { Self.freed.value += 1 }

  final class Box: @unchecked Sendable { var value = 0 }  // The tests of a class run one after another.
}

@Archivable private final class Ticking {
  var name = "" {
    didSet { ticks.append(name) }
  }
  @Transient var ticks: [String] = []
}
