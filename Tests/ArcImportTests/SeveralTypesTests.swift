import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcForeign

/// Tables in which the values of one key have several types. The archive has a column per type, and each row
/// is read from the column that has its value.
final class SeveralTypesTests: XCTestCase {
  private static let rows = [
    "{}", "{\"a\":null}", "{\"a\":true}", "{\"a\":7}", "{\"a\":1.5}", "{\"a\":\"s\"}", "{\"a\":\"12\"}",
    "{\"a\":[\"x\"]}", "{\"a\":[]}", "{\"a\":{\"x\":1}}", "{\"a\":9007199254740993}",
  ]

  private func archive(_ rows: [Int]) throws -> [UInt8] {
    try TableImport.archive(
      of: TableSource(
        Array(rows.map { Self.rows[$0] }.joined(separator: "\n").utf8), .jsonLines, className: "Row"),
      limits: .untrusted
    ).archive
  }

  private enum Outcome: Equatable {
    case values([String])
    case failure(ArchiveError.Code)
  }

  /// The results of reading all rows at once, the root of a lazy archive, and each row by itself.
  private func outcomes<Row: SeveralTypesRow>(_ type: Row.Type, _ bytes: [UInt8], _ count: Int) throws
    -> [Outcome]
  {
    let classes = ClassTable()
    try classes.register(type)
    let unarchiver = Unarchiver(classes: classes)
    func outcome(_ body: () throws -> [Row]) throws -> Outcome {
      do { return .values(try body().map(\.text)) } catch let error as ArchiveError {
        return .failure(error.code)
      }
    }
    return [
      try outcome { try unarchiver.unarchive([Row].self, from: bytes) },
      try outcome { try LazyArchive(bytes: bytes, unarchiver: unarchiver).value([Row].self, at: "root") },
      try outcome {
        let archive = try LazyArchive(bytes: bytes, unarchiver: unarchiver)
        return try (0..<count).map { try archive.object(Row.self, at: "root[\($0)]") }
      },
    ]
  }

  /// Each row of a table of several rows is read as it is in a table of its own, or the table is refused
  /// because a row of it is refused.
  func testEachRowReadsTheColumnOfItsValue() throws {
    let all = Self.rows.indices
    var tables = all.flatMap { one in all.map { [one, $0] } }
    var random = SplitMix64(seed: RandomTrials.seed())
    for _ in 0..<RandomTrials.count(usually: 10, exhaustively: 60) {
      tables.append(
        (0..<Int.random(in: 3...6, using: &random)).map { _ in all.randomElement(using: &random) ?? 0 })
    }
    let singles = try all.map { try archive([$0]) }
    let archives = try tables.map { try archive($0) }
    for type in severalTypesRows {
      let alone = try singles.map { try outcomes(type, $0, 1) }
      for (table, bytes) in zip(tables, archives) {
        for (way, outcome) in try outcomes(type, bytes, table.count).enumerated() {
          var values: [String] = []
          var isRefused = false
          for row in table {
            switch alone[row][way] {
            case .values(let value): values += value
            case .failure: isRefused = true
            }
          }
          if case .failure(let code) = outcome {
            XCTAssertTrue(isRefused, "\(type), \(table), way \(way): \(code)")
            XCTAssertTrue(
              [.typeMismatch, .valueOutOfRange, .unknownClass, .migrationFailed].contains(code), "\(code)")
          } else if !isRefused {
            XCTAssertEqual(outcome, .values(values), "\(type), \(table), way \(way)")
          } else {
            // A column without values fits only types that can be nil. In a column with values, nil may fit.
            XCTAssertTrue(table.contains(1) || table.contains(8), "\(type), \(table), way \(way)")
          }
        }
      }
    }
  }

  func testUnfittingRowIsNamed() throws {
    let bytes = try archive([4, 3, 5])
    let error = assertThrows(ArchiveError.self) {
      try Unarchiver(classes: ClassTable()).unarchive([DirectDouble].self, from: bytes)
    }
    XCTAssertEqual(error?.code, .typeMismatch)
    XCTAssertEqual(error?.className, "Row")
    XCTAssertEqual(error?.key, "a")
    XCTAssertEqual(error?.objectID, ObjectID(rawValue: 3))
    XCTAssertTrue("\(error as Any)".contains("at root[2].a"), "\(error as Any)")
    XCTAssertFalse("\(error as Any)".contains("hand-written"), "\(error as Any)")
  }

  func testValuesOfAllColumnsAreRead() throws {
    let rows = try Unarchiver(classes: ClassTable())
      .unarchive([DirectDouble].self, from: archive([4, 3, 2, 0]))
    XCTAssertEqual(rows.map(\.a), [1.5, 7, 1, -1])
  }
}
