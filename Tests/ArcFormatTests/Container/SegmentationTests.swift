import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class SegmentationTests: XCTestCase {
  /// Returns an archive with rows of one class. Each row has a number and a string.
  private func archive(rowCount: Int, compression: Compression, text: (Int) -> String) throws -> [UInt8] {
    var writer = ArchiveWriter(compression: compression)
    let roots = try writer.addClass(ClassDescription(name: "$roots", superclassIndex: nil))
    let columns = try [("number", "Tq"), ("text", "T@\"NSString\"")].map { key, attributes in
      ColumnDescription(
        declaringClassIndex: 1, key: key, attributes: try PropertyAttributes(parsing: attributes), flags: [])
    }
    let item = try writer.addClass(ClassDescription(name: "Item", superclassIndex: nil, columns: columns))
    try writer.addRow(classIndex: roots)
    for row in 1...rowCount {
      try writer.addRow(classIndex: item)
      writer.columnSet(ofClass: item).column(0).append(Int64(row))
      writer.columnSet(ofClass: item).column(1).append(text: text(row))
    }
    return try writer.finish { UInt32($0) }
  }

  func testSegmentsEndNearOneMebibyteAndStayReadable() throws {
    let long = String(repeating: "x", count: 500)
    for compression in [Compression.none, .zlib(level: 1)] {
      let bytes = try archive(rowCount: 9000, compression: compression) { "\($0 % 7) \($0 / 4500)" + long }
      let file = try ArchiveFile(verifying: bytes)
      let rows = file.segments.filter { $0.kind == .rows }
      XCTAssertEqual(rows.map(\.count).reduce(0, +), 9001)
      for segment in rows { XCTAssertLessThan(segment.rawByteCount, 3 << 20) }
      XCTAssertEqual(try file.rowCount(ofClass: "Item"), 9000)
      for row in [9000, 1, 4500, 8999, 2] {
        let object = try file.object(ObjectID(rawValue: UInt32(row)))
        XCTAssertEqual(object["number"], .integer(Int128(row)))
        XCTAssertEqual(object["text"], .string("\(row % 7) \(row / 4500)" + long))
      }
      assertThrows(.danglingReference, "below 9001") { try file.object(ObjectID(rawValue: 9001)) }
      assertThrows(.danglingReference) { try file.object(ObjectID(rawValue: .max)) }
    }
  }

  func testManyDistinctStringsFillSeveralSegments() throws {
    let pad = String(repeating: "y", count: 900)
    let bytes = try archive(rowCount: 6000, compression: .none) { "\($0)" + pad }
    let file = try ArchiveFile(bytes: bytes)
    let rows = file.segments.filter { $0.kind == .rows }
    XCTAssertGreaterThan(rows.count, 1)
    for row in 1...6000 {
      guard file.rowsSegment(ofRow: row).map({ file.segments[$0].firstIndex }) ?? .max <= row else {
        return XCTFail("\(row)")
      }
    }
    for segment in rows {
      let row = segment.firstIndex + segment.count - 1
      XCTAssertEqual(try file.object(ObjectID(rawValue: UInt32(row)))["text"], .string("\(row)" + pad))
    }
  }

  func testSegmentsAreCompressedOnlyIfTheyShrink() throws {
    // Arc's encodings already shrink consecutive numbers and equal strings to a few bytes, but not strings
    // that repeat with a period.
    let repeated = try archive(rowCount: 300, compression: .zlib) { "\($0 % 3)" }
    let file = try ArchiveFile(bytes: repeated)
    XCTAssertEqual(file.segments.map(\.isCompressed), [false, false, true])
    for segment in file.segments where segment.isCompressed {
      XCTAssertLessThan(segment.storedByteCount, segment.rawByteCount)
    }
    XCTAssertFalse(
      try ArchiveFile(bytes: archive(rowCount: 300, compression: .none) { _ in "same" }).segments
        .contains(where: \.isCompressed))
    XCTAssertNil(try Deflate.compress([1, 2, 3], level: 9))
    XCTAssertNil(try Deflate.compress([], level: 9))
    for level in [-5, 0, 99] { XCTAssertNoThrow(try Deflate.compress([1, 2, 3], level: level)) }
  }

  func testLargePayloadIsCompressedInSeveralStreams() throws {
    var generator = SplitMix64(seed: 7)
    let block = Deflate.blockByteCount
    for byteCount in [block - 1, block, block + 1, 2 * block + 500] {
      // Bytes with only sixteen different values shrink to about half. zlib finds no repetition at a distance
      // of more than 32 KiB.
      let period = RandomTrials.size(usually: 1 << 16, exhaustively: byteCount)
      let random = (0..<period).map { _ in UInt8(truncatingIfNeeded: generator.next() & 15) }
      var raw: [UInt8] = []
      while raw.count < byteCount { raw += random }
      raw.removeLast(raw.count - byteCount)
      let stored = try XCTUnwrap(Deflate.compress(raw, level: 1)).stored
      var streams = 0
      try stored.withByteView { bytes in
        var reader = ByteReader(bytes, fileOffset: 0)
        while reader.remaining > 0 {
          _ = try reader.take(Int(try reader.fixed(UInt32.self)))
          streams += 1
        }
        let copy = ByteBuffer(count: byteCount)
        defer { copy.free() }
        try Deflate.decompress(bytes, into: copy, byteOffset: 0)
        XCTAssertEqual(Array(copy.view), raw)
      }
      XCTAssertEqual(streams, (byteCount + block - 1) / block)
    }
  }
}
