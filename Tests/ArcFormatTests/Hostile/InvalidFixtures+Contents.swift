import ArcTestSupport

@testable import ArcFormat

/// Files that break rules for the contents of segments.
extension InvalidFixtures {
  // MARK: Class table and encodings: 03-classes

  static func classes() throws -> [Named] {
    /// Returns the simple archive with further classes.
    func table(_ entries: [Entry]) throws -> [UInt8] {
      try HandMadeArchive([
        .classes([Entry(name: "$roots")] + entries), .rows(runs: [(0, 1)], classes: [(0, [])]),
      ]).bytes()
    }
    func attributes(_ text: String) throws -> [UInt8] {
      try table([
        Entry(name: "A", columns: [Column(declaringClass: 1, key: "k", attributes: text)])
      ])
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

  static func columns() throws -> [Named] {
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

  static func graph() throws -> [Named] {
    /// Returns an archive whose root refers to one of two objects of unrelated classes: row 1 is an `A`, row
    /// 2 a `B`.
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
}
