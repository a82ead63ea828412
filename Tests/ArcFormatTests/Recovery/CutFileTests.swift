import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Recovery of files whose end is missing, including the segment in which the file ends.
final class CutFileTests: XCTestCase {
  /// Recovers an archive from the first bytes. Asserts that it is valid and that all its objects can be read.
  private func rest(of bytes: [UInt8], _ count: Int) throws -> (ArchiveFile, ArchiveRecovery) {
    let recovery = try ArchiveRecovery(bytes: bytes[..<count])
    let file = try ArchiveFile(verifying: try recovery.archive())
    for row in 0..<UInt32(file.rowCount) { _ = try file.object(ObjectID(rawValue: row)) }
    return (file, recovery)
  }

  /// Returns an archive of teams with members, which resembles usual archives.
  private func teams(_ count: Int, compression: Compression) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("teams", type: #"$[@"Team"]"#)], compression: compression)
    try builder.addClass(
      "Team",
      properties: [
        .init("name", type: #"@"NSString""#), .init("members", type: #"$[@"Member"]"#),
        .init("founded", type: #"@"NSDate""#),
      ])
    try builder.addClass(
      "Member",
      properties: [
        .init("name", type: #"@"NSString""#), .init("team", type: #"@"Team""#), .init("age", type: "q"),
        .init("mentor", attributes: #"T@"Member",W"#), .init("nick", type: #"$?@"NSString""#),
        .init("scores", type: "$[d]"), .init("role", type: #"$(Role="plain""head"{?="of"@"NSString"})"#),
      ])
    var teams: [ObjectID] = []
    for team in 0..<count / 10 {
      let teamID = try builder.reserveObject(ofClass: "Team")
      let members = try (0..<9).map { _ in try builder.reserveObject(ofClass: "Member") }
      teams.append(teamID)
      try builder.setValues(
        [
          "name": .string("team \(team)"), "members": .array(members.map { .reference($0) }),
          "founded": .date(Double(team) * 86_400),
        ], of: teamID)
      for (position, member) in members.enumerated() {
        let number = team * 9 + position
        try builder.setValues(
          [
            "name": .string("member \(number &* 7919 % 3001)"), "team": .reference(teamID),
            "age": .integer(Int128(20 + number % 50)), "mentor": .reference(members[0]),
            "nick": number % 3 == 0 ? .null : .string("nick \(number % 100)"),
            "scores": .array((0..<number % 4).map { .double(Double(number) / Double($0 + 3)) }),
            "role": position == 0
              ? .enumeration(
                name: "Role", case: "head",
                payload: .structure(name: "?", fields: [.init(name: "of", value: .string("team \(team)"))]))
              : .enumeration(name: "Role", case: "plain", payload: nil),
          ], of: member)
      }
    }
    try builder.setRoots(["teams": .array(teams.map { .reference($0) })])
    return try builder.finish()
  }

  func testHalfTheObjectsSurviveTruncationAtSeventyPercent() throws {
    for compression in [Compression.none, .zlib] {
      for count in [200, RandomTrials.size(usually: 500, exhaustively: 3000)] {
        let bytes = try teams(count, compression: compression)
        let (_, recovery) = try rest(of: bytes, bytes.count * 7 / 10)
        XCTAssertGreaterThanOrEqual(recovery.objectCount, count / 2, "\(count) \(compression)")
        XCTAssertFalse(recovery.losses.isEmpty)
        XCTAssertNil(recovery.losses.objectCount)
      }
    }
  }

  /// Rows come after their strings. In a small file with long strings, no truncation preserves both, and most
  /// truncations preserve only strings.
  func testTruncationWithinStringsYieldsCompleteStrings() throws {
    for compression in [Compression.none, .zlib] {
      let texts = (0..<300).map { number in
        "text \(number) " + String(repeating: "é\(number &* 7919 % 3001)", count: 40)
      }
      let builder = try ArchiveBuilder(
        roots: [.init("notes", type: #"$[@"Note"]"#)], compression: compression)
      try builder.addClass("Note", properties: [.init("text", type: #"@"NSString""#)])
      let notes = try texts.map { _ in try builder.reserveObject(ofClass: "Note") }
      for (note, text) in zip(notes, texts) { try builder.setValues(["text": .string(text)], of: note) }
      try builder.setRoots(["notes": .array(notes.map { .reference($0) })])
      let bytes = try builder.finish()
      let whole = try ArchiveFile(bytes: bytes)
      let segment = try XCTUnwrap(whole.segments.first { $0.kind == .strings })
      var counts: [Int] = []
      let lengths = stride(from: segment.byteOffset + 24, to: segment.endOffset, by: 997)
      for length in RandomTrials.sample(of: lengths, oneIn: compression == .none ? 8 : 2) {
        let (file, recovery) = try rest(of: bytes, length)
        XCTAssertEqual(recovery.objectCount, 0)
        XCTAssertEqual(recovery.strings, Array(texts.prefix(recovery.strings.count)), "\(length) bytes")
        counts.append(recovery.strings.count)
        guard !recovery.strings.isEmpty else { continue }
        XCTAssertEqual(recovery.losses.stringCount, 300 - recovery.strings.count, "\(length) bytes")
        let root = try file.roots()[ArchiveRecovery.recoveredStringsRootName]
        XCTAssertEqual(root, .array(recovery.strings.map { .string($0) }), "\(length) bytes")
      }
      XCTAssertEqual(counts, counts.sorted())
      XCTAssertGreaterThanOrEqual(try rest(of: bytes, bytes.count * 7 / 10).1.strings.count, 150)
    }
  }

  func testStringsOfRecoveredRowsAreNotListedSeparately() throws {
    let bytes = try teams(200, compression: .none)
    XCTAssertEqual(try rest(of: bytes, bytes.count * 9 / 10).1.strings, [])
    XCTAssertEqual(try ArchiveRecovery(bytes: bytes).strings, [])
  }

  func testObjectsAtTheTruncationKeepEarlierProperties() throws {
    let bytes = try teams(200, compression: .none)
    let whole = try ArchiveFile(bytes: bytes)
    let rows = try XCTUnwrap(whole.segments.last { $0.kind == .rows })
    let (file, recovery) = try rest(of: bytes, rows.byteOffset + rows.storedByteCount - 600)
    XCTAssertEqual(file.rowCount, whole.rowCount)
    XCTAssertEqual(recovery.segments.last?.info.count, whole.rowCount)
    XCTAssertEqual(recovery.segments.last?.isIntact, false)
    // The last properties of each member are lost. All other properties are unchanged.
    var lostKeys: Set<String> = []
    for row in 0..<UInt32(file.rowCount) {
      let (old, new) = (try whole.object(ObjectID(rawValue: row)), try file.object(ObjectID(rawValue: row)))
      for property in old.properties where property.key != "mentor" {
        let value = new[property.key]
        if value == property.value { continue }
        XCTAssertTrue(value == nil || value == .null, "\(row) \(property.key): \(String(describing: value))")
        if old.className == "Member" { lostKeys.insert(property.key) }
      }
      XCTAssertEqual(old.className, new.className)
    }
    XCTAssertEqual(lostKeys, ["role", "scores"])
    XCTAssertEqual(recovery.losses.valueCount, 2 * 180)
    // A lost property has no value. Recovery does not invent a value.
    let member = try XCTUnwrap(file.classes.first { $0.name == "Member" })
    XCTAssertEqual(member.columns.filter { $0.flags.contains(.keyed) }.map(\.key), ["scores", "role"])
  }

  func testObjectsOfClassesAfterTheTruncationAreLost() throws {
    let teamCount = RandomTrials.size(usually: 6, exhaustively: 20)
    let bytes = try teams(teamCount * 10, compression: .none)
    let whole = try ArchiveFile(bytes: bytes)
    let rows = try XCTUnwrap(whole.segments.last { $0.kind == .rows })
    // Finds the first length at which an object survives. Teams come first in the segment, and their names
    // come first in each team.
    for count in rows.byteOffset + 24..<rows.endOffset {
      let (file, recovery) = try rest(of: bytes, count)
      guard recovery.objectCount > 0 else { continue }
      XCTAssertEqual(recovery.objectCount, teamCount)
      XCTAssertFalse(recovery.losses.hasLostRoots)
      for row in 1..<UInt32(file.rowCount) {
        let team = try file.object(ObjectID(rawValue: row))
        XCTAssertEqual(team.className, "Team")
        XCTAssertEqual(team["name"], .string("team \(row - 1)"))
        XCTAssertNil(team["members"])
      }
      return
    }
    XCTFail("no object is left")
  }

  func testTruncationWithinRowsGivesArchiveOrError() throws {
    var archives = try Repository.goldenArchives()
    archives.append(("teams", try teams(20, compression: .none)))
    archives.append(("teams, compressed", try teams(100, compression: .zlib)))
    for (name, bytes) in archives {
      var most = 0
      for rows in try ArchiveFile(bytes: bytes).segments where rows.kind == .rows {
        let range = rows.byteOffset..<rows.endOffset
        let cuts = stride(from: range.lowerBound, to: range.upperBound, by: max(1, range.count / 25))
        for count in RandomTrials.sample(of: cuts, oneIn: 8) {
          let (_, recovery) = try rest(of: bytes, count)
          // A longer beginning of the file never yields fewer objects.
          XCTAssertGreaterThanOrEqual(recovery.objectCount, most, "\(name), \(count) bytes")
          most = recovery.objectCount
        }
      }
    }
  }

  func testClaimOfTooManyRowsIsRefused() throws {
    var payload = ByteWriter()
    payload.varint(1)
    payload.varint(0)
    payload.varint(1 << 35)
    let layout = try ColumnLayout(
      ClassDescription(
        name: "$roots", superclassIndex: nil,
        columns: [
          ColumnDescription(declaringClassIndex: 0, key: "a", attributes: .init(parsing: "Tq"), flags: [])
        ]))
    XCTAssertNil(TruncatedRows(payload.bytes, layouts: [layout], limits: .default))
    XCTAssertNil(TruncatedRows([], layouts: [layout], limits: .default))
  }
}
