import Arc
import ArcArchive
import ArcTestSupport
import XCTest

/// Lists of values of any type. A program does not know some of these values, which have no identity in the
/// program.
final class PreservedBoxTests: XCTestCase {
  private let content = PreservedContent()

  /// Has the older program change a list, and the newer program read it.
  private func passed(
    _ items: [any BoardItem], _ change: (inout [any BoardItem]) -> Void = { _ in }
  ) throws -> [String] {
    let board = WholeBoard.Board()
    board.items = items
    let found = try content.pass(
      board, as: HalfBoard.Board.self, through: HalfBoard.types, back: WholeBoard.types
    ) { change(&$0.items) }
    return found.items.map(\.text)
  }

  private static var line: [any BoardItem] {
    [
      WholeBoard.Lamp(.red), WholeBoard.Dot(x: 1, z: 5), WholeBoard.Coil(2), WholeBoard.Dot(x: 2, z: 6),
      WholeBoard.Lamp(.blue), WholeBoard.Dot(x: 2, z: 7),
      WholeBoard.Coil(3), WholeBoard.Coil(4),
    ]
  }
  private static let texts = [
    "red", "dot 1 5", "coil 2", "dot 2 6", "blue", "dot 2 7", "coil 3", "coil 4",
  ]

  func testUnknownElementsStayInTheirPositions() throws {
    let found = try passed(Self.line) {
      XCTAssertEqual($0.map(\.text), ["red", "dot 1", "dot 2", "dot 2"])
    }
    XCTAssertEqual(found, Self.texts)
  }

  func testUnknownValuesAtBothEndsStayInPosition() throws {
    XCTAssertEqual(
      try passed([WholeBoard.Coil(1), WholeBoard.Dot(x: 1, z: 5), WholeBoard.Coil(2)]) {
        $0[0] = HalfBoard.Dot(x: 9)
      },
      ["coil 1", "dot 9 5", "coil 2"])
    XCTAssertEqual(
      try passed([WholeBoard.Coil(1), WholeBoard.Lamp(.blue)]) { $0.append(HalfBoard.Dot(x: 1)) }.count, 3)
    XCTAssertEqual(try passed([WholeBoard.Coil(1), WholeBoard.Dot(x: 1, z: 5)]) { $0 = [] }, ["coil 1"])
  }

  func testChangedValuePreservesUnknownFieldsAndNeighbors() throws {
    let found = try passed(Self.line) { $0[1] = HalfBoard.Dot(x: 10) }
    var expected = Self.texts
    expected[1] = "dot 10 5"
    XCTAssertEqual(found, expected)
  }

  func testUnknownValuesStayAfterTheirPredecessors() throws {
    let inserted = try passed(Self.line) { $0.insert(HalfBoard.Lamp.red, at: 1) }
    XCTAssertEqual(inserted, ["red", "red"] + Self.texts.dropFirst())
    let removed = try passed(Self.line) { $0.remove(at: 1) }
    XCTAssertEqual(removed, ["red", "coil 2"] + Self.texts.dropFirst(3))
    let reversed = try passed(Self.line) { $0.reverse() }
    XCTAssertEqual(reversed, ["dot 2 6", "blue", "dot 2 7", "coil 3", "coil 4", "dot 1 5", "coil 2", "red"])
  }

  func testAddedValuesHaveNoUnknownFields() throws {
    XCTAssertEqual(
      try passed([WholeBoard.Mark("a", note: "x"), WholeBoard.Coil(1)]) {
        $0 += [HalfBoard.Mark(name: "a"), HalfBoard.Mark(name: "b")]
      },
      ["mark a x", "coil 1", "mark a -", "mark b -"])
  }

  func testMixedObjectAndValueListPreservesUnknownElements() throws {
    let (pin, other) = (WholeBoard.Pin("pin"), WholeBoard.Pin("other"))
    pin.hidden = "kept"
    let items: [any BoardItem] = [
      pin, WholeBoard.Coil(1), WholeBoard.Dot(x: 1, z: 5), pin, WholeBoard.Nail(), other,
      WholeBoard.Lamp(.blue),
    ]
    let found = try passed(items) { items in
      XCTAssertEqual(items.map(\.text), ["pin", "dot 1", "pin", "other"])
      items.swapAt(0, 3)
      items.append(HalfBoard.Dot(x: 1))
    }
    XCTAssertEqual(
      found.sorted(),
      ["blue", "coil 1", "dot 1 -1", "dot 1 5", "nail", "pin other -", "pin pin kept", "pin pin kept"])
    XCTAssertEqual(found.filter { $0.hasPrefix("pin") }.first, "pin other -")
  }

  func testPropertiesDictionariesAndStructuresPreserveUnknownValues() throws {
    let board = WholeBoard.Board()
    board.best = WholeBoard.Coil(1)
    board.other = WholeBoard.Dot(x: 1, z: 5)
    board.state = .bare(3)
    board.maybe = [nil, WholeBoard.Coil(2), WholeBoard.Dot(x: 1, z: 5), WholeBoard.Lamp(.blue), nil]
    board.byName = ["a": WholeBoard.Coil(1), "b": WholeBoard.Dot(x: 2, z: 6)]
    board.lists = [
      "a": [WholeBoard.Dot(x: 1, z: 5), WholeBoard.Coil(1)],
      "b": [WholeBoard.Coil(1), WholeBoard.Lamp(.red)], "c": [WholeBoard.Coil(7)],
    ]
    board.shelf = WholeBoard.Shelf(
      items: [WholeBoard.Coil(1), WholeBoard.Dot(x: 1, z: 5)], label: "l", first: WholeBoard.Dot(x: 3, z: 9))
    let found = try content.pass(
      board, as: HalfBoard.Board.self, through: HalfBoard.types, back: WholeBoard.types
    ) { board in
      XCTAssertNil(board.best)
      if case .item(let item) = board.state { XCTAssertEqual(item.text, "dot -1") }
      board.title = "changed"
      board.other = HalfBoard.Dot(x: 4)
      XCTAssertEqual(board.maybe.map { $0?.text }, [nil, nil, "dot 1", nil, nil])
      board.maybe[2] = HalfBoard.Dot(x: 5)
      board.byName["b"] = HalfBoard.Dot(x: 7)
      board.byName["c"] = HalfBoard.Dot(x: 8)
      board.lists["a"]?.append(HalfBoard.Lamp.red)
      board.shelf.label = "new"
      board.shelf.items.append(HalfBoard.Lamp.red)
    }
    XCTAssertEqual([found.title, found.best?.text, found.other?.text], ["changed", "coil 1", "dot 4 5"])
    guard case .bare(3) = found.state else { return XCTFail("\(found.state)") }
    XCTAssertEqual(found.maybe.map { $0?.text }, [nil, "coil 2", "dot 5 5", "blue", nil])
    XCTAssertEqual(found.byName.mapValues(\.text), ["a": "coil 1", "b": "dot 7 6", "c": "dot 8 -1"])
    XCTAssertEqual(
      found.lists.mapValues { $0.map(\.text) },
      ["a": ["dot 1 5", "coil 1", "red"], "b": ["coil 1", "red"], "c": ["coil 7"]])
    XCTAssertEqual(found.shelf.items.map(\.text), ["coil 1", "dot 1 5", "red"])
    XCTAssertEqual([found.shelf.label, found.shelf.first.text], ["new", "dot 3 9"])
  }

  func testNestedValuesPreserveUnknownValues() throws {
    func group(_ depth: Int) -> WholeBoard.Bunch {
      WholeBoard.Bunch(
        items: [WholeBoard.Coil(depth), WholeBoard.Dot(x: depth, z: depth)]
          + (depth > 0 ? [group(depth - 1)] : []),
        note: "n\(depth)")
    }
    func changed(_ bunch: HalfBoard.Bunch) -> HalfBoard.Bunch {
      var bunch = bunch
      bunch.items = bunch.items.map { ($0 as? HalfBoard.Bunch).map(changed) ?? $0 }
      if bunch.items.count == 1 { bunch.items.append(HalfBoard.Lamp.red) }
      return bunch
    }
    let found = try passed([WholeBoard.Coil(9), group(8), WholeBoard.Coil(10), group(2)]) { items in
      items = items.map { ($0 as? HalfBoard.Bunch).map(changed) ?? $0 }
    }
    func text(_ depth: Int) -> String {
      "n\(depth)(coil \(depth), dot \(depth) \(depth), \(depth > 0 ? text(depth - 1) : "red"))"
    }
    XCTAssertEqual(found, ["coil 9", text(8), "coil 10", text(2)])
  }

  func testUnknownValuesSurviveSavesOfGraphAndCopies() throws {
    let board = WholeBoard.Board()
    board.items = Self.line
    var bytes = try Archiver().archive(board)
    let classes = try ClassTable(declaring: HalfBoard.types)
    for round in 1...3 {
      let old = try Unarchiver(classes: classes, unknownContent: .preserve(in: content))
        .unarchive(HalfBoard.Board.self, from: bytes)
      for step in 1...2 {
        old.items[1] = HalfBoard.Dot(x: round * 10 + step)
        bytes = try Archiver(isCanonical: step == 2, preserving: content).archive(old)
        try ArchiveFile(bytes: bytes).verify()
        let found = try Unarchiver(classes: ClassTable(declaring: WholeBoard.types))
          .unarchive(WholeBoard.Board.self, from: bytes)
        var expected = Self.texts
        expected[1] = "dot \(round * 10 + step) 5"
        XCTAssertEqual(found.items.map(\.text), expected)
      }
    }
  }

  func testRootStructurePreservesUnknownValues() throws {
    let shelf = WholeBoard.Shelf(items: Self.line, label: "l", first: WholeBoard.Dot(x: 3, z: 9))
    let found = try content.pass(
      shelf, as: HalfBoard.Shelf.self, through: HalfBoard.types, back: WholeBoard.types
    ) { $0.label = "new" }
    XCTAssertEqual(found.items.map(\.text), Self.texts)
    XCTAssertEqual([found.label, found.first.text], ["new", "dot 3 9"])
  }

  func testObjectsInPreservedValuesKeepTheirIdentity() throws {
    let pin = WholeBoard.Pin("pin")
    let board = WholeBoard.Board()
    board.items = [
      WholeBoard.Hook(pin: pin, wire: WholeBoard.Pin("wire")), WholeBoard.Coil(1),
      WholeBoard.Hook(pin: pin, wire: pin), pin,
    ]
    let found = try content.pass(
      board, as: HalfBoard.Board.self, through: HalfBoard.types, back: WholeBoard.types
    ) { board in
      XCTAssertEqual(board.items.count, 3)
      (board.items[2] as? HalfBoard.Pin)?.name = "renamed"
    }
    let (first, second) = (found.items[0] as? WholeBoard.Hook, found.items[2] as? WholeBoard.Hook)
    XCTAssertTrue(first?.pin === found.items[3] as? WholeBoard.Pin)
    XCTAssertTrue(second?.wire === first?.pin)
    XCTAssertEqual([first?.pin?.name, first?.wire?.name], ["renamed", "wire"])
  }

  func testLongReversedListKeepsItsUnknownValue() throws {
    let count = RandomTrials.size(usually: 1_000, exhaustively: 20_000)
    let items =
      (0..<count).map { WholeBoard.Dot(x: $0, z: $0) as any BoardItem } + [WholeBoard.Coil(1)]
    let found = try passed(items) { $0.reverse() }
    XCTAssertEqual(found.count, count + 1)
    XCTAssertEqual(found.firstIndex(of: "coil 1"), 1)
  }
}
