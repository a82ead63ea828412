import Arc
import ArcTestSupport
import XCTest

/// The hook `didUnarchive(in:)`.
final class UnarchiveFinishingTests: XCTestCase {
  private func calls(_ root: some ArchivableValue, classes: [any Archivable.Type] = []) throws -> [String] {
    let recorder = Recorder()
    let bytes = try Archiver().archive(root)
    func read<Root: ArchivableValue>(_ type: Root.Type) throws {
      _ = try Unarchiver(recorder, classes: ClassTable(registering: classes)).unarchive(
        Root.self, from: bytes)
    }
    func readAs<Root: ArchivableValue>(_ root: Root) throws { try read(Root.self) }
    try readAs(root)
    let first = recorder.calls
    for _ in 0..<3 {
      recorder.calls = []
      try readAs(root)
      XCTAssertEqual(recorder.calls, first, "the same order each time")
    }
    return first
  }

  func testObjectsOfATreeAwakenAfterTheirContents() throws {
    let tree = Awake(
      "root",
      links: [
        Awake("a", links: [Awake("a1"), Awake("a2")]), Awake("b", links: [Awake("b1")]),
      ])
    XCTAssertEqual(try calls(tree), ["a1", "a2", "a", "b1", "b", "root"])
  }

  func testSharedAndConstructionObjectsAwakenBeforeTheirOwners() throws {
    let deep = Awake("deep")
    let built = Awake("built", links: [deep])
    let root = Awake("root", built: built, links: [deep, Awake("a", links: [Awake("b", built: deep)])])
    XCTAssertEqual(try calls(root), ["deep", "built", "b", "a", "root"])
  }

  func testObjectsOfACycleAwakenInTraversalOrder() throws {
    let nodes = ["a", "b", "c"].map { Awake($0) }
    for (index, node) in nodes.enumerated() { node.links = [nodes[(index + 1) % 3]] }
    XCTAssertEqual(try calls(nodes[0]), ["c", "b", "a"])
    XCTAssertEqual(try calls(nodes[1]), ["a", "c", "b"])
    try ObjectGraph.release(nodes)
  }

  func testDictionaryKeysAndValuesAwakenBeforeTheRoot() throws {
    let holder = QuietHolder()
    holder.keys = [Awake("key"): Awake("value")]
    let root = Awake("root")
    root.quiet = holder
    XCTAssertEqual(try calls(root), ["key", "value", "root"])
  }

  func testWeakReferencesDoNotAffectTheHookOrder() throws {
    let child = Awake("child")
    let root = Awake("root", links: [child])
    (child.parent, child.owner) = (root, root)
    XCTAssertEqual(try calls(root), ["child", "root"])
  }

  func testLongChainAwakensWithoutRecursion() throws {
    let count = RandomTrials.size(usually: 8_000, exhaustively: 20_000)
    var last = Awake("last")
    let first = last
    for index in 0..<count {
      let next = Awake("\(index)", links: [])
      last.links = [next]
      last = next
    }
    let recorder = Recorder()
    let bytes = try Archiver().archive(first)
    try onSmallStack {
      let copy = try Unarchiver(recorder).unarchive(Awake.self, from: bytes)
      try ObjectGraph.release(copy)
    }
    XCTAssertEqual(recorder.calls.count, count + 1)
    XCTAssertEqual(recorder.calls.first, "\(count - 1)")
    XCTAssertEqual(recorder.calls.last, "last")
    try ObjectGraph.release(first)
  }

  func testObjectsOutsideTheRequestedRootDoNotAwaken() throws {
    let recorder = Recorder()
    let bytes = try Archiver().archive(roots: ["a": Awake("a"), "b": Awake("b")])
    _ = try Unarchiver(recorder).unarchive(Awake.self, from: bytes, root: "b")
    XCTAssertEqual(recorder.calls, ["b"])
  }

  func testHookErrorStopsReadingAndNamesTheObject() throws {
    let recorder = Recorder()
    let tree = Awake("root", links: [Awake("a"), Awake("b")])
    let bytes = try Archiver().archive(tree)
    let before = Pulse.living
    recorder.failing = ("b", ArchiveError(.valueOutOfRange, found: "no text"))
    assertThrows(.valueOutOfRange, "found no text (class 'Awake', object #3)") {
      try Unarchiver(recorder).unarchive(Awake.self, from: bytes)
    }
    recorder.failing = ("b", HookFailure())
    assertThrows(HookFailure.self) { try Unarchiver(recorder).unarchive(Awake.self, from: bytes) }
    XCTAssertEqual(Pulse.living, before)
  }

  func testHookMayReadFilesAndOverrideItsSuperclass() throws {
    let recorder = Recorder()
    let bytes = try Archiver().archive([NestedAwake("a"), Awake("b")])
    _ = try Unarchiver(recorder, classes: ClassTable(registering: [NestedAwake.self]))
      .unarchive([Awake].self, from: bytes)
    XCTAssertEqual(recorder.calls, ["inner", "outer", "a", "b"])
  }
}

@Archivable("Awake") private class Awake: UnarchiveFinishing, Hashable {
  let name: String
  let built: Awake?
  var links: [Awake] = []
  var quiet: QuietHolder?
  weak var parent: Awake?
  unowned var owner: Awake?
  @Transient private var pulse = Pulse()

  init(_ name: String, built: Awake? = nil, links: [Awake] = []) {
    (self.name, self.built, self.links) = (name, built, links)
  }
  func didUnarchive(in context: ArchiveContext) throws { try context.note(name) }
  static func == (left: Awake, right: Awake) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable("NestedAwake") private final class NestedAwake: Awake {
  override init(_ name: String, built: Awake? = nil, links: [Awake] = []) {
    super.init(name, built: built, links: links)
  }
  override func didUnarchive(in context: ArchiveContext) throws {
    let bytes = try Archiver().archive(Awake("outer", links: [Awake("inner")]))
    let recorder = try XCTUnwrap(context.userInfo.recorder)
    _ = try Unarchiver(recorder).unarchive(Awake.self, from: bytes)
    try super.didUnarchive(in: context)
  }
}

@Archivable("QuietHolder") private final class QuietHolder {
  var keys: [Awake: Awake] = [:]
  init() {}
}
