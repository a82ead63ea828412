import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Values that a program knows partially, in each kind of property and collection, and documents whose
/// preserved content must not be mixed.
final class PreservedValueTests: XCTestCase {
  private let content = PreservedContent()

  private func read<Half: ArchivableValue>(_ bytes: [UInt8], as half: Half.Type) throws -> Half {
    try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .preserve(in: content))
      .unarchive(Half.self, from: bytes)
  }

  func testUnlabeledAssociatedValuesStayInPosition() throws {
    let graph = NewKept.Web()
    let (first, second) = (NewKept.Trinket("first"), NewKept.Trinket("second"))
    graph.links = [
      .pair(first, second), .many([first, NewKept.Secret("hidden"), second], NewKept.Secret("other")),
      .nested(.pair(second, nil), .none),
    ]
    let found = try content.pass(graph, as: OldKept.Web.self, back: [NewKept.Secret.self]) {
      $0.title = "changed"
    }
    graph.title = "changed"
    XCTAssertNil(try ObjectGraph.difference(between: found, and: graph).map { "\($0)" })
  }

  func testUnknownFieldsDoNotDuplicateElementsOrKeys() throws {
    let graph = NewKept.Web()
    graph.spots = [.init(x: 1, z: 5), .init(x: 2, z: 6), .init(x: 3, z: 7)]
    graph.counts = [.init(x: 1, z: 5): 10, .init(x: 2, z: 6): 20]
    graph.numbers = [.nan, 1, -0.0]
    let found = try content.pass(graph, as: OldKept.Web.self) { web in
      web.spots.remove(.init(x: 2))
      web.counts[.init(x: 2)] = 21
    }
    XCTAssertEqual(found.spots, [.init(x: 1, z: 5), .init(x: 3, z: 7)])
    XCTAssertEqual(found.counts, [.init(x: 1, z: 5): 10, .init(x: 2, z: 6): 21])
    XCTAssertEqual(found.numbers.count, 3)
  }

  func testChangedConvertedValuesAreSavedInOriginalType() throws {
    let graph = NewKept.Web()
    graph.born = Date(timeIntervalSinceReferenceDate: 12)
    graph.price = "1.5"
    graph.mixed = [.init(ratio: 7, note: "a"), .init(ratio: 8, note: "b")]
    let found = try content.pass(graph, as: OldKept.Web.self) { $0.mixed[1].ratio = 9.0 }
    XCTAssertEqual(found.born, graph.born)
    XCTAssertEqual(found.price, "1.5")
    XCTAssertEqual(found.mixed, [.init(ratio: 7, note: "a"), .init(ratio: 9, note: "b")])
  }

  func testConvertedValuesOfUnbuiltObjectsArePreserved() throws {
    let holder = NewKept.Priced()
    (holder.price, holder.code) = (1.25, Data([1, 2]))
    let hidden = NewKept.Priced()
    (hidden.price, hidden.code) = (7.5, Data([3]))
    holder.other = NewKept.Tag(hidden)
    let found = try content.pass(holder, as: OldKept.Priced.self, back: [NewKept.Tag.self]) {
      $0.price = "2.5"
    }
    XCTAssertEqual([found.price, found.other?.priced.price], [2.5, 7.5])
    XCTAssertEqual([found.code, found.other?.priced.code], [Data([1, 2]), Data([3])])
  }

  func testUnknownSuperclassIsPreserved() throws {
    let leaf = NewKept.Leaf("leaf")
    leaf.depth = 7
    let found = try content.pass([leaf], as: [OldKept.Leaf].self) { $0[0].name = "changed" }
    XCTAssertEqual(found[0].name, "changed")
    XCTAssertEqual(found[0].depth, 7)
  }

  func testUnknownConstantReferencesToKnownObjectsArePreserved() throws {
    let chain = NewKept.ChainLink("a", NewKept.ChainLink("b", nil))
    let holder = NewKept.Holder([chain])
    holder.hidden = NewKept.Cage(NewKept.ChainLink("c", NewKept.ChainLink("d", chain)))
    let found = try content.pass(holder, as: OldKept.Holder.self, back: [NewKept.Cage.self]) { holder in
      holder.links.append(OldKept.ChainLink("e"))
      holder.links[1].next = holder.links[0]
    }
    XCTAssertEqual(found.hidden?.link.next?.name, "d")
    XCTAssertTrue(found.hidden?.link.next?.next === found.links[0])
    XCTAssertTrue(found.links[1].next === found.links[0])
  }

  func testMergedObjectsPreserveUnknownElementBetweenThem() throws {
    let (one, other) = (NewKept.Trinket("same"), NewKept.Trinket("same"))
    let found = try content.pass(
      [one, NewKept.Secret("hidden"), other], as: [OldKept.Trinket].self, back: [NewKept.Secret.self])
    XCTAssertEqual(found.map(\.name), ["same", "hidden", "same"])
  }

  func testPreservedContentIsNotWrittenToOtherDocuments() throws {
    let bytes = try Archiver(metadata: ["author": "Ada"]).archive(roots: [
      "main": [NewKept.Trinket("known"), NewKept.Secret("hidden")], "private": ["text"],
    ])
    let knots = try Unarchiver(classes: ClassTable(scope: .declared), unknownContent: .preserve(in: content))
      .unarchive([OldKept.Trinket].self, from: bytes, root: "main")
    XCTAssertEqual(knots.count, 1)
    for other: [OldKept.Trinket] in [[], [OldKept.Trinket("fresh")]] {
      let file = try ArchiveFile(bytes: Archiver(preserving: content).archive(roots: ["main": other]))
      XCTAssertEqual(file.rowCount, other.count + 1)
      XCTAssertEqual(file.classes[0].columns.map(\.key), ["main"])
      XCTAssertEqual(try file.metadata(), [:])
    }
    let part = try ArchiveFile(bytes: Archiver(preserving: content).archive(knots[0]))
    XCTAssertEqual(part.classes[0].columns.map(\.key), ["root"])
    let own = try ArchiveFile(bytes: Archiver(preserving: content).archive(roots: ["main": knots]))
    XCTAssertEqual(own.classes[0].columns.map(\.key).sorted(), ["main", "private"])
  }

  func testReversedLongListKeepsItsUnknownElement() throws {
    let count = RandomTrials.size(usually: 1_000, exhaustively: 20_000)
    let list = (0..<count).map { NewKept.Trinket("\($0)") } + [NewKept.Secret("hidden")]
    let found = try content.pass(list, as: [OldKept.Trinket].self, back: [NewKept.Secret.self]) {
      $0.reverse()
    }
    XCTAssertEqual(found.prefix(3).map(\.name), ["\(count - 1)", "hidden", "\(count - 2)"])
    XCTAssertEqual(found.count, count + 1)
  }

  func testLazyArchiveRefusesThePreservingPolicy() throws {
    let bytes = try Archiver().archive(NewKept.Trinket("one"))
    assertThrows(.invalidUse, "LazyArchive") {
      try LazyArchive(bytes: bytes, unarchiver: Unarchiver(unknownContent: .preserve(in: content)))
    }
  }
}

/// The program with all types and properties.
private enum NewKept {
  @Archivable("KeptValue.Trinket") class Trinket {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("KeptValue.Secret") final class Secret: Trinket {}
  @Archivable("KeptValue.Links") indirect enum Links {
    case none
    case pair(Trinket?, Trinket?)
    case many([Trinket], Trinket?)
    case nested(Links, Links)
  }
  @Archivable("KeptValue.Spot") struct Spot: Hashable {
    var x: Int
    var z = 5
  }
  @Archivable("KeptValue.Mixed") struct Mixed: Equatable {
    var ratio: Int
    var note: String
  }
  @Archivable("KeptValue.Web") final class Web {
    var title = ""
    var links: [Links] = []
    var spots: Set<Spot> = []
    var counts: [Spot: Int] = [:]
    var numbers: Set<Double> = []
    var born = Date(timeIntervalSinceReferenceDate: 0)
    var price: String = "0"
    var mixed: [Mixed] = []
    var unread = [1]
    init() {}
  }
  @Archivable("KeptValue.Priced") final class Priced {
    var price: Decimal = 0
    var code = Data()
    var other: Tag?
    init() {}
  }
  @Archivable("KeptValue.Tag") final class Tag {
    let priced: Priced
    init(_ priced: Priced) { self.priced = priced }
  }
  @Archivable("KeptValue.Base") class Base {
    var depth = 1
    init() {}
  }
  @Archivable("KeptValue.Leaf") final class Leaf: Base {
    var name: String
    init(_ name: String) {
      self.name = name
      super.init()
    }
  }
  @Archivable("KeptValue.ChainLink") final class ChainLink {
    let name: String
    let next: ChainLink?
    init(_ name: String, _ next: ChainLink?) { (self.name, self.next) = (name, next) }
  }
  @Archivable("KeptValue.Cage") final class Cage {
    let link: ChainLink
    init(_ link: ChainLink) { self.link = link }
  }
  @Archivable("KeptValue.Holder") final class Holder {
    var links: [ChainLink]
    var hidden: Cage?
    init(_ links: [ChainLink]) { self.links = links }
  }
}

/// The program that lacks some types and properties.
private enum OldKept {
  @Archivable("KeptValue.Trinket") final class Trinket {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("KeptValue.Links") indirect enum Links {
    case none
    case pair(Trinket?, Trinket?)
    case many([Trinket], Trinket?)
    case nested(Links, Links)
  }
  @Archivable("KeptValue.Spot") struct Spot: Hashable { var x: Int }
  @Archivable("KeptValue.Mixed") struct Mixed: Equatable { var ratio: Double }
  @Archivable("KeptValue.Web") final class Web {
    var title = ""
    var links: [Links] = []
    var spots: Set<Spot> = []
    var counts: [Spot: Int] = [:]
    var numbers: Set<Double> = []
    var born = 0.0
    var price: Decimal = 0
    var mixed: [Mixed] = []
    init() {}
  }
  @Archivable("KeptValue.Priced") final class Priced {
    var price = "0"
    var code: [UInt8] = []
    init() {}
  }
  @Archivable("KeptValue.Leaf") final class Leaf {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("KeptValue.ChainLink") final class ChainLink {
    var name: String
    var next: ChainLink?
    init(_ name: String) { self.name = name }
  }
  @Archivable("KeptValue.Holder") final class Holder {
    var links: [ChainLink] = []
    init() {}
  }
}
