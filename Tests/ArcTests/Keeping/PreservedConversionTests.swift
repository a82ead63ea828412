import Arc
import ArcArchive
import ArcFormat
import Foundation
import XCTest

/// A class with a property of different types in two programs. Objects to which only unknown properties refer
/// are preserved unchanged, whether or not the program has other objects of the class.
final class PreservedConversionTests: XCTestCase {
  /// Has the older program read and save a document, and the newer program read the result. The objects are
  /// in a property, an array and a dictionary that the older program does not know.
  private func check<New: ArchivableValue & Equatable, Old: ArchivableValue>(
    _ value: New, _ type: Old.Type, own: Old? = nil, line: UInt = #line
  ) {
    let content = PreservedContent()
    let document = NewParts.Document<New>()
    document.part = .init(value)
    document.parts = [.init(value), .init(value)]
    document.byName = ["a": document.parts[1]]
    do {
      let bytes = try Archiver().archive(document)
      let names = try ArchiveFile(bytes: bytes).classes.map(\.name)
      let older = try table(names, OldParts.Document<Old>.self, OldParts.Part<Old>.self)
      let read = try Unarchiver(classes: older, unknownContent: .preserve(in: content)).unarchive(
        OldParts.Document<Old>.self, from: bytes)
      read.title = "changed"
      if let own { read.own = OldParts.Part(own) }
      let saved = try Archiver(preserving: content).archive(read)
      try ArchiveFile(bytes: saved).verify()
      if own != nil { return }
      let savedNames = try ArchiveFile(bytes: saved).classes.map(\.name)
      let newer = try table(savedNames, NewParts.Document<New>.self, NewParts.Part<New>.self)
      let found = try Unarchiver(classes: newer).unarchive(NewParts.Document<New>.self, from: saved)
      XCTAssertEqual(found.title, "changed", line: line)
      XCTAssertEqual(found.part?.value, value, line: line)
      XCTAssertEqual(found.parts.map(\.value), [value, value], line: line)
      XCTAssertTrue(found.byName["a"] === found.parts.last, line: line)
    } catch {
      XCTFail("\(New.self) as \(Old.self): \(error)", line: line)
    }
  }

  private func table(
    _ names: [String], _ document: any Archivable.Type, _ part: any Archivable.Type
  ) throws -> ClassTable {
    let table = ClassTable(scope: .declared)
    for name in names.dropFirst() {
      let type: any Archivable.Type = name.contains("Document") ? document : part
      try register(type, formerly: name, in: table)
    }
    return table
  }

  private func register<Class: Archivable>(_ type: Class.Type, formerly name: String, in table: ClassTable)
    throws
  {
    try table.register(type, formerly: name)
  }

  func testOriginalNumbersAreRestoredAfterConversion() {
    check(5, Double.self)
    check((1 << 53) + 1, Double.self)
    check(300, Int8.self)
    check(-1, UInt.self)
    check(7 as Int32, Int.self)
    check(2.5, Int.self)
    check(0.1, Float.self)
    check(true, Int.self)
    check(2, Bool.self)
    check(12, Decimal.self)
    check(0.1, Decimal.self)
    check(5, String.self)
  }

  func testOriginalStringsAreRestoredAfterConversion() {
    check("6ba7b810-9dad-11d1-80b4-00c04fd430c8", UUID.self)
    check("mine", UUID.self)
    check(UUID(), String.self)
    check("https://swift.org", URL.self)
    check(URL(string: "https://swift.org"), String.self)
    check("2001-01-01 00:00:10Z", Date.self)
    check(Date(timeIntervalSinceReferenceDate: 10), String.self)
    check(Date(timeIntervalSinceReferenceDate: 10), Double.self)
    check(10.0, Date.self)
    check("1.50", Decimal.self)
    check("5", Int.self)
  }

  func testOriginalOptionalsAreRestoredAfterConversion() {
    check(5, Int?.self)
    check(5 as Int?, Int.self)
    check(nil as Int?, Int.self)
    check(.some(nil) as Int??, Int?.self)
    check(5, [Int].self)
    check(nil as Int?, [Int].self)
    check([nil, 5] as [Int?], [[Int]].self)
  }

  func testOriginalCollectionsAreRestoredAfterConversion() {
    check([5], Int.self)
    check([5, 4, 5], Set<Int>.self)
    check([5] as Set, [Int].self)
    check([1, 2], [Double].self)
    check(["a": 1], [String: Double].self)
    check([1, 2] as [UInt8], Data.self)
    check(Data([1, 2]), [UInt8].self)
    check([1], [String: Int].self)
  }

  func testOriginalStructuresAndCasesAreRestoredAfterConversion() {
    check(NewParts.Spot(x: 1, y: 2), OldParts.Place.self)
    check(NewParts.Spot(x: 1, y: 2), [OldParts.Place].self)
    check(NewParts.Spot(x: 1, y: 2), Int.self)
    check(NewParts.Mood.glad(2), OldParts.Temper.self)
    check(NewParts.Mood.sad, OldParts.Temper.self)
  }

  func testValueUnfitForThePreservedTypeIsSaved() {
    check(5, Double.self, own: 1.5)
    check((1 << 53) + 1, Double.self, own: 1.5)
    check(5, [Int].self, own: [1])
    check(nil as Int?, [Int].self, own: [1])
    check("mine", UUID.self, own: UUID())
    check([5, 5], Set<Int>.self, own: [1])
    check(NewParts.Spot(x: 1, y: 2), Int.self, own: 1)
    check(NewParts.Mood.sad, OldParts.Temper.self, own: .calm)
  }

  func testOriginalReferencesAreRestoredAfterConversion() throws {
    let content = PreservedContent()
    let holder = NewParts.Holder()
    (holder.one, holder.two) = (NewParts.Link(), NewParts.Link())
    holder.one?.target = holder.two
    holder.one?.nested = .some(nil)
    let found = try content.pass(
      holder, as: OldParts.Holder.self, through: [OldParts.Link.self], back: [NewParts.Link.self]
    ) { $0.title = "changed" }
    XCTAssertTrue(found.one?.target === found.two)
    if case .some(.none)? = found.one.map(\.nested) {} else { XCTFail("the nested link is nil") }
  }

  func testObjectsReferencedOnlyByWeakPropertiesArePreserved() throws {
    let content = PreservedContent()
    let list = NewParts.Owner()
    list.child = NewParts.Node()
    list.child?.next = NewParts.Node()
    list.slot = NewParts.Slot(child: NewParts.Node())
    let found = try content.pass(list, as: OldParts.Owner.self) { old in
      XCTAssertNil(old.child)
      XCTAssertNil(old.slot.child)
      old.title = "changed"
    }
    XCTAssertEqual(found.title, "changed")
    XCTAssertNotNil(found.child?.next)
    XCTAssertNotNil(found.slot.child)
  }

  func testAssignedWeakPropertyIsSaved() throws {
    let content = PreservedContent()
    let list = NewParts.Owner()
    list.child = NewParts.Node()
    let found = try content.pass(list, as: OldParts.Owner.self) { old in
      old.others = [OldParts.Node()]
      old.child = old.others[0]
    }
    XCTAssertTrue(found.child === found.others[0])
  }
}

private enum NewParts {
  @Archivable final class Part<Value: ArchivableValue> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  @Archivable final class Document<Value: ArchivableValue> {
    var title = ""
    var part: Part<Value>?
    var parts: [Part<Value>] = []
    var byName: [String: Part<Value>] = [:]
    init() {}
  }
  @Archivable("Parts.Spot") struct Spot: Equatable { var x = 0, y = 0 }
  @Archivable("Parts.Mood") enum Mood: Equatable {
    case glad(Int)
    case sad
  }
  @Archivable("Parts.Link") final class Link {
    var target: Link?
    var nested: Link??
    init() {}
  }
  @Archivable("Parts.Holder") final class Holder {
    var title = ""
    var one: Link?
    var two: Link?
    init() {}
  }
  @Archivable("Parts.Node") final class Node {
    var next: Node?
    init() {}
  }
  @Archivable("Parts.Slot") struct Slot { var child: Node? }
  @Archivable("Parts.Owner") final class Owner {
    var title = ""
    var child: Node?
    var slot = Slot()
    var others: [Node] = []
    init() {}
  }
}

private enum OldParts {
  @Archivable final class Part<Value: ArchivableValue> {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
  @Archivable final class Document<Value: ArchivableValue> {
    var title = ""
    var own: Part<Value>?
    init() {}
  }
  @Archivable("Parts.Place") struct Place: Equatable { var y = 0.0, x = 0.0, name: String? }
  @Archivable("Parts.Temper") enum Temper {
    case calm
    case glad(Double, reason: String = "none")
  }
  @Archivable("Parts.Link") final class Link {
    var target: [Link] = []
    var nested: Link?
    init() {}
  }
  @Archivable("Parts.Holder") final class Holder {
    var title = ""
    init() {}
  }
  @Archivable("Parts.Node") final class Node {
    var next: Node?
    init() {}
  }
  @Archivable("Parts.Slot") struct Slot { weak var child: Node? }
  @Archivable("Parts.Owner") final class Owner {
    var title = ""
    weak var child: Node?
    var slot = Slot()
    var others: [Node] = []
    init() {}
  }
}
