import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Keys that refer to objects, where a release does not know all of these objects or their properties.
final class PreservedKeyTests: XCTestCase {
  private func unarchiver(
    _ types: [any ArchivableValue.Type], _ policy: UnknownContentPolicy = .refuse
  ) throws -> Unarchiver {
    let classes = try ClassTable(declaring: types)
    return Unarchiver(classes: classes, unknownContent: policy)
  }

  /// Has the earlier release change a table. Returns the table that the later release then reads.
  private func changed(
    _ table: KeyTable, _ change: (KeyTable) -> Void
  ) throws -> (entries: [String], elements: [String]) {
    let content = PreservedContent()
    let earlier = try unarchiver([KnownBeast.self], .preserve(in: content))
      .unarchive(KeyTable.self, from: Archiver().archive(table))
    change(earlier)
    let saved = try Archiver(preserving: content).archive(earlier)
    let later = try unarchiver([KnownBeast.self, UnknownBeast.self]).unarchive(KeyTable.self, from: saved)
    return (later.entries.map { "\($0.key)=\($0.value)" }.sorted(), later.keys.map { "\($0)" }.sorted())
  }

  /// Returns a table whose entries are in another order in each round. Only the known beast's key has the
  /// number 1 twice.
  private func table(_ round: Int) -> (table: KeyTable, entries: [String]) {
    let (cat, yeti, elf) = (KnownBeast("cat"), UnknownBeast("yeti"), UnknownBeast("elf"))
    let keys = [
      BeastKey(first: cat, second: cat, number: 1), BeastKey(first: cat, second: yeti, number: 1),
      BeastKey(first: yeti, second: elf, number: 1), BeastKey(first: nil, second: cat, number: 1),
      BeastKey(first: elf, second: nil, number: 2), BeastKey(first: nil, second: nil, number: 3),
    ]
    let table = KeyTable()
    table.entries.reserveCapacity(round * 7)
    for key in keys.shuffled() { table.entries[key] = "v" }
    table.keys = Set(keys)
    table.beasts = [cat, yeti, elf]
    return (table, keys.map { "\($0)=v" }.sorted())
  }

  private var rounds: [Int] { RandomTrials.sample(of: 0..<20, oneIn: 5) }

  func testEditedDictionaryPreservesEntriesWithUnknownKeys() throws {
    for round in rounds {
      let (table, entries) = table(round)
      XCTAssertEqual(try changed(table) { _ in }.entries, entries)
      let edited = try changed(table) { $0.entries[BeastKey(first: nil, second: nil, number: 3)] = "new" }
      XCTAssertEqual(edited.entries, entries.map { $0 == "nil nil 3=v" ? "nil nil 3=new" : $0 })
    }
  }

  func testRemovingAnEntryPreservesOtherEntries() throws {
    for round in rounds {
      let (table, entries) = table(round)
      let found = try changed(table) { table in
        let key = BeastKey(first: table.beasts[0], second: nil, number: 1)
        table.entries[key] = nil
        table.keys.remove(key)
      }
      XCTAssertEqual(found.entries, entries.filter { $0 != "cat yeti 1=v" })
      XCTAssertEqual(found.elements, entries.map { String($0.dropLast(2)) }.filter { $0 != "cat yeti 1" })
    }
  }

  func testEntryWithUnknownKeyReceivesTheChangedValue() throws {
    for round in rounds {
      let (table, entries) = table(round)
      let found = try changed(table) { $0.entries[BeastKey(first: nil, second: nil, number: 2)] = "new" }
      XCTAssertEqual(found.entries, entries.map { $0 == "elf nil 2=v" ? "elf nil 2=new" : $0 })
    }
  }

  func testKeysEqualOnlyInEarlierReleaseStayDistinct() throws {
    let later = LaterTags.Table()
    for index in 0..<6 { later.counts[LaterTags.Tag(name: "tag\(index % 2)", index: index)] = index }
    let bytes = try Archiver().archive(later)
    XCTAssertThrowsError(try Unarchiver().unarchive(EarlierTags.Table.self, from: bytes)) { error in
      let error = error as? ArchiveError
      XCTAssertEqual(error?.code, .hashCycle)
      XCTAssertTrue(error?.remedy?.contains("unknownContent: .preserve(in:)") ?? false)
    }
    let content = PreservedContent()
    let earlier = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(
      EarlierTags.Table.self, from: bytes)
    XCTAssertEqual(earlier.counts.count, 2)
    earlier.counts[EarlierTags.Tag(name: "added")] = 10
    let saved = try Archiver(preserving: content).archive(earlier)
    let found = try Unarchiver().unarchive(LaterTags.Table.self, from: saved).counts
    XCTAssertEqual(found.values.sorted(), [0, 1, 2, 3, 4, 5, 10])
    XCTAssertEqual(Set(found.keys.map(\.index)), [-1, 0, 1, 2, 3, 4, 5])
  }
}

@Archivable("PreservedKeyTests.Beast") private class Beast: HashedByIdentity {
  let name: String
  init(_ name: String) { self.name = name }
}

@Archivable("PreservedKeyTests.KnownBeast") private final class KnownBeast: Beast {}
@Archivable("PreservedKeyTests.UnknownBeast") private final class UnknownBeast: Beast {}

@Archivable("PreservedKeyTests.BeastKey") private struct BeastKey: Hashable, CustomStringConvertible {
  var first: Beast?
  var second: Beast?
  var number = 0

  var description: String { "\(first?.name ?? "nil") \(second?.name ?? "nil") \(number)" }
}

@Archivable("PreservedKeyTests.KeyTable") private final class KeyTable {
  var entries: [BeastKey: String] = [:]
  var keys: Set<BeastKey> = []
  var beasts: [Beast?] = []
}

private enum LaterTags {
  @Archivable("PreservedKeyTests.Tag") final class Tag: Hashable {
    var name = ""
    var index = -1
    init(name: String, index: Int) { (self.name, self.index) = (name, index) }
    static func == (one: Tag, other: Tag) -> Bool { one.name == other.name && one.index == other.index }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  @Archivable("PreservedKeyTests.Table") final class Table { var counts: [Tag: Int] = [:] }
}

private enum EarlierTags {
  @Archivable("PreservedKeyTests.Tag") final class Tag: Hashable {
    var name = ""
    init(name: String) { self.name = name }
    static func == (one: Tag, other: Tag) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }
  @Archivable("PreservedKeyTests.Table") final class Table { var counts: [Tag: Int] = [:] }
}
