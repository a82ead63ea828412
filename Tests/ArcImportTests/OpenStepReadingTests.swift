import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

@testable import ArcForeign

/// Property lists in the notation of OpenStep, and XML with references between elements.
final class OpenStepReadingTests: XCTestCase {
  /// Returns a list in a notation that shows each kind of value.
  private func text(_ list: PropertyList, _ node: Int, depth: Int = 0) -> String {
    guard depth < 8 else { return "…" }
    switch list.nodes[node] {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .real(let value): return "r\(value)"
    case .date(let value): return "d\(value)"
    case .data: return "<\(list.data(node).map(Array.init) ?? [])>"
    case .string: return "'\(list.string(node) ?? "")'"
    case .uid(let value): return "uid \(value)"
    case .array, .set:
      let elements = (list.elements(node) ?? []).map { text(list, Int($0), depth: depth + 1) }
      if case .set = list.nodes[node] { return "{" + elements.joined(separator: ", ") + "}" }
      return "(" + elements.joined(separator: ", ") + ")"
    case .dictionary:
      let entries = list.entries(node).map { Array(zip($0.keys, $0.values)) } ?? []
      return "["
        + entries.map {
          text(list, Int($0), depth: depth + 1) + "=" + text(list, Int($1), depth: depth + 1)
        }.joined(separator: ", ") + "]"
    }
  }

  private func parsed(_ source: String) throws -> String {
    let list = try PropertyList(parsing: Array(source.utf8), limits: .untrusted)
    return text(list, list.top)
  }

  func testListsAreReadInAllForms() throws {
    let samples =
      [
        ("{ a = b; }", "['a'='b']"), ("{}", "[]"), ("()", "()"), ("(a, \"b c\", 'd',)", "('a', 'b c', 'd')"),
        ("{ a = (1, 2); b = { c = d; }; }", "['a'=('1', '2'), 'b'=['c'='d']]"),
        ("// !$*UTF8*$!\n{ /* note */ a = <0fBD 77>; }", "['a'=<[15, 189, 119]>]"),
        ("{ a; b = c }", "['a'='a', 'b'='c']"), ("(<>, ())", "(<[]>, ())"),
        ("\"key\" = \"value\";\n\"other\" = two;\n", "['key'='value', 'other'='two']"),
        (#"("a\n\t\"\\\'\101\251\U00e9\Ud83c\Udf0d\é")"#, "('a\n\t\"\\'A\u{2019}é🌍é')"),
        (#"("\Ud83c", "\Ud83cx", "\Udf0d")"#, "('\u{FFFD}', '\u{FFFD}x', '\u{FFFD}')"),
        ("(<*I-5>, <*R2.5>, <*BY>, <*BN>, <*D2001-01-01 00:00:01 +0000>)", "(-5, r2.5, true, false, d1.0)"),
        ("(a/b.c:d-e_f$g+h, Grüße)", nil), ("(\"Grüße\")", "('Grüße')"), ("{ a = b = c; }", nil),
        ("(a b)", nil),
        ("{ a = b; ", nil), ("(a", nil), ("(a) b", nil), ("(\"a", nil), ("(/* a", nil), ("(<0>)", nil),
        ("(<0g>)", nil),
        ("(<*I5", nil), ("(<*Ix>)", nil), ("(<*Q5>)", nil), ("{ (a) = b; }", nil), (#"("\U")"#, nil),
        (#"("\"#, nil), ("text", nil), ("a = b;", nil),
      ] as [(String, String?)]
    for (source, expected) in samples {
      if let expected {
        XCTAssertEqual(try parsed(source), expected, source)
      } else {
        XCTAssertThrowsError(try parsed(source), source) {
          XCTAssertTrue($0 is ImportError, "\(source): \($0)")
        }
      }
    }
  }

  func testTableOfNEXTSTEPAgreesWithFoundation() {
    for byte in UInt8(0x80)...0xFD {
      let text = String(data: Data([byte]), encoding: .nextstep)
      let unit = OpenStepScanner.nextStep[Int(byte) - 0x80]
      XCTAssertEqual(text.map { Array($0.utf16) }, [unit], "\(byte)")
    }
  }

  func testDeepNestingNeedsNoStack() throws {
    let source = String(repeating: "(", count: 100_000) + String(repeating: ")", count: 100_000)
    let list = try PropertyList(parsing: Array(source.utf8), limits: .untrusted)
    XCTAssertEqual(list.nodes.count, 100_000)
    var limits = ArchiveLimits.untrusted
    limits.elements = 1000
    XCTAssertThrowsError(try PropertyList(parsing: Array(source.utf8), limits: limits)) {
      XCTAssertEqual(($0 as? ImportError)?.code, .limitExceeded)
    }
  }

  func testXMLReferencesShareTheirElements() throws {
    let head = "<plist version=\"1.0\">"
    let samples =
      [
        ("<array><string ID=\"1\">a</string><string IDREF=\"1\"/></array>", "('a', 'a')"),
        (
          "<array><array ID=\"1\"><integer size=\"64\">0x10</integer></array><reference IDREF='1'></reference></array>",
          "((16), (16))"
        ),
        (
          "<dict><key ID=\"k\">a</key><set><true ID=\"t\"/><true IDREF=\"t\"/></set></dict>",
          "['a'={true, true}]"
        ),
        ("<array ID=\"1\"><array IDREF=\"1\"/></array>", "((((((((…))))))))"),
        ("<array><string IDREF=\"1\"/></array>", nil), ("<string IDREF=\"1\"/>", nil),
        ("<array><string ID=\"1\">a</string><string IDREF=\"1\">b</string></array>", nil),
        ("<array><string class=\"x\">a</string></array>", nil),
        ("<array><string ID=1>a</string></array>", nil),
        ("<set><true/></array>", nil),
      ] as [(String, String?)]
    for (source, expected) in samples {
      if let expected {
        XCTAssertEqual(try parsed(head + source + "</plist>"), expected, source)
      } else {
        XCTAssertThrowsError(try parsed(head + source + "</plist>"), source) {
          XCTAssertEqual(($0 as? ImportError)?.code, .malformedPropertyList, source)
        }
      }
    }
    let cycle = Array((head + "<array ID=\"1\"><array IDREF=\"1\"/></array></plist>").utf8)
    try ArchiveFile(bytes: KeyedSamples.imported(cycle).archive).verify()
  }

  func testDatesWithYearsOfAnyLengthAreRead() throws {
    let year: Double = 365.2425 * 86_400
    for number in [-12_345, -44, 1, 44, 999, 2001, 12_345, 100_000, 9_999_999] {
      let text = "<plist><date>\(number)-01-01T00:00:00Z</date></plist>"
      let list = try PropertyList(parsing: Array(text.utf8), limits: .untrusted)
      guard case .date(let seconds) = list.nodes[list.top] else { return XCTFail(text) }
      XCTAssertEqual(seconds, Double(number - 2001) * year, accuracy: 3 * 86_400, text)
    }
    for text in [
      "12345-13-01T00:00:00Z", "12345-02-30T00:00:00Z", "1234567890-01-01T00:00:00Z", "--5-01-01T00:00:00Z",
    ] {
      XCTAssertThrowsError(
        try PropertyList(parsing: Array("<plist><date>\(text)</date></plist>".utf8), limits: .untrusted))
    }
  }

  func testUIDInAPlainListIsAnInteger() throws {
    let bytes = KeyedListWriter.bytes(["a": KeyedUID(7)] as [String: Any])
    let file = try ArchiveFile(bytes: try KeyedSamples.imported(bytes).archive)
    XCTAssertTrue(try KeyedTree.text(of: KeyedSamples.imported(bytes).archive).contains("7"))
    try file.verify()
  }

  func testChangedListsGiveErrorOrArchive() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    let samples = [
      #"{ a = (1, "x\U00e9\251", <00ff>); b = { c = d; e; }; /* x */ f = <*I5>; }"#,
      "\"a\" = \"b\";\n\"c\" = ( 1, 2 );\n",
      "<plist><array ID=\"1\"><string ID=\"2\">a</string><dict><key>k</key><string IDREF=\"2\"/></dict>"
        + "<array IDREF=\"1\"/><date>12345-01-01T00:00:00Z</date></array></plist>",
    ].map { Array($0.utf8) }
    for _ in 0..<RandomTrials.count(usually: 1000, exhaustively: 10_000) {
      var bytes = samples[Int(random.next() % UInt64(samples.count))]
      for _ in 0...random.next() % 4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 { bytes.removeLast(Int(random.next() % UInt64(bytes.count))) }
      XCTAssertNil(ImportClaims.violation(by: bytes), "\(bytes)")
    }
  }
}
