import ArcArchive
import ArcForeign
import ArcFormat
import ArcJSON
import ArcTestSupport
import XCTest

@testable import ArcInspection

/// Tables that are imported, exported and imported again. The fields are unchanged, or the report has a note.
final class TableRoundTripTests: XCTestCase {
  private func imported(
    _ text: String, _ format: TableFormat, _ options: TableOptions = TableOptions()
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try TableImport.archive(
      of: TableSource(Array(text.utf8), format, className: "Row", options: options), limits: .untrusted)
  }

  /// Returns the fields of an exported table without the column `row`, line by line.
  private func exportedFields(_ archive: [UInt8]) throws -> [[String]] {
    let text = try XCTUnwrap(exportFolder("csv", on: archive)["Row.csv"])
    // The fields of these tests contain no separator, quote or line end.
    return text.split(separator: "\r\n").map { line in
      line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }
  }

  private static func number(_ random: inout SplitMix64) -> String {
    func digits(_ range: ClosedRange<Int>) -> String {
      (0..<Int.random(in: range, using: &random)).map { _ in "\(Int.random(in: 0...9, using: &random))" }
        .joined()
    }
    let kinds: [String] = [
      digits(1...3), digits(14...20), digits(30...45), "\(Int.random(in: -50...50, using: &random))",
      "0." + digits(1...3), "-0." + digits(16...25), digits(1...4) + "." + digits(1...2) + "0", "-0", "0",
      "-0.0",
      digits(1...2) + "e" + digits(1...2), digits(1...2) + ".5E-" + digits(1...3),
      Double.random(in: -1e9...1e9, using: &random).description, digits(1...4) + "." + digits(2...2),
      Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &random)).description,
    ]
    return kinds[Int.random(in: 0..<kinds.count, using: &random)]
  }

  func testNumbersOfCSVReturnUnchangedOrNoted() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    var fixed = [
      "123456789012345678901234567890123456789012345", "0.12345678901234567890123", "1.10", "-0", "1e2",
      "007",
      "340282366920938463463374607431768211455", "125.50", "1234e5", "+2", "1.", ".5", "5e-324", "1e400",
      "0x10",
    ]
    for _ in 0..<RandomTrials.count(usually: 25, exhaustively: 500) { fixed.append(Self.number(&random)) }
    for text in fixed {
      for other in [text, "15", "1.5", "x", Self.number(&random)] {
        let (archive, report) = try imported("a,b\n\(text),1\n\(other),2\n", .csv)
        let fields = try exportedFields(archive).dropFirst().map {
          FormulaGuard.removed(from: $0[0]) ?? $0[0]
        }
        let isNoted = report.notes.contains { $0.kind == .changedNumber }
        XCTAssertTrue(fields == [text, other] || isNoted, "\(text), \(other): \(fields)")
        if isNoted {
          // Only the notation differs, never the number.
          XCTAssertEqual(fields.map(Double.init), [Double(text), Double(other)], "\(text), \(other)")
        }
      }
    }
  }

  func testNumbersOfJSONReturnUnchangedOrNoted() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 60, exhaustively: 300) {
      let texts = (0..<2).map { _ in Self.number(&random) }.filter { (try? JSONDocument($0)) != nil }
      let lines = texts.map { "{\"a\":\($0)}" }.joined(separator: "\n")
      let archive: [UInt8]
      let report: ImportReport
      do { (archive, report) = try imported(lines, .jsonLines) } catch let error as ImportError {
        // A number that neither a Double nor a decimal can contain.
        XCTAssertEqual(error.code, .valueOutOfRange)
        continue
      }
      let isNoted = report.notes.contains { $0.kind == .changedNumber }
      let exported = try export("jsonl", on: archive).output.split(separator: "\n")
        .filter { $0.contains("\"class\":\"Row\"") }
      XCTAssertEqual(exported.count, texts.count)
      for (line, text) in zip(exported, texts) {
        let value = try XCTUnwrap(JSONDocument(String(line)).root["values"]?["a"])
        // Large integers and decimals are strings: {"$decimal":"1.5"}.
        let tagged = value.members.first { $0.name.hasPrefix("$") }?.value.string
        let written = value.number?.text ?? tagged ?? ""
        XCTAssertTrue(written == text || isNoted, "\(texts): \(written)")
        // No digit is lost, whatever the notation.
        XCTAssertEqual(DecimalNotation.normalized(written), DecimalNotation.normalized(text), "\(texts)")
      }
    }
  }

  func testStringsReturnUnchanged() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    let pieces = [
      "'", "=", "+", "-", "@", ";", "\t", "|", "\"", ",", "\n", "\r", "a", "1", "＝", " ", "é", "''",
    ]
    for _ in 0..<RandomTrials.count(usually: 60, exhaustively: 300) {
      let count = Int.random(in: 1...6, using: &random)
      let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      var json: [UInt8] = []
      let output = Output { json += $0 }
      try JSONOutput(output: output, byteLimit: .max).value(ArchiveValue.string(text))
      try output.flush()
      let line = String(decoding: json.filter { $0 != 0x0A }, as: UTF8.self)
      let archive = try imported("{\"a\":\(line),\"b\":0}", .jsonLines).archive
      let csv = try XCTUnwrap(exportFolder("csv", on: archive)["Row.csv"])
      let (again, _) = try imported(csv, .csv, TableOptions(separator: ","))
      let value = try ArchiveFile(verifying: again).object(ObjectID(rawValue: 1))["a"]
      // The text `1` is a number in CSV. The text `-1` has an apostrophe, so it remains text.
      let number = text.hasPrefix("-") || text.hasPrefix("+") ? nil : Int128(text)
      XCTAssertEqual(value, number.map { .integer($0) } ?? .string(text), "\(text.debugDescription)")
    }
  }

  func testExportOfAnImportEqualsTheExportOfItsImport() throws {
    let table =
      "n,s,b,d,u,x\n1,a,true,2026-11-23T12:00:00Z,00010203-0405-0607-0809-0a0b0c0d0e0f,1.5\n2,,false,,,0.25\n"
    let first = try imported(table, .csv).archive
    let exported = try XCTUnwrap(exportFolder("csv", on: first)["Row.csv"])
    let second = try imported(exported, .csv).archive
    let file = (try ArchiveFile(verifying: first), try ArchiveFile(verifying: second))
    for row in 1...2 as ClosedRange<UInt32> {
      let (one, two) = (
        try file.0.object(ObjectID(rawValue: row)), try file.1.object(ObjectID(rawValue: row))
      )
      for key in ["n", "s", "b", "d", "u", "x"] { XCTAssertEqual(one[key], two[key], key) }
    }
  }
}
