import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// References in converted values: each API reads the same graph as an `Unarchiver`.
final class PartConversionTests: XCTestCase {
  private lazy var holders = TrialSample(oneIn: 4)

  /// Reads a root by each API, and asserts that all results have the same description.
  private func assertEachWayReads<Old: ArchivableValue, New: Archivable>(
    _ old: Old, as type: New.Type, in classes: ClassTable = ClassTable(), _ expected: String? = nil,
    line: UInt = #line, _ words: (New) -> String
  ) throws {
    let bytes = try Archiver().archive(old)
    let unarchiver = Unarchiver(classes: classes)
    let whole = words(try unarchiver.unarchive(type, from: bytes))
    if let expected { XCTAssertEqual(whole, expected, line: line) }
    let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver)
    XCTAssertEqual(words(try session.object(type)), whole, "object", line: line)
    XCTAssertEqual(words(try session.value(type, at: "root")), whole, "value", line: line)
    let many = try Archiver().archive([old])
    let lazy = try LazyArchive(bytes: many, unarchiver: unarchiver).value([Lazy<New>].self, at: "root")
    XCTAssertNil(lazy[0].loadedObject, line: line)
    XCTAssertEqual(words(try lazy[0].load()), whole, "Lazy", line: line)
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("part.arc")
      try Archiver().write(old, to: url)
      let mapped = try LazyArchive(mapping: url, unarchiver: unarchiver).object(type)
      XCTAssertEqual(words(mapped), whole, "mapped", line: line)
      // The read graph can be saved.
      try Archiver().write(mapped, to: url)
      XCTAssertEqual(words(try unarchiver.read(type, from: url)), whole, "saved", line: line)
    }
  }

  /// Asserts that a value is read as another type: as a property, as a `let`, nested, and at a path. A usual
  /// run tries one of these four.
  private func assertReads<Old: ArchivableValue, New: ArchivableValue>(
    _ old: Old, as type: New.Type, _ expected: String, line: UInt = #line, _ words: (New) -> String
  ) throws {
    let classes = ClassTable()
    try classes.register(PartPicture.self)
    try classes.register(PartSketch.self)
    try classes.register(NewPropertyPart<New>.self, as: OldPropertyPart<Old>.archiveSchema.name)
    try classes.register(NewConstantPart<New>.self, as: OldConstantPart<Old>.archiveSchema.name)
    try classes.register(NewNestedPart<New>.self, as: OldNestedPart<Old>.archiveSchema.name)
    if holders.includesNext() {
      try assertEachWayReads(
        OldPropertyPart(old), as: NewPropertyPart<New>.self, in: classes, expected, line: line
      ) { words($0.value) }
    }
    if holders.includesNext() {
      try assertEachWayReads(
        OldConstantPart(old), as: NewConstantPart<New>.self, in: classes, expected, line: line
      ) { words($0.value) }
    }
    if holders.includesNext() {
      try assertEachWayReads(
        OldNestedPart(old), as: NewNestedPart<New>.self, in: classes,
        Array(repeating: expected, count: 6).joined(separator: ", "),
        line: line
      ) { part in
        var all = [part.field.value] + part.list + part.entries.values
        if case .some(let value, 3) = part.payload { all.append(value) }
        if let value = part.newName { all.append(value) }
        return all.map(words).joined(separator: ", ")
      }
    }
    guard holders.includesNext() else { return }
    let session = try LazyArchive(
      bytes: Archiver().archive(OldNestedPart(old)), unarchiver: Unarchiver(classes: classes))
    for path in ["root.field.value", "list[1]", #"root.entries["a"]"#, "payload.some.0"] {
      XCTAssertEqual(words(try session.value(type, at: path)), expected, path, line: line)
    }
  }

  private func picture(_ name: String = "c", next: String? = "d") -> PartPicture {
    let picture = PartPicture(name)
    picture.next = next.map { PartPicture($0) }
    return picture
  }

  private func words(_ picture: (any PartNamed)?) -> String {
    picture.map { "\($0.name)>\($0.next?.name ?? "nil")" } ?? "nil"
  }

  private func words(_ pictures: some Sequence<PartPicture>) -> String {
    "[" + pictures.map { words($0) }.sorted().joined(separator: " ") + "]"
  }

  // MARK: Changes

  func testReferenceIsReadAtDifferentOptionalLevels() throws {
    try assertReads(picture(), as: PartPicture?.self, "c>d") { words($0) }
    try assertReads(picture() as PartPicture?, as: PartPicture.self, "c>d") { words($0) }
    try assertReads(picture() as PartPicture??, as: PartPicture?.self, "c>d") { words($0) }
    try assertReads(picture() as PartPicture??, as: PartPicture.self, "c>d") { words($0) }
    try assertReads(picture(), as: PartPicture??.self, "c>d") { words($0 ?? nil) }
    try assertReads(picture() as PartPicture?, as: PartPicture??.self, "c>d") { words($0 ?? nil) }
  }

  func testReferenceIsReadAsListOfOneElement() throws {
    try assertReads(picture(), as: [PartPicture].self, "[c>d]") { words($0) }
    try assertReads(picture() as PartPicture?, as: [PartPicture].self, "[c>d]") { words($0) }
    try assertReads(picture() as PartPicture??, as: [PartPicture].self, "[c>d]") { words($0) }
    try assertReads(picture() as PartPicture?, as: Set<PartPicture>.self, "[c>d]") { words($0) }
    try assertReads(picture() as PartPicture?, as: [PartPicture?].self, "[c>d]") {
      words($0.compactMap { $0 })
    }
  }

  func testListsOfReferencesConvertToOtherCollections() throws {
    let list = [picture("a"), picture("b")]
    try assertReads(list, as: Set<PartPicture>.self, "[a>d b>d]") { words($0) }
    try assertReads(Set(list), as: [PartPicture].self, "[a>d b>d]") { words($0) }
    try assertReads(list, as: [PartPicture?].self, "[a>d b>d]") { words($0.compactMap { $0 }) }
    try assertReads(list as [PartPicture?], as: [PartPicture].self, "[a>d b>d]") { words($0) }
    try assertReads(list, as: [[PartPicture]].self, "[a>d b>d]") { words($0.flatMap { $0 }) }
    try assertReads(list as [PartPicture?], as: [[PartPicture]].self, "[a>d b>d]") {
      words($0.flatMap { $0 })
    }
  }

  func testReferencesConvertBetweenClassAndProtocolTypes() throws {
    let sketch = PartSketch("s")
    sketch.next = PartPicture("d")
    try assertReads(sketch, as: PartPicture.self, "s>d") { words($0) }
    try assertReads(sketch as PartSketch?, as: [PartPicture].self, "[s>d]") { words($0) }
    try assertReads([sketch], as: Set<PartPicture>.self, "[s>d]") { words($0) }
    try assertEachWayReads(
      OldAnyPart(sketch), as: NewAnyPart.self, "s>d [s>d] s>d [s>d] [s>d] [s>d]"
    ) { part in
      let lists = [part.list, part.fromAny.map { $0 }, Array(part.names.values)]
      return "\(words(part.one)) \(lists.first.map { "[\($0.map { words($0) }.joined())]" } ?? "") "
        + "\(words(part.other)) \(words(part.pictures)) "
        + lists.dropFirst().map { "[\($0.map { words($0) }.joined())]" }.joined(separator: " ")
    }
  }

  func testKeysAndValuesOfDictionariesAreConverted() throws {
    try assertReads(["k": picture()], as: [String: [PartPicture]].self, "[c>d]") { words($0["k"] ?? []) }
    try assertReads(["k": picture() as PartPicture?], as: [String: [PartPicture]].self, "[c>d]") {
      words($0["k"] ?? [])
    }
    try assertReads([picture(): 1], as: [PartPicture: Double].self, "[c>d]") { words($0.keys) }
    try assertReads([picture() as PartPicture?: 1], as: [PartPicture: Int].self, "[c>d]") { words($0.keys) }
    try assertReads([PartSketch("s"): picture()], as: [PartPicture: PartPicture?].self, "s>nil c>d") {
      "\(words($0.keys.first)) \(words($0.values.first ?? nil))"
    }
  }

  func testLazyReferencesAreConverted() throws {
    try assertReads(picture() as PartPicture?, as: [Lazy<PartPicture>].self, "c>d") {
      words(try? $0.first?.load())
    }
    try assertReads(picture() as PartPicture??, as: Lazy<PartPicture>?.self, "c>d") { words(try? $0?.load()) }
    try assertReads(Lazy(picture()), as: [PartPicture].self, "[c>d]") { words($0) }
    try assertReads([picture()] as [PartPicture?], as: [Lazy<PartPicture>].self, "c>d") {
      words(try? $0.first?.load())
    }
  }

  func testNilReferencesConvertToEmptyListsOrNil() throws {
    try assertReads(nil as PartPicture?, as: [PartPicture].self, "[]") { words($0) }
    try assertReads(nil as PartPicture??, as: [PartPicture].self, "[]") { words($0) }
    try assertReads(nil as PartPicture?, as: PartPicture??.self, "nil") { words($0 ?? nil) }
  }

  func testLazyArchiveRefusesValuesThatUnarchiverRefuses() throws {
    typealias New = NewPropertyPart<[PartPicture]>
    let old = OldPropertyPart(.some(nil) as PartPicture??)
    let classes = ClassTable()
    try classes.register(New.self, as: OldPropertyPart<PartPicture??>.archiveSchema.name)
    let bytes = try Archiver().archive(old)
    let unarchiver = Unarchiver(classes: classes)
    assertThrows(.nilReference) { try unarchiver.unarchive(New.self, from: bytes) }
    let session = try LazyArchive(bytes: bytes, unarchiver: unarchiver)
    assertThrows(.nilReference) { try session.object(New.self) }
    assertThrows(.nilReference) { try session.value([PartPicture].self, at: "root.value") }
  }

  // MARK: Older values, weak and unowned references

  func testLazyArchiveConvertsAnOlderReference() throws {
    func check<Old: ArchivableValue>(_ old: Old, _ expected: String) throws {
      let classes = ClassTable()
      try classes.register(NewMadePart.self, as: OldMadePart<Old>.archiveSchema.name)
      try assertEachWayReads(OldMadePart(old), as: NewMadePart.self, in: classes, expected) {
        words($0.made)
      }
    }
    try check(picture(), "[c>d]")
    try check(picture() as PartPicture?, "[c>d]")
    try check(picture() as PartPicture??, "[c>d]")
    try check(nil as PartPicture?, "[]")
  }

  func testOlderWeakReferenceIsReadAsStrongReference() throws {
    let old = OldWeakPart()
    old.keepers = [picture()]
    old.old = old.keepers.first
    try assertEachWayReads(old, as: NewWeakPart.self, "[c>d]") { words($0.made) }
  }

  func testOlderValueOfOmittedPropertyIsNotRead() throws {
    let classes = ClassTable()
    try classes.register(NewMadePart.self, as: OldMadePart<PartPicture>.archiveSchema.name)
    let session = try LazyArchive(
      bytes: Archiver().archive(OldMadePart(picture())), unarchiver: Unarchiver(classes: classes))
    let part = try session.object(NewMadePart.self, leavingOut: [.property("made", of: NewMadePart.self)])
    XCTAssertEqual(words(part.made), "[]")
    XCTAssertEqual(words(try session.object(NewMadePart.self).made), "[c>d]")
  }

  func testWeakAndUnownedReferencesAreConverted() throws {
    let kept = picture()
    try assertEachWayReads(OldKeptPart(kept), as: NewKeptPart.self, "[c>d] c>d c>d c>d c>d") { part in
      "\(words(part.keeper)) \(words(part.strong)) \(words(part.double)) \(words(part.weakly)) \(words(part.owner))"
    }
  }

  func testWeakPropertyIsSetWhenTargetIsLoaded() throws {
    let old = OldWeakHolder()
    old.pictures = [picture("p")]
    old.link = old.pictures[0]
    old.other = OldWeakHolder()
    old.other?.link = old.pictures[0]
    let session = try LazyArchive(bytes: Archiver().archive(old))
    let inner = try session.object(NewWeakHolder.self, at: "root.other")
    XCTAssertNil(inner.link)
    let target = try session.object(PartPicture.self, at: "root.pictures[0]")
    XCTAssertTrue(inner.link === target)
  }
}

@Archivable("Weak holder") private final class OldWeakHolder {
  var link: PartPicture??
  var other: OldWeakHolder?
  var pictures: [PartPicture] = []
  init() {}
}
@Archivable("Weak holder") private final class NewWeakHolder {
  weak var link: PartPicture?
  var other: NewWeakHolder?
  var pictures: [PartPicture] = []
  init() {}
}
