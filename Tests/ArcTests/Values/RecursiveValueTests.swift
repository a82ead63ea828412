import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

final class RecursiveValueTests: XCTestCase {
  /// All readers count the same depth: the limit is the number of values of a type nested in the outermost
  /// value.
  func testPropertyWrapperFieldsRoundTripDespiteInitialValues() throws {
    var folder = MixedFolder(names: ["a", "b"], title: "c")
    (folder.size, folder.last) = (8, 3)
    XCTAssertEqual(try reread(folder, as: MixedFolder.self), folder)
  }

  func testNestingLimitIsEqualInEveryReader() throws {
    var limits = ArchiveLimits.default
    limits.nesting = 20
    func assertDeepest<Value: ArchivableValue & Equatable>(_ make: (_ depth: Int) -> Value) throws {
      let deepest = try Archiver().archive(make(21))
      let file = try ArchiveFile(verifying: deepest, limits: limits)
      _ = try file.roots()
      XCTAssertEqual(try Unarchiver(limits: limits).unarchive(Value.self, from: deepest), make(21))
      let deeper = try Archiver().archive(make(22))
      assertThrows(.limitExceeded, "raise ArchiveLimits.nesting") {
        try ArchiveFile(bytes: deeper, limits: limits).verify()
      }
      assertThrows(.limitExceeded, "raise ArchiveLimits.nesting") {
        try ArchiveFile(bytes: deeper, limits: limits).roots()
      }
      assertThrows(.limitExceeded, "raise ArchiveLimits.nesting") {
        try Unarchiver(limits: limits).unarchive(Value.self, from: deeper)
      }
    }
    try assertDeepest(branch)
    try assertDeepest(call)
    // Two types are between a value and the next nested value.
    try assertDeepest { depth in
      (1..<depth).reduce(Hall(name: "last")) { inner, level in
        Hall(name: "\(level)", door: Door(halls: ["a": inner]))
      }
    }
    // A type that contains itself in two properties, and another such type.
    try assertDeepest { depth in
      let leaf = Hedge(branch: self.branch(depth: depth - 9), left: [], right: nil)
      return (1...9).reduce(leaf) { inner, level in
        Hedge(branch: nil, left: level % 2 == 0 ? [inner] : [], right: level % 2 == 0 ? nil : [inner])
      }
    }
    XCTAssertEqual(try roundTrip(branch(depth: 129)).depth, 129)
  }

  func testLongIndirectEnumerationRoundTripsOnSmallStack() throws {
    let count = RandomTrials.size(usually: 12_000, exhaustively: 100_000)
    try onSmallStack {
      var limits = ArchiveLimits.default
      limits.nesting = count
      var spine = Spine.end
      for level in 1..<count { spine = .vertebra(level, spine, name: "v\(level % 10)") }
      let bytes = try Archiver().archive(spine)
      let canonical = try Archiver(isCanonical: true).archive(spine)
      XCTAssertEqual(bytes, canonical)
      spine.takeApart { _, _ in }
      try ArchiveFile(bytes: bytes, limits: limits).verify()
      var copy = try Unarchiver(limits: limits).unarchive(Spine.self, from: bytes)
      var expected = count - 1
      copy.takeApart { level, name in
        if level != expected || name != "v\(level % 10)" { XCTFail("\(level) at \(expected)") }
        expected -= 1
      }
      XCTAssertEqual(expected, 0)
    }
  }

  func testDeepPropertyTreesRoundTripOnSmallStack() throws {
    try onSmallStack {
      var limits = ArchiveLimits.default
      limits.nesting = 5000
      var root = Branch(label: "leaf")
      for level in 1..<5000 { root = Branch(label: "\(level)", children: [root, Branch(label: "twig")]) }
      let box = Box(root)
      root = Branch(label: "")
      let copy = try Unarchiver(limits: limits).unarchive(Box<Branch>.self, from: Archiver().archive(box))
      for object in [box, copy] {
        var depth = 0
        while !object.content.children.isEmpty {
          XCTAssertEqual(object.content.children.last?.label, "twig")
          object.content = object.content.children[0]
          depth += 1
        }
        XCTAssertEqual(depth, 4999)
      }
    }
  }

  func testDeepestAllowedValuesAreReadOnSmallStack() throws {
    let depth = ArchiveLimits.default.nesting
    let value = branch(depth: depth)
    let bytes = try Archiver().archive(Box(value))
    try onSmallStack {
      let session = try LazyArchive(bytes: bytes)
      XCTAssertEqual(try session.object(Box<Branch>.self, at: "root").content.depth, depth)
      XCTAssertEqual(try session.value(Branch.self, at: "root.content").depth, depth)
      XCTAssertEqual(try Unarchiver().unarchive(Box<Branch>.self, from: bytes).content.depth, depth)
      let object = try ArchiveFile(bytes: bytes).object(ObjectID(rawValue: 1))
      XCTAssertLessThan("\(object)".utf8.count, 3000)
    }
  }

  func testFileNestedBeyondTheLimitIsRefused() throws {
    var limits = ArchiveLimits.default
    limits.nesting = 10
    let bytes = try Archiver().archive(branch(depth: 12))
    assertThrows(.limitExceeded, "ArchiveLimits.nesting") {
      try Unarchiver(limits: limits).unarchive(Branch.self, from: bytes)
    }
    XCTAssertEqual(
      try Unarchiver(limits: limits).unarchive(Branch.self, from: Archiver().archive(branch(depth: 11)))
        .depth, 11)
  }

  func testManyDeepSiblingsDoNotCountAsDepth() throws {
    let forest = Branch(label: "root", children: (0..<100).map { _ in branch(depth: 100) })
    let copy = try roundTrip(forest)
    XCTAssertEqual(copy, forest)
    XCTAssertEqual(
      try roundTrip((0..<100).map { call(depth: 1 + $0) }), (0..<100).map { call(depth: 1 + $0) })
  }

  func testPropertyWrapperFieldKeepsPositionInRecursiveStructure() throws {
    var inner = Folder(name: "inner")
    inner.size = 1
    var outer = Folder(name: "outer")
    outer.folders = [inner, Folder(name: "last")]
    outer.size = 2
    let copy = try roundTrip(outer)
    XCTAssertEqual(copy.name, "outer")
    XCTAssertEqual(copy.size, 2)
    XCTAssertEqual(copy.folders.map(\.name), ["inner", "last"])
    XCTAssertEqual(copy.folders.map(\.size), [1, 0])
    XCTAssertEqual(copy.folders.map(\.folders.count), [0, 0])
  }

  func testMissingPropertyWrapperFieldGetsItsInitialValue() throws {
    let bytes = try Archiver().archive(OldFolder(name: "old"))
    let copy = try Unarchiver().unarchive(DefaultedFolder.self, from: bytes)
    XCTAssertEqual(copy.name, "old")
    XCTAssertEqual(copy.size, 7)
    assertThrows(.missingKey, "no value for the field 'folders'") {
      try Unarchiver().unarchive(Folder.self, from: bytes)
    }
  }

  /// Returns a chain of `depth` branches.
  private func branch(depth: Int) -> Branch {
    (1..<depth).reduce(Branch(label: "leaf")) { inner, level in Branch(label: "\(level)", children: [inner]) }
  }

  /// Returns `depth` calls, each nested in an argument of the previous call.
  private func call(depth: Int) -> Expression {
    (1..<depth).reduce(Expression.call(function: "f", [])) { inner, _ in
      .call(function: "f", [inner, .nothing])
    }
  }
}

extension Branch {
  fileprivate var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
}

/// A recursive value with a field after the nested value.
@Archivable private indirect enum Spine {
  case end
  case vertebra(Int, Spine, name: String)

  /// Releases the levels one by one, because Swift would release them recursively.
  mutating func takeApart(_ body: (Int, String) -> Void) {
    while case .vertebra(let level, let rest, let name) = self {
      body(level, name)
      self = rest
    }
  }
}

@Archivable private struct Hall: Equatable {
  var name: String
  var door: Door?
}

@Archivable private struct Door: Equatable { var halls: [String: Hall] = [:] }

@Archivable private struct Hedge: Equatable {
  var branch: Branch?
  var left: [Hedge]
  var right: [Hedge]?
}

@propertyWrapper
private struct Kept<Value> {
  var wrappedValue: Value
}

/// The wrappers are declared before the plain fields, so they are read first and set last.
@Archivable private struct Folder {
  @Kept var folders: [Folder]
  @Kept var size = 0
  var name: String

  init(name: String) {
    self.name = name
    folders = []
  }
}

@Archivable private struct DefaultedFolder {
  @Kept var size = 7
  var name: String
}

/// The wrapper without an initial value is set before the wrappers with one, and all wrappers before the
/// plain field.
@Archivable private struct MixedFolder: Equatable {
  @Kept var size = 7
  @Kept var names: [String]
  @Kept var depth = 1
  @Kept var title: String
  @Kept var last = 2

  static func == (left: MixedFolder, right: MixedFolder) -> Bool {
    left.size == right.size && left.names == right.names && left.depth == right.depth
      && left.title == right.title && left.last == right.last
  }
}

@Archivable private struct OldFolder { var name: String }
