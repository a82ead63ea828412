import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import Synchronization
import XCTest

/// Asynchronous saves and readings do not block the caller, report progress, and can be cancelled.
final class SnapshotSaveTests: FolderTestCase {
  /// Returns numbers that fill several segments.
  private static func numbers() -> [Box<[Int]>] {
    let count = RandomTrials.size(usually: 400, exhaustively: 800)
    let length = RandomTrials.size(usually: 128, exhaustively: 1024)
    return (0..<count).map { row in Box((0..<length).map { $0 &* row }) }
  }

  private static func archiver(_ compression: Compression = .none) -> Archiver {
    Archiver(compression: compression, layout: layout(usualSegmentBytes: 1 << 16))
  }

  /// Returns a layout with segments of the default size in an exhaustive run, otherwise with smaller
  /// segments.
  private static func layout(usualSegmentBytes: Int) -> Archiver.Layout {
    .compact(segmentBytes: RandomTrials.size(usually: usualSegmentBytes, exhaustively: 1 << 20))
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
  }

  /// The progress that a handler received.
  private final class Log: Sendable {
    let fractions = Mutex<[Double]>([])
    var all: [Double] { fractions.withLock { $0 } }

    var handler: ArchiveProgress.Handler {
      { progress in self.fractions.withLock { $0.append(progress.fractionCompleted) } }
    }

    /// Returns a handler that records the progress and calls `body` at its second call.
    func handler(secondTime body: @escaping @Sendable () throws -> Void) -> ArchiveProgress.Handler {
      { progress in
        try self.handler(progress)
        if self.all.count == 2 { try body() }
      }
    }
  }

  private struct Enough: Error {}

  private func assertAdvances(_ log: Log, line: UInt = #line) {
    XCTAssertEqual(log.all.last, 1, line: line)
    XCTAssertGreaterThan(log.all.count, 4, line: line)
    XCTAssertTrue(zip(log.all, log.all.dropFirst()).allSatisfy { $0 < $1 }, "\(log.all)", line: line)
    XCTAssertEqual(log.all.filter { $0 == 1 }.count, 1, line: line)
  }

  // MARK: Saving

  func testAsyncAndSynchronousMethodsWriteEqualBytes() async throws {
    let root = [Person("Ann"), Person("Bob")]
    for compression in [Compression.none, .zlib] {
      let archiver = Archiver(compression: compression)
      let expected = try { try archiver.archive(root) }()
      let archived = try await archiver.archive(root)
      XCTAssertEqual(archived, expected)
      try await archiver.write(root, to: url("a"))
      XCTAssertEqual(try Array(Data(contentsOf: url("a"))), expected)
      try { try ArchiveFile(bytes: expected).write(to: url("b")) }()
      XCTAssertEqual(try Array(Data(contentsOf: url("b"))), expected)
      try await archiver.snapshot(of: root).write(to: url("c"))
      XCTAssertEqual(try Array(Data(contentsOf: url("c"))), expected)
      let file = open(url("d").path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      try await archiver.write(root, to: .descriptor(file))
      try await archiver.snapshot(of: root).write(to: .descriptor(file))
      close(file)
      XCTAssertEqual(try Array(Data(contentsOf: url("d"))), expected + expected)
    }
    XCTAssertEqual(try names(), ["a", "b", "c", "d"])
  }

  func testAsyncMethodsWriteAndReadSeveralRoots() async throws {
    let archiver = Archiver()
    let ann = Person("Ann")
    let expected = try { try archiver.archive(roots: ["a": ann, "b": 2]) }()
    let archived = try await archiver.archive(roots: ["a": ann, "b": 2])
    XCTAssertEqual(archived, expected)
    try await archiver.write(roots: ["a": ann, "b": 2], to: url("a"))
    XCTAssertEqual(try Array(Data(contentsOf: url("a"))), expected)
    let (copy, number) = try await Unarchiver().read(
      roots: .init("a", Person.self), .init("b", Int.self), from: url("a"))
    XCTAssertEqual(copy.name, "Ann")
    XCTAssertEqual(number, 2)
    let (again, _) = try await Unarchiver().unarchive(
      roots: .init("a", Person.self), .init("b", Int.self), from: expected)
    XCTAssertEqual(again.name, "Ann")
  }

  func testProgressOfASaveIncreasesToOne() async throws {
    for compression in [Compression.none, .zlib(level: 1)] {
      let archiver = SnapshotSaveTests.archiver(compression)
      let logs = (0..<4).map { _ in Log() }
      try await archiver.write(SnapshotSaveTests.numbers(), to: url("a"), progress: logs[0].handler)
      _ = try await archiver.archive(SnapshotSaveTests.numbers(), progress: logs[1].handler)
      let snapshot = try archiver.snapshot(of: SnapshotSaveTests.numbers())
      try { try snapshot.write(to: url("b"), progress: logs[2].handler) }()
      _ = try { try snapshot.archive(progress: logs[3].handler) }()
      for log in logs { assertAdvances(log) }
    }
    let small = Log()
    try await Archiver().write(1, to: url("a"), progress: small.handler)
    XCTAssertEqual(small.all.last, 1)
  }

  func testCancelledSaveLeavesOnlyTheOldFile() async throws {
    let url = url("a.arc")
    try await Archiver().write("old", to: url)
    for compression in [Compression.none, .zlib(level: 1)] {
      let log = Log()
      let task = Task {
        try await SnapshotSaveTests.archiver(compression).write(
          SnapshotSaveTests.numbers(), to: url,
          progress: log.handler(secondTime: { withUnsafeCurrentTask { $0?.cancel() } }))
      }
      await assertCancelled { try await task.value }
      XCTAssertEqual(log.all.count, 2)
      let old = try await Unarchiver().read(String.self, from: url)
      XCTAssertEqual(old, "old")
      XCTAssertEqual(try names(), ["a.arc"])
    }
  }

  func testCancelledTaskNeitherSavesNorReads() async throws {
    let url = url("a.arc")
    let bytes = try await Archiver().archive(1)
    let snapshot = try Archiver().snapshot(of: 1)
    let operations: [@Sendable () async throws -> Void] = [
      { try await Archiver().write(1, to: url) },
      { try await Archiver().write(roots: ["a": 1], to: url) },
      { _ = try await Archiver().archive(1) },
      { try await snapshot.write(to: url) },
      { _ = try await snapshot.archive() },
      { _ = try await Unarchiver().unarchive(Int.self, from: bytes) },
      { _ = try await Unarchiver().read(Int.self, from: url) },
    ]
    for operation in operations {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await operation()
      }
      await assertCancelled { try await task.value }
    }
    XCTAssertEqual(try names(), [])
  }

  func testErrorInProgressHandlerEndsAnUnfinishedSave() async throws {
    let url = url("a.arc")
    try await Archiver().write("old", to: url)
    let log = Log()
    do {
      try await SnapshotSaveTests.archiver().write(
        SnapshotSaveTests.numbers(), to: url, progress: log.handler(secondTime: { throw Enough() }))
      XCTFail("not ended")
    } catch { XCTAssertTrue(error is Enough, "\(error)") }
    let old = try await Unarchiver().read(String.self, from: url)
    XCTAssertEqual(old, "old")
    XCTAssertEqual(try names(), ["a.arc"])
    try await Archiver().write("new", to: url) { if $0.fractionCompleted == 1 { throw Enough() } }
    let new = try await Unarchiver().read(String.self, from: url)
    XCTAssertEqual(new, "new")
  }

  func testErrorOfFailedSaveNamesTheFile() async throws {
    do {
      try await Archiver().write(1, to: url("missing/a.arc"))
      XCTFail("no error")
    } catch let error as ArchiveError {
      XCTAssertEqual(error.code, .fileSystem)
      XCTAssertTrue("\(error)".contains("missing"), "\(error)")
    }
  }

  // MARK: Reading

  func testProgressOfAReadIncreasesToOne() async throws {
    let count = RandomTrials.size(usually: 1_000, exhaustively: 20_000)
    let layout = SnapshotSaveTests.layout(usualSegmentBytes: 1 << 14)
    let people = (0..<count).map { Person("\($0 &* 6_364_136_223_846_793_005)") }
    for index in people.indices { people[index].friends = [people[(index + 1) % people.count]] }
    defer { for person in people { person.friends = [] } }
    for compression in [Compression.none, .zlib(level: 1)] {
      try await Archiver(compression: compression, layout: layout).write(people, to: url("a"))
      let log = Log()
      let copy = try await Unarchiver().read([Person].self, from: url("a"), progress: log.handler)
      XCTAssertEqual(copy.count, people.count)
      assertAdvances(log)
      for person in copy { person.friends = [] }
    }
  }

  /// The read is cancelled at each of its steps.
  func testCancelledReadReleasesAllObjects() async throws {
    let count = RandomTrials.size(usually: 1_000, exhaustively: 20_000)
    let layout = SnapshotSaveTests.layout(usualSegmentBytes: 1 << 13)
    let people = (0..<count).map { Tracked("\($0 &* 6_364_136_223_846_793_005)") }
    for index in people.indices { people[index].next = people[(index + 1) % count] }
    defer { for person in people { person.next = nil } }
    let bytes = try await Archiver(layout: layout).archive(people)
    let whole = Log()
    let copy = try await Unarchiver().unarchive([Tracked].self, from: bytes, progress: whole.handler)
    for person in copy { person.next = nil }
    for step in 1..<whole.all.count {
      let log = Log()
      let task = Task {
        _ = try await Unarchiver().unarchive([Tracked].self, from: bytes) { progress in
          try log.handler(progress)
          if log.all.count == step { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await assertCancelled { try await task.value }
    }
    XCTAssertEqual(Tracked.living.withLock { $0 }, 2 * count)
    _ = copy
  }

  func testErrorInProgressHandlerEndsReadingAtOnce() async throws {
    struct Enough: Error {}
    let count = RandomTrials.size(usually: 5_000, exhaustively: 300_000)
    let layout = SnapshotSaveTests.layout(usualSegmentBytes: 1 << 13)
    // The last class has rows in the last segment only.
    let roots: [any Archivable] = (0..<count).map { Reading(Double($0 &* 6_364_136_223_846_793_005)) }
    let bytes = try await Archiver(compression: .zlib(level: 1), layout: layout).archive(
      Readings(all: roots + [LastReading()]))
    let whole = Log()
    _ = try await Unarchiver().unarchive(Readings.self, from: bytes, progress: whole.handler)
    XCTAssertGreaterThan(whole.all.count, 6)
    for step in 1..<whole.all.count {
      let log = Log()
      do {
        _ = try await Unarchiver().unarchive(Readings.self, from: bytes) { progress in
          try log.handler(progress)
          if log.all.count == step { throw Enough() }
        }
        XCTFail("read to the end, although step \(step) threw")
      } catch { XCTAssertTrue(error is Enough, "step \(step): \(error)") }
    }
  }

  private func assertCancelled(line: UInt = #line, _ body: () async throws -> Void) async {
    do {
      try await body()
      XCTFail("not cancelled", line: line)
    } catch { XCTAssertTrue(error is CancellationError, "\(error)", line: line) }
  }
}

@Archivable private final class Reading {
  let value: Double
  init(_ value: Double) { self.value = value }
}

@Archivable private final class LastReading { var note = "" }

@Archivable private final class Readings {
  let all: [any Archivable]
  init(all: [any Archivable]) { self.all = all }
}

/// A class that counts its living objects.
@Archivable private final class Tracked {
  static let living = Mutex(0)
  let name: String
  var next: Tracked?
  @Transient var life = Life()
  init(_ name: String) { self.name = name }

  final class Life {
    init() { Tracked.living.withLock { $0 += 1 } }
    deinit { Tracked.living.withLock { $0 -= 1 } }
  }
}
