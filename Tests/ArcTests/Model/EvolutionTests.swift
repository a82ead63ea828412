import Arc
import ArcTestSupport
import XCTest

// Pairs of classes with one coded name: the class of an older program, and the class of a newer program.

@Archivable("Item") final class OldItem {
  var small: Int32 = 7
  var ratio: Float = 0.5
  var sure = "sure"
  var dropped: ChainNode?
  var shared: ChainNode?
  var oldName = "renamed"
  let fixed: Int
  var loose = 5
  var point = OldPoint(x: 1, gone: "g", y: 2)
  var state = OldState.b(1)
  var children: [ChainNode] = []
  init(fixed: Int) { self.fixed = fixed }
}

@Archivable("Item") final class NewItem {
  var added = "default"
  var addedOptional: Int?
  var shared: ChainNode?
  @Key("newName", "oldName") var newName = ""
  var ratio: Double = 0
  var sure: String?
  var small: Int = 0
  var fixed: Int
  let loose: Int
  var point: NewPoint
  var state = NewState.a
  var children: [ChainNode?] = []
  init(fixed: Int, loose: Int) {
    self.fixed = fixed
    self.loose = loose
    point = NewPoint(x: 0, y: 0)
  }
}

@Archivable("Point") struct OldPoint {
  var x: Float
  var gone: String
  var y: Float
}

@Archivable("Point") struct NewPoint: Equatable {
  var y: Double
  var extra = "e"
  @Key("left", "x") var x: Double
  init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

@Archivable("State") enum OldState {
  case unused
  case b(Int32)
  case c
}

@Archivable("State") enum NewState: Equatable {
  case a, c
  case b(Int, note: String?)
}

@Archivable("Item") final class OtherItem { var small = "" }
@Archivable("Item") final class DemandingItem {
  let needed: String
  init(_ needed: String) { self.needed = needed }
}
@Archivable("Item") final class StrictItem {
  var shared: ChainNode
  init(_ shared: ChainNode) { self.shared = shared }
}

@Archivable("Root") class OldRoot { var own = 1 }
@Archivable("Leaf") final class OldLeaf: OldRoot { var leaf = 2 }

@Archivable("Root") class NewRoot { var own = 0 }
@Archivable class Inserted: NewRoot { var leaf = 0 }
@Archivable("Leaf") final class NewLeaf: Inserted { var fresh = 3 }
@Archivable("Leaf") final class LoneLeaf {
  var leaf = 0
  var own = 0
}

@Archivable("Fill") enum OldFill {
  case plain
  case text(String)
}
@Archivable("Fill") enum NewFill {
  case text(String, size: Double = 12, place: (Int, String) = (1, "b"))
  case plain(opacity: Double = 0.5)
}
@Archivable("V1.Text") final class OldText {
  var value: String
  init(_ value: String) { self.value = value }
}
@Archivable("Shapes.Text") final class OlderText {
  var value: String
  init(_ value: String) { self.value = value }
}
@Archivable("Text") final class NewText { var value = "" }
@Archivable final class TextShelf {
  var texts: [any Archivable]
  init(_ texts: [any Archivable]) { self.texts = texts }
}

final class EvolutionTests: XCTestCase {
  private func oldItem() throws -> [UInt8] {
    let item = OldItem(fixed: 9)
    let node = ChainNode(4)
    item.dropped = node
    item.shared = node
    item.children = [node, ChainNode(5)]
    return try Archiver().archive(item)
  }

  func testClassWithChangedPropertiesReadsOldFiles() throws {
    let item = try Unarchiver().unarchive(NewItem.self, from: oldItem())
    XCTAssertEqual(item.added, "default")
    XCTAssertNil(item.addedOptional)
    XCTAssertEqual(item.newName, "renamed")
    XCTAssertEqual(item.ratio, 0.5)
    XCTAssertEqual(item.sure, "sure")
    XCTAssertEqual(item.small, 7)
    XCTAssertEqual(item.fixed, 9)
    XCTAssertEqual(item.loose, 5)
  }

  func testChangedNestedStructuresAndEnumerationsReadOldFiles() throws {
    let item = try Unarchiver().unarchive(NewItem.self, from: oldItem())
    XCTAssertEqual(item.point, NewPoint(x: 1, y: 2))
    XCTAssertEqual(item.state, .b(1, note: nil))
  }

  func testSharedObjectOfADroppedPropertySurvives() throws {
    let item = try Unarchiver().unarchive(NewItem.self, from: oldItem())
    XCTAssertEqual(item.shared?.value, 4)
    XCTAssertTrue(item.children[0] === item.shared)
    XCTAssertEqual(item.children.map { $0?.value }, [4, 5])
  }

  func testMissingAssociatedValuesGetTheirDefaults() throws {
    let fills = try reread([OldFill.plain, .text("a"), .plain], as: [NewFill].self)
    guard case .plain(let opacity) = fills[0], case .text(let text, let size, let place) = fills[1] else {
      return XCTFail("\(fills)")
    }
    XCTAssertEqual(opacity, 0.5)
    XCTAssertEqual(text, "a")
    XCTAssertEqual(size, 12)
    XCTAssertEqual(place.0, 1)
    XCTAssertEqual(place.1, "b")
    // A value in the file is read, whatever the initial value is.
    let copy = try roundTrip([NewFill.text("c", size: 1, place: (2, "d"))])
    guard case .text("c", 1, let kept) = copy[0] else { return XCTFail("\(copy)") }
    XCTAssertEqual(kept.0, 2)
    XCTAssertEqual(kept.1, "d")
  }

  func testClassIsFoundUnderItsFormerNames() throws {
    let bytes = try Archiver().archive(TextShelf([OldText("a"), OlderText("b")]))
    let classes = ClassTable(scope: .declared)
    try classes.register(NewText.self, formerly: "V1.Text", "Shapes.Text")
    let shelf = try Unarchiver(classes: classes).unarchive(TextShelf.self, from: bytes)
    XCTAssertEqual(shelf.texts.map { ($0 as? NewText)?.value }, ["a", "b"])
    XCTAssertThrowsError(try classes.register(OldText.self, formerly: "Shapes.Text"))
  }

  func testLossyTypeChangeIsRefusedWithBothEncodings() throws {
    let bytes = try oldItem()
    assertThrows(
      .typeMismatch,
      "found type 'Int32' (encoding 'i'), expected type 'String' (encoding '@\"NSString\"') or a type that it can hold "
        + "without loss (class 'Item', key 'small')"
    ) {
      try Unarchiver(classes: ClassTable(registering: [ChainNode.self])).unarchive(
        OtherItem.self, from: bytes)
    }
  }

  func testMissingRequiredKeyIsAnErrorWithRemedy() throws {
    let bytes = try oldItem()
    assertThrows(.missingKey, "(class 'Item', key 'needed'); give the property an initial value") {
      try Unarchiver(classes: ClassTable(registering: [ChainNode.self])).unarchive(
        DemandingItem.self, from: bytes)
    }
  }

  func testErrorForNilRequiredReferenceNamesTheObject() throws {
    let bytes = try Archiver().archive(OldItem(fixed: 1))
    assertThrows(.nilReference, "(class 'Item', key 'shared', object #1)") {
      try Unarchiver().unarchive(StrictItem.self, from: bytes)
    }
  }

  func testClassWithChangedSuperclassReadsOldFiles() throws {
    let old = OldLeaf()
    (old.own, old.leaf) = (10, 20)
    let bytes = try Archiver().archive(old)
    let leaf = try Unarchiver().unarchive(NewLeaf.self, from: bytes)
    XCTAssertEqual([leaf.own, leaf.leaf, leaf.fresh], [10, 20, 3])
    let lone = try Unarchiver().unarchive(LoneLeaf.self, from: bytes)
    XCTAssertEqual([lone.own, lone.leaf], [10, 20])
  }
}
