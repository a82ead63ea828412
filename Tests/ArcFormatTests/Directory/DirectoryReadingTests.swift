import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Columns that are read with a chunk directory have the same values as without the directory. Less of the
/// file is read.
final class DirectoryReadingTests: XCTestCase {
  private static let count = RandomTrials.size(usually: 4_000, exhaustively: 40_000)
  private static let quarter = count / 4
  /// A suffix that makes notes so long that few rows fill several segments.
  private static let noteEnd = String(repeating: ".", count: RandomTrials.size(usually: 600, exhaustively: 0))

  private static func name(_ index: Int) -> String { "\(index / quarter) reading \(index % 17)" }

  /// Returns an archive of several segments, in which rows of two classes alternate.
  private func archive(compression: Compression = .none) throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("all", type: [ObjectID].self)], compression: compression, hasChunkDirectory: true)
    try builder.addClass(
      "Reading",
      properties: [
        .init("number", type: Int.self), .init("size", type: UInt16.self), .init("level", type: Double?.self),
        .init("name", type: String.self), .init("tags", type: [String].self),
        .init("previous", type: ObjectID?.self), .init("note", type: String.self),
      ])
    try builder.addClass("Gap", properties: [.init("number", type: Int.self)])
    var all: [ObjectID] = []
    for first in stride(from: 0, to: Self.count, by: 1000) {
      let numbers = Array(first..<first + 1000)
      let ids = try builder.reserveObjects(ofClass: "Reading", count: 1000)
      try builder.setValues(
        [
          .init("number", numbers.map { $0 - 500 }), .init("size", numbers.map { UInt16($0) }),
          .init("level", numbers.map { $0 % 3 == 0 ? nil : $0 % 5 == 0 ? Double.nan : Double($0) / 4 }),
          .init("name", numbers.map(Self.name)),
          .init("tags", numbers.map { Array(repeating: "tag", count: $0 % 3) }),
          .init("previous", numbers.map { $0 % 2 == 0 ? nil : ids[0] }),
          .init("note", numbers.map { "what somebody noted of the reading \($0)\(Self.noteEnd)" }),
        ], of: ids)
      let gaps = try builder.reserveObjects(ofClass: "Gap", count: 10)
      try builder.setValues([.init("number", Array(first..<first + 10))], of: gaps)
      all += ids
    }
    try builder.setRoots(["all": all])
    return try builder.finish()
  }

  private func trusted(_ bytes: [UInt8]) throws -> ArchiveFile {
    let file = try ArchiveFile(bytes: bytes)
    file.trustsChunkDirectory = true
    return file
  }

  /// Returns the values of all columns, by class and key.
  private func columns(of file: ArchiveFile) throws -> [String: [ArchiveValue]] {
    var columns: [String: [ArchiveValue]] = [:]
    for description in file.classes {
      for column in description.columns {
        columns["\(description.name).\(column.key)"] = try file.rows(ofClass: description.name)
          .column(column.key)
      }
    }
    return columns
  }

  /// Asserts that columns have equal values. NaN counts as equal to NaN.
  private func assertEqual(
    _ columns: [String: [ArchiveValue]], _ others: [String: [ArchiveValue]], line: UInt = #line
  ) {
    XCTAssertEqual(columns.keys.sorted(), others.keys.sorted(), line: line)
    for (key, values) in columns {
      let other = others[key] ?? []
      XCTAssertEqual(values.count, other.count, key, line: line)
      let difference = zip(values, other).first { $0 != $1 && "\($0)" != "\($1)" }
      XCTAssertNil(difference, key, line: line)
    }
  }

  private func bound(_ number: Int) -> ArchiveValue { .integer(Int128(number)) }

  /// Returns the bytes with one changed bit.
  private func damaged(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    var bytes = bytes
    bytes[offset] ^= 1
    return bytes
  }

  // MARK: The same values

  func testDirectoryDoesNotChangeColumnValues() throws {
    for compression in [Compression.none, .zlib] {
      let bytes = try archive(compression: compression)
      let plain = try columns(of: ArchiveFile(bytes: bytes))
      let file = try trusted(bytes)
      XCTAssertGreaterThan(file.rowsSegments.count, 2)
      XCTAssertNotNil(try file.usableDirectory())
      try assertEqual(columns(of: file), plain)
    }
  }

  func testValidFixtureDirectoriesDoNotChangeColumnValues() throws {
    let names = [
      "right", "compressed", "without-ranges", "not-last", "points", "points-compressed", "points-none",
    ]
    for name in names {
      let bytes = try fixture(name)
      let plain = try columns(of: ArchiveFile(bytes: bytes))
      XCTAssertNotNil(plain["P.friend"])
      try assertEqual(columns(of: trusted(bytes)), plain)
    }
  }

  func testDirectoryIsTrustedOnlyAfterVerification() throws {
    let file = try ArchiveFile(bytes: fixture("right"))
    XCTAssertNil(try file.usableDirectory())
    try file.verify()
    XCTAssertNotNil(try file.usableDirectory())
  }

  func testDirectoryDoesNotChangeColumnsOfSeveralClasses() throws {
    var archives = try ["right", "compressed", "without-ranges", "not-last"].map(fixture)
    archives.append(try archive())
    for bytes in archives {
      let (plain, trusted) = (try ArchiveFile(bytes: bytes), try trusted(bytes))
      let requests = plain.classes.indices.map { index in
        RowsRequest(classIndex: index, columns: Array(plain.classes[index].columns.indices))
      }
      // Every column, every second column, and only the first column.
      for step in [1, 2, 100] {
        let requests = requests.map { request in
          RowsRequest(
            classIndex: request.classIndex, columns: request.columns.filter { $0 % step == step / 2 })
        }
        func values(_ file: ArchiveFile) throws -> [String] {
          var values: [String] = []
          try file.forEachBatch(of: requests) { classIndex, ids, batch in
            XCTAssertEqual(ids, batch.ids)
            let columns = try requests[classIndex].columns.map { try batch.column(at: $0)?.values() }
            values.append("\(classIndex) \(ids) \(columns)")
          }
          return values
        }
        XCTAssertEqual(try values(trusted), try values(plain))
      }
    }
  }

  // MARK: Less of the file

  func testReadingOneColumnIgnoresDamageInOtherColumns() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    // The last byte of a segment of rows belongs to the last column of the last class.
    let segment = file.segments[file.rowsSegments[1]]
    let changed = damaged(
      bytes, at: segment.byteOffset + SegmentHeader.byteCount + segment.storedByteCount - 1)
    assertThrows(.damagedSegment) {
      try ArchiveFile(bytes: changed).rows(ofClass: "Reading").column("number", as: Int.self)
    }
    XCTAssertEqual(
      try trusted(changed).rows(ofClass: "Reading").column("number", as: Int.self),
      (0..<Self.count).map { $0 - 500 })
    assertThrows(.damagedSegment) { try columns(of: trusted(changed)) }
  }

  func testSegmentsOutsideTheBoundsAreNotRead() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    // All bytes of the last segment of rows are damaged.
    let segment = file.segments[try XCTUnwrap(file.rowsSegments.last)]
    var changed = bytes
    for offset in 0..<segment.storedByteCount {
      changed[segment.byteOffset + SegmentHeader.byteCount + offset] ^= 1
    }
    let rows = try trusted(changed).rows(ofClass: "Reading")
    XCTAssertThrowsError(try rows.column("number", as: Int.self))
    XCTAssertEqual(try rows.where("number", atMost: 5).column("number", as: Int.self), Array(-500...5))
    XCTAssertEqual(try rows.where("size", atMost: 5).column("size", as: Int.self), Array(0...5))
    XCTAssertEqual(
      try rows.where("level", atMost: 2).column("level", as: Double?.self), [0.25, 0.5, 1, 1.75, 2])
    XCTAssertThrowsError(try rows.where("number", atLeast: bound(Self.count - 1_000)).ids())
  }

  // MARK: Conditions

  func testBoundsSelectTheSameRowsAsFiltering() throws {
    let bytes = try archive()
    let numbers = Array(0..<Self.count)
    let quarter = Self.quarter
    // The level occurs only in the last quarter.
    let level = Self.count * 9 / 40
    for file in [try trusted(bytes), try ArchiveFile(bytes: bytes)] {
      let rows = try file.rows(ofClass: "Reading")
      func found(_ rows: ArchiveRows) throws -> [Int] {
        try rows.column("number", as: Int.self).map { $0 + 500 }
      }
      let some = try rows.where("number", atLeast: bound(quarter - 500), atMost: bound(quarter - 300))
      XCTAssertEqual(try found(some), Array(quarter...quarter + 200))
      XCTAssertEqual(try found(rows.where("number", atLeast: 50_000)), [])
      XCTAssertEqual(try found(rows.where("number")), numbers)
      XCTAssertEqual(
        try found(rows.where("level", atLeast: bound(level), atMost: .float(Float(level + 1)))),
        (4 * level...4 * level + 4).filter { $0 % 3 != 0 && $0 % 5 != 0 })
      XCTAssertEqual(try found(rows.where("level")).count, numbers.count { $0 % 3 != 0 && $0 % 5 != 0 })
      XCTAssertEqual(
        try found(rows.where("name", atLeast: "2 reading 13", atMost: "2 reading 13")),
        numbers.filter { Self.name($0) == "2 reading 13" })
      XCTAssertEqual(try found(rows.where("name", atLeast: "3")), Array(3 * quarter..<Self.count))
      XCTAssertEqual(
        try found(rows.where("name", atMost: "0 reading 1")), (0..<quarter).filter { $0 % 17 <= 1 })
      let ids = try rows.where("number", atLeast: 100, atMost: 101).ids()
      XCTAssertEqual(try ids.map { try file.object($0)["number"]?.int }, [100, 101])
      XCTAssertEqual(try rows.where("number", atMost: -499).column("previous", as: ObjectID?.self).count, 2)
      XCTAssertEqual(
        try found(rows.where("number", atLeast: bound(quarter - 500)).where("name", atMost: "0 reading 1")),
        [])
      let both = try rows.where("number", atMost: bound(quarter - 300))
        .where("number", atLeast: bound(quarter - 301))
      XCTAssertEqual(try found(both), [quarter + 199, quarter + 200])
      var batches: [[Int]] = []
      try both.forEachBatch { batch in
        let numbers = try batch.column("number").values(as: Int.self)
        XCTAssertEqual(batch.isMatching.count, batch.count)
        batches.append(zip(numbers, batch.isMatching).filter(\.1).map(\.0))
      }
      XCTAssertEqual(batches, [[quarter - 301, quarter - 300]])
      XCTAssertEqual(try rows.ids().count, Self.count)
    }
  }

  func testStringBoundsAreComparedByBytes() throws {
    let texts = [
      "", "Z", "a", "e\u{301}", "z", "\u{e9}", "\u{ffff}", "\u{10000}", "same eight bytes", "same eig",
    ]
    let builder = try ArchiveBuilder(roots: [], hasChunkDirectory: true)
    try builder.addClass("C", properties: [.init("k", type: String.self)])
    let ids = try builder.reserveObjects(ofClass: "C", count: texts.count)
    try builder.setValues([.init("k", texts)], of: ids)
    let file = try trusted(builder.finish())
    for least in texts {
      for most in texts {
        let expected = texts.filter { text in
          !text.utf8.lexicographicallyPrecedes(least.utf8) && !most.utf8.lexicographicallyPrecedes(text.utf8)
        }
        XCTAssertEqual(
          try file.rows(ofClass: "C").where("k", atLeast: .string(least), atMost: .string(most))
            .column("k", as: String.self).map { Array($0.utf8) },
          expected.map { Array($0.utf8) }, "\(least) to \(most)")
      }
    }
  }

  func testExtremeDatesAndNumbersAreFoundWithinBounds() throws {
    let builder = try ArchiveBuilder(roots: [], hasChunkDirectory: true)
    try builder.addClass(
      "C",
      properties: [
        .init("date", type: "@\"NSDate\""), .init("signed", type: Int64.self),
        .init("unsigned", type: UInt64.self),
      ])
    for (date, signed, unsigned) in [(-1.0, Int64.min, UInt64.min), (.nan, 0, 1 << 63), (7, .max, .max)] {
      _ = try builder.addObject(
        ofClass: "C",
        [
          "date": ArchiveValue.date(date), "signed": .integer(Int128(signed)),
          "unsigned": .integer(Int128(unsigned)),
        ])
    }
    let rows = try trusted(builder.finish()).rows(ofClass: "C")
    XCTAssertEqual(try rows.where("date", atLeast: .date(0)).column("signed", as: Int64.self), [.max])
    XCTAssertEqual(try rows.where("date").column("signed", as: Int64.self), [.min, .max])
    XCTAssertEqual(
      try rows.where("signed", atLeast: .integer(Int128(Int64.max))).column("signed", as: Int64.self), [.max])
    XCTAssertEqual(try rows.where("signed", atMost: .integer(.min)).ids(), [])
    XCTAssertEqual(
      try rows.where("unsigned", atLeast: .unsigned(1 << 63)).column("unsigned", as: UInt64.self),
      [1 << 63, .max])
    XCTAssertEqual(try rows.where("unsigned", atLeast: .unsigned(.max)).ids(), [])
  }

  func testBoundsOfUnsuitableTypesAreRefused() throws {
    let rows = try trusted(archive()).rows(ofClass: "Reading")
    for (key, bound) in [
      ("number", ArchiveValue.double(1.5)), ("number", "a"), ("name", 1), ("level", .date(1)), ("tags", 1),
      ("previous", 1),
    ] {
      assertThrows(.typeMismatch, for: "\(key)") { try rows.where(key, atLeast: bound) }
    }
    assertThrows(.missingKey) { try rows.where("none", atLeast: 1) }
    assertThrows(.missingKey) { try rows.where("number", atLeast: 1).column("none", as: Int.self) }
  }

  // MARK: Directories that lie

  private func fixture(_ name: String) throws -> [UInt8] {
    try XCTUnwrap(
      Repository.allArchives().first { $0.name == "directory/\(name).arc" }, "no fixture \(name)"
    ).bytes
  }

  /// Reads all columns of an archive with a directory that may be wrong, each column as a whole and within
  /// bounds. Asserts that a reading either throws or returns a subsequence of the column's values.
  ///
  /// - Returns: The number of readings that threw an error.
  private func refusals(_ bytes: [UInt8], _ right: [String: [ArchiveValue]], _ name: String) throws -> Int {
    let file = try ArchiveFile(bytes: bytes, limits: .untrusted)
    var refusalCount = 0
    file.trustsChunkDirectory = true
    func check(_ key: String, _ read: () throws -> [ArchiveValue]) throws {
      do {
        let values = try read()
        var rest = try XCTUnwrap(right[key])[...]
        for value in values {
          // NaN is not equal to itself.
          let index = try XCTUnwrap(rest.firstIndex { "\($0)" == "\(value)" }, "\(name): \(key) has \(value)")
          rest = rest[(index + 1)...]
        }
      } catch let error as ArchiveError {
        XCTAssertNotEqual(error.code, .fileSystem)
        refusalCount += 1
      }
    }
    for description in file.classes {
      let rows = try file.rows(ofClass: description.name)
      for column in description.columns {
        let key = "\(description.name).\(column.key)"
        try check(key) { try rows.column(column.key) }
        for bound in right[key] ?? [] where bound != .null {
          guard let matching = try? rows.where(column.key, atLeast: bound, atMost: bound) else { continue }
          try check(key) { try matching.column(column.key) }
        }
      }
    }
    return refusalCount
  }

  func testEachInvalidDirectoryIsRefusedOrHarmless() throws {
    let right = try columns(of: ArchiveFile(bytes: fixture("right")))
    var found: [String: Int] = [:]
    for (name, bytes) in try Repository.allArchives() where name.hasPrefix("directory/") {
      let refusalCount = try refusals(bytes, right, name)
      let rule = name.dropFirst("directory/".count).prefix { $0 != "-" && $0 != "." }
      found[String(rule), default: 0] += refusalCount > 0 ? 1 : 0
      // A reader that does not trust the file reads all rows, or throws an error.
      let stranger = try ArchiveFile(bytes: bytes, limits: .untrusted)
      _ = try? stranger.verify()
      try assertEqual(columns(of: stranger), right)
    }
    // All readings refuse a directory that is invalid by itself. Other wrong statements are refused only by
    // readings that use them.
    XCTAssertEqual(found["Y1"], 2)
    XCTAssertEqual(found["Y2"], 9)
    XCTAssertEqual(found["Y3"], 10)
    XCTAssertEqual(found["Y4"], 2)
    XCTAssertEqual(found["Y5"], 0)
    XCTAssertEqual(found["Y6"], 2)
    XCTAssertEqual(found["Y7"], 5)
    XCTAssertEqual(found["Y8"], 4)
    // If points are wrong, the reader reads the segment without them.
    XCTAssertEqual(found["Y9"], 0)
    XCTAssertEqual(found["Y10"], 0)
    XCTAssertEqual(found["right"], 0)
    XCTAssertEqual(found["points"], 0)
  }

  func testFuzzedDirectoryIsRefusedOrHarmless() throws {
    let bytes = try fixture("right")
    let right = try columns(of: ArchiveFile(bytes: bytes))
    var random = SplitMix64(seed: RandomTrials.seed())
    let trialCount = RandomTrials.count(usually: 100, exhaustively: 500)
    var refusedCount = 0
    for _ in 0..<trialCount {
      var archive = try HandMadeArchive(takingApart: bytes)
      let index = try XCTUnwrap(archive.segments.firstIndex { $0.kind == "CDIR" })
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let offset = archive.segments[index].raw.indices.randomElement(using: &random) ?? 0
        archive.segments[index].raw[offset] = UInt8.random(
          in: 0...(Bool.random(using: &random) ? 4 : 255), using: &random)
      }
      if try refusals(archive.bytes(), right, "changed") > 0 { refusedCount += 1 }
    }
    XCTAssertGreaterThan(refusedCount, trialCount / 8)
  }

  func testFuzzedArchiveNeverTraps() throws {
    var mutator = ArchiveMutator(seed: RandomTrials.seed())
    let bytes = [try fixture("right"), try fixture("compressed"), try fixture("points")]
    for trial in 0..<RandomTrials.count(usually: 150, exhaustively: 500) {
      guard let file = try? ArchiveFile(bytes: mutator.changed(bytes[trial % 3]), limits: .untrusted) else {
        continue
      }
      file.trustsChunkDirectory = true
      _ = try? columns(of: file)
      for description in file.classes {
        for column in description.columns {
          _ = try? file.rows(ofClass: description.name).where(column.key, atLeast: 1).ids()
        }
      }
    }
  }
}
