import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class PrintableTests: XCTestCase {
  func testPrintableTextIsUnchanged() {
    for text in ["", "plain ~ text", "é", "e\u{301}", "日本語", "עברית", "👍🏽", "❤️", "a\u{A0}b"] {
      XCTAssertEqual(Array(printable(text).utf8), Array(text.utf8), text)
    }
  }

  func testControlAndInvisibleCharactersAreEscaped() {
    let table: [(String, String)] = [
      ("\u{0}\u{1B}[2J\u{7F}", "\\u{0}\\u{1b}[2J\\u{7f}"),
      ("\u{9B}31m\u{85}", "\\u{9b}31m\\u{85}"),
      ("a\nb\tc", "a\\u{a}b\\u{9}c"),
      ("\u{202A}\u{202E}\u{2066}\u{2069}", "\\u{202a}\\u{202e}\\u{2066}\\u{2069}"),
      (
        "\u{AD}\u{61C}\u{200B}\u{200F}\u{2028}\u{2029}\u{FEFF}",
        "\\u{ad}\\u{61c}\\u{200b}\\u{200f}\\u{2028}\\u{2029}\\u{feff}"
      ),
      ("\u{378}\u{E000}\u{10FFFF}", "\\u{378}\\u{e000}\\u{10ffff}"),
      ("\u{301}a", "\\u{301}a"), ("\u{1B}\u{301}", "\\u{1b}\\u{301}"),
      ("a\u{E0100}\u{E0041}\u{3164}", "a\\u{e0100}\\u{e0041}\\u{3164}"),
    ]
    for (text, expected) in table { XCTAssertEqual(printable(text), expected) }
  }

  func testQuotedTextIsWrittenAsAStringLiteral() {
    XCTAssertEqual(printable("", quoted: true), "\"\"")
    XCTAssertEqual(printable("a\"b\\c\n\r\t\u{7}", quoted: true), #""a\"b\\c\n\r\t\u{7}""#)
    XCTAssertEqual(printable("\"\u{301}", quoted: true), #""\"\u{301}""#)
  }

  func testCombiningMarksAfterXMLEntitiesAreEscaped() {
    XCTAssertEqual(XMLText.escaped("a\u{301}&\u{301}\"\u{301}"), "a\u{301}&amp;&#769;&quot;&#769;")
  }

  func testLongNamesAndStringsAreTruncated() {
    let name = String(repeating: "n", count: 120)
    XCTAssertEqual([printableName(name), printableName(name + "n")], [name, name + "…"])
    XCTAssertEqual(
      ValueText().line(.string(String(repeating: "é", count: 3000))),
      "\"" + String(repeating: "é", count: 1000) + "\"… 4,000 more bytes")
  }

  func testRandomTextBecomesPrintableInEveryMode() throws {
    let seed = RandomTrials.seed()
    var generator = SplitMix64(seed: seed)
    let names = ["tree", "info", "classes", "verify", "stats", "get", "schema"]
    let commands =
      try names.flatMap { name in
        try [[], ["--json"], ["--color", "always"]].map { try command([name] + $0) }
      } + ["dot", "graphml", "jsonl"].map { try command(["export", "--format", $0]) }
    for _ in 0..<RandomTrials.count(usually: 4, exhaustively: 300) {
      let text = hostileText(&generator)
      let bytes = try SampleArchives.text(text)
      for command in commands {
        let result = command.result { _, _ in bytes }
        XCTAssertEqual(result.status, .ok, "seed \(seed) \(result.errors)")
        assertPrintable(result.output, "\(command), seed \(seed)")
        let failure = command.result { _, _ in throw ErrorWithText(description: text) }
        assertPrintable(failure.output + failure.errors, "error, seed \(seed)")
      }
    }
  }

  private func assertPrintable(_ output: String, _ message: String) {
    let plain = output.replacingOccurrences(of: "\u{1B}\\[[0-9]+m", with: "", options: .regularExpression)
    var before: Unicode.Scalar = "\n"
    for scalar in plain.unicodeScalars {
      let category = scalar.properties.generalCategory
      let isMark = [.nonspacingMark, .spacingMark, .enclosingMark].contains(category)
      let isForbidden = [
        .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate,
      ].contains(category)
      if isMark && "\n \"}".unicodeScalars.contains(before) || isForbidden && scalar != "\n" {
        let line = plain.split(separator: "\n").first { $0.unicodeScalars.contains(scalar) } ?? ""
        return XCTFail("\\u{\(String(scalar.value, radix: 16))} in \(line.debugDescription) of \(message)")
      }
      before = scalar
    }
  }

  /// Returns random text without spaces, quotes and closing braces, because a combining mark after one of
  /// these characters is printed unescaped.
  private func hostileText(_ generator: inout SplitMix64) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x23...0x7A, 0x80...0xFF, 0x300...0x36F, 0x600...0x6FF, 0x200B...0x202F, 0x2060...0x206F,
      0xE000...0xE010, 0xFE00...0xFEFF, 0xFFF0...0xFFFF, 0x1F300...0x1F6FF, 0xE0000...0xE01EF,
      0x7F...0x10FFFF,
    ]
    var text = "".unicodeScalars
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let range = ranges[Int.random(in: ranges.indices, using: &generator)]
      let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator))
      if let scalar { text.append(scalar) }
    }
    return String(text) + "x"
  }
}

/// An error with text from a file.
private struct ErrorWithText: Error, CustomStringConvertible { let description: String }
