import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Initializers, hooks and replacements run once per object and call, also if another graph has an unread
/// reference.
final class HookCountTests: XCTestCase {
  private let counts = CallCounts()
  private var userInfo: [CodingUserInfoKey: any Sendable] { [.callCounts: counts] }
  /// A graph with an unread reference.
  private var unread: LazyGallery?

  override func setUpWithError() throws {
    unread = try LazyArchive(bytes: Archiver().archive(LazyGallery.sample())).object(LazyGallery.self)
  }

  override func tearDown() {
    XCTAssertNil(unread?.albums[0].loadedObject)
    unread = nil
  }

  private let archiving: Set = ["willArchive", "replacementForArchiving"]
  private let reading: Set = ["init", "replacementAfterUnarchiving", "didUnarchive"]

  /// Returns a ring of three objects, with objects of hand-written classes and a set of objects.
  private func graph() -> CountedCall {
    let calls = (0..<3).map { CountedCall("\($0)") }
    for (index, call) in calls.enumerated() {
      call.next = index == 2 ? nil : calls[index + 1]
      call.previous = calls[(index + 2) % 3]
      call.byHand = HandCountedCall("hand \(index)")
    }
    calls[2].later = Lazy(CountedCall("later"))
    calls[0].others = [CountedCall("in a set")]
    return calls[0]
  }

  private func assertCounts(
    _ expected: Set<String>, _ name: String, line: UInt = #line, _ body: () throws -> Void
  ) throws {
    _ = counts.take()
    try body()
    let (calls, repeated) = counts.take()
    XCTAssertEqual(calls, expected, name, line: line)
    XCTAssertEqual(repeated, [], name, line: line)
  }

  func testArchivingCallsEachHookOnce() throws {
    let graph = graph()
    let archivers: [(String, Archiver)] = [
      ("plain", Archiver(userInfo: userInfo)),
      ("canonical", Archiver(isCanonical: true, userInfo: userInfo)),
      ("by class", Archiver(layout: .columnar(), userInfo: userInfo)),
      ("compressed", Archiver(compression: .zlib, layout: .compact(directory: true), userInfo: userInfo)),
    ]
    for (name, archiver) in archivers {
      try assertCounts(archiving, name) { _ = try archiver.archive(graph) }
      try assertCounts(archiving, name) { _ = try archiver.archive(roots: ["a": graph, "b": graph]) }
      try assertCounts(archiving, name) {
        let snapshot = try archiver.snapshot(of: graph)
        XCTAssertEqual(try snapshot.archive(), try snapshot.archive())
      }
      try withTemporaryFolder { folder in
        try assertCounts(archiving, name) {
          try archiver.write(graph, to: folder.appendingPathComponent("graph.arc"))
        }
      }
    }
  }

  func testArchivingUnreadPartsCallsEachHookOnce() throws {
    let bytes = try Archiver().archive(graph())
    for isCanonical in [false, true] {
      let unarchiver = Unarchiver(userInfo: userInfo)
      let part = try LazyArchive(bytes: bytes, unarchiver: unarchiver).object(CountedCall.self)
      XCTAssertNil(part.next?.next?.later?.loadedObject)
      try assertCounts(archiving.union(["replacementAfterUnarchiving", "didUnarchive"]), "part") {
        _ = try Archiver(isCanonical: isCanonical, userInfo: userInfo).archive(part)
      }
      XCTAssertNotNil(part.next?.next?.later?.loadedObject)
    }
  }

  func testReadingCallsEachHookOnce() throws {
    let bytes = try Archiver().archive(roots: ["root": graph(), "other": graph()])
    let unarchiver = Unarchiver(userInfo: userInfo)
    try assertCounts(reading, "root") { _ = try unarchiver.unarchive(CountedCall.self, from: bytes) }
    let one = try Archiver().archive(graph())
    for policy in [UnknownContentPolicy.refuse, .leaveOut, .preserve(in: PreservedContent())] {
      let unarchiver = Unarchiver(unknownContent: policy, userInfo: userInfo)
      try assertCounts(reading, "\(policy)") { _ = try unarchiver.unarchive(CountedCall.self, from: one) }
    }
    try assertCounts(reading, "roots") {
      _ = try unarchiver.unarchive(roots: .init("root", CountedCall.self), from: one)
    }
    try withTemporaryFolder { folder in
      let url = folder.appendingPathComponent("graph.arc")
      try Archiver().write(self.graph(), to: url)
      try assertCounts(reading, "file") { _ = try unarchiver.read(CountedCall.self, from: url) }
    }
  }

  func testPreservingReadCallsNoArchivingHook() throws {
    let bytes = try Archiver().archive(graph())
    let content = PreservedContent()
    let unarchiver = Unarchiver(unknownContent: .preserve(in: content), userInfo: userInfo)
    var read: FewerCountedCall?
    try assertCounts(["didUnarchive", "replacementForArchiving"], "keep") {
      read = try unarchiver.unarchive(FewerCountedCall.self, from: bytes)
    }
    let graph = try XCTUnwrap(read)
    try assertCounts(archiving, "keeping") {
      _ = try Archiver(userInfo: userInfo, preserving: content).archive(graph)
    }
  }

  func testLazyReadingCallsEachHookOnce() throws {
    let bytes = try Archiver().archive(graph())
    let session = try LazyArchive(bytes: bytes, unarchiver: Unarchiver(userInfo: userInfo))
    var parts: [CountedCall] = []
    try assertCounts(reading, "last") { parts.append(try session.object(CountedCall.self, at: "next.next")) }
    try assertCounts(reading, "all") { parts.append(try session.object(CountedCall.self)) }
    try assertCounts([], "again") { parts.append(try session.object(CountedCall.self)) }
    try assertCounts(["replacementAfterUnarchiving", "didUnarchive"], "lazy") {
      _ = try parts[0].later?.load()
    }
    try assertCounts([], "loaded") { _ = try parts[0].later?.load() }
    try assertCounts(reading, "bounded") {
      _ = try session.object(
        CountedCall.self, at: "next", leavingOut: [.property("next", of: CountedCall.self)])
    }
  }

  func testCopyingCallsEachHookOnce() throws {
    let graph = graph()
    try assertCounts(archiving.union(reading), "copy") { _ = try ObjectGraph.copy(graph, userInfo: userInfo) }
    try assertCounts(archiving.union(reading), "sharing a class") {
      _ = try ObjectGraph.copy(graph, sharing: [.objects(of: HandPage.self)], userInfo: userInfo)
    }
    try assertCounts(archiving.union(["replacementAfterUnarchiving", "didUnarchive"]), "sharing a property") {
      _ = try ObjectGraph.copy(
        graph, sharing: [.property("byHand", of: CountedCall.self)], userInfo: userInfo)
    }
  }

  func testComparingSharedObjectsCallsEachHookOnce() throws {
    let graph = graph()
    try assertCounts(archiving, "with itself") {
      XCTAssertTrue(try ObjectGraph.isIsomorphic([graph], [graph], userInfo: userInfo))
    }
    let other = CountedCall("0")
    (other.next, other.byHand, other.others) = (graph.next, graph.byHand, graph.others)
    try assertCounts(["willArchive", "replacementForArchiving"], "difference") {
      XCTAssertNotNil(
        try ObjectGraph.difference(between: [graph], and: [CountedCall("x"), graph], userInfo: userInfo))
    }
  }

  func testReleasingCallsNoHook() throws {
    let graph = graph()
    try assertCounts([], "release") { try ObjectGraph.release(graph) }
  }

  func testEachObjectIsMigratedOnce() throws {
    let lines = (0..<3).map { OldCountedLine($0 * 10) }
    (lines[0].next, lines[1].next) = (lines[1], lines[2])
    let bytes = try Archiver().archive(lines)
    _ = CountedLine.counts.take()
    let unarchiver = Unarchiver()
    XCTAssertEqual(try unarchiver.unarchive([CountedLine].self, from: bytes).map(\.width), [0, 1, 2])
    XCTAssertEqual(CountedLine.counts.counts.count, 3)
    XCTAssertEqual(CountedLine.counts.take().repeated, [])
    let session = try LazyArchive(bytes: bytes)
    XCTAssertEqual(try session.object(CountedLine.self, at: "root[2]").width, 2)
    XCTAssertEqual(try session.object(CountedLine.self, at: "root[0]").next?.width, 1)
    XCTAssertEqual(CountedLine.counts.counts.count, 3)
    XCTAssertEqual(CountedLine.counts.take().repeated, [])
  }
}
