import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import Synchronization
import XCTest

private struct Style: Codable, Hashable, ArchivableByCoding {
  enum Cap: String, Codable { case butt, round }
  struct Dash: Codable, Hashable {
    var on: Double
    var off: Double?
  }

  var width = 1.5
  var cap = Cap.round
  var dashes: [Dash] = [Dash(on: 1, off: nil), Dash(on: -0.0, off: .leastNonzeroMagnitude)]
  var names: [String: Int] = ["a": .min, "é": .max]
  var wide: Int128 = .min
  var unsigned: UInt64 = .max
  var date = Date(timeIntervalSinceReferenceDate: 0.1)
  var link: URL? = URL(string: "https://example.org/?q=1")
  var id = UUID()
  var amount = Decimal(string: "3.1415926535897932384626433832795")
  var nothing: Int?
  var data = Data([0, 255])
  var keyedByNumber: [Int: Bool] = [1: true]
}

/// A recursive value type, which is `Codable`.
private indirect enum Formula: Codable, Equatable, ArchivableByCoding {
  case number(Double)
  case sum(Formula, Formula)
  case negated(of: Formula)
}

@Archivable private final class Drawing {
  var style = Style()
  var styles: [Style] = []
  var byName: [String: Style] = [:]
  var optional: Style?
  var keys: Set<Style> = []
  init() {}
}

/// An object with identity in a `Codable` value.
@Archivable private final class Layer: Codable {
  var name = ""
  init(_ name: String) { self.name = name }
}

private struct Selection: Codable, ArchivableByCoding {
  var first: Layer
  var all: [Layer]
}

@Archivable private final class Document {
  var layers: [Layer] = []
  var selection: Selection?
  init() {}
}

/// A class that is only `Codable`, and refers back to itself.
private final class SelfContaining: Codable {
  var next: SelfContaining?
}

extension SelfContaining: ArchivableByCoding {}

/// A type that encodes values under keys in a custom order, and can encode a key twice.
private struct Pairs: Codable, ArchivableByCoding {
  var pairs: [(key: String, value: Int)]
  init(_ pairs: [(key: String, value: Int)]) { self.pairs = pairs }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    pairs = try container.allKeys.map { ($0.stringValue, try container.decode(Int.self, forKey: $0)) }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (key, value) in pairs { try container.encode(value, forKey: Key(stringValue: key)) }
  }
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

final class CodingTests: XCTestCase {
  private func copy<Value: ArchivableValue>(_ value: Value) throws -> Value {
    try roundTrip(value)
  }

  func testEveryKindOfCodableValueRoundTrips() throws {
    let style = Style()
    let copy = try copy(style)
    XCTAssertEqual(copy, style)
    XCTAssertEqual(copy.dashes[1].on.sign, .minus)
  }

  func testCodableValuesRoundTripInAllContainers() throws {
    let drawing = Drawing()
    var other = Style()
    other.width = 3
    drawing.style = other
    drawing.styles = [Style(id: other.id), other]
    drawing.byName = ["one": other]
    drawing.optional = other
    drawing.keys = [other, drawing.styles[0]]
    let copy = try copy(drawing)
    XCTAssertEqual(copy.style, drawing.style)
    XCTAssertEqual(copy.styles, drawing.styles)
    XCTAssertEqual(copy.byName, drawing.byName)
    XCTAssertEqual(copy.optional, drawing.optional)
    XCTAssertEqual(copy.keys, drawing.keys)
  }

  func testCodableKeysAreEncodedInLinearTime() throws {
    // Comparing each of 100,000 keys with all earlier keys would take minutes.
    let count = RandomTrials.size(usually: 20_000, exhaustively: 100_000)
    let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key \($0)", $0) })
    XCTAssertEqual(try copy(CodableValue(values)).value, values)
  }

  func testKeyEncodedTwiceKeepsPositionAndLastValue() throws {
    for count in [1, 2, 15, 16, 17, 18, 40] {
      // Swift compares these keys as equal, but they are two keys.
      let keys = (0..<count).map { "key \($0)" } + ["\u{E9}", "e\u{301}"]
      var pairs = keys.enumerated().map { (key: $1, value: $0) }
      for key in [keys[0], keys[count], keys[count - 1]] { pairs.append((key, 1000 + pairs.count)) }
      let copy = try copy(Pairs(pairs)).pairs
      XCTAssertEqual(copy.map { Array($0.key.utf8) }, keys.map { Array($0.utf8) })
      let last = keys.map { key in pairs.last { Array($0.key.utf8) == Array(key.utf8) }?.value }
      XCTAssertEqual(copy.map(\.value), last)
    }
  }

  func testObjectsInCodableValuesPreserveIdentity() throws {
    let document = Document()
    document.layers = [Layer("back"), Layer("front")]
    document.selection = Selection(first: document.layers[1], all: document.layers)
    let copy = try copy(document)
    XCTAssertEqual(copy.layers.map(\.name), ["back", "front"])
    XCTAssert(copy.selection?.first === copy.layers[1])
    XCTAssert(copy.selection?.all[0] === copy.layers[0])
  }

  func testFileContainsKeysAndTypedValues() throws {
    let file = try ArchiveFile(bytes: Archiver().archive(Style()))
    let root = try XCTUnwrap(file.roots()["root"])
    guard case .enumeration("Coded", "fields", .structure(_, let payload)?) = root,
      case .array(let fields) = payload[0].value,
      case .structure("CodedField", let first) = fields[0]
    else { return XCTFail("\(root)") }
    XCTAssertEqual(first[0].value, .string("width"))
    XCTAssertEqual(
      first[1].value,
      .enumeration(
        name: "Coded", case: "double",
        payload: .structure(name: "?", fields: [.init(name: "", value: .double(1.5))])))
  }

  func testDepthOfRecursiveValuesIsLimitedWhenReading() throws {
    var expression = Formula.number(1)
    for _ in 0..<50 { expression = .sum(expression, .negated(of: .number(2))) }
    XCTAssertEqual(try copy(expression), expression)
    for _ in 0..<200 { expression = .negated(of: expression) }
    let bytes = try Archiver().archive(expression)
    assertThrows(.limitExceeded) { try Unarchiver().unarchive(Formula.self, from: bytes) }
    var limits = ArchiveLimits.default
    limits.nesting = 2000
    XCTAssertEqual(try Unarchiver(limits: limits).unarchive(Formula.self, from: bytes), expression)
  }

  func testDeepCodableValuesAreWrittenOrRefused() throws {
    let recorded = Mutex<[ArchiveError.Code?]>([])
    try onSmallStack {
      for depth in [480, 900] {
        var value = DeepBranch()
        for _ in 0..<depth { value = DeepBranch(branches: [value]) }
        do {
          let bytes = try Archiver().archive(value)
          var limits = ArchiveLimits.default
          limits.nesting = 2 * depth + 2
          let copy = try Unarchiver(limits: limits).unarchive(DeepBranch.self, from: bytes)
          recorded.withLock { $0.append(copy.branches.isEmpty ? .missingKey : nil) }
        } catch let error as ArchiveError {
          recorded.withLock { $0.append(error.code) }
        }
      }
    }
    XCTAssertEqual(recorded.withLock { $0 }, [nil, .limitExceeded])
  }

  func testValueThatContainsItselfIsRefused() {
    let ring = SelfContaining()
    ring.next = ring
    assertThrows(.limitExceeded, "@Archivable") { try Archiver().archive(ring) }
    ring.next = nil
  }

  func testDecodingErrorReportsKeyAndPath() throws {
    struct Old: Codable {
      struct Dash: Codable { var on = "wide" }
      var dashes = [Dash()]
    }
    let old = try Archiver().archive(CodableValue(Old()))
    struct New: Codable {
      struct Dash: Codable { var on: Double }
      var dashes: [Dash]
    }
    assertThrows(.typeMismatch, "'dashes[0].on'") {
      try Unarchiver().unarchive(CodableValue<New>.self, from: old)
    }
    struct Newest: Codable { var missing: Int }
    assertThrows(.missingKey, "'missing'") {
      try Unarchiver().unarchive(CodableValue<Newest>.self, from: old)
    }
  }

  func testNumbersAreDecodedAsAnyFittingType() throws {
    struct Old: Codable { var a = 7, b = 2.0 as Double, c = UInt8(3), d = Float(0.5) }
    struct New: Codable, Equatable { var a: Double, b: Int8, c: Int128, d: Double }
    let bytes = try Archiver().archive(CodableValue(Old()))
    XCTAssertEqual(
      try Unarchiver().unarchive(CodableValue<New>.self, from: bytes).value, New(a: 7, b: 2, c: 3, d: 0.5))
    struct Narrow: Codable { var d: Int }
    XCTAssertThrowsError(try Unarchiver().unarchive(CodableValue<Narrow>.self, from: bytes))
  }

  func testDecoderDistinguishesNilFromMissingKeys() throws {
    struct Old: Codable {
      var a: Int?
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeNil(forKey: .a)
      }
      enum CodingKeys: CodingKey { case a }
    }
    struct New: Codable {
      var hasKey: Bool
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Old.CodingKeys.self)
        hasKey = container.contains(.a)
        XCTAssert(try container.decodeNil(forKey: .a))
      }
    }
    XCTAssert(try reread(CodableValue(Old()), as: CodableValue<New>.self).value.hasKey)
  }

  func testSuperclassIsEncodedUnderItsOwnKey() throws {
    class Base: Codable {
      var a = 1
      init() {}
    }
    final class Derived: Base {
      var b = 2
      override init() { super.init() }
      enum CodingKeys: CodingKey { case b }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        b = try container.decode(Int.self, forKey: .b)
        try super.init(from: container.superDecoder())
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(b, forKey: .b)
        try super.encode(to: container.superEncoder())
      }
    }
    let derived = Derived()
    (derived.a, derived.b) = (3, 4)
    let copy = try copy(CodableValue(derived)).value
    XCTAssertEqual([copy.a, copy.b], [3, 4])
  }
}

private struct DeepBranch: Codable, ArchivableByCoding { var branches: [DeepBranch] = [] }
