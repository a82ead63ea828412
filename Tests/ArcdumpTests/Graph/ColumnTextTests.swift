import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

/// Text written from columns equals text written from the same values in memory.
final class ColumnTextTests: XCTestCase {
  func testObjectJSONFromColumnsEqualsJSONFromValues() throws {
    try forEachArchive { file, what in
      let catalog = ObjectCatalog(file)
      for row in 1..<UInt32(file.rowCount) {
        let object = try file.object(ObjectID(rawValue: row))
        let fromColumns = try json { try $0.object(object.id, catalog) }
        let fromValues = try json { json in
          try json.object {
            try json.member("id", Int(row))
            try json.member("class", object.className)
            try json.member("properties") {
              try json.object {
                for property in object.properties {
                  try json.member(catalog.name(of: property, in: object)) { try json.value(property.value) }
                }
              }
            }
          }
        }
        XCTAssertEqual(fromColumns, fromValues, "#\(row) of \(what)")
      }
    }
  }

  func testObjectLinesFromColumnsEqualLinesFromValues() throws {
    try forEachArchive { file, what in
      let catalog = ObjectCatalog(file)
      for (limit, isColored) in [(Int.max, false), (1, true), (0, false)] {
        var fromColumns = TreeLines(
          style: Style(isColored: isColored), isWhole: false, elementLimit: limit, byteLimit: .max)
        var fromValues = TreeLines(
          style: Style(isColored: isColored), isWhole: false, elementLimit: limit, byteLimit: .max)
        for row in 1..<UInt32(file.rowCount) {
          let object = try file.object(ObjectID(rawValue: row))
          let names = catalog.shownNames(ofClass: object.classIndex)
          try file.withColumns(of: object.id) { try fromColumns.append($0, names: names, level: 1) }
          for property in object.properties {
            try fromValues.append(
              catalog.value(of: property, in: object), .property(names[property.columnIndex]), level: 1)
          }
          XCTAssertEqual(description(fromColumns), description(fromValues), "#\(row) of \(what)")
          let (hidden, others) = (fromColumns.takeHiddenTargets(), fromValues.takeHiddenTargets())
          XCTAssertEqual(hidden, others, "#\(row) of \(what)")
          fromColumns.truncate(toText: 0, mentions: 0, collections: 0)
          fromValues.truncate(toText: 0, mentions: 0, collections: 0)
        }
      }
    }
  }

  func testObjectsCanBePrintedInAnyOrder() throws {
    try forEachArchive { file, what in
      let catalog = ObjectCatalog(file)
      let rows = 1..<UInt32(file.rowCount)
      let inOrder = try rows.map { row in try json { try $0.object(ObjectID(rawValue: row), catalog) } }
      var random = SplitMix64(seed: RandomTrials.seed())
      for row in rows.shuffled(using: &random) {
        XCTAssertEqual(
          try json { try $0.object(ObjectID(rawValue: row), catalog) }, inOrder[Int(row) - 1],
          "#\(row) of \(what)")
      }
    }
  }

  /// Calls a closure with an archive of all kinds of values, and with random archives.
  private func forEachArchive(_ body: (ArchiveFile, String) throws -> Void) throws {
    for (name, bytes) in [("kinds", try SampleArchives.kinds()), ("family", try SampleArchives.family())] {
      try body(ArchiveFile(bytes: bytes), name)
    }
    let seed = RandomTrials.seed()
    for number in 0..<12 {
      let seed = seed &+ UInt64(number)
      let bytes = try RandomArchive(seed: seed).bytes(rowCount: 2 + number * number, compression: .none)
      try body(ArchiveFile(bytes: bytes), "RandomArchive(seed: \(seed))")
    }
  }

  private func json(_ body: (JSONOutput) throws -> Void) throws -> String {
    var bytes: [UInt8] = []
    let output = Output { bytes += $0 }
    try body(JSONOutput(output: output, byteLimit: .max))
    try output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of lines and the objects to which they refer.
  private func description(_ lines: borrowing TreeLines) -> [String] {
    [String(decoding: [UInt8](lines.text.bytes), as: UTF8.self)] + lines.mentions.map { "\($0)" }
  }
}
