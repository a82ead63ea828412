import ArcRuntime
import ArcTestSupport
import XCTest

final class TypeEncodingHostileInputTests: XCTestCase {
  func testNestingUpToTheLimitIsRead() throws {
    let text = String(repeating: "^", count: TypeEncoding.maximumDepth - 1) + "i"
    XCTAssertEqual(try TypeEncoding(parsing: text).description, text)
  }

  func testNestingBombsAreRefused() {
    let prefixes = [
      "[", "{", "(", "{S=", "{?=\"a\"", "@?<", "$[", "$?", "$<", "$(E=\"a\"", "$~", "r", "A", "![1,1",
    ]
    for prefix in prefixes {
      let text = String(repeating: prefix, count: 20_000)
      XCTAssertThrowsError(try TypeEncoding(parsing: text), prefix)
      XCTAssertThrowsError(try PropertyAttributes(parsing: "T" + text), prefix)
    }
    XCTAssertThrowsError(try TypeEncoding(parsing: String(repeating: "^", count: 100_000)))
  }

  func testDeepestTypesAreParsedOnSmallStack() throws {
    let texts = [
      ("^", ""), ("{A=", "}"), ("(A=\"a\"", ")"), ("[2", "]"), ("@?<v@?", ">"), ("$[", "]"), ("r", ""),
    ]
    .map { opener, closer in
      String(repeating: opener, count: 127) + "i" + String(repeating: closer, count: 127)
    }
    try onSmallStack {
      for text in texts {
        XCTAssertNil(EncodingClaims.violation(by: text), text)
        XCTAssertNil(EncodingClaims.violation(by: text + text), text)
        let type = try? TypeEncoding(parsing: text)
        XCTAssertEqual(type, type.map { $0 }, text)
        XCTAssertEqual(type?.hashValue, type?.hashValue)
      }
    }
  }

  func testParsingUnmatchedBracketsTakesLinearTime() throws {
    // A naive scanner reads the rest of each of these strings once per repetition.
    let count = RandomTrials.size(usually: 10_000, exhaustively: 100_000)
    let siblings = "{S=" + String(repeating: "{A<=i}", count: count) + "}"
    XCTAssertEqual(try TypeEncoding(parsing: siblings).description, siblings)
    let names = "{S=\"a\"" + String(repeating: "@\"b\"i\"c\"", count: count) + "i}"
    XCTAssertEqual(try TypeEncoding(parsing: names).description, names)
    let types = String(repeating: "T{A<},", count: count) + String(repeating: ">", count: count)
    XCTAssertEqual(try PropertyAttributes(parsing: types).description, types)
    XCTAssertThrowsError(try TypeEncoding(parsing: "{" + String(repeating: "'<", count: count)))
    let strings = "{A<" + String(repeating: "{\"<", count: count)
    XCTAssertThrowsError(try TypeEncoding(parsing: strings))
    let operators = "{" + String(repeating: "A<operator<=", count: count) + "=i}"
    _ = try? TypeEncoding(parsing: operators)
    for digits in [String(repeating: "0", count: count), String(repeating: "9", count: count)] {
      XCTAssertEqual(try MethodType(parsing: "v24@0:816" + digits).description, "v24@0:816" + digits)
    }
    let numbers = "v8@0:8" + (2...count).map { String($0 * 8) }.joined()
    XCTAssertEqual(try MethodType(parsing: numbers).description, numbers)
  }

  func testRandomEncodingsPrintAsParsedOrThrow() {
    let seed: UInt64 = 0x5EED_A2C0_0001
    print("random type encodings with seed \(seed)")
    var generator = SplitMix64(seed: seed)
    var parsedCount = 0
    let count = RandomTrials.count(usually: 10_000, exhaustively: 100_000)
    for _ in 0..<count {
      let text = Self.randomText(using: &generator)
      if let type = try? TypeEncoding(parsing: text) {
        parsedCount += 1
        XCTAssertEqual(Array(type.description.utf8), Array(text.utf8), "seed \(seed)")
        XCTAssertEqual(try? TypeEncoding(parsing: type.description), type, "seed \(seed)")
        XCTAssertFalse(type.explanation.isEmpty)
      }
      do {
        let attributes = try PropertyAttributes(parsing: text)
        XCTAssertEqual(Array(attributes.description.utf8), Array(text.utf8), "seed \(seed)")
        XCTAssertEqual(try? PropertyAttributes(parsing: attributes.description), attributes, "seed \(seed)")
      } catch {
        XCTAssertFalse(error.description.isEmpty)
      }
    }
    let leastCount = count / (RandomTrials.isExhaustive ? 100 : 200)
    XCTAssertGreaterThan(parsedCount, leastCount, "the generator no longer makes encodings")
  }

  func testEveryProperPrefixOfARecordIsRefused() throws {
    let text = #"{Größe="a"@"N""b"$<@"NSString":$[^{Box<'}'>=i}]>"c"$(E="x"{?="y"d}"z")"d"b3}"#
    XCTAssertEqual(try TypeEncoding(parsing: text).description, text)
    for end in text.indices where end > text.startIndex {
      XCTAssertThrowsError(try TypeEncoding(parsing: String(text[..<end])), String(text[..<end]))
    }
  }

  /// Returns random bytes, repaired to UTF-8, or a sequence of the grammar's letters, which exercises more of
  /// the parser.
  private static func randomText(using generator: inout SplitMix64) -> String {
    let alphabet = Array("cilqQdB@@?^^[]{}()=\"\"<>$$:*rAjb!,0123aTNV' ~é|".utf8)
    let count = Int.random(in: 0...24, using: &generator)
    let isWord = Bool.random(using: &generator)
    let bytes = (0..<count).map { _ -> UInt8 in
      isWord
        ? alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        : UInt8.random(in: .min ... .max, using: &generator)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
