import ArcArchive
import ArcFormat
import ArcRuntime
import ArcTestSupport
import XCTest

@testable import Arc

/// Types with one name in different scopes are different types in files.
final class CodedNameTests: XCTestCase {
  private func name(_ type: any ArchivableValue.Type) -> String { type.__archiveName.text }

  func testGenericArgumentsUseTheirCodedNames() {
    XCTAssertEqual(name(Crate<Album.Item>.self), "Crate<Album.Item>")
    XCTAssertEqual(name(Crate<Order.Item>.self), "Crate<Order.Item>")
    XCTAssertEqual(name(Crate<Order.Named>.self), "Crate<Renamed>")
    XCTAssertEqual(name(Crate<Order.State>.self), "Crate<Order.State>")
    XCTAssertEqual(name(Crate<Order.Mood>.self), "Crate<Humour>")
    XCTAssertEqual(
      name(Crate<[String: Set<Album.Item>?]>.self), "Crate<Dictionary<String, Optional<Set<Album.Item>>>>")
    XCTAssertEqual(name(Crate<ContiguousArray<[Int]>>.self), "Crate<ContiguousArray<Array<Int>>>")
    XCTAssertEqual(name(Crate<Crate<Album.Item>>.self), "Crate<Crate<Album.Item>>")
    XCTAssertEqual(name(Crate<Pairing<Order.Item, Date>>.self), "Crate<Pairing<Order.Item, Date>>")
    XCTAssertEqual(name(Crate<Key<Order.Item>>.self), "Crate<Key<Order.Item>>")
    XCTAssertEqual(name(Ghost<Album.Phantom>.self), "Ghost<ArcTests.Album.Phantom>")
    XCTAssertEqual(name(Ghost<Calendar.Identifier>.self), "Ghost<Calendar.Identifier>")
  }

  func testTypeNamesInGenericExtensionsIncludeTypeArguments() throws {
    XCTAssertEqual(Cabinet<Int>.Drawer.archiveSchema.name, "Cabinet<Int>.Drawer")
    XCTAssertEqual(Cabinet<Int>.Drawer.archiveSchema.codedName.formerText, "Cabinet.Drawer")
    XCTAssertEqual(name(Cabinet<Album.Item>.Label.self), "Cabinet<ArcTests.Album.Item>.Label")
    XCTAssertEqual(name(Crate<Cabinet<Int64>.Label>.self), "Crate<Cabinet<Int64>.Label>")
    XCTAssertEqual(Cabinet<Int>.Pinned.archiveSchema.name, "Pinned<Int>")
    XCTAssertEqual(Album.Leaf.archiveSchema.name, "Album.Leaf", "of a type without arguments")
    XCTAssertEqual(Cabinet<Double>.Scale.archiveSchema.name, "Cabinet<Double>.Scale", "with spelled ones")
    let drawers: [Parcel] = [Cabinet<Int>.Drawer(), Cabinet<String>.Drawer()]
    let copy = try roundTrip(drawers, classes: [Cabinet<Int>.Drawer.self, Cabinet<String>.Drawer.self])
    XCTAssertTrue(copy[0] is Cabinet<Int>.Drawer && copy[1] is Cabinet<String>.Drawer, "\(copy)")
    let bytes = try Archiver().archive(drawers)
    assertThrows(.unknownClass, "class 'Cabinet<String>.Drawer'") {
      try Unarchiver(classes: ClassTable(registering: [Cabinet<Int>.Drawer.self]))
        .unarchive([Parcel].self, from: bytes)
    }
  }

  func testNamesInBackticksAreNotSplit() {
    // The runtime prints another kind of space.
    let text = name(Ghost<Album.`odd name.x`.Phantom>.self)
    XCTAssertTrue(text.hasPrefix("Ghost<ArcTests.Album.`odd"), text)
    XCTAssertTrue(text.hasSuffix("name.x`.Phantom>"), text)
  }

  func testFormerCodedNamesHaveUnqualifiedTypeArguments() {
    for type in [
      Crate<Int>.self, Crate<String>.self, Crate<[Int?]>.self, Crate<Date>.self,
      Crate<Crate<[String: Data]>>.self,
    ] as [any Archivable.Type] {
      XCTAssertEqual(type.archiveSchema.codedName.formerText, type.archiveSchema.name)
    }
    XCTAssertEqual(Crate<Album.Item>.archiveSchema.codedName.formerText, "Crate<Item>")
    XCTAssertEqual(Crate<Crate<Order.Named>>.archiveSchema.codedName.formerText, "Crate<Crate<Named>>")
  }

  func testHandWrittenNestedClassNamesIncludeEnclosingTypes() throws {
    XCTAssertEqual(Album.Note.archiveSchema.name, "Album.Note")
    XCTAssertEqual(Order.Note.archiveSchema.name, "Order.Note")
    let copy = try roundTrip(Pairing(first: Album.Note(), second: Order.Note()))
    XCTAssertEqual(copy.first.text, "album")
    XCTAssertEqual(copy.second.text, "order")
  }

  func testSpecializationsOfOneGenericClassAreDistinguished() throws {
    let crates: [Parcel] = [Crate([Album.Item(a: 3)]), Crate([Order.Item(a: 4), Order.Item(a: 5)])]
    let copy = try roundTrip(crates, classes: [Crate<Album.Item>.self, Crate<Order.Item>.self])
    XCTAssertEqual((copy[0] as? Crate<Album.Item>)?.list.map(\.a), [3])
    XCTAssertEqual((copy[1] as? Crate<Order.Item>)?.list.map(\.a), [4, 5])
  }

  func testUnregisteredGenericSpecializationIsRefused() throws {
    let bytes = try Archiver().archive([Crate([Album.Item(a: 3)])] as [Parcel])
    assertThrows(.unknownClass, "class 'Crate<Album.Item>'") {
      try Unarchiver(classes: ClassTable(registering: [Crate<Order.Item>.self])).unarchive(
        [Parcel].self, from: bytes)
    }
  }

  /// Returns an archive of an older release, which wrote generic arguments with their Swift names. A second
  /// root is nil.
  private func oldArchive() throws -> [UInt8] {
    let builder = try ArchiveBuilder(
      roots: [.init("root", type: #"$[@"Parcel"]"#), .init("also", type: #"$?$[@"Crate<Item>"]"#)])
    try builder.addClass("Parcel", properties: [])
    try builder.addClass(
      "Crate<Item>", superclass: "Parcel", properties: [.init("list", type: #"$[{Item="a"q}]"#)])
    let item = ArchiveValue.structure(name: "Item", fields: [.init(name: "a", value: .integer(9))])
    let crate = try builder.addObject(ofClass: "Crate<Item>", ["list": .array([item])])
    try builder.setRoots(["root": .array([.reference(crate)]), "also": .null])
    return try builder.finish()
  }

  func testArchivesWithPastCodedNamesAreRead() throws {
    let bytes = try oldArchive()
    let classes = try ClassTable(registering: [Crate<Order.Item>.self])
    let copy = try Unarchiver(classes: classes).unarchive([Parcel].self, from: bytes)
    XCTAssertEqual((copy[0] as? Crate<Order.Item>)?.list.map(\.a), [9])
    // Without a registration, the reader finds the class by the declared types.
    let shelf = try Unarchiver().unarchive(
      roots: .init("root", [Parcel].self), .init("also", [Crate<Album.Item>]?.self), from: bytes)
    XCTAssertEqual((shelf.0[0] as? Crate<Album.Item>)?.list.map(\.a), [9])
  }

  func testAmbiguousPastCodedNameIsRefusedUntilRegistered() throws {
    let bytes = try oldArchive()
    let classes = try ClassTable(registering: [Crate<Order.Item>.self, Crate<Album.Item>.self])
    assertThrows(.nameConflict, "classes.register(Crate<Order.Item>.self, as: \"Crate<Item>\")") {
      try Unarchiver(classes: classes).unarchive([Parcel].self, from: bytes)
    }
    try classes.register(Crate<Album.Item>.self, as: "Crate<Item>")
    let copy = try Unarchiver(classes: classes).unarchive([Parcel].self, from: bytes)
    XCTAssertEqual((copy[0] as? Crate<Album.Item>)?.list.map(\.a), [9])
  }

  func testClassesUsedByRegisteredClassesAreKnown() throws {
    let bytes = try Archiver().archive(roots: ["other": Keeper(), "count": 7])
    let classes = try ClassTable(registering: [Keeper.self])
    XCTAssertEqual(try Unarchiver(classes: classes).unarchive(Int.self, from: bytes, root: "count"), 7)
  }

  /// In the inner of two nested types with one name, the name refers to the inner type.
  func testNestedTypesWithOneCodedNameAreRefused() {
    assertThrows(.nameConflict, "two types with the coded name 'Same'") {
      try Archiver().archive(Outermost())
    }
    assertThrows(.nameConflict, "class 'Confused', key 'outer'") { try Archiver().archive(Confused()) }
  }

  func testEqualTypeNamesWithDifferentKeysAreRefused() {
    assertThrows(.nameConflict, "'Twofold'") { try Archiver().archive(Doubled()) }
  }
}

@Archivable private class Parcel { init() {} }

@Archivable private final class Crate<Content: ArchivableValue>: Parcel {
  var list: [Content] = []
  init(_ list: [Content]) {
    self.list = list
    super.init()
  }
}

private struct Cabinet<Content: ArchivableValue> {}

extension Cabinet {
  @Archivable fileprivate final class Drawer: Parcel {
    var list: [Content] = []
    override init() { super.init() }
  }
  @Archivable fileprivate enum Label {
    case content(Content)
    case none
  }
  @Archivable("Pinned") fileprivate final class Pinned { init() {} }
}

extension Cabinet<Double> {
  @Archivable fileprivate final class Scale { init() {} }
}

extension Album {
  @Archivable fileprivate final class Leaf { init() {} }
  fileprivate enum `odd name.x` { struct Phantom: Sendable {} }
}

@Archivable private final class Ghost<Tag: Sendable> {
  var number = 1
  init() {}
}

@Archivable private struct Pairing<First: ArchivableValue, Second: ArchivableValue> {
  var first: First
  var second: Second
}

private struct Key<Tag>: RawRepresentable, ArchivableValue { var rawValue: Int }

private enum Album {
  @Archivable struct Item: Hashable { var a: Int }
  struct Phantom: Sendable {}
  final class Note: HandWrittenClass {
    let text: String
    init() { text = "album" }
    init(from decoder: borrowing ObjectDecoder) throws {
      text = try decoder.decode(String.self, forKey: "text")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(text, forKey: "text") }
  }
}

private enum Order {
  @Archivable struct Item { var a: Int }
  @Archivable("Renamed") struct Named { var a: Int }
  @Archivable enum State: Int { case open }
  @Archivable("Humour") enum Mood: String { case good }
  final class Note: HandWrittenClass {
    let text: String
    init() { text = "order" }
    init(from decoder: borrowing ObjectDecoder) throws {
      text = try decoder.decode(String.self, forKey: "text")
    }
    func encode(to encoder: borrowing ObjectEncoder) throws { try encoder.encode(text, forKey: "text") }
  }
}

/// A superclass, which comes before its subclass in a file.
@Archivable private class Kept { init() {} }

@Archivable private final class Keeper: Kept {
  var kept: Kept = Kept()
  override init() { super.init() }
}

@Archivable("Same") private struct Outermost { var inner = Inner() }

@Archivable("Same") private struct Inner { var outers: [Outermost] = [] }

@Archivable private final class Confused {
  var outer = Outermost()
  init() {}
}

@Archivable("Twofold") private struct First { @Key("a", "old") var a = 1 }

@Archivable("Twofold") private struct Second { @Key("a", "older") var a = 1 }

@Archivable private final class Doubled {
  var first = First()
  var second = Second()
  init() {}
}
