import Arc
import ArcJSON
import ArcModel
import ArcTestSupport
import Foundation
import XCTest

/// A property of each format of dates.
@Archivable("ConversionDates") final class ConversionDates {
  @JSONFormat(.iso8601) var iso8601: Date?
  @JSONFormat(.rfc1123) var rfc1123: Date?
  @JSONFormat(.secondsSince1970) var seconds: Date?
  @JSONFormat(.millisecondsSince1970) var milliseconds: Date?
  init() {}
}

@Archivable("ConversionCase") enum ConversionCase: Equatable {
  case empty
  case circle(radius: Int)
}

@Archivable("ConversionStructure") struct ConversionStructure: Equatable { var note: String? }
@Archivable("ConversionClass") final class ConversionClass {
  var note = ""
  init() {}
}

/// The page about conversions shows the actual results of readers, for each type and each sample of each kind
/// of JSON.
final class ConversionPageTests: XCTestCase {
  func testEachTypeConvertsAsTheConversionPageStates() throws {
    var trials = TrialSample(oneIn: 5)
    let tables = try Self.tables()
    let samples = try Self.samples(in: XCTUnwrap(tables.dropFirst().first))
    let kinds = samples.keys.sorted()
    XCTAssertGreaterThanOrEqual(kinds.count, 18)
    let rows = try XCTUnwrap(tables.first).dropFirst()
    XCTAssertGreaterThanOrEqual(rows.count, 16)
    for row in rows {
      let exact = try Self.kinds(in: row[1], of: samples)
      let lenient = try Self.kinds(in: row[2], of: samples)
      XCTAssertEqual(exact.intersection(lenient), [], row[0])
      let types = Self.code(in: row[0])
      XCTAssertFalse(types.isEmpty, row[0])
      for (type, kind) in types.flatMap({ type in kinds.map { (type, $0) } }) {
        let word = exact.contains(kind) ? "exact" : lenient.contains(kind) ? "lenient" : "never"
        for sample in samples[kind] ?? [] where trials.includesNext() {
          XCTAssertEqual(try Self.outcome(sample, type).word, word, "\(sample) as \(type)")
        }
      }
    }
  }

  func testEdgeCasesConvertAsTheConversionPageStates() throws {
    let tables = try Self.tables()
    XCTAssertEqual(tables.count, 3)
    let edges = try XCTUnwrap(tables.last).dropFirst()
    XCTAssertGreaterThanOrEqual(edges.count, 90)
    for edge in edges {
      for type in Self.code(in: edge[0]) {
        for sample in Self.code(in: edge[1]) {
          let (word, value) = try Self.outcome(sample, type)
          XCTAssertEqual(word, edge[2], "\(sample) as \(type)")
          XCTAssertEqual(value ?? "", Self.code(in: edge[3]).first ?? "", "\(sample) as \(type)")
        }
      }
    }
  }

  // MARK: The page

  /// Returns the tables of the page as the cells of each row, header first.
  private static func tables() throws -> [[[String]]] {
    let url = Repository.root.appendingPathComponent("Sources/ArcModel/ArcModel.docc/Conversions.md")
    var tables: [[[String]]] = []
    var isTable = false
    for line in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n") {
      let isRow = line.hasPrefix("|")
      if isRow, !isTable { tables.append([]) }
      isTable = isRow
      guard isRow, !line.hasPrefix("|--") else { continue }
      let cells = line.components(separatedBy: "|").dropFirst().dropLast()
      tables[tables.count - 1].append(cells.map { $0.trimmingCharacters(in: .whitespaces) })
    }
    return tables
  }

  /// Returns the text in each pair of backticks.
  private static func code(in cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  /// Returns the samples of each kind of JSON, by its name on the page.
  private static func samples(in table: [[String]]) throws -> [String: [String]] {
    let pairs = table.dropFirst().map { ($0[0], code(in: $0[1])) }
    for (kind, samples) in pairs { XCTAssertFalse(samples.isEmpty, kind) }
    return Dictionary(uniqueKeysWithValues: pairs)
  }

  /// Returns the kinds that a cell lists, such as `any number; 0 or 1 in a string` or `any string but UUID,
  /// base64`.
  private static func kinds(in cell: String, of samples: [String: [String]]) throws -> Set<String> {
    var kinds: Set<String> = []
    for item in cell.components(separatedBy: "; ") where !item.isEmpty {
      let parts = item.components(separatedBy: " but ")
      let others = parts.count > 1 ? parts[1].components(separatedBy: ", ") : []
      let listed = all(parts[0], of: samples)
      for kind in listed + others where samples[kind] == nil { throw UnknownKind(name: kind) }
      kinds.formUnion(Set(listed).subtracting(others))
    }
    return kinds
  }

  /// Returns the kinds to which a name on the page refers: a single kind, or all kinds of a group.
  private static func all(_ name: String, of samples: [String: [String]]) -> [String] {
    let numbers = samples.keys.filter { samples[$0]?.first?.first?.isNumber == true }
    return switch name {
    case "any number": numbers
    case "any number in a string": numbers.map { "\($0) in a string" }
    case "any string": samples.keys.filter { samples[$0]?.first?.hasPrefix("\"") == true }
    default: [name]
    }
  }

  private struct UnknownKind: Error {
    let name: String
  }

  // MARK: Results of readers

  /// Returns the kind of conversion from a text to a type, and the value.
  private static func outcome(_ text: String, _ type: String) throws -> (word: String, value: String?) {
    switch type {
    case "Bool": outcome(text, Bool.self)
    case "Int8": outcome(text, Int8.self)
    case "Int16": outcome(text, Int16.self)
    case "Int32": outcome(text, Int32.self)
    case "Int": outcome(text, Int.self)
    case "Int128": outcome(text, Int128.self)
    case "UInt8": outcome(text, UInt8.self)
    case "UInt16": outcome(text, UInt16.self)
    case "UInt32": outcome(text, UInt32.self)
    case "UInt64": outcome(text, UInt64.self)
    case "UInt128": outcome(text, UInt128.self)
    case "Float": outcome(text, Float.self)
    case "Double": outcome(text, Double.self)
    case "String": outcome(text, String.self) { $0.debugDescription }
    case "Character": outcome(text, Character.self)
    case "Decimal": outcome(text, Decimal.self)
    case "Date": outcome(text, Date.self) { words(for: $0) }
    case ".iso8601": date(text, "iso8601", \.iso8601)
    case ".rfc1123": date(text, "rfc1123", \.rfc1123)
    case ".secondsSince1970": date(text, "seconds", \.seconds)
    case ".millisecondsSince1970": date(text, "milliseconds", \.milliseconds)
    case "UUID": outcome(text, UUID.self)
    case "URL": outcome(text, URL.self) { $0.absoluteString }
    case "URL?": optional(text, URL.self)
    case "[URL]": outcome(text, [URL].self)
    case "Data": outcome(text, Data.self) { "\(Array($0))" }
    case "[Int]": outcome(text, [Int].self)
    case "Set<Int>": outcome(text, Set<Int>.self) { "\($0.sorted())" }
    case "[Int: Int]": outcome(text, [Int: Int].self)
    case "[String: Int]": outcome(text, [String: Int].self)
    case "structure": outcome(text, ConversionStructure.self) { "\($0.note ?? "nil")" }
    case "class": outcome(text, ConversionClass.self) { $0.note }
    case "enum": outcome(text, ConversionCase.self)
    case "Level": outcome(text, Level.self)
    case "Rank": outcome(text, Rank.self)
    case "Int?": optional(text, Int.self)
    case "class?": optional(text, ConversionClass.self)
    case "[Int?]": outcome(text, [Int?].self) { "\($0.map { $0.map { "\($0)" } ?? "nil" })" }
    default: throw UnknownColumn(type: type)
    }
  }

  private struct UnknownColumn: Error {
    let type: String
  }

  /// Returns the kind of conversion by strict and lenient reading, and the value of the first reader that
  /// accepts the text.
  private static func outcome<Value: ArchivableValue>(
    _ text: String, _ type: Value.Type, _ words: (Value) -> String = { "\($0)" }
  ) -> (word: String, value: String?) {
    let lenient = try? ModelReader(.lenient).readWithIssues(type, from: text)
    let value = lenient.flatMap { $0.issues.isEmpty ? words($0.value) : nil }
    if let strict = try? ModelReader().read(type, from: text) {
      // If a strict reader accepts a text, a lenient reader must return an equal value.
      return (words(strict) == value ? "exact" : "differs", words(strict))
    }
    return (value == nil ? "never" : "lenient", value)
  }

  /// Returns the result for an optional. Only nil differs from the results of the wrapped type.
  private static func optional<Value: ArchivableValue>(
    _ text: String, _ type: Value.Type
  ) -> (word: String, value: String?) {
    outcome(text, Value?.self) { $0 == nil ? "nil" : "a value" }
  }

  private static func date(
    _ text: String, _ name: String, _ property: KeyPath<ConversionDates, Date?>
  ) -> (word: String, value: String?) {
    outcome("{\"\(name)\": \(text)}", ConversionDates.self) { $0[keyPath: property].map(words) ?? "nil" }
  }

  /// Returns a date in seconds since 1970.
  private static func words(for date: Date) -> String { "\(date.timeIntervalSince1970)" }
}
