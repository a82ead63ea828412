import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// A long string that many objects share. The time of a command is proportional to the sizes of the file and
/// of the output.
final class LongTextTests: XCTestCase {
  private static let commands: [[String]] = [
    ["tree"], ["get", "root"], ["export", "--format", "dot"], ["stats"], ["info"], ["classes"],
    ["find", "Note[text == 'x']"], ["find", "Board[notes.text contains 'zz']"],
    ["get", "root.notes.text.@count"],
    ["get", "root.map"], ["holders", "#3"],
  ]

  /// Returns an archive of notes that share a string, in a property, in an array, as a key and as a field of
  /// a structure.
  private func archive(_ text: String, count: Int) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("root", type: "@\"Board\"")], compression: .zlib)
    try builder.addClass(
      "Note",
      properties: [
        .init("text", type: "@\"NSString\""), .init("list", type: "$[@\"NSString\"]"),
        .init("map", type: "$<@\"NSString\":@>"), .init("field", type: "{Field=\"text\"@\"NSString\"}"),
      ])
    try builder.addClass(
      "Board", properties: [.init("notes", type: "$[@\"Note\"]"), .init("map", type: "$<@\"NSString\":q>")])
    let note: [ArchiveBuilder.Key: ArchiveValue] = [
      "text": .string(text), "list": .array([.string(text)]),
      "map": .dictionary([.init(key: .string(text), value: .reference(nil))]),
      "field": .structure(name: "Field", fields: [.init(name: "text", value: .string(text))]),
    ]
    let notes = try (0..<count).map { _ in try builder.addObject(ofClass: "Note", note) }
    let board = try builder.addObject(
      ofClass: "Board",
      [
        "notes": ArchiveValue.array(notes.map { .reference($0) }),
        "map": .dictionary([.init(key: .string(text), value: 1)]),
      ])
    try builder.setRoots(["root": .reference(board)])
    return try builder.finish()
  }

  private func seconds(_ line: [String], on bytes: [UInt8]) throws -> Double {
    let start = ContinuousClock.now
    let words = [line[0], "test.arc"] + line.dropFirst()
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(words) as? any InspectionCommand)
    let result = command.result { _, _ in bytes }
    XCTAssertEqual(result.errors, "", "\(line)")
    let time = ContinuousClock.now - start
    return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  }

  /// The cache of strings cannot contain both strings. A careless reader would decompress a string for each
  /// reference to it.
  func testAlternatingLongStringsAreNotReloadedPerReference() throws {
    let builder = try ArchiveBuilder(roots: [.init("root", type: "$[@\"Note\"]")], compression: .zlib)
    try builder.addClass("Note", properties: [.init("text", type: "@\"NSString\"")])
    let texts = ["a", "b"].map { ArchiveValue.string(String(repeating: $0, count: 9 << 20)) }
    let count = RandomTrials.size(usually: 600, exhaustively: 1_500)
    let notes = try (0..<count).map { try builder.addObject(ofClass: "Note", ["text": texts[$0 % 2]]) }
    try builder.setRoots(["root": .array(notes.map { .reference($0) })])
    let bytes = try builder.finish()
    XCTAssertLessThan(try seconds(["tree"], on: bytes), Double(count) / 150)
  }

  func testEachCommandReadsASharedStringOnce() throws {
    let count = 400
    // A string that is printed unchanged, and a string with characters that must be escaped.
    for part in RandomTrials.sample(of: ["abcdefgh", "é\n\"\u{1B}äöü"], oneIn: 2) {
      let short = try archive(String(repeating: part, count: 200), count: count)
      let long = try archive(String(repeating: part, count: 100_000), count: count)
      for command in RandomTrials.sample(of: Self.commands, oneIn: 5) {
        let (base, time) = (try seconds(command, on: short), try seconds(command, on: long))
        // Reading the string for each reference would mean reading gigabytes.
        XCTAssertLessThan(time, 10 * base + 3, "\(command) \(part)")
      }
    }
  }
}
