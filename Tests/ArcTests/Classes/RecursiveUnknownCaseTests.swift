import Arc
import ArcFormat
import ArcTestSupport
import XCTest

/// Recursive values with unknown cases, read by each API.
final class RecursiveUnknownCaseTests: XCTestCase {
  private typealias New = FormulaModels.New
  private typealias Old = FormulaModels.Old

  /// A known formula that contains an unknown formula, in each kind of container.
  private static var formulas: [(New, Old?)] {
    [
      (.add(.number(1), .pi), nil), (.mul(.number(1), .mul(.pi, .number(2))), nil),
      (
        .list([.pi, .add(.number(1), .number(2)), .mul(.number(3), .number(4)), .number(5)]),
        .list([.add(.number(1), .number(2)), .number(5)])
      ),
      (.maybe(.mul(.number(1), .number(2))), .maybe(nil)), (.maybe(.list([.pi])), .maybe(.list([]))),
      (.byName(["a": .number(1), "b": .mul(.text("x"), .pi)]), .byName(["a": .number(1)])),
      (.group([.number(1), .mul(.number(1), .number(1)), .pi]), .group([.number(1)])),
      (.counts([.number(1): 1, .add(.pi, .pi): 2]), .counts([.number(1): 1])),
      (.group([.list([.pi]), .list([])]), .group([.list([])])),
      (.both(left: .mul(.pi, .pi), right: .number(1)), .both(right: .number(1))), (.note(.pi), .note),
    ]
  }

  func testUnknownPartsAreOmittedInEveryContainer() throws {
    for (new, old) in Self.formulas {
      let all: [New] = [.number(0), new, .number(9)]
      XCTAssertEqual(
        try read([Old].self, all), [.number(0)] + (old.map { [$0] } ?? []) + [.number(9)], "\(new)")
      XCTAssertEqual(try read([Old?].self, all), [.number(0), old, .number(9)], "\(new)")
      XCTAssertEqual(try read(Old?.self, new), old, "\(new)")
      XCTAssertEqual(try read([String: Old].self, ["a": new, "b": .number(2)])["a"], old, "\(new)")
      XCTAssertEqual(
        try read(Set<Old>.self, Set(all)), Set([.number(0), .number(9)] + (old.map { [$0] } ?? [])))
    }
  }

  func testUnknownCaseInTheRootIsRefused() throws {
    assertThrows(.unknownCase, "case 'mul'") { try read(Old.self, New.mul(.number(1), .number(2))) }
    assertThrows(.unknownCase, "case 'pi'") { try read(Old.self, New.add(.number(1), .pi)) }
    assertThrows(.unknownCase, "case 'mul'") { try reread([New.mul(.pi, .pi)], as: [Old].self) }
  }

  func testLazyArchiveOmitsUnknownPartsLikeUnarchiver() throws {
    let notebook = FormulaModels.NewNotebook()
    notebook.list = Self.formulas.map(\.0)
    notebook.first = .mul(.number(1), .number(2))
    notebook.one = .add(.number(1), .pi)
    let bytes = try Archiver().archive(notebook)
    let session = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(unknownContent: .leaveOut))
    let old = try session.object(FormulaModels.OldNotebook.self)
    XCTAssertEqual(old.list, Self.formulas.compactMap(\.1))
    XCTAssertEqual(old.first, .number(-1))
    XCTAssertNil(old.one)
  }

  func testSavingAChangedListRestoresUnknownParts() throws {
    let notebook = FormulaModels.NewNotebook()
    notebook.list = Self.formulas.map(\.0)
    notebook.one = .mul(.number(1), .list([.pi]))
    notebook.first = .add(.pi, .number(1))
    let content = PreservedContent()
    let old = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(
      FormulaModels.OldNotebook.self, from: Archiver().archive(notebook))
    old.list.append(.number(100))
    old.list.insert(.number(-100), at: 0)
    let back = try Unarchiver().unarchive(
      FormulaModels.NewNotebook.self, from: Archiver(preserving: content).archive(old))
    XCTAssertEqual(Set(back.list), Set([.number(-100)] + notebook.list + [.number(100)]))
    XCTAssertEqual(back.list.count, notebook.list.count + 2)
    XCTAssertEqual(back.one, notebook.one)
    XCTAssertEqual(back.first, notebook.first)
  }

  func testUnknownCaseContainingExistentialsIsOmitted() throws {
    let new = NewTable()
    let seat = TableSeat()
    new.cells = [
      .row([.boxed(NewLabel(text: "a")), .pair(.boxed(seat), .boxed(NewLabel(text: "b"))), .boxed(seat)]),
      .pair(.row([]), .boxed(seat)), .boxed(NewLabel(text: "c")),
    ]
    let classes = ClassTable()
    try classes.register(OldLabel.self)
    let old = try Unarchiver(classes: classes, unknownContent: .leaveOut).unarchive(
      OldTable.self, from: Archiver().archive(new))
    XCTAssertEqual(old.cells.count, 2)
    guard case .row(let row) = old.cells[0], case .boxed(let label) = row[0], case .boxed(let found) = row[1]
    else { return XCTFail("\(old.cells)") }
    XCTAssertEqual(row.count, 2)
    XCTAssertEqual((label as? OldLabel)?.text, "a")
    XCTAssertTrue(found is TableSeat)
    guard case .boxed(let last) = old.cells[1] else { return XCTFail("\(old.cells)") }
    XCTAssertEqual((last as? OldLabel)?.text, "c")
  }

  func testDroppedFieldsOfRecursiveValuesAreIgnored() throws {
    let leaf = NewBranch(older: [], name: "leaf", children: [], size: 1)
    let tree = NewBranch(
      older: [leaf, leaf], name: "tree",
      children: [NewBranch(older: [leaf], name: "inner", children: [leaf], size: 2), leaf], size: 3)
    let old = try reread([tree, leaf], as: [OldBranch].self)
    let oldLeaf = OldBranch(size: 1, children: [], name: "leaf")
    XCTAssertEqual(
      old,
      [
        OldBranch(
          size: 3, children: [OldBranch(size: 2, children: [oldLeaf], name: "inner"), oldLeaf], name: "tree"),
        oldLeaf,
      ])
    let flat = try reread([tree, leaf], as: [FlatBranch].self)
    XCTAssertEqual(flat, [FlatBranch(size: 3, name: "tree"), FlatBranch(size: 1, name: "leaf")])
  }

  func testReorderedFieldsOfRecursiveValuesAreConverted() throws {
    let tree = NewBranch(
      older: [], name: "tree", children: [NewBranch(older: [], name: "x", children: [], size: 300)], size: 3)
    let converted = try reread(tree, as: WideBranch.self)
    XCTAssertEqual(converted.size, 3)
    XCTAssertEqual(converted.children[0].size, 300)
    XCTAssertEqual(converted.children[0].name, "x")
    assertThrows(.valueOutOfRange) { try reread(tree, as: NarrowBranch.self) }
  }

  func testAddedAssociatedValueGetsItsInitialValue() throws {
    let old: [EarlySum] = [.negated(.number(1)), .none, .number(2), .negated(.negated(.none))]
    XCTAssertEqual(
      try reread(old, as: [LateSum].self),
      [
        .negated(.number(1), by: .number(7)), .none(.number(8)), .number(2),
        .negated(.negated(.none(.number(8)), by: .number(7)), by: .number(7)),
      ])
    assertThrows(.missingKey) { try reread(old, as: [StrictSum].self) }
  }

  func testNilInFieldThatBecameRequiredIsRefused() throws {
    let long = OptionalChain(
      number: 0, next: [OptionalChain(number: 5, next: []), OptionalChain(number: 6, next: [])])
    XCTAssertEqual(try reread([long, long], as: [DefiniteChain].self).map(\.next.count), [2, 2])
    assertThrows(.valueOutOfRange, "found nil") {
      try reread([long, OptionalChain(number: 1, next: nil)], as: [DefiniteChain].self)
    }
  }

  func testDeepUnknownValueIsSkippedWithoutRecursion() throws {
    var formula = New.pi
    for level in 0..<50 {
      formula = level % 2 == 0 ? .mul(formula, .number(level)) : .list([formula, .number(level)])
    }
    let bytes = try Archiver().archive([formula, .number(1)])
    try onSmallStack {
      let old = try Unarchiver(unknownContent: .leaveOut).unarchive([Old].self, from: bytes)
      XCTAssertEqual(old, [.list([.number(49)]), .number(1)])
    }
  }

  func testDamagedRecursiveValuesAreReported() throws {
    let bytes = try Archiver().archive([New.list([.pi, .mul(.number(1), .number(2))])])
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 1
      _ = try? Unarchiver(unknownContent: .leaveOut).unarchive([Old].self, from: damaged)
    }
  }

  private func read<New: ArchivableValue>(_ type: New.Type, _ value: some ArchivableValue) throws -> New {
    try Unarchiver(unknownContent: .leaveOut).unarchive(type, from: Archiver().archive(value))
  }
}

// MARK: - Types

private protocol TableCell {}
@Archivable("TableSeat") private final class TableSeat: TableCell { var number = 1 }
@Archivable("TableLabel") private struct NewLabel: TableCell { var text: String }
@Archivable("TableLabel") private struct OldLabel: TableCell { var text: String }
@Archivable("TableCells") private indirect enum NewCell {
  case row([NewCell])
  case boxed(any TableCell)
  case pair(NewCell, NewCell)
}
@Archivable("TableCells") private indirect enum OldCell {
  case boxed(any TableCell)
  case row([OldCell])
}
@Archivable("Table") private final class NewTable { var cells: [NewCell] = [] }
@Archivable("Table") private final class OldTable { var cells: [OldCell] = [] }

@Archivable("GrowingSum") private indirect enum EarlySum {
  case number(Int)
  case negated(EarlySum)
  case none
}
@Archivable("GrowingSum") private indirect enum LateSum: Equatable {
  case number(Int)
  case negated(LateSum, by: LateSum = .number(7))
  case none(LateSum = .number(8))
}
@Archivable("GrowingSum") private indirect enum StrictSum {
  case number(Int)
  case negated(StrictSum, StrictSum)
  case none
}

@Archivable("Chain") private struct OptionalChain {
  var number: Int
  var next: [OptionalChain]?
  var last: [OptionalChain]?
}
@Archivable("Chain") private struct DefiniteChain: Equatable {
  var next: [DefiniteChain]
  var number: Int
}

@Archivable("OrderedBranch") private struct NewBranch: Equatable {
  var older: [NewBranch]
  var name: String
  var children: [NewBranch]
  var size: Int
}
@Archivable("OrderedBranch") private struct OldBranch: Equatable {
  var size: Int
  var children: [OldBranch]
  var name: String
}
@Archivable("OrderedBranch") private struct FlatBranch: Equatable {
  var size: Int
  var name: String
}
@Archivable("OrderedBranch") private struct WideBranch {
  var size: Double
  var children: [WideBranch]
  var name: String
}
@Archivable("OrderedBranch") private struct NarrowBranch {
  var children: [NarrowBranch]
  var size: Bool
  var name: String
}
