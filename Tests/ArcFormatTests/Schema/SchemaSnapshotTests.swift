import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Schema snapshots: their contents, malformed snapshots, and the effect of changes on old files.
final class SchemaSnapshotTests: XCTestCase {
  private static let text = #"""
    Arc schema 1

    root root: [Person] | $[@"Person"]
      in Point: x was left, lft

    root "two words": Int | q

    class Animal, version 7
      age: Double | default | d

    class "Box<Int, é>": Animal, keyed
      size: Int | keyed | q
      size: String | keyed | @"NSString"

    class Person: Animal, was OldPerson, "V 1"
      name: String | let, required, was "full name", title | @"NSString"
      mother: Person | weak, optional | @"Person"
      place: Point | required | {Point="x"d"y"d}
      "a\u{22}\u{5c}\u{7c}\u{202e}": Kind | $(Kind="one""two\u{7c}"{?="a"q})
      in Point: x was left

    """#

  func testParsedSnapshotTextIsWrittenUnchanged() throws {
    let snapshot = try SchemaSnapshot(parsing: Self.text)
    XCTAssertEqual(snapshot.description, Self.text)
    XCTAssertEqual(snapshot, try SchemaSnapshot(parsing: snapshot.description))
    XCTAssertEqual(snapshot.classes[2].properties[3].keys, ["a\"\\|\u{202E}"])
    XCTAssertEqual(snapshot.classes[2].formerNames, ["OldPerson", "V 1"])
  }

  func testNamesMayBeginWithCombiningMarks() throws {
    let text = #"""
      Arc schema 1

      class "\u{5c}\u{301}\u{22}\u{301}\u{202e}\u{301}é"
        "\u{301}é": \u{301}é | @"\u{301}é"

      """#
    let snapshot = try SchemaSnapshot(parsing: text)
    XCTAssertEqual(snapshot.classes[0].name, "\\\u{301}\"\u{301}\u{202e}\u{301}é")
    XCTAssertEqual(Array(snapshot.description.unicodeScalars), Array(text.unicodeScalars))
  }

  func testWindowsLineEndsAndTypeDescriptionsAreIgnored() throws {
    let snapshot = try SchemaSnapshot(parsing: Self.text)
    let other = Self.text.replacingOccurrences(of: "\n", with: "  \r\n")
      .replacingOccurrences(of: "name: String |", with: "name: text of later versions |")
    XCTAssertEqual(try SchemaSnapshot(parsing: other), snapshot)
    XCTAssertEqual(snapshot.changedLines(since: try SchemaSnapshot(parsing: other)), [])
  }

  func testErrorForTruncatedSnapshotNamesTheLine() throws {
    for count in Self.text.utf8.indices {
      let prefix = String(Self.text[..<count])
      do {
        _ = try SchemaSnapshot(parsing: prefix)
      } catch {
        XCTAssertNotNil(error.line, prefix)
      }
    }
  }

  func testErrorNamesTheInvalidLine() throws {
    let head = "Arc schema 1\nclass A\n"
    let table: [(text: String, code: SchemaSnapshotError.Code, line: Int)] = [
      ("", .malformedText, 1), ("Arc schema\n", .malformedText, 1), ("Arc schema x", .malformedText, 1),
      ("Arc schema 2\n", .unsupportedVersion, 1), ("Arc schema 99999999999999999999999", .malformedText, 1),
      ("Arc schema 1\n  a: Int | q", .malformedText, 2),
      ("Arc schema 1\nroot a: Int | q\n  a: Int | q", .malformedText, 3),
      ("Arc schema 1\nroot a: Int | q\nroot a: Int | q", .duplicateName, 3),
      ("Arc schema 1\nroot a: Int | default | q", .malformedText, 2),
      ("Arc schema 1\n<<<<<<< HEAD\n", .malformedText, 2),
      (head + "class A", .duplicateName, 3), (head + "class $roots", .duplicateName, 3),
      (head + "class B, was X\nclass C, was X", .duplicateName, 4),
      (head + "class B, was", .malformedText, 3),
      (head + "class B, version x", .malformedText, 3), (head + "class \"B", .malformedText, 3),
      (head + "class \"\\x\"", .malformedText, 3), (head + "class \"\\u{d800}\"", .malformedText, 3),
      (head + "class \"\\u{}\"", .malformedText, 3), (head + "class \"\\u{1234567890}\"", .malformedText, 3),
      (head + "class B: C", .unknownSuperclass, 3), (head + "class B: C\nclass C: B", .unknownSuperclass, 4),
      (head + "class B: B", .unknownSuperclass, 3),
      (head + "  a: Int | q\n  a: Int | q", .duplicateName, 4),
      (head + "  a: Int | keyed | q\n  a: Int | q", .duplicateName, 4),
      (head + "  a", .malformedText, 3), (head + "  a: Int", .malformedText, 3),
      (head + "  a: Int | nonsense | q", .malformedText, 3),
      (head + "  a: Int | default, required | q", .malformedText, 3),
      (head + "  a: Int | was | q", .malformedText, 3), (head + "  a: Int | was b c | q", .malformedText, 3),
      (head + "  a: Int | | | q", .malformedText, 3), (head + "  a: Int | qq", .malformedEncoding, 3),
      (head + "  a: Int | ", .malformedEncoding, 3), (head + "  a: Int | \\", .malformedEncoding, 3),
      (head + "  a: Int | weak | q", .malformedEncoding, 3),
      (head + "  a: Int | [4i]", .malformedEncoding, 3),
      (head + "  in P: x", .malformedText, 3), (head + "  in P: x was y z", .malformedText, 3),
    ]
    for (text, code, line) in table {
      XCTAssertThrowsError(try SchemaSnapshot(parsing: text), text) { error in
        XCTAssertEqual((error as? SchemaSnapshotError)?.code, code, text)
        XCTAssertEqual((error as? SchemaSnapshotError)?.line, line, text)
      }
    }
    XCTAssertThrowsError(try SchemaSnapshot(parsing: head + "  nam\u{1B} String")) {
      XCTAssertEqual(
        "\($0)",
        "malformedText: found the line '  nam\\u{1b} String', expected a line of the form "
          + "'KEY: Type | attributes | encoding' (line 3)")
    }
  }

  func testHostileTextIsRefusedQuickly() throws {
    // Each class inherits from the one before it.
    let count = RandomTrials.size(usually: 10_000, exhaustively: 100_000)
    let chain = (0..<count).map { "class C\($0)" + ($0 > 0 ? ": C\($0 - 1)" : "") }
    let tree =
      (0..<4_000).map { "class C\($0)" + ($0 > 0 ? ": C\($0 - 1)" : "") }
      + (0..<1_000).map { "class D\($0): C3999" }
    let circle = ["class C0: C\(count - 1)"] + chain.dropFirst()
    let wide = ["class C"] + (0..<5_000).map { "  k\($0): Int | q" }
    let long = ["class " + String(repeating: "C", count: 9 << 20)]
    let nested = ["class C", "  k: Int | " + String(repeating: "$?", count: count) + "q"]
    // Older names count like properties.
    let names = (0..<5_000).map { "k\($0)" }
    let older = ["class C", "  k: Int | was " + names.joined(separator: ", ") + " | q"]
    let parts = ["class C", "  k: Int | from " + names.joined(separator: " + ") + " | q"]
    let conversions = [
      "class C", "  k: Int | " + names.map { "from \($0)" }.joined(separator: ", ") + " | q",
    ]
    let former = ["class C, was " + names.joined(separator: ", ")]
    let fields = ["class C"] + names.map { "  in P: x was \($0)" }
    let olderFields = "  in P: x was " + names.joined(separator: ", ")
    // In a run that is not exhaustive, there are fewer roots. Together with their older names, they exceed
    // the limit.
    let roots =
      (0..<RandomTrials.size(usually: 10_000, exhaustively: 140_000)).map { "root r\($0): Int | q" }
      + Array(repeating: olderFields, count: RandomTrials.size(usually: 25, exhaustively: 0))
    let fieldsOfRoots = ["root r: Int | q"] + Array(repeating: olderFields, count: 30)
    let inherited =
      ["class C", "  k: Int | was " + names[..<3_000].joined(separator: ", ") + " | q"]
      + ["class D: C", "  k: Int | was " + names[..<3_000].joined(separator: ", ") + " | q"]
    for lines in [older, parts, conversions, former, fields, roots, fieldsOfRoots, inherited] {
      let text = "Arc schema 1\n" + lines.joined(separator: "\n")
      XCTAssertThrowsError(try SchemaSnapshot(parsing: text)) { error in
        XCTAssertEqual((error as? SchemaSnapshotError)?.code, .limitExceeded, lines[0])
      }
    }
    let most = "Arc schema 1\n" + inherited[..<2].joined(separator: "\n")
    XCTAssertEqual(try SchemaSnapshot(parsing: most).classes[0].properties[0].keys.count, 3_001)
    for (lines, code) in [
      (chain, SchemaSnapshotError.Code.limitExceeded), (tree, .limitExceeded), (circle, .unknownSuperclass),
      (wide, .limitExceeded), (long, .limitExceeded), (nested, .malformedEncoding),
    ] {
      let text = "Arc schema 1\n" + lines.joined(separator: "\n")
      XCTAssertThrowsError(try SchemaSnapshot(parsing: text)) { error in
        XCTAssertEqual((error as? SchemaSnapshotError)?.code, code, "\(error)".prefix(200).description)
        XCTAssertLessThan("\(error)".utf8.count, 1_000)
      }
    }
    XCTAssertThrowsError(try SchemaSnapshot(parsing: Array("Arc schema 1\n".utf8) + [0xFF]))
  }

  func testFuzzedTextGivesErrorOrStableText() throws {
    var generator = SplitMix64(seed: RandomTrials.seed())
    let bytes = Array(Self.text.utf8)
    for _ in 0..<RandomTrials.count(usually: 600, exhaustively: 3_000) {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let position = Int.random(in: changed.indices, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: changed[position] = .random(in: .min ... .max, using: &generator)
        case 1: changed.remove(at: position)
        default: changed.insert(changed[Int.random(in: changed.indices, using: &generator)], at: position)
        }
      }
      guard let snapshot = try? SchemaSnapshot(parsing: changed) else { continue }
      XCTAssertEqual(try SchemaSnapshot(parsing: snapshot.description), snapshot)
      let original = try SchemaSnapshot(parsing: Self.text)
      _ = try snapshot.differences(readingFilesOf: original)
      _ = try original.differences(readingFilesOf: snapshot)
      XCTAssertEqual(try snapshot.differences(readingFilesOf: snapshot), [], snapshot.description)
    }
  }

  func testSchemaDoesNotDifferFromItself() throws {
    let snapshot = try SchemaSnapshot(parsing: Self.text)
    XCTAssertEqual(try snapshot.differences(readingFilesOf: snapshot), [])
  }

  // MARK: Effects on old files

  /// Returns the effect of each difference, preceded by its class and key.
  private func effects(_ old: String, _ new: String) throws -> [String] {
    let head = "Arc schema 1\nroot root: C | @\"C\"\n"
    return try SchemaSnapshot(parsing: head + new)
      .differences(readingFilesOf: SchemaSnapshot(parsing: head + old))
      .map { [$0.className, $0.key, "\($0.effect)"].compactMap { $0 }.joined(separator: " ") }
  }

  private func assertEffects(
    _ old: String, _ new: String, _ expected: String..., line: UInt = #line
  ) throws {
    let change = try effects("class C\n  " + old + "\n", "class C\n  " + new + "\n")
    XCTAssertEqual(change, expected.map { "C " + $0 }, line: line)
  }

  func testEachPropertyChangeIsClassifiedByEffect() throws {
    try assertEffects("a: Int | required | q", "a: Int | let, required | q")
    try assertEffects("a: Int32 | required | i", "a: Int | required | q", "a converted")
    try assertEffects("a: Int | required | q", "a: Int8 | required | c", "a checked")
    try assertEffects("a: Int | required | q", "a: String | required | @\"NSString\"", "a refused")
    try assertEffects("a: Int | required | q", "b: Int | required | q", "b refused", "a lossy")
    try assertEffects("a: Int | required | q", "b: Int | default | q", "b compatible", "a lossy")
    try assertEffects("a: Int | required | q", "b: Int | required, was a | q", "b compatible")
    try assertEffects("a: Point | required | {P=\"x\"d\"y\"d}", "a: Point | required | {P=\"x\"d}", "a lossy")
  }

  func testPropertiesComputedFromOlderValuesNeedAReview() throws {
    let two = "a: Int | required | q\n  \"c d\": Int | required | q"
    try assertEffects("a: Int | required | q", "b: Int | required, from a | q", "b checked")
    try assertEffects(two, "b: Int | required, from a + \"c d\" | q", "b checked")
    try assertEffects(two, "b: Int | required, from x + a, from a, was y | q", "b checked", "c d lossy")
    try assertEffects(two, "b: Int | required, from a + x | q", "b refused", "a lossy", "c d lossy")
    try assertEffects("b: Int | default, from a | q", "b: Int | default | q", "b lossy")
    try assertEffects("b: Int | default, from a | q", "b: Int | required, from x, from a | q", "b refused")
    for words in ["from", "from ", "from a +", "from a, b", "from a +b"] {
      let text = "Arc schema 1\nclass C\n  b: Int | \(words) | q\n"
      XCTAssertThrowsError(try SchemaSnapshot(parsing: text), words)
    }
    let text = "Arc schema 1\n\nclass C\n  b: Int | required, from a + \"c d\", from e, was f | q\n"
    XCTAssertEqual(try SchemaSnapshot(parsing: text).description, text)
  }

  func testComparisonConsidersFilesOlderThanTheSnapshot() throws {
    try assertEffects("a: Int | required, was b, c | q", "a: Int | required, was b | q", "a refused")
    try assertEffects("a: Int | default, was b, c | q", "a: Int | default, was c | q", "a lossy")
    try assertEffects("a: Int | default | q", "a: Int | required | q", "a refused")
    try assertEffects("a: Int? | optional | $?q", "a: Int? | default | $?q")
    try assertEffects("a: Int? | optional | $?q", "a: Int | required | q", "a checked", "a refused")
    let point = "a: P | required | {P=\"x\"d}"
    try assertEffects(point + "\n  in P: x was y, z", point + "\n  in P: x was z", "checked")
    try assertEffects(point + "\n  in P: x was y", "a: P | required | {P=\"z\"d}", "a checked", "a lossy")
  }

  func testClassesAreFoundByTheirOlderNames() throws {
    XCTAssertEqual(try effects("class D\n", ""), ["D refused"])
    XCTAssertEqual(try effects("class D\n", "class E, was D\n"), [])
    XCTAssertEqual(try effects("class E, was D\n", "class E\n"), ["E refused"])
    XCTAssertEqual(try effects("class E, was D\n", "class E\nclass F, was D\n"), ["E refused"])
    // A registered name has precedence over the coded name of a class.
    XCTAssertEqual(
      try effects("class D\n  a: Int | required | q\n", "class D\nclass E, was D\n  a: Int | required | q\n"),
      [])
  }

  func testPropertyMovedBetweenClassAndSuperclassIsDetected() throws {
    let old = "class A\nclass C: A\n  a: Int | required | q\n"
    XCTAssertEqual(try effects(old, "class A\n  a: Int | default | q\nclass C: A\n"), ["A a compatible"])
    XCTAssertEqual(
      try effects(old, "class A\n  a: Int | required | q\nclass C: A\n"), ["A a refused"],
      "objects of the superclass did not have it")
    XCTAssertEqual(try effects(old, "class C\n  a: Int | required | q\n"), ["A refused"])
  }

  func testHandWrittenClassMayHaveUnknownProperties() throws {
    XCTAssertEqual(try effects("class C, keyed\n", "class C\n  a: Int | required | q\n"), ["C a checked"])
    XCTAssertEqual(try effects("class C\n  a: Int | required | q\n", "class C, keyed\n"), [])
    XCTAssertEqual(try effects("class C\n  a: Int | keyed | q\n", "class C\n  a: Int | keyed | q\n"), [])
    XCTAssertEqual(
      try effects("class C\n  a: Int | keyed | q\n", "class C\n  a: String | keyed | @\"NSString\"\n"),
      ["C a refused"])
  }

  func testAddedAndRemovedRootsAreReported() throws {
    let (one, other) = ("Arc schema 1\nroot a: Int | q\n", "Arc schema 1\nroot b: Int | q\n")
    let found = try SchemaSnapshot(parsing: other)
      .differences(readingFilesOf: SchemaSnapshot(parsing: one))
    XCTAssertEqual(found.map(\.effect), [.refused, .lossy])
    XCTAssertEqual(found.map(\.key), ["b", "a"])
  }

  // MARK: Changed lines

  func testChangedLinesAreListedBelowTheirClass() throws {
    let new = Self.text
      .replacingOccurrences(of: "  name: String | let, required", with: "  name: String? | let, optional")
      .replacingOccurrences(of: "  age: Double | default | d\n", with: "")
      .replacingOccurrences(of: "root \"two words\": Int | q", with: "root \"two words\": Int32 | i")
      .replacingOccurrences(of: "class \"Box<Int, é>\": Animal, keyed", with: "class Box: Animal, keyed")
    let changed = try SchemaSnapshot(parsing: new)
      .changedLines(since: SchemaSnapshot(parsing: Self.text))
    XCTAssertEqual(
      changed.joined(separator: "\n"),
      #"""
      - root "two words": Int | q
      + root "two words": Int32 | i
        class Animal, version 7
      -   age: Double | default | d
      + class Box: Animal, keyed
      +   size: Int | keyed | q
      +   size: String | keyed | @"NSString"
        class Person: Animal, was OldPerson, "V 1"
      -   name: String | let, required, was "full name", title | @"NSString"
      +   name: String | let, optional, was "full name", title | @"NSString"
      - class "Box<Int, é>": Animal, keyed
      -   size: Int | keyed | q
      -   size: String | keyed | @"NSString"
      """#)
  }

  func testSchemaOfAFileMatchesTheFile() throws {
    for (name, bytes) in try Repository.goldenArchives() {
      let file = try ArchiveFile(bytes: bytes)
      let snapshot = file.schemaSnapshot
      XCTAssertEqual(try SchemaSnapshot(parsing: snapshot.description), snapshot, name)
      XCTAssertEqual(try file.differences(readBy: snapshot), [], name)
      XCTAssertEqual(try snapshot.differences(readingFilesOf: snapshot), [], name)
    }
  }
}
