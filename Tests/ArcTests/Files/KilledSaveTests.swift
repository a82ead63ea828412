#if os(Linux)
  @testable import ArcFormat
  import Arc
  import ArcTestSupport
  import Foundation
  import XCTest

  /// Processes that are killed during a save: the file has the old or the new contents, and the next save
  /// removes temporary files.
  ///
  /// The processes run one test of this test binary, `testFileIsSavedRepeatedlyUntilProcessIsKilled`, which
  /// saves in an endless loop if the environment contains a file's path.
  final class KilledSaveTests: XCTestCase {
    private static let variable = "ARC_SAVE_LOOP"
    private static let numberCount = 20_000

    /// Returns numbers that no encoding can shrink. The first number determines the others.
    private func numbers(_ seed: Int) -> [Int] {
      var next = seed
      return (0..<Self.numberCount).map { _ in
        defer { next = next &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407 }
        return next
      }
    }

    /// Saves by both functions, one after the other.
    private func save(_ seed: Int, to url: URL) throws {
      guard seed % 2 == 0 else { return try Archiver().write(numbers(seed), to: url) }
      let file = try AtomicFile(replacing: url.path, isNamedFromTheStart: true)
      let bytes = try Archiver().archive(numbers(seed))
      try file.write(bytes)
      try file.commit()
    }

    private func assertWhole(_ url: URL, _ what: String) throws {
      let read = try Unarchiver().read([Int].self, from: url)
      XCTAssertEqual(read, numbers(try XCTUnwrap(read.first)), what)
    }

    func testFileIsSavedRepeatedlyUntilProcessIsKilled() throws {
      let path = ProcessInfo.processInfo.environment[Self.variable]
      let directory = FileManager.default.temporaryDirectory
      let url = path.map(URL.init(fileURLWithPath:)) ?? directory.appendingPathComponent(UUID().uuidString)
      var seed = Int.random(in: 0..<1 << 32)
      repeat {
        try save(seed, to: url)
        seed += 1
        if path != nil { FileHandle.standardOutput.write(Data([0])) }
      } while path != nil
      try assertWhole(url, "seed \(seed - 1)")
      try FileManager.default.removeItem(at: url)
    }

    func testFileIsCompleteAfterKilledSaves() throws {
      let usualRounds = RandomTrials.size(usually: 5, exhaustively: 500)
      let rounds = ProcessInfo.processInfo.environment["ARC_KILLS"].flatMap { Int($0) } ?? usualRounds
      let start = Date()
      let directory = try temporaryFolder()
      let url = directory.appendingPathComponent("a.arc")
      var roundsWithDebris = 0
      var next = try SavingProcess(url)
      for round in 0..<rounds {
        let victim = next
        // The next process starts while the test observes this process.
        next = try SavingProcess(url)
        victim.waitForSave()
        usleep(.random(in: 0..<20_000))
        victim.kill()
        try assertWhole(url, "round \(round)")
        if try names(in: directory) != ["a.arc"] { roundsWithDebris += 1 }
      }
      next.kill()
      try save(1, to: url)
      XCTAssertEqual(try names(in: directory), ["a.arc"])
      let seconds = Date().timeIntervalSince(start)
      print("KilledSaveTests: \(rounds) kills, \(roundsWithDebris) with a temporary file, \(seconds) s")
    }

    private func names(in directory: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    }
  }

  /// A process that saves until it is killed.
  private final class SavingProcess {
    private let process = Process()
    private let output = Pipe()

    init(_ url: URL) throws {
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = ["ArcTests.KilledSaveTests/testFileIsSavedRepeatedlyUntilProcessIsKilled"]
      process.environment = ProcessInfo.processInfo.environment.merging(["ARC_SAVE_LOOP": url.path]) { $1 }
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    /// Waits until the process completes a save. It then writes a zero byte, which XCTest never writes.
    func waitForSave() {
      while true {
        let bytes = output.fileHandleForReading.availableData
        if bytes.isEmpty || bytes.contains(0) { return }
      }
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }
#endif
