package import Arc
import ArcArchive
import ArcFormat
import XCTest

/// A type that Arc archives, with its name in the table of supported types, and with values that test its
/// limits.
package struct SupportedType {
  /// The name in the table of supported types.
  package let name: String
  private let check: (StaticString, UInt) throws -> Void

  /// Creates a supported type from its encoding and values. `isSame` compares the archived values with the
  /// values that were read.
  package init<Value: ArchivableValue>(
    _ name: String, _ encoding: String, _ values: [Value], isSame: @escaping (Value, Value) -> Bool
  ) {
    self.name = name
    check = { file, line in
      XCTAssertEqual(TypeEncoding(of: Value.self).description, encoding, name, file: file, line: line)
      XCTAssertFalse(values.isEmpty, name, file: file, line: line)
      try RoundTrips(name: name, isSame: isSame, file: file, line: line).check(values)
    }
  }

  /// Creates a supported type whose values are compared by `==`.
  package init<Value: ArchivableValue & Equatable>(_ name: String, _ encoding: String, _ values: [Value]) {
    self.init(name, encoding, values, isSame: ==)
  }

  /// Asserts that the values are archived and read without a change at each location that a value can have.
  package func assertRoundTrips(file: StaticString = #filePath, line: UInt = #line) throws {
    do { try check(file, line) } catch { XCTFail("\(name): \(error)", file: file, line: line) }
  }
}

/// Archives the values of one type in every container that can contain them.
private struct RoundTrips<Value: ArchivableValue> {
  let name: String
  let isSame: (Value, Value) -> Bool
  let file: StaticString
  let line: UInt

  func check(_ values: [Value]) throws {
    for value in values {
      assertSame([try copy(value)], [value], "itself")
      let holder = try copy(Holder(value))
      assertSame([holder.constant, holder.value], [value, value], "property")
      assertSame([holder.record.field], [value], "field")
      assertSame([holder.record.optional, nil], [value, nil], "optional field")
      assertSame([holder.optional, holder.other], [value, nil], "optional property")
      assertSame(holder.choices.flatMap(\.values), [value, value, value], "payload")
      assertSame([try copy(Keyed(value)).value], [value], "value by key")
    }
    assertSame(try copy(values), values, "array")
    assertSame(try copy([nil] + values + [nil]), [nil] + values + [nil], "array of optionals")
    assertSame(try copy([values, [], values]).flatMap { $0 }, values + values, "array of arrays")
    let dictionary = Dictionary(uniqueKeysWithValues: values.enumerated().map { ("\($0)", $1) })
    let copied = try copy(dictionary)
    assertSame(values.indices.map { copied["\($0)"] }, values, "dictionary")
    let doubled = try copy([.some(.some(values[0])), .some(nil), nil] as [Value??])
    XCTAssertTrue(
      doubled.count == 3 && doubled[2] == nil, "\(name) as double optional", file: file, line: line)
    assertSame([doubled[0] ?? nil, doubled[1] ?? nil], [values[0], nil], "double optional")
    if let type = Value.self as? any (ArchivableValue & Hashable).Type { try checkKeys(values, type) }
  }

  private func checkKeys<Key: ArchivableValue & Hashable>(_ values: [Value], _ type: Key.Type) throws {
    let keys = Set(values.compactMap { $0 as? Key })
    XCTAssertFalse(keys.isEmpty, name, file: file, line: line)
    let set = try copy(keys)
    let dictionary = try copy(Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    XCTAssertEqual(set.count, keys.count, "\(name) as element", file: file, line: line)
    XCTAssertEqual(dictionary.count, keys.count, "\(name) as key", file: file, line: line)
    for key in keys where key == key {
      XCTAssertTrue(set.contains(key), "\(name): \(key) as element", file: file, line: line)
      XCTAssertEqual(dictionary[key], 1, "\(name): \(key) as key", file: file, line: line)
    }
  }

  /// Archives and reads a root, and asserts that archiving the result gives the same bytes. Returns the
  /// result.
  private func copy<Root: ArchivableValue>(_ root: Root) throws -> Root {
    let archiver = Archiver(isCanonical: true)
    let bytes = try archiver.archive(root)
    try ArchiveFile(bytes: bytes).verify()
    let copy = try Unarchiver().unarchive(Root.self, from: bytes)
    XCTAssertEqual(try archiver.archive(copy), bytes, "\(name) as \(Root.self)", file: file, line: line)
    return copy
  }

  private func assertSame(_ copies: [Value?], _ values: [Value?], _ place: String) {
    let areSame =
      copies.count == values.count
      && zip(copies, values).allSatisfy { copy, value in
        if let copy, let value { isSame(copy, value) } else { copy == nil && value == nil }
      }
    XCTAssertTrue(areSame, "\(name) as \(place): \(copies) is not \(values)", file: file, line: line)
  }
}

/// The values as properties of an object.
@Archivable private final class Holder<Value: ArchivableValue> {
  let constant: Value
  var value: Value
  var optional: Value?
  var other: Value?
  var record: Record<Value>
  var choices: [Choice<Value>]
  init(_ value: Value) {
    constant = value
    self.value = value
    optional = value
    record = Record(field: value, optional: value)
    choices = [.one(value), .none, .two(first: value, value), .two(first: nil, value)]
  }
}

/// The values as fields of a structure.
@Archivable private struct Record<Value: ArchivableValue> {
  var before = 1
  var field: Value
  var optional: Value?
}

/// The values as payloads of an enumeration.
@Archivable private enum Choice<Value: ArchivableValue> {
  case none
  case one(Value)
  case two(first: Value?, Value)

  var values: [Value] {
    switch self {
    case .none: []
    case .one(let value): [value]
    case .two(let first, let second): first.map { [$0] } ?? [second]
    }
  }
}

/// The value of a hand-written class.
private final class Keyed<Value: ArchivableValue>: Archivable {
  let value: Value
  init(_ value: Value) { self.value = value }
  init(from decoder: borrowing ObjectDecoder) throws {
    value = try decoder.decode(Value.self, forKey: "value")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(value, forKey: "value") }
  func link(from decoder: borrowing ObjectDecoder) throws {}
}
