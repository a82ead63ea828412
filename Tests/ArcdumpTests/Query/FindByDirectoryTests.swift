import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// `find` and `get` with a trusted chunk directory find the same objects as without it, and read less of the
/// file.
final class FindByDirectoryTests: XCTestCase {
  private static let count = 6_000
  /// The numbers of the readings in a usual run: the first and last numbers, and some in the middle.
  private static let fewNumbers = Array(0..<400) + Array(2_900..<3_100) + Array(5_400..<6_000)

  /// Returns an archive of readings and gaps in segments of some kilobytes. The numbers of the readings
  /// ascend. Some nicks are nil or NaN.
  private func archive(
    sortKey: String? = nil, numbers: [Int]? = nil, segmentByteCount: Int = 1 << 13
  ) throws -> [UInt8] {
    let builder = try ArchiveBuilder(roots: [.init("all", type: [ObjectID].self)])
    try builder.addClass(
      "Reading",
      properties: [
        .init("number", type: Int.self), .init("size", type: UInt64.self), .init("level", type: Double?.self),
        .init("ratio", type: Float.self), .init("date", type: "@\"NSDate\""),
        .init("name", type: String.self),
        .init("list", type: [Int].self), .init("previous", type: ObjectID?.self),
      ])
    try builder.addClass("Gap", properties: [.init("number", type: Int8.self)])
    try builder.addClass("Mark", properties: [.init("name", type: String.self)])
    var all: [ObjectID] = []
    for number in numbers ?? Array(0..<Self.count) {
      let reading: [ArchiveBuilder.Key: ArchiveValue] = [
        "number": .integer(Int128(number - 3000)),
        "size": .integer(Int128(UInt64.max) - Int128(Self.count - number)),
        "level": number % 3 == 0 ? .null : .double(number % 5 == 0 ? .nan : Double(number) / 4),
        "ratio": .float(Float(number) / 10), "date": .date(Double(number) * 86_400),
        "name": .string("reading \(number % 17)"), "list": .array([.integer(Int128(number))]),
        "previous": .reference(number % 4 == 0 ? all.last : nil),
      ]
      all.append(try builder.addObject(ofClass: "Reading", reading))
      if number % 100 == 0 {
        all.append(
          try builder.addObject(ofClass: "Gap", ["number": ArchiveValue.integer(Int128(number / 100))]))
      }
      if number % 1000 == 0 {
        all.append(try builder.addObject(ofClass: "Mark", ["name": ArchiveValue.string("mark")]))
      }
    }
    try builder.setRoots(["all": all])
    return try ArchiveArrangement.arrange(
      builder.finish(), sortedBy: sortKey, segmentByteCount: segmentByteCount, hasChunkDirectory: true)
  }

  /// Returns an archive of fewer readings in smaller segments, or the whole archive in an exhaustive run.
  private func sample(sortKey: String? = nil) throws -> [UInt8] {
    if RandomTrials.isExhaustive { return try archive(sortKey: sortKey) }
    return try archive(sortKey: sortKey, numbers: Self.fewNumbers, segmentByteCount: 1 << 12)
  }

  /// Returns the number of objects that a search finds, or its error.
  private func count(_ expression: String, _ bytes: [UInt8], trusts: Bool) throws -> String {
    let file = try ArchiveFile(bytes: bytes)
    file.trustsChunkDirectory = trusts
    var count = 0
    do {
      try QueryRunner(ObjectCatalog(file)).forEachObject(of: QueryParser.query(expression)) { _, _ in
        count += 1
      }
    } catch { return "\(error)" }
    return "\(count)"
  }

  private static let expressions = [
    "number > 2900", "number >= 2999", "number < -2999", "number <= -2990.5", "number == 12",
    "number == 12.5",
    "number in [5, 2000, -7]", "number in [5, 'x', nil]", "number > 99999999999999999999",
    "not number > 2900", "number > 2900 or level < 10", "number > 2900 and level < 10",
    "number > 2900 and level > 10",
    "level == nil", "level >= 1499.5", "level < 0.5", "size > 18446744073709551600",
    "size < 18446744073709545620",
    "size > 1.0e19", "ratio == 0.1", "ratio <= 0.1", "ratio >= 599.8", "ratio > 1.0e300", "ratio == 7",
    "date < '2001-01-05'", "date >= '2017-06-01T00:00:00Z'", "date == 5", "name == 'reading 3'", "name > 5",
    "name < 'reading 1'", "list > 5990", "list == 3", "list.@count == 1", "previous.number > 2990",
    "previous == nil", "@class == 'Gap' and number == 7", "Reading[number > 2990]", "Gap[number > 55]",
    "Gap", "Mark", "*", "*[number == 20]", "Mark[name == 'mark']", "number", "5 < number",
    "Reading[number > 0 and not (name == 'reading 4' or level > 700)]",
  ]

  // MARK: The same

  func testDirectoryDoesNotChangeTheFoundRows() throws {
    let (bytesByNumber, bytesByLevel) = (try sample(), try sample(sortKey: "Reading.level"))
    var trials = TrialSample(oneIn: 8)
    for bytes in [bytesByNumber, bytesByLevel] {
      let file = try ArchiveFile(bytes: bytes)
      try file.verify()
      XCTAssertGreaterThan(
        file.segments.count { $0.kind == .rows }, RandomTrials.size(usually: 8, exhaustively: 20))
      for expression in Self.expressions where trials.includesNext() {
        XCTAssertEqual(
          try count(expression, bytes, trusts: true), try count(expression, bytes, trusts: false), expression)
      }
    }
    XCTAssertEqual(try count("number > 2900", bytesByNumber, trusts: true), "99")
    XCTAssertEqual(try count("ratio <= 0.1", bytesByNumber, trusts: true), "2")
  }

  func testDirectoryDoesNotChangeQueryResults() throws {
    let bytes = try sample()
    for arguments in [
      ["find", "test.arc", "Reading[number > 2980]", "--group-by", "name", "--sum", "number"],
      ["find", "test.arc", "number >= 2995", "--json"], ["find", "test.arc", "number >= 2995"],
      ["get", "test.arc", "Reading[number >= 2990].previous.level"],
      ["get", "test.arc", "Reading[number == 2998]"],
    ] {
      func run(_ more: [String]) throws -> CommandResult {
        let command = try Arcdump.parseAsRoot(arguments + more) as? any InspectionCommand
        return try XCTUnwrap(command).result { _, _ in bytes }
      }
      let found = try run(["--trust"])
      XCTAssertEqual(found, try run([]), "\(arguments)")
      XCTAssertEqual(found.status, .ok, "\(arguments)")
    }
  }

  // MARK: Less

  /// Damages all segments of rows except the last segment.
  private func damaged(_ bytes: [UInt8]) throws -> [UInt8] {
    let segments = try ArchiveFile(bytes: bytes).segments.filter { $0.kind == .rows }
    var changed = bytes
    for segment in segments.dropLast() {
      for offset in segment.byteOffset + 24..<segment.byteOffset + 24 + segment.storedByteCount {
        changed[offset] ^= 1
      }
    }
    return changed
  }

  func testSegmentsWithoutMatchingNumbersAreNotRead() throws {
    let changed = try damaged(archive(sortKey: "Reading.number"))
    XCTAssertEqual(try count("number == 2999", changed, trusts: true), "1")
    XCTAssertEqual(try count("date > '2017-06-04' and not name == 'x'", changed, trusts: true), "1")
    XCTAssertTrue(try count("number == 2999", changed, trusts: false).contains("damagedSegment"))
    // Conditions for which the directory has no range are tested in all segments.
    for expression in ["name == 'reading 3'", "not number == 2999", "number == -2999", "Reading"] {
      let answer = try count(expression, changed, trusts: true)
      XCTAssertTrue(answer.contains("damagedSegment") || answer.contains("malformedSegment"), answer)
      XCTAssertTrue(try count(expression, changed, trusts: false).contains("damagedSegment"), expression)
    }
  }

  func testDamageInReadSegmentsIsDetected() throws {
    let bytes = try archive()
    let file = try ArchiveFile(bytes: bytes)
    let segment = try XCTUnwrap(file.segments.last { $0.kind == .rows })
    var (outputs, trustedFailures) = (Set<String>(), 0)
    var trials = TrialSample(oneIn: 10)
    for offset in stride(from: 0, to: segment.storedByteCount, by: 61) {
      var changed = bytes
      changed[segment.byteOffset + 24 + offset] ^= 1
      let trusted = try count("number >= 2999", changed, trusts: true)
      outputs.insert(trusted)
      if trusted != "1" { trustedFailures += 1 }
      XCTAssertTrue(trusted == "1" || trusted.contains("Segment") || trusted.contains("Mismatch"), trusted)
      guard trials.includesNext() else { continue }
      XCTAssertTrue(
        try count("number >= 2999", changed, trusts: false).contains("damagedSegment"), "\(offset)")
    }
    // The numbers are in one of eight columns.
    XCTAssertGreaterThan(trustedFailures, 0)
    XCTAssertTrue(outputs.contains("1"))
  }

  func testInvalidDirectoryNeverAddsRowsToResults() throws {
    let right = try XCTUnwrap(Repository.allArchives().first { $0.name == "directory/right.arc" }).bytes
    for (name, bytes) in try Repository.allArchives() where name.hasPrefix("directory/") {
      for expression in ["age > 7", "age < 0", "score >= 2", "P[age > 0 or score > 100]", "Q", "*"] {
        let truth = try XCTUnwrap(Int(count(expression, right, trusts: false)))
        XCTAssertEqual(try count(expression, bytes, trusts: false), "\(truth)", name)
        let answer = try count(expression, bytes, trusts: true)
        guard let found = Int(answer) else {
          XCTAssertTrue(answer.contains("Segment") || answer.contains("Mismatch"), "\(name): \(answer)")
          continue
        }
        XCTAssertLessThanOrEqual(found, truth, "\(name): \(expression)")
        if name.hasSuffix("right.arc") { XCTAssertEqual(found, truth, expression) }
      }
    }
  }
}
