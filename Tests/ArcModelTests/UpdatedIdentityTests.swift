import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import XCTest

/// Updates of objects that several objects share, and JSON values for constants.
final class UpdatedIdentityTests: XCTestCase {
  /// Readers that update in one pass, by an index, leniently, and with each option for references.
  private static let readers: [(name: String, reader: ModelReader, usesIndex: Bool)] = [
    ("one pass", ModelReader(), false), ("index", ModelReader(), true),
    ("lenient", ModelReader(.lenient), true), ("reported", ModelReader(unknownKeys: .reported), false),
    ("marked", ModelReader(references: .marked), false),
    ("identified", ModelReader(references: .identified), false),
    ("both", ModelReader(.lenient, references: [.marked, .identified]), false),
  ]

  private func updateInEachWay(
    _ text: String, updating objects: [any ModelIdentifiable]? = nil,
    _ check: (_ issues: [ModelIssue], _ one: Novel, _ other: Novel, _ writer: Writer, String) throws -> Void
  ) throws {
    for (name, reader, usesIndex) in Self.readers {
      let writer = Writer(id: 1)
      writer.name = "Ada"
      let (one, other) = (Novel(id: 10), Novel(id: 11))
      (one.writer, other.writer) = (writer, writer)
      var issues: [ModelIssue] = []
      do {
        if usesIndex {
          issues = try reader.update(one, from: JSONDocument(Array(text.utf8)), updating: objects)
        } else {
          issues = try reader.update(one, from: text, updating: objects)
        }
      } catch let error as ModelReadingError {
        issues = error.issues
      }
      XCTAssertTrue(other.writer === writer, name)
      XCTAssertEqual(writer.id, 1, name)
      try check(issues, one, other, writer, name)
    }
  }

  func testUpdateWithDifferentIdentityCreatesANewObject() throws {
    try updateInEachWay(#"{"writer": {"id": 2, "name": "Bob"}}"#) { issues, one, _, writer, name in
      XCTAssertEqual(issues, [], name)
      XCTAssertFalse(one.writer === writer, name)
      XCTAssertEqual(one.writer?.id, 2, name)
      XCTAssertEqual(one.writer?.name, "Bob", name)
      XCTAssertEqual(writer.name, "Ada", name)
    }
  }

  func testEqualOrMissingIdentityUpdatesTheExistingObject() throws {
    for text in [#"{"writer": {"id": 1, "name": "Eve"}}"#, #"{"writer": {"name": "Eve"}}"#] {
      try updateInEachWay(text) { issues, one, _, writer, name in
        XCTAssertEqual(issues, [], "\(name) \(text)")
        XCTAssertTrue(one.writer === writer, "\(name) \(text)")
        XCTAssertEqual(writer.name, "Eve", "\(name) \(text)")
      }
    }
  }

  func testUpdateWithNullIdentityCreatesANewObject() throws {
    for (name, reader, usesIndex) in Self.readers {
      let (album, track) = (Album(), Track())
      (track.id, track.name, album.first, album.all) = (5, "A", track, [track])
      let text = #"{"first": {"id": null, "name": "Z"}}"#
      if usesIndex {
        _ = try reader.update(album, from: JSONDocument(text))
      } else {
        _ = try reader.update(album, from: text)
      }
      XCTAssertEqual([track.id, album.first?.id], [5, nil], name)
      XCTAssertEqual([track.name, album.first?.name], ["A", "Z"], name)
      XCTAssertFalse(album.first === track, name)
    }
  }

  func testUpdateFindsDifferentIdentityAmongSuppliedObjects() throws {
    let stored = Writer(id: 2)
    try updateInEachWay(#"{"writer": {"id": 2, "name": "Bob"}}"#, updating: [Writer(id: 3), stored]) {
      issues, one, _, writer, name in
      XCTAssertEqual(issues, [], name)
      XCTAssertTrue(one.writer === stored, name)
      XCTAssertEqual(stored.name, "Bob", name)
      XCTAssertEqual(writer.name, "Ada", name)
    }
  }

  func testUpdateReportsDifferentValueOfAConstant() throws {
    try updateInEachWay(#"{"id": 99, "title": "new"}"#) { issues, one, _, _, name in
      XCTAssertEqual(issues.map(\.code), [.conflictingValue], name)
      XCTAssertEqual(
        issues.first?.description,
        "id: found 99, expected the current value of 'id', because 'id' is a constant", name)
      XCTAssertEqual(one.id, 10, name)
    }
    try updateInEachWay(#"{"id": 10, "title": "new"}"#) { issues, one, _, _, name in
      XCTAssertEqual(issues, [], name)
      XCTAssertEqual(one.title, "new", name)
    }
  }

  func testUpdateAcceptsEqualConstantsOfEachType() throws {
    let constants = Constants(json: ())
    let text = try constants.json()
    for reader in Self.readers.map(\.reader) {
      XCTAssertEqual(try reader.update(constants, from: text), [])
      for (path, other) in [
        ("text", #""other""#), ("number", "1.5"), ("maybe", "null"), ("list", "[1]"), ("pair", #"{"a": 2}"#),
      ] {
        let changed = "{\"\(path)\": \(other)}"
        var issues: [ModelIssue] = []
        do { issues = try reader.update(constants, from: changed) } catch let error as ModelReadingError {
          issues = error.issues
        }
        XCTAssertEqual(issues.map(\.code), [.conflictingValue], changed)
        XCTAssertEqual(issues.map(\.path), [path])
      }
    }
    XCTAssertEqual(try constants.json(), text)
  }

  func testClassChoiceCanRefuseAnObject() throws {
    let text = #"[{"id": 1, "kind": "hologram"}, {"id": 2, "kind": "video", "seconds": 9}]"#
    let (clips, issues) = try ModelReader(.lenient).readWithIssues([Clip].self, from: text)
    XCTAssertEqual(clips.map(\.id), [2])
    XCTAssertEqual((clips.first as? VideoClip)?.seconds, 9)
    XCTAssertEqual(issues.map(\.code), [.refused])
    XCTAssertEqual(issues.map(\.path), ["[0]"])
    XCTAssertThrowsError(try [Clip](json: text))
    let owner = ClipOwner()
    owner.clip = Clip(id: 7)
    XCTAssertThrowsError(try owner.update(json: #"{"clip": {"id": 7, "kind": "hologram"}}"#))
    XCTAssertEqual(owner.clip?.id, 7)
  }
}

@Archivable private final class Writer: ModelIdentifiable {
  @JSONRule(.required) let id: Int
  var name = ""
  init(id: Int) { self.id = id }
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable private final class Novel: ModelIdentifiable {
  let id: Int
  var title = ""
  var writer: Writer?
  init(id: Int) { self.id = id }
  static var identifyingProperties: [String] { ["id"] }
}

@Archivable private struct Pair {
  var a = 1
  var b: Int?
}

@Archivable private final class Constants {
  let text: String
  let number: Double
  let maybe: Int?
  let list: [Int]
  let pair: Pair
  init(json: ()) {
    (text, number, maybe, list) = ("text", 0.5, 3, [1, 2])
    pair = Pair()
  }
}

@Archivable private class Clip: JSONClassChoosing {
  struct UnknownKind: Error {}
  let id: Int
  init(id: Int) { self.id = id }
  static func modelClass(for object: JSONNode) throws -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case nil: nil
    case "video": VideoClip.self
    default: throw UnknownKind()
    }
  }
}

@Archivable private final class VideoClip: Clip {
  var seconds = 0
}

@Archivable private final class ClipOwner {
  var clip: Clip?
}

@Archivable private final class Album {
  var first: Track?
  var all: [Track] = []
}

@Archivable private final class Track: ModelIdentifiable {
  var id: Int?
  var name = ""

  static var identifyingProperties: [String] { ["id"] }
}
