@testable import ArcFormat

/// The files in `Fixtures/invalid`: each breaks one rule of the Spec, which its name begins with.
enum InvalidFixtures {
  struct File {
    let name: String
    let bytes: [UInt8]
    var rule: String { String(name.prefix { $0 != "-" }) }
  }

  static func all() throws -> [File] {
    try [container(), segments(), classes(), columns(), graph(), limits()].joined().map {
      File(name: $0.0, bytes: $0.1)
    }
  }

  private typealias Named = (String, [UInt8])
  private typealias Entry = HandMadeArchive.ClassEntry
  private typealias Column = HandMadeArchive.Column

  /// One root, the number 7.
  private static let simple = HandMadeArchive(
    rootTypes: ["C"], chunks: [HandMadeArchive.chunk(1, encoding: 1, [7])])

  /// The simple archive after a change.
  private static func changed(_ change: (inout HandMadeArchive) throws -> Void) throws -> [UInt8] {
    var archive = simple
    try change(&archive)
    return try archive.bytes()
  }

  private static func chunk(_ values: [UInt8]) -> [UInt8] {
    HandMadeArchive.chunk(values.count, encoding: 1, values)
  }

  /// One root of a type, with these chunks.
  private static func root(_ type: String, _ chunks: [UInt8]...) throws -> [UInt8] {
    try HandMadeArchive(rootTypes: [type], chunks: chunks).bytes()
  }

  /// Bytes of the file after a change that no checksum tells.
  private static func sealed(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
    var bytes = try simple.bytes()
    change(&bytes)
    return HandMadeArchive.sealed(bytes)
  }

  // MARK: Header, trailer, index: 02-container

  private static func container() throws -> [Named] {
    let whole = try simple.bytes()
    /// The file with other bytes in the trailer, under a right checksum of it.
    func trailer(_ offset: Int, _ values: [UInt8]) -> [UInt8] {
      var bytes = whole
      let start = bytes.count - ArchiveTrailer.byteCount
      bytes.replaceSubrange(start + offset..<start + offset + values.count, with: values)
      let crc = Checksum.crc32(bytes[start..<start + 24])
      bytes.replaceSubrange(start + 24..<start + 28, with: littleEndianBytes(crc))
      return bytes
    }
    var flipped = whole
    flipped[whole.count - 8] ^= 1
    var damagedHeader = whole
    damagedHeader[28] ^= 1
    return [
      ("H1-31-bytes", Array(whole[..<31])),
      ("H2-text", Array(String(repeating: "<html>\n", count: 12).utf8)),
      ("H2-line-ends-changed", whole.filter { $0 != 0x0D }),
      ("H3-checksum", damagedHeader),
      ("H3-reserved", try sealed { $0[20] = 1 }),
      ("H4-major-version", try changed { $0.header.major = 7 }),
      ("H5-required-feature", try changed { $0.header.requiredFeatures = 1 << 31 }),
      ("T1-cut", Array(whole.dropLast(8))),
      ("T1-longer", whole + [0]),
      ("T2-checksum", flipped),
      ("T3-index-outside", trailer(0, [UInt8](repeating: 0xFF, count: 8))),
      ("T4-checksum-of-segments", trailer(20, [0, 0, 0, 0])),
      ("I1-no-index-there", trailer(0, [32, 0, 0, 0, 0, 0, 0, 0])),
      ("I1-segment-count", trailer(16, [1])),
      ("I2-first", try changed { $0.segments[1].first = 1 }),
      ("I2-row-count", trailer(8, [2])),
      ("I3-count-too-large", try changed { $0.segments[1].count = 1 << 40 }),
      ("I5-more-classes-claimed", try changed { $0.segments[0].count = 2 }),
      ("D1-keys-out-of-order", try changed { $0.segments.insert(metadata(["b", "a"]), at: 0) }),
      ("D1-key-twice", try changed { $0.segments.insert(metadata(["a", "a"]), at: 0) }),
      (
        "D2-two-segments",
        try changed { $0.segments.insert(contentsOf: [metadata(["a"]), metadata(["b"])], at: 0) }
      ),
      (
        "D3-more-pairs-claimed",
        try changed {
          $0.segments.insert(metadata(["a"]), at: 0)
          $0.segments[0].count = 2
        }
      ),
    ]
  }

  private static func metadata(_ keys: [String]) -> HandMadeArchive.Segment {
    var payload = ByteWriter()
    payload.varint(keys.count)
    for key in keys {
      payload.string(key)
      payload.string("x")
    }
    return HandMadeArchive.Segment(kind: "META", raw: payload.bytes, count: keys.count)
  }

  // MARK: Primitives, segments, compression: 02-container

  private static func segments() throws -> [Named] {
    let rows = SegmentHeader.wholeByteCount(simple.segments[0].raw.count) + ArchiveHeader.byteCount
    var damaged = try simple.bytes()
    damaged[rows + 24] ^= 1
    var compressed = HandMadeArchive(
      rootTypes: ["@\"NSData\""],
      chunks: [
        HandMadeArchive.chunk(1, encoding: 0, [2, 0xF4, 1] + [UInt8](repeating: 5, count: 500))
      ])
    compressed.segments[1].isCompressed = true
    var longBlock = try compressed.bytes()
    longBlock[
      SegmentHeader.wholeByteCount(compressed.segments[0].raw.count) + ArchiveHeader.byteCount + 24] += 1
    var tail = compressed
    tail.segments[1].storedTail = [0]
    func claim(_ count: Int) throws -> [UInt8] {
      var archive = compressed
      archive.segments[1].claimedRawByteCount = count
      return try archive.bytes()
    }
    return [
      ("B1-overlong", try changed { $0.segments[1].raw.replaceSubrange(0..<1, with: [0x81, 0]) }),
      (
        "B1-65-bits",
        try changed {
          $0.segments[1].raw.replaceSubrange(0..<1, with: [UInt8](repeating: 0xFF, count: 9) + [2])
        }
      ),
      ("B2-byte-left-over", try changed { $0.segments[1].raw.append(0) }),
      (
        "B3-key-is-no-UTF-8",
        try changed {
          guard let key = $0.segments[0].raw.firstIndex(of: UInt8(ascii: "0")) else { return }
          $0.segments[0].raw[key] = 0xFF
        }
      ),
      ("B4-class-table-cut", try changed { $0.segments[0].raw.removeLast() }),
      ("B5-127-classes-in-30-bytes", try changed { $0.segments[0].raw[0] = 127 }),
      ("S1-codec", try sealed { $0[rows + 5] = 2 }),
      ("S1-reserved", try sealed { $0[rows + 6] = 1 }),
      ("S2-payload", damaged),
      ("S3-unknown-kind", try changed { $0.segments.append(.init(kind: "NOTE", raw: [1])) }),
      (
        "S5-padding",
        try changed {
          $0.segments.append(.init(kind: "NOTE", raw: [1], flags: SegmentHeader.mayIgnore, paddingByte: 1))
        }
      ),
      ("I4-kind", try sealed { $0[rows] = UInt8(ascii: "X") }),
      ("Z1-ratio", try claim(1 << 20)),
      ("Z2-too-little", try claim(compressed.segments[1].raw.count + 1)),
      ("Z2-too-much", try claim(compressed.segments[1].raw.count - 1)),
      ("Z3-block-cut", HandMadeArchive.sealed(longBlock)),
      ("Z3-byte-behind-blocks", try tail.bytes()),
    ]
  }

  // MARK: Class table and encodings: 03-classes

  private static func classes() throws -> [Named] {
    /// The simple archive with further classes.
    func table(_ entries: [Entry]) throws -> [UInt8] {
      try HandMadeArchive([
        .classes([Entry(name: "$roots")] + entries), .rows(runs: [(0, 1)], classes: [(0, [])]),
      ]).bytes()
    }
    func attributes(_ text: String) throws -> [UInt8] {
      try table([Entry(name: "A", columns: [Column(declaringClass: 1, key: "k", attributes: text)])])
    }
    func own(_ columns: [(key: String, flags: UInt8)]) throws -> [UInt8] {
      let columns = columns.map { Column(declaringClass: 1, key: $0.key, attributes: "Ti", flags: $0.flags) }
      return try table([Entry(name: "A", columns: columns)])
    }
    var later = HandMadeArchive.Segment.classes([
      Entry(name: "", columns: [Column(declaringClass: 0, key: "late", attributes: "Ti")])
    ])
    // An entry for a known class has neither name nor superclass nor version.
    later.raw.removeSubrange(2..<5)
    later.first = 1
    later.count = 0
    return [
      ("C1-gap", try changed { $0.segments[0].raw[1] = 5 }),
      ("C2-name-twice", try table([Entry(name: "A"), Entry(name: "A")])),
      ("C2-name-empty", try table([Entry(name: "")])),
      ("C2-own-superclass", try table([Entry(name: "A", superclass: 2)])),
      (
        "C3-declared-by-a-stranger",
        try table([
          Entry(name: "A"),
          Entry(name: "B", columns: [Column(declaringClass: 1, key: "k", attributes: "Ti")]),
        ])
      ),
      ("C4-key-twice", try own([("k", 0), ("k", 0)])),
      ("C4-keyed-twice", try own([("k", 2), ("k", 2)])),
      (
        "C5-no-roots",
        try HandMadeArchive([.classes([Entry(name: "A")]), .rows(runs: [(0, 1)], classes: [(0, [])])])
          .bytes()
      ),
      ("C5-superclass-of-a-class", try table([Entry(name: "A", superclass: 1)])),
      ("C6-dollar", try table([Entry(name: "$A")])),
      ("C6-name-of-values", try table([Entry(name: "NSString")])),
      ("C7-column-too-late", try changed { $0.segments.append(later) }),
      ("C8-flag", try own([("k", 0x80)])),
      ("E1-no-type", try attributes("T!")),
      ("E1-129-levels", try attributes("T" + String(repeating: "$?", count: 128) + "i")),
      ("E2-pointer", try attributes("T^v")),
      ("E2-no-case", try attributes("T$(E=)")),
      ("E3-mention-of-nothing", try attributes("T{A}")),
      ("E4-structure-in-itself", try attributes("T{A=\"a\"{A}}")),
      ("P1-no-type", try attributes("N,R")),
      ("P1-no-comma", try attributes("TiN")),
      ("P2-weak-number", try attributes("Ti,W")),
    ]
  }

  // MARK: Columns: 04-columns

  private static func columns() throws -> [Named] {
    func encoded(_ type: String, _ count: Int, _ encoding: UInt8, _ values: [UInt8]) throws -> [UInt8] {
      try root(type, HandMadeArchive.chunk(count, encoding: encoding, values))
    }
    let many = 1 << 18 + 1
    let keyed = ["Ti", "Tq"].map { Column(declaringClass: 1, key: "k", attributes: $0, flags: 2) }
    let present = HandMadeArchive.chunk(1, encoding: 0, [1])
    var strings = simple
    strings.segments.insert(.strings([[97]]), at: 1)
    var badWidth = strings
    badWidth.segments[1].raw[1] = 3
    var badString = strings
    badString.segments[1].raw[3] = 0xFF
    return [
      ("V1-encoding", try encoded("C", 1, 3, [7])),
      ("V1-too-wide", try encoded("C", 1, 2, [7, 0])),
      ("V2-two-values-for-one-row", try root("C", chunk([7, 7]))),
      ("V2-element-missing", try root("$[C]", chunk([2]), chunk([7]))),
      ("V3-bits-behind-the-last", try encoded("B", 1, 0, [0x81])),
      ("V5-no-UTF-8", try encoded("@\"NSString\"", 1, 0, [1, 1, 0xFF])),
      ("V6-case", try encoded("$(E=\"a\"\"b\")", 1, 1, [2])),
      ("V7-elements", try encoded("$[{E=}]", 1, 4, [0, 0, 0, 0x40])),
      (
        "V8-a-few-bytes-for-many-values",
        try root(
          "$[C]", HandMadeArchive.chunk(1, encoding: 4, [1, 0, 4, 0]),
          HandMadeArchive.chunk(many, encoding: 16, [1, 0, 7]))
      ),
      ("V9-as-wide-as-the-value", try encoded("C", 1, 16, [1, 8, 0, 7])),
      ("V9-bits-behind-the-last", try encoded("C", 1, 16, [1, 1, 0, 0x82])),
      ("V10-sum", try encoded("C", 1, 18, [1, 1, 7, 1, 2])),
      ("V10-length-0", try encoded("C", 1, 18, [1, 2, 7, 8, 1, 1, 0])),
      ("V11-padding", try encoded("S", 1, 130, [1, 7, 0])),
      ("X1-width", try badWidth.bytes()),
      ("X2-id", try encoded("@\"NSString\"", 1, 1, [1, 9])),
      ("X3-no-UTF-8", try badString.bytes()),
      (
        "K1-two-values-for-one-key",
        try HandMadeArchive(
          [
            .classes([Entry(name: "$roots"), Entry(name: "A", columns: keyed)]),
            .rows(
              runs: [(0, 1), (1, 1)], classes: [(0, []), (2, [present, chunk([1]), present, chunk([1])])]),
          ], rowCount: 2
        ).bytes()
      ),
      (
        "R1-class",
        try changed {
          $0.segments[1] = .rows(runs: [(9, 1)], classes: [(1, [chunk([7])])])
        }
      ),
      ("R1-length-0", try changed { $0.segments[1].raw.replaceSubrange(0..<3, with: [2, 0, 0, 0, 1]) }),
      (
        "R2-more-columns-than-the-class-has",
        try changed {
          $0.segments[1] = .rows(runs: [(0, 1)], classes: [(2, [chunk([7]), chunk([7])])])
        }
      ),
      ("L1-no-LINK", try root("$~@\"A\"")),
      ("L1-LINK-of-nothing", try changed { $0.segments.append(.links([], first: 0, count: 5)) }),
    ]
  }

  // MARK: Graph: 05-graph

  private static func graph() throws -> [Named] {
    /// Rows 1 and 2 are an A and a B without relation to it; the root refers to one of them.
    func reference(to row: UInt8) throws -> [UInt8] {
      try HandMadeArchive(
        [
          .classes([
            Entry(name: "$roots", columns: [Column(key: "root", attributes: "T@\"A\"")]), Entry(name: "A"),
            Entry(name: "B"),
          ]),
          .rows(runs: [(0, 1), (1, 1), (2, 1)], classes: [(1, [chunk([row])]), (0, []), (0, [])]),
        ], rowCount: 3
      ).bytes()
    }
    let itself = Column(declaringClass: 1, key: "k", attributes: "T@\"A\",R", flags: 1)
    return [
      (
        "G1-two-rows-of-roots",
        try HandMadeArchive(
          [.classes([Entry(name: "$roots")]), .rows(runs: [(0, 2)], classes: [(0, [])])], rowCount: 2
        ).bytes()
      ),
      (
        "G1-row-0-is-an-object",
        try HandMadeArchive([
          .classes([Entry(name: "$roots"), Entry(name: "A")]), .rows(runs: [(1, 1)], classes: [(0, [])]),
        ]).bytes()
      ),
      ("G2-row-9-of-3", try reference(to: 9)),
      ("G3-a-B-for-an-A", try reference(to: 2)),
      (
        "G4-built-before-itself",
        try HandMadeArchive(
          [
            .classes([Entry(name: "$roots"), Entry(name: "A", columns: [itself])]),
            .rows(runs: [(0, 1), (1, 1)], classes: [(0, []), (1, [chunk([1])])]),
          ], rowCount: 2
        ).bytes()
      ),
    ]
  }

  // MARK: Limits of `.untrusted`: 07-limits

  private static func limits() throws -> [Named] {
    let limits = Limits.untrusted
    let rows = limits.rows / Limits.costWithoutBytes + 1
    func compressed(_ archive: HandMadeArchive) throws -> [UInt8] {
      var archive = archive
      archive.segments[0].isCompressed = true
      return try archive.bytes()
    }
    func classes(_ entries: [Entry]) -> HandMadeArchive {
      HandMadeArchive([.classes(entries), .rows(runs: [(0, 1)], classes: [(0, [])])])
    }
    let fields = String(repeating: "C", count: limits.columnsPerClass)
    let wide = Column(declaringClass: 1, key: "k", attributes: "T{S=\(fields)}")
    let long = Column(declaringClass: 1, key: "k", attributes: "Ti," + String(repeating: "x", count: 600_000))
    let nested = [UInt8](repeating: 1, count: limits.nesting + 1) + [0]
    return [
      (
        "A3-rows-without-bytes",
        try HandMadeArchive(
          [
            .classes([Entry(name: "$roots"), Entry(name: "A")]),
            .rows(runs: [(0, 1), (1, rows)], classes: [(0, []), (0, [])]),
          ], rowCount: rows + 1
        ).bytes()
      ),
      (
        "A4-classes",
        try compressed(classes((0...limits.classes).map { Entry(name: $0 == 0 ? "$roots" : "C\($0)") }))
      ),
      ("A5-attributes", try compressed(classes([Entry(name: "$roots"), Entry(name: "A", columns: [long])]))),
      ("A6-fields", try compressed(classes([Entry(name: "$roots"), Entry(name: "A", columns: [wide])]))),
      (
        "A7-elements-without-bytes",
        try root("$[{E=}]", HandMadeArchive.chunk(1, encoding: 4, [0, 0, 0, 1]))
      ),
      ("A8-tree", try root("{T=\"c\"$[{T}]}", chunk(nested))),
    ]
  }
}
