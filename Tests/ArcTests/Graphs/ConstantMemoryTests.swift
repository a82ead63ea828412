#if os(Linux)
  import Arc
  import ArcTestSupport
  import Foundation
  import XCTest

  /// After many calls, the memory is the same as after a few calls, because no call retains memory.
  final class ConstantMemoryTests: XCTestCase {
    func testRepeatedArchivingReadingAndCopyingRetainsNoMemory() throws {
      let root = Round("a name that is longer than a word")
      root.next = Round("another one, on the heap")
      root.next?.next = root
      defer { root.next = nil }
      func round() throws {
        let copy = try reread(root, as: Round.self)
        XCTAssertEqual(copy.next?.name, "another one, on the heap")
        copy.next?.next = nil
        let deepCopy = try ObjectGraph.copy(root)
        deepCopy.next?.next = nil
        XCTAssertTrue(try ObjectGraph.isIsomorphic(root, root))
      }
      // After these calls, caches are filled, and the allocator has its reserves.
      for _ in 0..<RandomTrials.size(usually: 200, exhaustively: 1_000) { try round() }
      let before = try residentBytes()
      let roundCount = RandomTrials.size(usually: 1_000, exhaustively: 5_000)
      for _ in 0..<roundCount { try round() }
      // With fewer rounds and a proportional bound, the test would detect variations of the allocator.
      let bound = RandomTrials.size(usually: 1 << 19, exhaustively: 1 << 20)
      XCTAssertLessThan(
        try residentBytes(), before + bound, "what \(bound / roundCount) bytes a round would be")
    }

    /// Returns the resident memory of this process in bytes. (proc(5): the second number is in pages.)
    private func residentBytes() throws -> Int {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      return try XCTUnwrap(Int(text.split(separator: " ")[1])) * 4096
    }
  }

  @Archivable private final class Round {
    var name: String
    var next: Round?
    init(_ name: String) { self.name = name }
  }
#endif
