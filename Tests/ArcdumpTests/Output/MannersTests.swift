import ArcFormat
import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcInspection

/// The behaviour of the program with shells, terminals and pipes.
final class MannersTests: XCTestCase {
  // MARK: Input that is not an archive

  func testFileThatIsNotAnArchiveIsReported() throws {
    for count in 1...20 {
      let result = try arcdump("tree", on: Array(repeating: 0x41, count: count))
      XCTAssertEqual(result.status, .dataError)
      XCTAssertTrue(
        result.errors.contains("notAnArchive: found a file that begins with the bytes 41"), result.errors)
    }
    let empty = try arcdump("tree", on: [])
    XCTAssertEqual(empty.status, .dataError)
    XCTAssertTrue(
      empty.errors.hasSuffix("write the file again: an empty file is not an archive\n"), empty.errors)
  }

  func testErrorForTruncatedFileSuggestsRecovery() throws {
    let bytes = try SampleArchives.family()
    let hint = "arcdump recover FILE -o OUT"
    for count in [32, 40, bytes.count - 1] {
      let result = try arcdump("verify", on: Array(bytes.prefix(count)))
      XCTAssertTrue(result.errors.contains("truncated: "), result.errors)
      XCTAssertTrue(result.errors.contains(hint), result.errors)
    }
    for count in [0, 5, 31] {
      let result = try arcdump("verify", on: Array(bytes.prefix(count)))
      XCTAssertFalse(result.errors.contains(hint), result.errors)
    }
  }

  // MARK: Lines of JSON

  func testJSONLinesEqualTheObjectsOfTheDocument() throws {
    let bytes = try SampleArchives.family()
    let document = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(arcdump("tree", "--json", on: bytes).output.utf8))
        as? [String: Any])
    let lines = try arcdump("tree", "--json-lines", on: bytes).output.split(separator: "\n").map { line in
      try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
    XCTAssertEqual(lines.first?["roots"] as? NSDictionary, document["roots"] as? NSDictionary)
    XCTAssertEqual(lines.dropFirst().map { $0 }, document["objects"] as? [NSDictionary])
    XCTAssertTrue(
      try arcdump("tree", "--json-lines", "--limit", "1", on: bytes).output.hasSuffix("\n{\"leftOut\":2}\n"))
  }

  func testQueryResultsAreWrittenAsJSONLines() throws {
    let bytes = try QueriedArchives.zoo()
    XCTAssertEqual(
      try ask("find", "age > 8", "--json-lines", on: bytes).output.split(separator: "\n").count, 1)
    XCTAssertEqual(
      try ask("get", "#1.name", "#2.name", "--json-lines", on: bytes).output,
      """
      {"path":"#1.name","value":"Rex"}
      {"path":"#2.name","value":"Mia"}

      """)
    XCTAssertEqual(
      try ask("find", "Zoo.Animal", "--group-by", "age", "--limit", "1", "--json-lines", on: bytes).output
        .split(separator: "\n").count, 1)
  }

  func testErrorIsTheLastJSONLine() throws {
    let bytes = Array(try SampleArchives.family().dropLast())
    let result = try arcdump("tree", "--json-lines", on: bytes)
    XCTAssertEqual(result.status, .dataError)
    XCTAssertTrue(result.output.hasPrefix(#"{"error":{"code":"truncated""#), result.output)
    XCTAssertThrowsError(try command(["tree", "--json", "--json-lines"]))
  }

  // MARK: Long strings

  func testLongStringsAndDataAreCompleteOnRequest() throws {
    let builder = try RowWiseArchive(roots: [("text", #"@"NSString""#), ("data", #"@"NSData""#)])
    try builder.row(
      0, .text(String(repeating: "a", count: 1500)), .bytes(Array(repeating: 0xAB, count: 30)))
    let bytes = try builder.finish()
    let cut = try arcdump("tree", on: bytes).output
    XCTAssertTrue(cut.contains("aaa\"… 500 more bytes\n"), cut)
    let whole = try arcdump("tree", "--full", on: bytes).output
    XCTAssertTrue(whole.contains("\"" + String(repeating: "a", count: 1500) + "\"\n"), whole)
    XCTAssertTrue(whole.contains(String(repeating: "ab", count: 30) + "\n"), whole)
    XCTAssertTrue(
      try ask("get", "text", "--full", on: bytes).output.contains(String(repeating: "a", count: 1500)))
  }

  // MARK: Shells and manuals

  private func output(_ body: (Console) throws -> ExitStatus) throws -> String {
    let result = try CommandResult(of: body, files: [:])
    XCTAssertEqual(result.status, .ok)
    return result.output
  }

  func testShellCompletionsNameEachCommand() throws {
    for shell in ["bash", "zsh", "fish"] {
      let command = try XCTUnwrap(
        try Arcdump.parseAsRoot(["completions", shell]) as? CompletionsCommand)
      let script = try output(command.write)
      for command in Arcdump.configuration.subcommands {
        XCTAssertTrue(script.contains(command.configuration.commandName ?? "?"), "\(shell), \(command)")
      }
    }
    XCTAssertThrowsError(try Arcdump.parseAsRoot(["completions", "tcsh"]))
  }

  /// Returns the completions that bash offers for the last word of a command line, with the completion
  /// script.
  private func completions(of words: [String], by completionScript: String) throws -> Set<String> {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let program = """
      COMP_WORDS=(arcdump \(quoted)); COMP_CWORD=\(words.count); COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}; _arcdump arcdump '\(words.last ?? "")' x; printf '%s\\n' "${COMPREPLY[@]}"
      """
    return try withTemporaryFolder { folder in
      let (script, output) = (
        folder.appendingPathComponent("script"), folder.appendingPathComponent("output")
      )
      try Data((completionScript + program + "\n").utf8).write(to: script)
      try Data().write(to: output)
      let bash = Process()
      bash.executableURL = URL(fileURLWithPath: "/bin/bash")
      bash.arguments = ["--norc", script.path]
      bash.standardOutput = try FileHandle(forWritingTo: output)
      try bash.run()
      bash.waitUntilExit()
      return Set(try String(contentsOf: output, encoding: .utf8).split(separator: "\n").map(String.init))
    }
  }

  func testBashCompletesOptionsIfCommandIsOmitted() throws {
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(["completions", "bash"]) as? CompletionsCommand)
    let script = try output(command.write)
    for words in [["a.arc", "--"], ["tree", "a.arc", "--"], ["a.arc", "--full", "--"]] {
      let offered = try completions(of: words, by: script)
      XCTAssertTrue(offered.isSuperset(of: ["--depth", "--limit", "--json-lines"]), "\(words) \(offered)")
      XCTAssertEqual(offered.contains("--full"), !words.contains("--full"), "\(words) \(offered)")
    }
    XCTAssertTrue(try completions(of: [""], by: script).isSuperset(of: ["tree", "export", "help"]))
    XCTAssertEqual(try completions(of: ["ver"], by: script), ["verify"])
    let offered = try completions(of: ["verify", "a.arc", "--"], by: script)
    XCTAssertTrue(offered.contains("--trust"))
    XCTAssertFalse(offered.contains("--depth"))
  }

  func testManualExplainsEachCommandAndArgument() throws {
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(["man"]) as? ManCommand)
    let page = try output(command.write)
    XCTAssertTrue(page.hasPrefix(".TH ARCDUMP 1\n.SH NAME\narcdump \\- "), page)
    for command in Arcdump.configuration.subcommands {
      let name = command.configuration.commandName ?? "?"
      XCTAssertTrue(
        page.contains(".SS arcdump \(name)\n\(Roff.escaped(command.configuration.abstract))"), name)
    }
    for term in ["\\-\\-json\\-lines", "\\-o, \\-\\-output OUTPUT", "FILE", "NO_COLOR"] {
      XCTAssertTrue(page.contains(".TP\n\\fB\(term)\\fR\n"), term)
    }
  }

  func testTextIsNotInterpretedAsRoffRequest() {
    XCTAssertEqual(Roff.escaped(".name 'x' \\ -"), "\\&.name \\(aqx\\(aq \\e \\-")
    var page = Roff(name: "x")
    page.paragraphs("a\n\n  .b\nc")
    XCTAssertEqual(page.text, ".TH X 1\na\n.PP\n.nf\n  .b\n.fi\nc\n")
  }

  // MARK: Terminals

  func testPagerIsChosenFromTheEnvironment() {
    let table: [(environment: [String: String], programs: Set<String>, command: String?)] = [
      ([:], ["less"], "less -FRX"), ([:], [], nil), (["PAGER": "most -s"], ["most"], "most -s"),
      (["PAGER": "most"], ["less"], nil), (["PAGER": "less", "ARCDUMP_PAGER": ""], ["less"], nil),
      (["PAGER": "cat"], ["cat"], nil), (["PAGER": "less", "ARCDUMP_PAGER": "most"], ["most"], "most"),
      (["PAGER": "$SHELL -c less"], [], "$SHELL -c less"),
    ]
    for row in table {
      XCTAssertEqual(
        Pager.command(environment: { row.environment[$0] }, hasProgram: row.programs.contains), row.command,
        "\(row)")
    }
    XCTAssertTrue(Pager.hasProgram("sh"))
    XCTAssertFalse(Pager.hasProgram("no-such-program"))
  }

  func testProgressLineIsErasedAtTheEnd() {
    let pieces = Pieces()
    let progress = ProgressLine { pieces.append($0) }
    XCTAssertTrue(progress.show(seconds: 1))
    progress.note(500, of: 2000, "objects")
    XCTAssertTrue(progress.show(seconds: 2))
    progress.finish()
    XCTAssertFalse(progress.show(seconds: 3))
    progress.finish()
    XCTAssertEqual(
      pieces.texts,
      [
        "\r\u{1B}[Karcdump: 1 s", "\r\u{1B}[Karcdump: 2 s, 25 % of 2,000 objects", "\r\u{1B}[K",
      ])
  }

  func testProgressThatWasNeverShownIsNotErased() {
    let pieces = Pieces()
    ProgressLine { pieces.append($0) }.finish()
    XCTAssertEqual(pieces.texts, [])
  }
}

/// Pieces of text. A closure that may run on any thread appends to them.
private final class Pieces: @unchecked Sendable {
  private let lock = NSLock()
  private var collected: [String] = []
  var texts: [String] { lock.withLock { collected } }
  func append(_ text: String) { lock.withLock { collected.append(text) } }
}
