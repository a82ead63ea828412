import Arc
import XCTest

/// An optional object is converted as an optional number is, in each way of reading.
final class OptionalReferenceTests: XCTestCase {
  /// Words for a value, in which a number is an object with this number.
  private func words(_ value: Any) -> String {
    if let pet = value as? OptionalPet { return "\(pet.number)" }
    if let tag = value as? OptionalTag { return "\(tag.number)" }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { "some(\(words($0.value)))" } ?? "nil"
    case .collection: return "[" + mirror.children.map { words($0.value) }.joined(separator: ", ") + "]"
    default: return "\(value)"
    }
  }

  private func result<Value>(_ read: () throws -> Value) -> String {
    do { return words(try read()) } catch {
      let code = (error as? ArchiveError)?.code
      // What a type cannot hold has another code for objects than for other values.
      return code == .nilReference || code == .valueOutOfRange ? "refused" : "\(error)"
    }
  }

  /// What each way of reading makes of a value.
  private func results<Old: ArchivableValue, New: ArchivableValue>(
    _ old: Old, as type: New.Type
  ) throws -> Set<String> {
    let classes = ClassTable()
    try classes.register(OptionalPet.self)
    try classes.register(NewOptional<New>.self, as: OldOptional<Old>.archiveSchema.name)
    let unarchiver = Unarchiver(classes: classes)
    let (property, root) = try (Archiver().archive(OldOptional(old)), Archiver().archive([old]))
    return [
      result { try unarchiver.unarchive(NewOptional<New>.self, from: property).value },
      result {
        try LazyArchive(bytes: property, unarchiver: unarchiver).object(NewOptional<New>.self).value
      },
      result { try LazyArchive(bytes: property, unarchiver: unarchiver).value(New.self, at: "root.value") },
      result { try unarchiver.unarchive([New].self, from: root)[0] },
    ]
  }

  /// Reads values of each type with optionals or lists around `value` as each other one.
  private func table<Value: ArchivableValue>(_ value: Value) throws -> [String: Set<String>] {
    var table: [String: Set<String>] = [:]
    func add<Old: ArchivableValue>(_ form: String, _ old: Old) throws {
      func add<New: ArchivableValue>(_ name: String, _ type: New.Type) throws {
        table["\(form) \(words(old)) as \(name)"] = try results(old, as: type)
      }
      try add("V", Value.self)
      try add("V?", Value?.self)
      try add("V??", Value??.self)
      try add("V???", Value???.self)
      try add("[V]", [Value].self)
      try add("[V?]", [Value?].self)
      try add("[V??]", [Value??].self)
      try add("[V]?", [Value]?.self)
      try add("[V?]?", [Value?]?.self)
      try add("[[V]]", [[Value]].self)
      try add("[[V?]?]", [[Value?]?].self)
      try add("[V]??", [Value]??.self)
    }
    for old in [value, nil] as [Value?] { try add("V?", old) }
    for old in [value, .some(nil), nil] as [Value??] { try add("V??", old) }
    for old in [value, .some(.some(nil)), .some(nil), nil] as [Value???] { try add("V???", old) }
    for old in [[value], nil] as [[Value]?] { try add("[V]?", old) }
    try add("[V?]", [nil, value] as [Value?])
    try add("[V??]", [nil, .some(nil), value] as [Value??])
    try add("[[V?]?]", [nil, [nil, value]] as [[Value?]?])
    return table
  }

  func testOptionalObjectsStructuresAndCasesAreConvertedAsOptionalNumbers() throws {
    let numbers = try table(7)
    let others = [
      try table(OptionalPet(7)), try table(OptionalTag(number: 7)),
    ]
    for (name, expected) in numbers {
      XCTAssertEqual(expected.count, 1, "\(name): \(expected)")
      for other in others { XCTAssertEqual(other[name], expected, name) }
    }
    XCTAssertEqual(numbers["V? nil as V??"], ["nil"])
    XCTAssertEqual(numbers["V? nil as [V]?"], ["nil"])
    XCTAssertEqual(numbers["V? nil as [V]"], ["[]"])
    XCTAssertEqual(numbers["V? nil as V"], ["refused"])
    XCTAssertEqual(numbers["V?? some(nil) as V?"], ["refused"])
    XCTAssertEqual(numbers["V?? some(nil) as [V?]"], ["[nil]"])
    XCTAssertEqual(numbers["V?? some(nil) as [V]"], ["refused"])
  }
}

@Archivable("Optional pet") private final class OptionalPet {
  var number: Int
  init(_ number: Int) { self.number = number }
}
@Archivable("Optional tag") private struct OptionalTag { var number: Int }
@Archivable private final class OldOptional<Value: ArchivableValue> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
@Archivable private final class NewOptional<Value: ArchivableValue> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
