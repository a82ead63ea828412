import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Renamed types that the reader finds by their old names in `@Archivable(formerly:)`.
final class FormerNameTests: XCTestCase {
  private func drawing() -> EarlierNames.Drawing {
    let drawing = EarlierNames.Drawing()
    drawing.pages = [EarlierNames.Page(1), EarlierNames.Cover(2)]
    drawing.front = drawing.pages[1]
    drawing.box = EarlierNames.Frame(drawing.pages[0])
    drawing.values = [EarlierNames.Note(text: "a")]
    return drawing
  }

  private func check(_ artwork: LaterNames.Artwork, _ what: String, line: UInt = #line) {
    XCTAssertEqual(artwork.sheets.map(\.number), [1, 2], what, line: line)
    XCTAssertTrue(artwork.sheets.last is LaterNames.Front, what, line: line)
    XCTAssertTrue(artwork.front === artwork.sheets.last, what, line: line)
    XCTAssertTrue(artwork.box?.page === artwork.sheets.first, what, line: line)
    XCTAssertEqual(artwork.values.map { ($0 as? LaterNames.Remark)?.text }, ["a"], what, line: line)
  }

  func testRenamedTypesAreReadByEveryReader() throws {
    let bytes = try Archiver().archive(drawing())
    let type = LaterNames.Artwork.self
    check(try Unarchiver().unarchive(type, from: bytes), "whole")
    check(try LazyArchive(bytes: bytes).object(type, at: "root"), "session")
    check(try Unarchiver().unarchive(type, from: ArchiveRecovery(bytes: bytes).archive()), "recovered")
    let content = PreservedContent()
    let read = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(type, from: bytes)
    check(read, "keeping")
    check(try Unarchiver().unarchive(type, from: Archiver(preserving: content).archive(read)), "saved again")
    let differences = try Unarchiver().differences(in: ArchiveFile(bytes: bytes), readAs: type)
    XCTAssertEqual(differences.filter { $0.effect == .refused || $0.effect == .lossy }, [])
  }

  func testClosedClassTableFindsTypesByFormerName() throws {
    let bytes = try Archiver().archive(drawing())
    let classes = try ClassTable(declaring: LaterNames.Front.self, LaterNames.Remark.self)
    check(try Unarchiver(classes: classes).unarchive(LaterNames.Artwork.self, from: bytes), "closed")
    let table = try ClassTable(declaring: LaterNames.Remark.self)
    assertThrows(.unknownClass, "class 'EarlierCover'") {
      try Unarchiver(classes: table).unarchive(LaterNames.Artwork.self, from: bytes)
    }
  }

  func testTypeIsFoundUnderEachFormerName() throws {
    let bytes = try Archiver().archive([EarlierNames.Cover(3)])
    let oldest = try Archiver().archive([EarlierNames.OldestCover(4)])
    XCTAssertEqual(try Unarchiver().unarchive([LaterNames.Front].self, from: bytes).map(\.number), [3])
    XCTAssertEqual(try Unarchiver().unarchive([LaterNames.Front].self, from: oldest).map(\.number), [4])
  }

  func testObjectStoredUnderAFormerNameIsMigrated() throws {
    let plans = try reread([EarlierNames.Plan()], as: [LaterNames.Plan].self)
    XCTAssertEqual(plans.map(\.number), [8])
    XCTAssertEqual(plans[0].sheet?.number, 5)
  }

  func testRenamedClassesAreWrittenWithCurrentNames() throws {
    let artwork = try reread(drawing(), as: LaterNames.Artwork.self)
    let names = try ArchiveFile(bytes: Archiver().archive(artwork)).classes.map(\.name)
    XCTAssertFalse(names.contains { $0.hasPrefix("Earlier") }, "\(names)")
  }

  func testSchemaSnapshotListsFormerNames() throws {
    let old = try SchemaSnapshot(of: EarlierNames.Drawing.self, classes: ClassTable(scope: .declared))
    let new = try SchemaSnapshot(of: LaterNames.Artwork.self, classes: ClassTable(scope: .declared))
    XCTAssertTrue(new.description.contains("\nclass LaterArtwork, was EarlierDrawing\n"), "\(new)")
    XCTAssertTrue(new.description.contains("class LaterFrame<LaterSheet>, was "), "\(new)")
    XCTAssertEqual(try new.differences(readingFilesOf: old).filter { $0.effect == .refused }, [])
  }

  func testFormerNameSharedByTwoClassesIsRefused() throws {
    let bytes = try Archiver().archive(FormerNameConflicts.Old())
    assertThrows(
      .nameConflict, "found objects of class 'ConflictOld', which may be 'Conflict"
    ) { try Unarchiver().unarchive(FormerNameConflicts.Either.self, from: bytes) }
    let snapshot = try SchemaSnapshot(of: FormerNameConflicts.Either.self)
    XCTAssertTrue(snapshot.description.contains("\nclass ConflictFirst: ConflictBase\n"), "\(snapshot)")
    let classes = ClassTable()
    try classes.register(FormerNameConflicts.Second.self, as: "ConflictOld")
    let read = try Unarchiver(classes: classes).unarchive(FormerNameConflicts.Either.self, from: bytes)
    XCTAssertTrue(read is FormerNameConflicts.Second)
    let newSnapshot = try SchemaSnapshot(of: FormerNameConflicts.Either.self, classes: classes)
    XCTAssertTrue(newSnapshot.description.contains("\nclass ConflictSecond: ConflictBase, was ConflictOld\n"))
  }

  func testFormerNameUsedByAnotherClassIsRefused() throws {
    let pair = FormerNameConflicts.OldPair()
    pair.taken = FormerNameConflicts.OldTaken()
    let bytes = try Archiver().archive(pair)
    assertThrows(.nameConflict, "found objects of class 'ConflictTaken'") {
      try Unarchiver().unarchive(FormerNameConflicts.Pair.self, from: bytes)
    }
    // A file without such objects does not contain the class.
    pair.taken = nil
    let copy = try reread(pair, as: FormerNameConflicts.Pair.self)
    XCTAssertNil(copy.taken)
    let classes = ClassTable()
    try classes.register(FormerNameConflicts.Taken.self)
    let read = try Unarchiver(classes: classes).unarchive(FormerNameConflicts.Pair.self, from: bytes)
    XCTAssertNotNil(read.taken)
  }
}

private protocol EarlierValue {}
private protocol LaterValue {}

/// The types of an older release.
private enum EarlierNames {
  @Archivable("EarlierDrawing") final class Drawing {
    var pages: [Page] = []
    var front: Page?
    var box: Frame<Page>?
    var values: [any EarlierValue] = []
  }
  @Archivable("EarlierPage") class Page {
    var number: Int
    init(_ number: Int) { self.number = number }
  }
  @Archivable("EarlierCover") final class Cover: Page {
    var isBlank = true
    override init(_ number: Int) { super.init(number) }
  }
  @Archivable("EarlierOldestCover") final class OldestCover: Page {
    var isBlank = true
    override init(_ number: Int) { super.init(number) }
  }
  @Archivable("EarlierFrame") final class Frame<Content: Archivable> {
    var page: Content?
    init(_ page: Content) { self.page = page }
  }
  @Archivable("EarlierNote") struct Note: EarlierValue { var text: String }
  @Archivable("EarlierPlan") final class Plan { var number = 4 }
}

/// The same types, renamed.
private enum LaterNames {
  @Archivable("LaterArtwork", formerly: "EarlierDrawing") final class Artwork {
    @Key("sheets", "pages") var sheets: [Sheet] = []
    var front: Sheet?
    var box: Frame<Sheet>?
    var values: [any LaterValue] = []
  }
  @Archivable("LaterSheet", formerly: "EarlierPage") class Sheet {
    var number: Int
    init(_ number: Int) { self.number = number }
  }
  @Archivable("LaterFront", formerly: "EarlierCover", "EarlierOldestCover") final class Front: Sheet {
    var isBlank = false
    override init(_ number: Int) { super.init(number) }
  }
  @Archivable("LaterFrame", formerly: "EarlierFrame") final class Frame<Content: Archivable> {
    var page: Content?
    init(_ page: Content) { self.page = page }
  }
  @Archivable("LaterRemark", formerly: "EarlierNote") struct Remark: LaterValue { var text: String }
  @Archivable("LaterPlan", formerly: "EarlierPlan") final class Plan {
    static let archiveVersion = 1
    var number = 0
    var sheet: Sheet?
    static func migrate(_ plan: inout MigratedObject, from version: Int) {
      plan["number"] = .integer(Int128((plan["number"]?.int ?? 0) * 2))
      plan["sheet"] = .reference(plan.graph.addObject(ofClass: "EarlierPage", ["number": 5]))
    }
  }
}

private enum FormerNameConflicts {
  @Archivable("ConflictOld") final class Old { var number = 1 }
  @Archivable("ConflictBase") class Either { var number = 0 }
  @Archivable("ConflictFirst", formerly: "ConflictOld") final class First: Either { var first = 0 }
  @Archivable("ConflictSecond", formerly: "ConflictOld") final class Second: Either { var second = 0 }

  @Archivable("ConflictPair") final class OldPair { var taken: OldTaken? }
  @Archivable("ConflictTaken") final class OldTaken { var number = 1 }
  @Archivable("ConflictPair") final class Pair {
    var taken: Taken?
    var renamed: Renamed?
  }
  @Archivable("ConflictTaken") final class Taken { var number = 0 }
  @Archivable("ConflictRenamed", formerly: "ConflictTaken") final class Renamed { var number = 0 }
}
