import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Archives of graphs with a chunk directory. `verify` compares the directory with the other segments.
final class DirectoryTests: XCTestCase {
  private func graph(count: Int) -> [Street] {
    let streets = (0..<count).map { Street("street \($0)", length: Double($0) / 3) }
    for (index, street) in streets.enumerated() {
      street.next = streets[(index * 7 + 1) % count]
      street.origin = streets[(index + count / 2) % count]
      if index % 3 == 0 { street.signs = [Sign("no \(index)"), Sign("only \(index)")] }
    }
    return streets
  }

  private func assertHasDirectory(_ bytes: [UInt8], of streets: [Street]) throws {
    let file = try ArchiveFile(bytes: bytes)
    XCTAssertEqual(file.segments.filter(\.isChunkDirectory).count, 1)
    try file.verify()
    let copy = try Unarchiver().unarchive([Street].self, from: bytes)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(copy, streets))
    // Without the directory, the other segments are the same.
    XCTAssertNil(try ObjectGraph.difference(between: copy, and: streets))
  }

  func testDirectoryIsWrittenWithAndWithoutCompression() throws {
    let streets = graph(count: RandomTrials.size(usually: 400, exhaustively: 4_000))
    for compression in [Compression.none, .zlib] {
      for isCanonical in [false, true] {
        let archiver = Archiver(
          compression: compression, isCanonical: isCanonical, layout: .compact(directory: true))
        try assertHasDirectory(archiver.archive(streets), of: streets)
        // A reused encoder begins a new directory.
        try assertHasDirectory(archiver.archive(Array(streets.prefix(1))), of: Array(streets.prefix(1)))
      }
    }
  }

  func testFilesAndSnapshotsHaveDirectories() throws {
    let streets = graph(count: RandomTrials.size(usually: 1_000, exhaustively: 30_000))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).arc")
    defer { try? FileManager.default.removeItem(at: url) }
    // The archive has several segments.
    let segmentByteCount = RandomTrials.size(usually: 1 << 13, exhaustively: 1 << 20)
    let archiver = Archiver(layout: .compact(segmentBytes: segmentByteCount, directory: true))
    try archiver.write(streets, to: url)
    try assertHasDirectory(Array(Data(contentsOf: url)), of: streets)
    try archiver.snapshot(of: streets).write(to: url)
    try assertHasDirectory(Array(Data(contentsOf: url)), of: streets)
  }

  func testEachSaveOfCompressedGraphsHasRightPoints() throws {
    let streets = graph(count: RandomTrials.size(usually: 4_000, exhaustively: 30_000))
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).arc")
    defer { try? FileManager.default.removeItem(at: url) }
    for layout in [Archiver.Layout.compact(directory: true), .columnar(segmentBytes: 1 << 17)] {
      var archiver = Archiver(compression: .zlib, layout: layout)
      let bytes = try archiver.archive(streets)
      try assertHasDirectory(bytes, of: streets)
      XCTAssertEqual(try pointsCount(bytes), 1)
      // A reused encoder begins a new list, and a small archive has no points.
      XCTAssertEqual(try pointsCount(archiver.archive(Array(streets.prefix(1)))), 0)
      XCTAssertEqual(try archiver.archive(streets), bytes)
      XCTAssertEqual(try archiver.snapshot(of: streets).archive(), bytes)
      try archiver.write(streets, to: url)
      XCTAssertEqual(try [UInt8](Data(contentsOf: url)), bytes)
      // A program that knows half of the classes saves the graph again.
      let content = PreservedContent()
      let half = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(
        [HalfStreet].self, from: bytes)
      archiver.preservedContent = content
      let saved = try archiver.archive(half)
      try assertHasDirectory(saved, of: streets)
      XCTAssertEqual(try pointsCount(saved), 1)
    }
  }

  private func pointsCount(_ bytes: [UInt8]) throws -> Int {
    try ArchiveFile(bytes: bytes).segments.count(where: \.isDecompressionPoints)
  }

  func testDirectoryIsWrittenOnlyOnRequest() throws {
    let bytes = try Archiver().archive(graph(count: 10))
    XCTAssertTrue(try ArchiveFile(bytes: bytes).segments.allSatisfy { $0.kind != nil })
  }
}

@Archivable("DirectoryTests.Street") private final class Street {
  var name: String
  var length: Double
  var next: Street?
  weak var origin: Street?
  var signs: [Sign] = []

  init(_ name: String, length: Double) { (self.name, self.length) = (name, length) }
}

/// A street in a program that does not know the other properties.
@Archivable("DirectoryTests.Street") private final class HalfStreet {
  var name: String
  var next: HalfStreet?

  init(_ name: String) { self.name = name }
}

@Archivable private final class Sign {
  let text: String

  init(_ text: String) { self.text = text }
}
