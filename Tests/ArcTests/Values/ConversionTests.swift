import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Types that are archived as another type.
final class ConversionTests: XCTestCase {
  func testConvertedValuesRoundTripInEachContext() throws {
    let colors = [Paint(red: 0, green: 0.5, blue: 1), Paint(red: -0.0, green: .infinity, blue: 1)]
    try SupportedType("Paint", "$[d]", colors).assertRoundTrips()
    try SupportedType("Figure", ##"$(FigureForm="circle"{?=""d}"empty")"##, [Figure.circle(1), .empty])
      .assertRoundTrips()
    try SupportedType("Money", #"{MoneyForm="cents"q"code"@"NSString"}"#, [Money(1), Money(.min)])
      .assertRoundTrips()
    try SupportedType("Stack", "$[q]", [Stack([1, 2]), Stack([])]).assertRoundTrips()
    try SupportedType("Maybe", "$?q", [Maybe(1), Maybe(nil)]).assertRoundTrips()
  }

  func testNestedConvertedValuesRoundTrip() throws {
    let tree = Tree("root", [Tree("a", [Tree("b", [])]), Tree("", [])])
    try SupportedType("Tree", #"{TreeForm="label"@"NSString""children"$[{TreeForm}]}"#, [tree, Tree("", [])])
      .assertRoundTrips()
    try onSmallStack {
      var deep = Tree("0", [])
      for depth in 1..<20_000 { deep = Tree("\(depth)", [deep]) }
      var limits = ArchiveLimits.default
      limits.nesting = 20_000
      var copy = try Unarchiver(limits: limits).unarchive(Tree.self, from: Archiver().archive(deep))
      var depth = 1
      while let next = copy.children.first {
        copy.children = []
        copy = next
        depth += 1
      }
      XCTAssertEqual(depth, 20_000)
      // The children are released one by one.
      while let next = deep.children.first {
        deep.children = []
        deep = next
      }
    }
  }

  func testObjectsInArchivedFormsPreserveIdentity() throws {
    let shared = Pearl("shared")
    let root = Necklace()
    root.clasps = [Clasp(shared), Clasp(Pearl("own")), Clasp(shared)]
    root.clasp = Clasp(shared)
    root.optional = Clasp(shared)
    root.weakTarget = shared
    shared.necklace = root
    let copy = try roundTrip(root)
    XCTAssertTrue(copy.clasps[0].target === copy.clasps[2].target)
    XCTAssertTrue(copy.clasps[0].target === copy.weakTarget)
    XCTAssertTrue(copy.clasp.target === copy.weakTarget && copy.optional?.target === copy.weakTarget)
    XCTAssertEqual(copy.clasps.map(\.target.name), ["shared", "own", "shared"])
    XCTAssertTrue(copy.clasps[0].target.necklace === copy)
    try ObjectGraph.release(root)
    try ObjectGraph.release(copy)
  }

  func testConvertedClassInstancesAreArchivedAsValues() throws {
    let stack = Stack([1, 2])
    let copy = try roundTrip([stack, stack])
    XCTAssertEqual(copy.map(\.numbers), [[1, 2], [1, 2]])
    XCTAssertFalse(copy[0] === copy[1])
  }

  func testInitializerErrorReportsThePathOfTheValue() throws {
    try assertRefuses([0.5], as: Paint.self, "valueOutOfRange: found 1 components, expected 3")
  }

  func testErrorsThrownByAConversionAreUnchanged() throws {
    let bytes = try Archiver().archive([MoneyForm(cents: 1, code: "XXX")])
    XCTAssertThrowsError(try Unarchiver().unarchive([Money].self, from: bytes)) {
      XCTAssertEqual($0 as? UnknownCurrency, UnknownCurrency(code: "XXX"))
    }
  }

  /// Spec: 05-graph, W8.
  func testWritingAnUnreadableArchivedFormIsRefused() throws {
    let record = Purse(money: Money(5, code: "XXX"))
    XCTAssertThrowsError(try Archiver().archive(record)) {
      XCTAssertEqual($0 as? UnknownCurrency, UnknownCurrency(code: "XXX"))
    }
    assertThrows(
      .valueOutOfRange, "found 2 components, expected 3 (class 'Painting', key 'paint', object #1)"
    ) {
      try Archiver().archive(Painting(paint: Paint(components: [1, 2])))
    }
    // A value without an archived form.
    assertThrows(.notArchivable, "found an open one (class 'Valve', key 'gate', object #1)") {
      try Archiver().archive(Valve(gate: Gate(isOpen: true)))
    }
    XCTAssertEqual(try roundTrip(Valve(gate: Gate(isOpen: false))).gate.isOpen, false)
  }

  /// Spec: 05-graph, W8.
  func testKeysWithEqualArchivedFormsAreRefused() throws {
    assertThrows(.duplicateKey, "equal archived values") {
      try Archiver().archive([Coarse(1.25), Coarse(1.5)] as Set)
    }
    XCTAssertEqual(try roundTrip([Coarse(1), Coarse(2)] as Set), [Coarse(1), Coarse(2)])
  }

  func testArchivedFormThatContainsItsTypeIsRefused() throws {
    for body: () throws -> Void in [
      { _ = try Archiver().archive([Endless()]) }, { _ = try Archiver().archive(EndlessHolder()) },
      { _ = try reread([1], as: [Endless].self) },
    ] {
      assertThrows(.notArchivable, "'Endless', whose archivedForm directly contains the type itself", body)
    }
  }

  func testRawRepresentableTypesMayUseConversion() throws {
    let values = [Percentage(rawValue: 50), Percentage(rawValue: 100)].compactMap { $0 }
    try SupportedType("Percentage", #"@"NSString""#, values).assertRoundTrips()
  }

  func testPropertyCanBeReadAsItsArchivedForm() throws {
    let bytes = try Archiver().archive([Paint(red: 1, green: 0, blue: 0)])
    XCTAssertEqual(try Unarchiver().unarchive([[Double]].self, from: bytes), [[1, 0, 0]])
    let file = try ArchiveFile(bytes: Archiver().archive(Painting(paint: Paint(components: [1, 0, 0.5]))))
    XCTAssertEqual(
      try file.object(ObjectID(rawValue: 1))["paint"], .array([.double(1), .double(0), .double(0.5)]))
  }
}

/// A type of another module. Neither the type nor its fields are archivable.
private struct Paint: Hashable {
  var components: [Double]
  init(components: [Double]) { self.components = components }
  init(red: Double, green: Double, blue: Double) { components = [red, green, blue] }
}

extension Paint: ArchivableByConversion {
  var archivedForm: [Double] { components }
  init(archivedForm: [Double]) throws {
    guard archivedForm.count == 3 else {
      throw ArchiveError(.valueOutOfRange, found: "\(archivedForm.count) components", expected: "3")
    }
    components = archivedForm
  }
}

@Archivable private final class Painting {
  var paint: Paint
  init(paint: Paint) { self.paint = paint }
}

private enum Figure: Hashable, ArchivableByConversion {
  case circle(Double)
  case empty
  var archivedForm: FigureForm {
    switch self {
    case .circle(let radius): .circle(radius)
    case .empty: .empty
    }
  }
  init(archivedForm: FigureForm) {
    switch archivedForm {
    case .circle(let radius): self = .circle(radius)
    case .empty: self = .empty
    }
  }
}

@Archivable private enum FigureForm {
  case circle(Double)
  case empty
}

private struct UnknownCurrency: Error, Equatable { var code: String }

private struct Money: Hashable, ArchivableByConversion {
  var cents: Int
  var code: String
  init(_ cents: Int, code: String = "EUR") { (self.cents, self.code) = (cents, code) }
  var archivedForm: MoneyForm { MoneyForm(cents: cents, code: code) }
  init(archivedForm: MoneyForm) throws {
    guard archivedForm.code == "EUR" else { throw UnknownCurrency(code: archivedForm.code) }
    self.init(archivedForm.cents, code: archivedForm.code)
  }
}

@Archivable private struct MoneyForm {
  var cents: Int
  var code: String
}

@Archivable private struct Purse { var money: Money }

private final class Stack: Hashable, ArchivableByConversion {
  let numbers: [Int]
  init(_ numbers: [Int]) { self.numbers = numbers }
  var archivedForm: [Int] { numbers }
  init(archivedForm: [Int]) { numbers = archivedForm }
  static func == (left: Stack, right: Stack) -> Bool { left.numbers == right.numbers }
  func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}

private struct Maybe: Hashable, ArchivableByConversion {
  let number: Int?
  init(_ number: Int?) { self.number = number }
  var archivedForm: Int? { number }
  init(archivedForm: Int?) { number = archivedForm }
}

private struct Tree: Hashable, ArchivableByConversion {
  var label: String
  var children: [Tree]
  init(_ label: String, _ children: [Tree]) { (self.label, self.children) = (label, children) }
  var archivedForm: TreeForm { TreeForm(label: label, children: children) }
  init(archivedForm: TreeForm) { self.init(archivedForm.label, archivedForm.children) }
}

@Archivable private struct TreeForm {
  var label: String
  var children: [Tree]
}

/// A reference in a type of another module.
private struct Clasp: ArchivableByConversion {
  var target: Pearl
  init(_ target: Pearl) { self.target = target }
  var archivedForm: Pearl { target }
  init(archivedForm: Pearl) { target = archivedForm }
}

@Archivable private final class Pearl {
  var name: String
  weak var necklace: Necklace?
  init(_ name: String) { self.name = name }
}

@Archivable private final class Necklace {
  var clasps: [Clasp] = []
  var clasp = Clasp(Pearl("initial"))
  var optional: Clasp?
  weak var weakTarget: Pearl?
  init() {}
}

private struct Gate: ArchivableByConversion {
  var isOpen: Bool
  init(isOpen: Bool) { self.isOpen = isOpen }
  var archivedForm: Bool {
    get throws {
      if isOpen { throw ArchiveError(.notArchivable, found: "an open one") }
      return false
    }
  }
  init(archivedForm: Bool) { isOpen = archivedForm }
}

@Archivable private final class Valve {
  var gate: Gate
  init(gate: Gate) { self.gate = gate }
}

private struct Coarse: Hashable, ArchivableByConversion {
  var number: Double
  init(_ number: Double) { self.number = number }
  var archivedForm: Int { Int(number) }
  init(archivedForm: Int) { number = Double(archivedForm) }
}

private struct Endless: ArchivableByConversion {
  var archivedForm: [Endless?] { [] }
  init() {}
  init(archivedForm: [Endless?]) {}
}

@Archivable private final class EndlessHolder {
  var endless = Endless()
  init() {}
}

private struct Percentage: RawRepresentable, Hashable, ArchivableByConversion {
  var rawValue: Int
  init?(rawValue: Int) {
    guard (0...100).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }
  var archivedForm: String { "\(rawValue) %" }
  init(archivedForm: String) throws {
    guard let number = Int(archivedForm.dropLast(2)), let value = Percentage(rawValue: number) else {
      throw ArchiveError(.valueOutOfRange, found: archivedForm)
    }
    self = value
  }
}
