import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Objects that migrations drop or merge, and the errors that result.
final class LeftOutObjectTests: XCTestCase {
  override func setUp() { Current.Leaf.builtNames = [] }

  func testObjectDroppedByMigrationIsNotBuilt() throws {
    let leaves = (0..<6).map { Former.Leaf("\($0)") }
    let branch = Former.Branch(leaves)
    branch.dropped = "1 2 4"
    let copy = try read(Current.Branch.self, branch)
    XCTAssertEqual(copy.leaves.map(\.name), ["0", "3", "5"])
    XCTAssertEqual(copy.leaves.map(\.weight), [[0], [3, 3, 3, 3], [5, 5, 5, 5, 5, 5]])
    XCTAssertEqual(Current.Leaf.builtNames.sorted(), ["0", "3", "5"])
  }

  func testUnknownClassIsIgnoredIfObjectsAreDropped() throws {
    let branch = Former.Branch([])
    branch.strangers = [Former.Stranger(), Former.Stranger()]
    branch.dropped = "strangers"
    XCTAssertEqual(try read(Current.Branch.self, branch).strangers.count, 0)
  }

  func testNilElementsSurviveMigration() throws {
    let leaves = [Former.Leaf("a"), Former.Leaf("b")]
    let branch = Former.Branch(leaves)
    branch.optionals = [nil, leaves[0], nil, leaves[1]]
    branch.dropped = "0"
    let copy = try read(Current.Branch.self, branch)
    XCTAssertEqual(copy.optionals.map { $0?.name }, [nil, nil, nil, "b"])
    // A nil in the file for an element that cannot be nil is an error, with and without a migration.
    for dropped in ["", "0"] {
      branch.dropped = dropped
      assertThrows(.nilReference, "optionals[0]") { try read(Exacting.Branch.self, branch) }
    }
    (branch.optionals, branch.dropped) = ([leaves[0], leaves[1]], "0")
    XCTAssertEqual(try read(Exacting.Branch.self, branch).optionals.map(\.name), ["b"])
  }

  func testErrorNamesTheClassThatDroppedAnObject() throws {
    let branch = Former.Branch([Former.Leaf("a")])
    branch.first = branch.leaves[0]
    branch.dropped = "0"
    assertThrows(
      .nilReference,
      "nil instead of object #2 of class 'Leaf', which class 'Branch' removed in migrate(_:from:)"
    ) { try read(Exacting.Branch.self, branch) }
  }

  func testErrorOfMigratedValueNamesTheMigratingClass() throws {
    let branch = Former.Branch([])
    branch.dropped = "mood"
    assertThrows(.unknownCase, #"raw value "merry", in an object that class 'Branch' migrated"#) {
      try read(Current.Branch.self, branch)
    }
    branch.dropped = "size"
    assertThrows(.migrationFailed, "when class 'Branch' migrated an object of version 0") {
      try read(Current.Branch.self, branch)
    }
  }

  func testHandWrittenKeyIsEmptiedOnlyIfStored() throws {
    let note = try read(Current.Memo.self, Former.Memo(["a", "b"], added: false))
    XCTAssertEqual(note.texts, [])
    XCTAssertThrowsError(try read(Current.Memo.self, Former.Memo([], added: true))) {
      let error = $0 as? ArchiveError
      XCTAssertEqual(error?.code, .migrationFailed)
      XCTAssertTrue(error?.remedy?.contains("do not set the key") ?? false, "\($0)")
    }
  }

  func testMigrationReportsProgressAndCanBeCancelled() async throws {
    let bytes = try { try Archiver().archive((0..<2000).map { _ in Former.Branch([Former.Leaf("a")]) }) }()
    let fractions = FractionList()
    _ = try await Unarchiver().unarchive([Current.Branch].self, from: bytes) {
      fractions.append($0.fractionCompleted)
    }
    let during = fractions.all.filter { $0 > 0.35 && $0 < 0.4 }
    XCTAssertGreaterThan(during.count, 2)
    XCTAssertEqual(fractions.all, fractions.all.sorted())
    Current.Leaf.builtNames = []
    do {
      _ = try await Unarchiver().unarchive([Current.Branch].self, from: bytes) {
        if $0.fractionCompleted > 0.36 { throw CancellationError() }
      }
      XCTFail("was not cancelled")
    } catch is CancellationError {}
    XCTAssertEqual(Current.Leaf.builtNames, [])
  }

  func testClosedClassTableFindsClassOfOlderValue() throws {
    let copy = try reread(Former.Citizen(), as: Current.Citizen.self, classes: ClassTable(scope: .declared))
    XCTAssertEqual(copy.city, "Ulm")
  }

  private func read<New: Archivable>(_ type: New.Type, _ old: some Archivable) throws -> New {
    try reread(old, as: type, classes: ClassTable(scope: .declared))
  }
}

/// The fractions of the progress, in the order of the calls.
private final class FractionList: @unchecked Sendable {
  private let lock = NSLock()
  private var fractions: [Double] = []
  var all: [Double] { lock.withLock { fractions } }
  func append(_ fraction: Double) { lock.withLock { fractions.append(fraction) } }
}

private enum Former {
  @Archivable("Leaf") final class Leaf {
    var name: String
    var weight: [Int]
    init(_ name: String) {
      self.name = name
      let number = Int(name) ?? 0
      weight = Array(repeating: number, count: number + 1)
    }
  }
  @Archivable("Stranger") final class Stranger { var name = "" }
  @Archivable("Branch") final class Branch {
    var leaves: [Leaf]
    var optionals: [Leaf?] = []
    var first: Leaf?
    var strangers: [Stranger] = []
    var dropped = ""
    init(_ leaves: [Leaf]) { self.leaves = leaves }
  }
  final class Memo: HandWrittenClass {
    let texts: [String]
    let added: Bool
    init(_ texts: [String], added: Bool) { (self.texts, self.added) = (texts, added) }
    static var archiveSchema: ClassSchema { ClassSchema(Memo.self, name: "Memo") }
    init(from decoder: borrowing ObjectDecoder) throws { (texts, added) = ([], false) }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(added, forKey: "added")
      try encoder.encode(texts, forKey: "texts")
    }
  }
  @Archivable("City") final class City { var name = "Ulm" }
  @Archivable("Citizen") final class Citizen { var home = City() }
}

private enum Current {
  @Archivable("Leaf") final class Leaf: UnarchiveFinishing {
    nonisolated(unsafe) static var builtNames: [String] = []
    var name = ""
    var weight: [Int] = []
    func didUnarchive(in context: ArchiveContext) throws { Self.builtNames.append(name) }
  }
  @Archivable("Nobody") final class Nobody { var name = "" }
  enum Mood: String, ArchivableValue { case glad }
  @Archivable("Branch") final class Branch {
    static let archiveVersion = 1
    var leaves: [Leaf] = []
    var optionals: [Leaf?] = []
    var strangers: [Nobody] = []
    var mood = Mood.glad
    var size: Int8 = 0
    static func migrate(_ branch: inout MigratedObject, from version: Int) throws {
      try drop(from: &branch)
    }
  }
  final class Memo: HandWrittenClass {
    let texts: [String]
    static var archiveSchema: ClassSchema {
      ClassSchema(Memo.self, name: "Memo", version: 1) { memo, _ in
        if memo["added"] == true { memo["labels"] = .array([]) }
        memo["texts"] = .array([])
      }
    }
    init(from decoder: borrowing ObjectDecoder) throws {
      texts = try decoder.decode([String].self, forKey: "texts")
    }
  }
  @Archivable("City") final class City { var name = "" }
  @Archivable("Citizen") final class Citizen {
    @Key("home", from: City.self, { $0.name }) let city: String
    init() { city = "" }
  }
}

private enum Exacting {
  @Archivable("Branch") final class Branch {
    static let archiveVersion = 1
    var optionals: [Current.Leaf] = []
    var first: Current.Leaf
    init(_ first: Current.Leaf) { self.first = first }
    static func migrate(_ branch: inout MigratedObject, from version: Int) throws {
      try drop(from: &branch)
      if branch["first"] == .reference(nil), let last = branch["optionals"]?.elements?.last {
        branch["first"] = last
      }
    }
  }
}

/// Drops the objects that the migrated object lists.
private func drop(from branch: inout MigratedObject) throws {
  let leaves = branch["leaves"]?.elements?.compactMap(\.objectID) ?? []
  switch branch["dropped"]?.string ?? "" {
  case "strangers":
    for id in branch["strangers"]?.elements?.compactMap(\.objectID) ?? [] {
      try branch.graph.removeObject(id)
    }
  case "mood": branch["mood"] = "merry"
  case "size": branch["size"] = 300
  case let text:
    for number in text.split(separator: " ").compactMap({ Int($0) }) {
      try branch.graph.removeObject(leaves[number])
    }
  }
}
