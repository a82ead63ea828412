import ArcTestSupport
import Foundation
import XCTest

/// The doc comments of the six types that a program begins with.
///
/// Each public member has an example, which the tests compile and run.
final class CommentExampleTests: XCTestCase {
  private static let types = [
    "Archiver", "Unarchiver", "LazyArchive", "ArchiveFile", "ModelReader", "ModelWriter",
  ]

  func testEachDocumentedMemberHasAShortExample() throws {
    let members = try documentedMembers()
    for member in members {
      XCTAssertTrue(
        (3...6).contains(member.code.count),
        "\(member.location): \(member.code.count) lines of example: \(member.declaration)")
    }
    for type in Self.types { XCTAssertGreaterThan(members.count { $0.type == type }, 5, type) }
    XCTAssertGreaterThan(members.count, 100)
  }

  func testCommentExamplesOccurInACompiledFile() throws {
    let path = "Tests/FixtureTests/Articles/CommentExamples.swift"
    let source = " \(words(in: try lines(of: path))) "
    for member in try documentedMembers() {
      let words = words(in: member.code)
      XCTAssertTrue(source.contains(" \(words) "), "\(member.location): not in \(path):\n\(words)")
    }
  }

  func testCommentExamplesPrintWhatTheyShow() async throws {
    let folder = try temporaryFolder()
    let examples = CommentExamples(in: folder)
    try await examples.run()
    let printed = CommentExamples.printed
    var count = 0
    for member in try documentedMembers() {
      for line in member.code {
        let parts = line.components(separatedBy: "// ")
        guard parts.count == 2, parts[0].isEmpty || parts[0].contains("print("),
          !parts[0].isEmpty || member.code.first != line
        else { continue }
        let isWhole = !parts[1].hasSuffix("…")
        let shown = isWhole ? parts[1] : String(parts[1].dropLast())
        XCTAssertTrue(
          printed.contains { isWhole ? $0 == shown : $0.hasPrefix(shown) },
          "\(member.location): no example prints \(parts[1])")
        count += 1
      }
    }
    XCTAssertGreaterThan(count, 25)
  }

  /// A type or public member, with the code in its doc comment.
  private struct DocumentedMember {
    let type: String
    let declaration: String
    let location: String
    let code: [String]
  }

  private func documentedMembers() throws -> [DocumentedMember] {
    let sources = Repository.root.appendingPathComponent("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    return try files.flatMap { file -> [DocumentedMember] in
      let lines = try lines(of: "Sources/\(file)")
      guard lines.contains(where: mayBeHead) else { return [] }
      return documentedMembers(in: lines, of: "Sources/\(file)")
    }
  }

  /// Returns whether a line may be the head of a declaration or extension of one of the types.
  private func mayBeHead(_ line: String) -> Bool {
    // Most lines are indented or are comments. Their first byte shows this.
    guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "/") else {
      return false
    }
    return Self.types.contains { line.contains(" \($0)") }
  }

  /// Returns the types and members in a source with their code. The formatter indents by two columns, so the
  /// line of a member begins with two spaces.
  private func documentedMembers(in lines: [String], of path: String) -> [DocumentedMember] {
    let head = /^(?:(?:public|final|package|private) )*(?:struct|class|extension|enum|protocol|actor) (\w+)/
    var members: [DocumentedMember] = []
    var type: String?
    var comment: [String] = []
    for (index, line) in lines.enumerated() {
      let trimmed = line.trimmingCharacters(in: .whitespaces)
      guard !trimmed.hasPrefix("///") else {
        comment.append(trimmed)
        continue
      }
      let isPublic = trimmed.contains("public ")
      // Attributes may have a line of their own.
      if !comment.isEmpty, trimmed.hasPrefix("@"), !isPublic { continue }
      defer { if !trimmed.isEmpty { comment = [] } }
      let match = line.hasPrefix(" ") ? nil : line.firstMatch(of: head)
      if let match { type = String(match.1) }
      let isMember = line.hasPrefix("  ") && !line.hasPrefix("   ")
      if let type, Self.types.contains(type), isPublic, !comment.isEmpty, match != nil || isMember {
        members.append(
          DocumentedMember(
            type: type, declaration: trimmed, location: "\(path):\(index + 1)", code: code(in: comment)))
      }
      if line.hasPrefix("}") { type = nil }
    }
    return members
  }

  /// Returns the lines of code in a comment. They follow an empty line and are indented by four more spaces.
  private func code(in comment: [String]) -> [String] {
    var code: [String] = []
    var mayBegin = true
    for line in comment {
      let text = line.dropFirst(4)
      if text.hasPrefix("    "), mayBegin {
        code.append(String(text.dropFirst(4)))
      } else {
        mayBegin = text.isEmpty
      }
    }
    return code
  }

  /// Returns the code without comments, with one space between its words.
  private func words(in code: [String]) -> String {
    code.map { $0.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") }
      .joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  private func lines(of path: String) throws -> [String] {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
      .components(separatedBy: "\n")
  }
}
