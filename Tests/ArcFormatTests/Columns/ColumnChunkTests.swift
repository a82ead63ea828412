import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ColumnChunkTests: XCTestCase {
  /// Returns the chunks of a column of this type. `append` appends the values.
  private func chunks(
    _ encoding: String, strings: StringTableWriter? = nil, _ append: (ColumnWriter) -> Void
  ) throws -> [UInt8] {
    let set = ColumnWriterSet(strings: strings, context: nil)
    var layout = ColumnLayout()
    try layout.append(TypeEncoding(parsing: encoding))
    set.extend(to: layout)
    append(set.column(0))
    var writer = ByteWriter()
    set.writeChunks(to: &writer)
    return writer.bytes
  }

  private func integers<T: FixedWidthInteger & BitwiseCopyable>(_ encoding: String, _ values: [T]) throws
    -> [UInt8]
  {
    try chunks(encoding) { for value in values { $0.append(value) } }
  }

  func testIntegersAreStoredInNarrowestSufficientWidth() throws {
    XCTAssertEqual(try integers("q", [0, 1] as [Int64]), [4, 2, 1, 0, 1])
    XCTAssertEqual(try integers("q", [] as [Int64]), [2, 0, 1])
    let widths: [(Int64, UInt8)] = [
      (127, 1), (-128, 1), (128, 2), (-129, 2), (32_767, 2), (-32_768, 2), (32_768, 4), (-32_769, 4),
      (1 << 31 - 1, 4), (-1 << 31, 4), (1 << 31, 8), (-1 << 31 - 1, 8), (.max, 8), (.min, 8),
    ]
    for (value, width) in widths {
      let bytes = (0..<Int(width)).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      XCTAssertEqual(try integers("q", [value]), [width + 2, 1, width] + bytes, "\(value)")
      XCTAssertEqual(try root("q", integers("q", [value])), .integer(Int128(value)))
    }
    let unsigned: [(UInt64, UInt8)] = [
      (255, 1), (256, 2), (65_535, 2), (65_536, 4), (1 << 32 - 1, 4), (1 << 32, 8), (.max, 8),
    ]
    for (value, width) in unsigned {
      XCTAssertEqual(try integers("Q", [value])[2], width, "\(value)")
      XCTAssertEqual(try root("Q", integers("Q", [value])), .integer(Int128(value)))
    }
    XCTAssertEqual(try integers("q", [1, -1, 128] as [Int64]), [8, 3, 2, 1, 0, 255, 255, 128, 0])
  }

  func testSmallValuesOfNarrowTypesUseFewerBytes() throws {
    XCTAssertEqual(try integers("c", [-128, 127] as [Int8]), [4, 2, 1, 0x80, 0x7F])
    XCTAssertEqual(try integers("C", [255] as [UInt8]), [3, 1, 1, 255])
    XCTAssertEqual(try integers("s", [-128] as [Int16]), [3, 1, 1, 0x80])
    XCTAssertEqual(try integers("s", [-129] as [Int16]), [4, 1, 2, 0x7F, 0xFF])
    XCTAssertEqual(try integers("S", [255] as [UInt16]), [3, 1, 1, 255])
    XCTAssertEqual(try integers("i", [.min] as [Int32]), [6, 1, 4, 0, 0, 0, 0x80])
    XCTAssertEqual(try integers("I", [65_535] as [UInt32]), [4, 1, 2, 255, 255])
  }

  func testWideIntegersUseSixteenLittleEndianBytes() throws {
    XCTAssertEqual(try integers("t", [-2] as [Int128]), [18, 1, 0, 254] + Array(repeating: 255, count: 15))
    XCTAssertEqual(
      try integers("T", [1 << 120] as [UInt128]), [18, 1, 0] + Array(repeating: 0, count: 15) + [1])
    XCTAssertEqual(try root("t", integers("t", [Int128.min])), .integer(.min))
    XCTAssertEqual(try root("T", integers("T", [UInt128.max])), .unsigned(.max))
  }

  func testFloatingPointNumbersPreserveTheirBits() throws {
    XCTAssertEqual(
      try chunks("f") { $0.append(Float(bitPattern: 0x7FA0_0001)) }, [6, 1, 0, 1, 0, 0xA0, 0x7F])
    XCTAssertEqual(try chunks("d") { $0.append(-0.0) }, [10, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80])
  }

  func testBooleansArePackedWithZeroPadding() throws {
    let pattern = [true, false, true, true, false, false, false, true, true]
    XCTAssertEqual(try chunks("B") { for bit in pattern { $0.append(bit: bit) } }, [4, 9, 0, 0b1000_1101, 1])
    XCTAssertEqual(try chunks("B") { _ in }, [2, 0, 0])
    assertThrows(.malformedColumn) { try root("B", [3, 1, 0, 0b11]) }
    assertThrows(.malformedColumn) { try root("B", [3, 1, 0, 0x80]) }
    XCTAssertEqual(try root("B", [3, 1, 0, 1]), .bool(true))
  }

  func testPlainStringsAreStoredAsLengthsThenBytes() throws {
    let bytes = try chunks("@\"NSString\"") {
      $0.append(text: "é")
      $0.append(text: "")
      $0.append(text: "a\u{0}")
    }
    XCTAssertEqual(bytes, [10, 3, 0, 1, 2, 0, 2, 0xC3, 0xA9, 0x61, 0])
    XCTAssertEqual(
      try chunks("@\"NSData\"", strings: StringTableWriter()) { column in
        [255 as UInt8, 0].withByteView { column.append(bytes: $0) }
      }, [6, 1, 0, 1, 2, 255, 0])
  }

  func testRepeatedStringsAreStoredAsTableNumbers() throws {
    let table = StringTableWriter()
    let bytes = try chunks("@\"NSString\"", strings: table) { column in
      for text in ["a", "b", "a"] { column.append(text: text) }
    }
    XCTAssertEqual(bytes, [6, 3, 1, 1, 0, 1, 0])
    var written = ByteWriter()
    table.writeNew(to: &written)
    XCTAssertEqual(written.bytes, [2, 1, 1, 1, 97, 98])
  }

  func testEqualStringsOfDifferentBytesStayDistinct() {
    let table = StringTableWriter()
    XCTAssertEqual("\u{E9}", "e\u{301}")
    XCTAssertEqual(
      ["\u{E9}", "e\u{301}", "\u{E9}", "", "\u{0}", ""].map { table.id(of: $0).id }, [0, 1, 0, 2, 3, 2])
    XCTAssertEqual((0..<5000).map { table.id(of: "key\($0)").id }, Array(4..<5004))
    XCTAssertEqual(table.id(of: "key4999").id, 5003)
  }

  func testColumnOfDistinctStringsStopsUsingStringTable() throws {
    let table = StringTableWriter()
    let set = ColumnWriterSet(strings: table, context: nil)
    var layout = ColumnLayout()
    try layout.append(.object(named: "NSString"))
    set.extend(to: layout)
    var writer = ByteWriter()
    for index in 0..<4096 { set.column(0).append(text: "\(index)") }
    set.writeChunks(to: &writer)
    set.beginSegment()
    writer = ByteWriter()
    set.column(0).append(text: "x")
    set.writeChunks(to: &writer)
    XCTAssertEqual(writer.bytes, [5, 1, 0, 1, 1, 120])
  }

  // MARK: Invalid chunks

  func testInvalidEncodingsAndLengthsAreRefused() throws {
    let bad: [(String, [UInt8])] = [
      ("q", [3, 1, 0, 0]), ("q", [5, 1, 3, 0, 0, 0]), ("q", [18, 1, 16] + Array(repeating: 0, count: 16)),
      ("i", [10, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0]), ("c", [4, 1, 2, 0, 0]), ("q", [3, 2, 1, 0]),
      ("q", [4, 1, 1, 0, 0]), ("d", [10, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]), ("d", [4, 1, 0, 0, 0]),
      ("@\"NSString\"", [4, 1, 2, 1, 0]), ("@\"NSString\"", [4, 1, 1, 8, 0]),
      ("@\"NSString\"", [5, 1, 0, 1, 2, 97]), ("@\"NSData\"", [4, 1, 1, 1, 0]),
      ("@\"NSDecimalNumber\"", [4, 1, 1, 1, 0]), ("B", [3, 1, 1, 1]), ("B", [2, 1, 0]),
      ("q", [1, 1]), ("q", [0]), ("q", [2, 0, 1]), ("q", [4, 2, 1, 0, 0]),
    ]
    for (type, chunk) in bad {
      XCTAssertThrowsError(try root(type, chunk), "\(type) \(chunk)") {
        let code = ($0 as? ArchiveError)?.code
        XCTAssertTrue(code == .malformedColumn || code == .truncated || code == .malformedSegment, "\($0)")
      }
    }
  }

  func testHugeCountsAreRefusedBeforeMemoryIsReserved() {
    let huge: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    let length: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x40]
    for type in ["q", "d", "B", "@\"NSString\"", "t"] {
      XCTAssertThrowsError(try root(type, [11] + huge + [0, 0]), type)
      XCTAssertThrowsError(try root(type, huge + [1, 1, 0]), type)
    }
    XCTAssertThrowsError(try root("@\"NSString\"", [12, 1, 0, 8] + length + [97]))
    XCTAssertThrowsError(try root("@\"NSString\"", [19, 2, 0, 8] + Array(repeating: 0xFF, count: 16)))
    XCTAssertThrowsError(
      try root("@\"NSString\"", [35, 4, 0, 8] + [length, length, length, length].joined()))
  }
}
