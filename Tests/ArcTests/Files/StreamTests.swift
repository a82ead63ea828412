import ArcTestSupport
import Foundation
import Synchronization
import XCTest

@testable import Arc
@testable import ArcFormat

/// Archives written part by part to a stream without seeking.
final class StreamTests: XCTestCase {
  /// Returns numbers that no encoding can shrink.
  private func rows(_ count: Int) -> [[Int]] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in (0..<64).map { _ in Int.random(in: .min ... .max, using: &random) } }
  }

  /// Writes to a pipe. Returns the bytes that another thread reads from it in small pieces.
  private func throughPipe(
    isBlocking: Bool = true, _ write: (Int32) throws -> Void
  ) throws -> [UInt8] {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    let (reader, writer) = (ends[0], ends[1])
    if !isBlocking { XCTAssertEqual(fcntl(writer, F_SETFL, O_NONBLOCK), 0) }
    let received = Mutex<[UInt8]>([])
    let done = DispatchSemaphore(value: 0)
    Thread {
      var block = [UInt8](repeating: 0, count: 50_000)
      while case let count = read(reader, &block, block.count), count > 0 {
        received.withLock { $0 += block[..<count] }
      }
      close(reader)
      done.signal()
    }.start()
    let outcome = Result { try write(writer) }
    close(writer)
    done.wait()
    try outcome.get()
    return received.withLock { $0 }
  }

  func testPipeReceivesTheBytesOfArchive() throws {
    let rows = rows(RandomTrials.size(usually: 1_000, exhaustively: 6_000))
    for compression in [Compression.none, .zlib(level: 1)] {
      let archiver = Archiver(compression: compression)
      let whole = try archiver.archive(rows)
      XCTAssertGreaterThan(whole.count, rows.count * 64 * 6)
      for isBlocking in [true, false] {
        let bytes = try throughPipe(isBlocking: isBlocking) {
          try archiver.write(rows, to: .descriptor($0))
        }
        XCTAssertTrue(
          bytes == whole, "\(compression), \(isBlocking): \(bytes.count) and \(whole.count) bytes")
      }
    }
    let small = try throughPipe { try Archiver().write(roots: ["a": 1, "b": "x"], to: .descriptor($0)) }
    XCTAssertEqual(small, try Archiver().archive(roots: ["a": 1, "b": "x"]))
  }

  func testFileReceivesTheBytesOfArchive() throws {
    let url = try temporaryFolder().appendingPathComponent("a.arc")
    let nodes = (0..<RandomTrials.size(usually: 20_000, exhaustively: 200_000)).map { ChainNode($0) }
    let segmentBytes = RandomTrials.size(usually: 1 << 16, exhaustively: 1 << 20)
    for compression in [Compression.none, .zlib(level: 1)] {
      let archiver = Archiver(compression: compression, layout: .compact(segmentBytes: segmentBytes))
      try archiver.write(nodes, to: url)
      XCTAssertTrue(try Array(Data(contentsOf: url)) == archiver.archive(nodes))
    }
  }

  func testDestinationReceivesBytesBeforeArchivingEnds() throws {
    var parts: [Int] = []
    // If there are fewer objects, their names are longer and the segments smaller, so that there are always
    // several parts.
    let count = RandomTrials.size(usually: 30_000, exhaustively: 300_000)
    let repetitionCount = RandomTrials.size(usually: 6, exhaustively: 1)
    let segmentByteCount = RandomTrials.size(usually: 1 << 18, exhaustively: 1 << 20)
    let nodes = (0..<count).map {
      Person(String(repeating: "\($0 &* 6_364_136_223_846_793_005)", count: repetitionCount))
    }
    _ = try EncoderPool.archive(
      [("root", nodes)], options: ArchiveOptions(layout: .init(segmentByteCount: segmentByteCount)),
      in: ArchiveContext(), warn: nil
    ) {
      parts.append($0.count)
    }
    XCTAssertGreaterThan(parts.count, 4)
    XCTAssertLessThan(try XCTUnwrap(parts.max()), 6 * segmentByteCount)
  }

  func testDestinationErrorsAreThrownByTheWriter() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    close(ends[0])
    // No reader is left. The write throws and no signal ends the process, although no code ignores the
    // signal.
    assertThrows(.fileSystem, "Broken pipe") { try Archiver().write(1, to: .descriptor(ends[1])) }
    close(ends[1])
    assertThrows(.fileSystem, "Bad file descriptor") { try Archiver().write(1, to: .descriptor(ends[1])) }
    #if os(Linux)
      let full = open("/dev/full", O_WRONLY)
      assertThrows(.fileSystem, "No space left") { try Archiver().write(1, to: .descriptor(full)) }
      close(full)
    #endif
  }

  func testPendingBrokenPipeSignalIsPreserved() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    close(ends[0])
    var signals = sigset_t()
    var old = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &old)
    raise(SIGPIPE)
    assertThrows(.fileSystem, "Broken pipe") { try Archiver().write(1, to: .descriptor(ends[1])) }
    var pending = sigset_t()
    var taken: Int32 = 0
    sigpending(&pending)
    XCTAssertEqual(sigismember(&pending, SIGPIPE), 1)
    sigwait(&signals, &taken)
    pthread_sigmask(SIG_SETMASK, &old, nil)
    close(ends[1])
  }

  func testArchiverWorksAgainAfterAnError() throws {
    for _ in 0..<3 {
      XCTAssertThrowsError(try Archiver().write([1, 2], to: .descriptor(-1)))
      XCTAssertEqual(try reread([1, 2], as: [Int].self), [1, 2])
    }
  }
}
