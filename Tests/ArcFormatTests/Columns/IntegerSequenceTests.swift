import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class IntegerSequenceTests: XCTestCase {
  /// Returns the chunk with the elements of a root of type `$[…]`.
  private func elements<T: FixedWidthInteger & BitwiseCopyable>(
    _ encoding: String, _ values: [T]
  ) throws -> [UInt8] {
    let set = ColumnWriterSet(strings: nil, context: nil)
    var layout = ColumnLayout()
    try layout.append(TypeEncoding(parsing: encoding))
    set.extend(to: layout)
    for value in values { set.column(0).append(value) }
    var writer = ByteWriter()
    set.writeChunks(to: &writer)
    return writer.bytes
  }

  private func count(_ count: Int) -> [UInt8] {
    HandMadeArchive.chunk(1, encoding: 4, (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) })
  }

  /// Returns the encoding and size of the chunk that stores the values. Asserts that the values round-trip.
  private func encoding<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: String, _ values: [T], line: UInt = #line
  ) throws -> UInt8 {
    let chunk = try elements(type, values)
    let encoding = try chunk.withByteView { bytes in
      var reader = ByteReader(bytes, fileOffset: 0)
      _ = try reader.varint()
      _ = try reader.varint()
      return try reader.fixed(UInt8.self)
    }
    XCTAssertEqual(
      try root("$[\(type)]", count(values.count), chunk), .array(values.map { .integer(Int128($0)) }),
      line: line)
    return encoding
  }

  func testRepeatedOrConsecutiveNumbersNeedFewBytes() throws {
    let constant = [Int64](repeating: -5, count: 1000)
    XCTAssertEqual(try elements("q", constant), [6, 0xE8, 7, 0x10, 1, 0, 0xFB])
    XCTAssertEqual(try encoding("q", constant), 0x10)
    XCTAssertEqual(try elements("I", Array(100..<1100) as [UInt32]), [9, 0xE8, 7, 0x11, 2, 0, 100, 0, 1, 0])
    XCTAssertEqual(try encoding("I", Array(100..<1100) as [UInt32]), 0x11)
    XCTAssertEqual(try encoding("q", (0..<1000).map { Int64.max - $0 * 1000 }), 0x11)
    let runs = (0..<1000).map { UInt16($0 / 200) * 999 }
    XCTAssertEqual(
      try elements("S", runs),
      [21, 0xE8, 7, 0x12, 2, 5, 0, 0, 0xE7, 3, 0xCE, 7, 0xB5, 11, 0x9C, 15, 1, 200, 200, 200, 200, 200])
    XCTAssertEqual(try encoding("S", runs), 0x12)
  }

  func testPackedIntegersUseOnlyTheBitsTheyNeed() throws {
    let three = (0..<100).map { Int64($0 * 7 % 8 + 1_000_000) }
    XCTAssertEqual(try elements("q", three).count, 2 + 1 + 2 + 4 + (300 + 7) / 8)
    XCTAssertEqual(try encoding("q", three), 0x10)
    let pattern = (0..<80).map { [0, 3, 1, 2, 0][$0 % 5] as UInt8 }
    XCTAssertEqual(
      Array(try elements("C", pattern).prefix(8)), [25, 80, 0x10, 1, 2, 0, 0b1001_1100, 0b0111_0000])
  }

  func testRandomIntegersRoundTrip() throws {
    var generator = SystemRandomNumberGenerator()
    XCTAssertEqual(
      try encoding("q", (0..<400).map { _ in Int64.random(in: .min ... .max, using: &generator) }), 8)
    XCTAssertEqual(try encoding("C", (0..<1000).map { _ in UInt8.random(in: 0...255, using: &generator) }), 1)
    XCTAssertEqual(try encoding("q", [1, 1, 1] as [Int64]), 1)
  }

  func testSequencesOfEveryIntegerTypeRoundTrip() throws {
    var trials = TrialSample(oneIn: 20)
    func check<T: FixedWidthInteger & BitwiseCopyable>(_ type: String, _: T.Type, _ seed: UInt64) throws {
      var generator = SplitMix64(seed: seed)
      for count in [1, 31, 32, 33, 64, 257, 500] {
        for bits in 0...T.bitWidth where bits == 0 || bits == T.bitWidth || trials.includesNext() {
          let mask = bits == T.bitWidth ? ~T.Magnitude(0) : (1 << T.Magnitude(bits)) - 1
          let base = T(truncatingIfNeeded: generator.next())
          let small = (0..<count).map { _ in
            base &+ T(truncatingIfNeeded: T.Magnitude(truncatingIfNeeded: generator.next()) & mask)
          }
          var sum = base
          let sums = small.map { value in
            sum = sum &+ (value &- base) &- T(truncatingIfNeeded: mask >> 1)
            return sum
          }
          for values in [small, sums] {
            XCTAssertEqual(
              try root("$[\(type)]", self.count(count), elements(type, values)),
              .array(values.map { .integer(Int128($0)) }), "\(type) \(count) \(bits) seed \(seed)")
          }
        }
      }
    }
    try check("c", Int8.self, 1)
    try check("C", UInt8.self, 2)
    try check("s", Int16.self, 3)
    try check("S", UInt16.self, 4)
    try check("i", Int32.self, 5)
    try check("I", UInt32.self, 6)
    try check("q", Int64.self, 7)
    try check("Q", UInt64.self, 8)
  }

  func testConstantBooleansAndFloatsAreStoredOnce() throws {
    func chunk(_ type: String, _ append: (ColumnWriter) -> Void) throws -> [UInt8] {
      let set = ColumnWriterSet(strings: nil, context: nil)
      var layout = ColumnLayout()
      try layout.append(TypeEncoding(parsing: type))
      set.extend(to: layout)
      for _ in 0..<100 { append(set.column(0)) }
      var writer = ByteWriter()
      set.writeChunks(to: &writer)
      return writer.bytes
    }
    let bits = try chunk("B") { $0.append(bit: true) }
    XCTAssertEqual(bits, [3, 100, 0x10, 1])
    XCTAssertEqual(try root("$[B]", count(100), bits), .array(Array(repeating: .bool(true), count: 100)))
    XCTAssertEqual(try chunk("B") { $0.append(bit: false) }, [3, 100, 0x10, 0])
    let floats = try chunk("f") { $0.append(Float(0.5)) }
    XCTAssertEqual(floats, [6, 100, 0x10, 0, 0, 0, 0x3F])
    XCTAssertEqual(try root("$[f]", count(100), floats), .array(Array(repeating: .float(0.5), count: 100)))
  }

  func testLongPlainSequencesAreAlignedToEightBytes() throws {
    for length in [511, 512, 1500] {
      let values = (0..<length).map { Double($0).squareRoot() }
      let set = ColumnWriterSet(strings: nil, context: nil)
      var layout = ColumnLayout()
      try layout.append(TypeEncoding(parsing: "d"))
      set.extend(to: layout)
      set.column(0).append(contentsOf: values)
      for lead in 0..<9 {
        var writer = ByteWriter()
        for _ in 0..<lead { writer.fixed(UInt8(0)) }
        set.writeChunks(to: &writer)
        let isAligned = length >= 512
        XCTAssertEqual(writer.bytes[lead + 4], isAligned ? 0x80 : 0)
        if isAligned { XCTAssertEqual((writer.count - length * 8) % 8, 0) }
      }
    }
  }

  // MARK: Invalid sequences

  func testInvalidIntegerSequencesAreRefused() throws {
    let bad: [(type: String, count: Int, encoding: UInt8, bytes: [UInt8])] = [
      ("C", 4, 0x10, [1, 8, 0, 1, 2, 3, 4]),  // as many bits as the value has
      ("C", 4, 0x10, [2, 0, 0, 0]),  // wider than the kind
      ("q", 4, 0x10, [3, 0, 0, 0, 0]),  // no width
      ("q", 1, 0x10, [8, 57] + [UInt8](repeating: 0, count: 16)),  // more than 56 bits
      ("C", 4, 0x10, [1, 1, 0, 0x10]),  // bits after the last value
      ("C", 4, 0x10, [1, 1, 0]),  // too short
      ("C", 4, 0x10, [1, 1, 0, 0, 0]),  // too long
      ("C", 0, 0x11, [1, 0, 0, 0]),  // no first value
      ("C", 9, 0x11, [1, 1, 0, 0, 0, 0]),  // too long
      ("C", 4, 0x12, [1, 1, 7, 1, 3]),  // a run too short
      ("C", 4, 0x12, [1, 1, 7, 1, 5]),  // too long
      ("C", 4, 0x12, [1, 2, 7, 8, 1, 4, 0]),  // empty
      ("C", 4, 0x12, [1, 1, 7, 8, 4, 0, 0, 0, 0, 0, 0, 0]),  // lengths of 8 bytes
      ("C", 4, 0x13, [1, 0, 0]), ("C", 4, 0x81, [0, 0, 0, 0]), ("q", 1, 0x82, [1, 0, 0, 0, 0]),
      ("d", 0, 0x10, [0, 0, 0, 0, 0, 0, 0, 0]), ("B", 0, 0x10, [0]), ("B", 8, 0x10, [2]), ("B", 8, 0x80, [0]),
    ]
    for (type, count, encoding, bytes) in bad {
      XCTAssertThrowsError(
        try root("$[\(type)]", self.count(count), HandMadeArchive.chunk(count, encoding: encoding, bytes)),
        "\(type) \(bytes)"
      ) {
        let code = ($0 as? ArchiveError)?.code
        XCTAssertTrue(code == .malformedColumn || code == .truncated || code == .malformedSegment, "\($0)")
      }
    }
  }

  func testPackedChunkWithTooManyValuesIsRefused() throws {
    let limit = ChunkEncoding.maximumEncodedCount
    for (type, bytes) in [("C", [1, 0, 7] as [UInt8]), ("B", [1])] {
      XCTAssertNoThrow(
        try root("$[\(type)]", count(limit), HandMadeArchive.chunk(limit, encoding: 0x10, bytes)))
      assertThrows(.malformedColumn) {
        try root("$[\(type)]", count(limit + 1), HandMadeArchive.chunk(limit + 1, encoding: 0x10, bytes))
      }
    }
  }
}
