import Arc
import ArcTestSupport
import XCTest

/// The hook `willArchive(in:)`.
final class ArchivePreparingTests: XCTestCase {
  func testEachObjectIsPreparedOnceInTraversalOrder() throws {
    let shared = Chore("shared")
    let root = Chore("root", parts: [Chore("a", parts: [shared]), Chore("b", parts: [shared])])
    shared.parts = [root]
    for isCanonical in [false, true] {
      let recorder = Recorder()
      let bytes = try Archiver(recorder, isCanonical: isCanonical).archive(root)
      XCTAssertEqual(recorder.calls, ["root", "a", "b", "shared"])
      let copy = try Unarchiver().unarchive(Chore.self, from: bytes)
      XCTAssertEqual(copy.parts.map(\.total), [11, 11])
      XCTAssertTrue(copy.parts[0].parts[0] === copy.parts[1].parts[0])
    }
    try ObjectGraph.release(root)
  }

  func testObjectIsPreparedBeforeItsConstructionTargets() throws {
    let recorder = Recorder()
    let copy = try Unarchiver().unarchive(Plan.self, from: Archiver(recorder).archive(Plan(Chore("first"))))
    XCTAssertEqual(recorder.calls, ["plan", "first, changed"])
    XCTAssertTrue(copy.task === copy.again)
    XCTAssertEqual([copy.task.name, "\(copy.task.total)"], ["first, changed", "10"])
  }

  func testKeysArePreparedBeforeTheyAreCompared() throws {
    let recorder = Recorder()
    let holder = KeyHolder(Set((0..<4).map { KeyChore("key \($0)") }))
    let bytes = try Archiver(recorder, isCanonical: true).archive(holder)
    XCTAssertEqual(recorder.calls.sorted(), (0..<4).map { "key \($0)" })
    let copy = try Unarchiver().unarchive(KeyHolder.self, from: bytes)
    XCTAssertEqual(copy.keys.map(\.total), [7, 7, 7, 7])
    XCTAssertEqual(bytes, try Archiver(isCanonical: true).archive(copy))
  }

  func testObjectCreatedByAHookIsAlsoPrepared() throws {
    let recorder = Recorder()
    let root = Chore("root")
    root.makesPart = true
    let copy = try Unarchiver().unarchive(Chore.self, from: Archiver(recorder).archive(root))
    XCTAssertEqual(recorder.calls, ["root", "made"])
    XCTAssertEqual(copy.parts.map(\.name), ["made"])
  }

  func testObjectReferencedByAHookIsArchivedOnce() throws {
    // The object "only" has one reference when the archiver reaches it, and two when the last object is
    // written.
    let second = SecondReference()
    let root = Branching(Branching(Grain("only"), nil), Branching(nil, second))
    second.source = { [unowned root] in (root.first as? Branching)?.first }
    let copy = try roundTrip(root, classes: [Grain.self, SecondReference.self])
    let leaf = (copy.first as? Branching)?.first
    XCTAssertEqual((leaf as? Grain)?.name, "only")
    XCTAssertTrue(((copy.second as? Branching)?.second as? SecondReference)?.found === leaf)
  }

  func testHooksOfSubclassesAndHandWrittenClassesRun() throws {
    let recorder = Recorder()
    let tasks: [Chore] = [SpecialChore("special"), Chore("plain")]
    _ = try Archiver(recorder).archive(tasks)
    XCTAssertEqual(recorder.calls, ["special, overridden", "special", "plain"])
    let byHand = PreparedByHand()
    _ = try Archiver(recorder).archive([byHand, byHand])
    XCTAssertEqual(Array(recorder.calls.dropFirst(3)), ["by hand"])
    XCTAssertEqual(byHand.encodeCount, 2, "once to find what it needs, once to write it")
  }

  func testHookRunsForEachArchive() throws {
    let recorder = Recorder()
    let root = Chore("root")
    for _ in 0..<3 { _ = try Archiver(recorder).archive([root]) }
    XCTAssertEqual(recorder.calls, ["root", "root", "root"])
  }

  func testHookMayArchiveAndReadOtherGraphs() throws {
    let root = Chore("root", parts: [Chore("a")])
    root.archivesMeanwhile = true
    let copy = try roundTrip([root])
    XCTAssertEqual(copy[0].parts.map(\.name), ["a"])
    XCTAssertEqual(root.copied?.parts.map(\.total), [11])
  }

  func testPreparationErrorStopsArchivingAndNamesTheObject() throws {
    let recorder = Recorder()
    let root = Chore("root", parts: [Chore("a"), Chore("b")])
    recorder.failing = ("b", ArchiveError(.valueOutOfRange, found: "no text"))
    assertThrows(.valueOutOfRange, "found no text (class 'Chore') at root.parts[1]") {
      try Archiver(recorder).archive(root)
    }
    recorder.failing = ("b", HookFailure())
    assertThrows(HookFailure.self) { try Archiver(recorder).archive(root) }
    recorder.failing = nil
    XCTAssertEqual(try roundTrip(root).parts.map(\.name), ["a", "b"])
  }

  func testHookErrorReportsThePathOfTheObject() throws {
    let recorder = Recorder()
    recorder.failing = ("b", ArchiveError(.valueOutOfRange, found: "no text"))
    let graphs: [(any ArchivableValue, String)] = [
      (Chore("b"), "root"),
      (["k": [Chore("a"), Chore("b")]], #"root["k"][1]"#),
      (Fixed(Chore("b")), "root.chore"),
      ([Chore("a", parts: [Chore("c"), Chore("b")])], "root[0].parts[1]"),
      (HandCodedHolder(Chore("b")), "root.`the chore`"),
      (["k": Fixed(Chore("d", parts: [Chore("b")]))], #"root["k"].chore.parts[0]"#),
      (KeyHolder([KeyChore("b")]), "root.keys[0]"),
    ]
    for (root, path) in graphs {
      for isCanonical in [false, true] {
        let name = path.contains("keys") ? "KeyChore" : "Chore"
        XCTAssertThrowsError(try Archiver(recorder, isCanonical: isCanonical).archive(root), path) {
          XCTAssertEqual("\($0)", "valueOutOfRange: found no text (class '\(name)') at \(path)")
        }
      }
    }
  }

  func testErrorThrownAfterCaughtHookErrorIsReported() throws {
    let recorder = Recorder()
    recorder.failing = ("b", ArchiveError(.valueOutOfRange, found: "no text"))
    let holder = HandCodedHolder(Chore("b"))
    holder.catches = ArchiveError(.valueOutOfRange, found: "no number")
    assertThrows(.valueOutOfRange, "found no number (class 'HandCodedHolder', object #1) at root") {
      try Archiver(recorder).archive(holder)
    }
  }

  func testReleasingAGraphCallsNoPreparingHook() throws {
    let root = Chore("root")
    root.makesPart = true
    try ObjectGraph.release(root)
    XCTAssertEqual(root.parts.count, 0)
  }

  func testUnretainedWeakTargetIsNotPrepared() throws {
    let recorder = Recorder()
    let observed = Chore("observed")
    let root = Chore("root")
    root.observed = observed
    XCTAssertNil(try Unarchiver().unarchive(Chore.self, from: Archiver(recorder).archive(root)).observed)
    XCTAssertEqual(recorder.calls, ["root"])
  }
}

@Archivable("Chore") private class Chore: ArchivePreparing {
  var name = ""
  var parts: [Chore] = []
  weak var observed: Chore?
  /// A value that is correct only after the hook was called.
  var total = 0
  @Transient var makesPart = false
  @Transient var archivesMeanwhile = false
  @Transient var copied: Chore?

  init(_ name: String, parts: [Chore] = []) {
    self.name = name
    self.parts = parts
  }

  func willArchive(in context: ArchiveContext) throws {
    try context.note(name)
    total = 10 + parts.count
    if makesPart { parts.append(Chore("made")) }
    if archivesMeanwhile {
      copied = try reread(Chore("other", parts: [Chore("c", parts: [Chore("d")])]), as: Chore.self)
    }
  }
}

@Archivable("SpecialChore") private final class SpecialChore: Chore {
  override init(_ name: String, parts: [Chore] = []) { super.init(name, parts: parts) }
  override func willArchive(in context: ArchiveContext) throws {
    try context.note("special, overridden")
    try super.willArchive(in: context)
  }
}

@Archivable("Plan") private final class Plan: ArchivePreparing {
  private(set) var task: Chore
  let again: Chore

  init(_ task: Chore) {
    self.task = task
    again = task
  }

  func willArchive(in context: ArchiveContext) throws {
    try context.note("plan")
    again.name = "first, changed"
  }
}

@Archivable private final class Fixed {
  let chore: Chore
  init(_ chore: Chore) { self.chore = chore }
}

/// A class with hand-written coding that replaces an error of its chore by another error, if it has one.
private final class HandCodedHolder: HandWrittenClass {
  let chore: Chore
  var catches: ArchiveError?

  init(_ chore: Chore) { self.chore = chore }
  init(from decoder: borrowing ObjectDecoder) throws {
    chore = try decoder.decode(Chore.self, forKey: "the chore")
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    do {
      try encoder.encode(chore, forKey: "the chore")
    } catch {
      throw catches ?? error
    }
  }
  static var archiveSchema: ClassSchema { ClassSchema(HandCodedHolder.self, name: "HandCodedHolder") }
}

@Archivable("KeyChore") private final class KeyChore: ArchivePreparing, Hashable {
  let name: String
  var total = 0

  init(_ name: String) { self.name = name }
  func willArchive(in context: ArchiveContext) throws {
    try context.note(name)
    total = 7
  }
  static func == (left: KeyChore, right: KeyChore) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

@Archivable("KeyHolder") private final class KeyHolder {
  var keys: Set<KeyChore> = []
  init(_ keys: Set<KeyChore>) { self.keys = keys }
}

@Archivable("Growth") private class Growth { init() {} }

@Archivable("Grain") private final class Grain: Growth {
  var name = ""
  init(_ name: String) {
    self.name = name
    super.init()
  }
}

@Archivable("Branching") private final class Branching: Growth {
  var first: Growth?
  var second: Growth?
  init(_ first: Growth?, _ second: Growth?) {
    (self.first, self.second) = (first, second)
    super.init()
  }
}

@Archivable("SecondReference") private final class SecondReference: Growth, ArchivePreparing {
  var found: Growth?
  @Transient var source: () -> Growth? = { nil }
  func willArchive(in context: ArchiveContext) { found = source() }
}

private final class PreparedByHand: ArchivePreparing {
  var encodeCount = 0
  init() {}
  init(from decoder: borrowing ObjectDecoder) throws {}
  func encode(to encoder: borrowing ObjectEncoder) throws {
    encodeCount += 1
    try encoder.encode(1, forKey: "number")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {}
  func willArchive(in context: ArchiveContext) throws {
    XCTAssertEqual(encodeCount, 0)
    try context.note("by hand")
  }
}
