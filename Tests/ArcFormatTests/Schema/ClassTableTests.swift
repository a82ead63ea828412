import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ClassTableTests: XCTestCase {
  private typealias Entry = HandMadeArchive.ClassEntry
  private typealias Column = HandMadeArchive.Column

  private func archive(_ entries: [Entry]) -> HandMadeArchive {
    HandMadeArchive([
      .classes([Entry(name: "$roots")] + entries), .rows(runs: [(0, 1)], classes: [(0, [])]),
    ])
  }

  func testClassesAreDescribedFromTheFileAlone() throws {
    let parent = Column(declaringClass: 1, key: "k", attributes: "Ti,N,V_k")
    let child = Column(declaringClass: 2, key: "k", attributes: "T@\"A\",N,W,V_k")
    let file = try ArchiveFile(
      bytes: archive([
        Entry(name: "A"), Entry(name: "B", superclass: 2, columns: [child, parent]),
        Entry(name: "C", superclass: 3, columns: [child, parent]),
        Entry(name: "K", columns: [Column(declaringClass: 4, key: "x", attributes: "Tq", flags: 2)]),
      ]).bytes())
    let infos = file.classInfos
    XCTAssertEqual(infos.map(\.name), ["A", "B", "C", "K"])
    XCTAssertEqual(infos[2].lineage.map(\.name), ["C", "B", "A"])
    XCTAssertTrue(infos[2].superclass === infos[1])
    XCTAssertEqual(infos[0].properties.map(\.name), ["k"], "only its subclasses have columns for it")
    XCTAssertEqual(
      infos[2].allProperties.map { "\($0.declaringClass.name).\($0.member.name)" }, ["A.k", "B.k"])
    XCTAssertEqual(infos[1].flags, [.foreign, .hasWeakProperties, .hasReferences])
    XCTAssertEqual(infos[3].flags, [.foreign, .root, .codedByHand])
  }

  func testClassesAreReadAsWritten() throws {
    let column = Column(declaringClass: 1, key: "k", attributes: "Ti,N,V_k", flags: 3)
    let file = try ArchiveFile(
      bytes: archive([
        Entry(name: "A", columns: [column]), Entry(name: "B", superclass: 2, columns: [column]),
      ]).bytes())
    try file.verify()
    XCTAssertEqual(file.classes.map(\.name), ["$roots", "A", "B"])
    XCTAssertEqual(file.classes.map(\.superclassIndex), [nil, nil, 1])
    let described = try XCTUnwrap(file.classes[2].columns.first)
    XCTAssertEqual(described.key, "k")
    XCTAssertEqual(described.declaringClassIndex, 1)
    XCTAssertEqual(described.attributes.description, "Ti,N,V_k")
    XCTAssertEqual(described.flags, [.construction, .keyed])
  }

  func testSuperclassMustPrecedeItsSubclass() throws {
    try assertRefused(archive([Entry(name: "A", superclass: 2)]), .malformedClassTable, "'A'")
    try assertRefused(
      archive([Entry(name: "A", superclass: 3), Entry(name: "B", superclass: 2)]), .malformedClassTable)
    try assertRefused(archive([Entry(name: "A", superclass: .max)]), .malformedClassTable)
  }

  func testDuplicateReservedOrEmptyClassNamesAreRefused() throws {
    try assertRefused(archive([Entry(name: "A"), Entry(name: "A")]), .malformedClassTable)
    try assertRefused(archive([Entry(name: "$roots")]), .malformedClassTable)
    try assertRefused(archive([Entry(name: "")]), .malformedClassTable)
  }

  func testClassTableMustBeginWithTheRootsClass() throws {
    try assertRefused(
      HandMadeArchive([
        .classes([Entry(name: "A")]), .rows(runs: [(0, 1)], classes: [(0, [])]),
      ]), .malformedClassTable, "expected '$roots' as the first class")
    try assertRefused(HandMadeArchive([.rows(runs: [(0, 1)], classes: [(0, [])])]), .malformedClassTable)
  }

  func testDuplicateKeysOfOneDeclaringClassAreRefused() throws {
    let column = Column(declaringClass: 1, key: "k", attributes: "Ti")
    try assertRefused(
      archive([Entry(name: "A", columns: [column, column])]), .malformedClassTable, "two properties")
    var other = column
    other.declaringClass = 2
    XCTAssertNoThrow(
      try ArchiveFile(
        bytes: archive([Entry(name: "A"), Entry(name: "B", superclass: 2, columns: [column, other])]).bytes()
      ))
    var keyed = column
    keyed.flags = 2
    var ofOtherType = keyed
    ofOtherType.attributes = "Tq"
    XCTAssertNoThrow(
      try ArchiveFile(bytes: archive([Entry(name: "A", columns: [keyed, ofOtherType])]).bytes()))
    try assertRefused(archive([Entry(name: "A", columns: [keyed, keyed])]), .malformedClassTable)
  }

  func testInvalidFlagsAndDeclaringClassesAreRefused() throws {
    for (declaringClass, flags) in [(2, 0), (Int.max, 0), (1, 4), (1, 255)] {
      let column = Column(declaringClass: declaringClass, key: "k", attributes: "Ti", flags: UInt8(flags))
      try assertRefused(archive([Entry(name: "A", columns: [column])]), .malformedClassTable, "'k'")
    }
  }

  func testErrorForInvalidEncodingNamesTheKey() throws {
    for attributes in [
      "", "T", "N,V_k", "T^i", "T*", "Tv", "T?", "T#", "T:", "T@?", "T[4i]", "Tb3", "T![16,16f]", "Trq",
      "T(u=\"a\"i)", "T{A}", "T$(E)", "T$(E=)", "T$[", "T$[]", "T{A=i", "Tii", "T$~i", "T$~@?", "T$?v",
      "T{A=\"x\"\"y\"i}", "TL", "Tl", "TD", "T$z",
    ] {
      let column = Column(declaringClass: 1, key: "k", attributes: attributes)
      try assertRefused(
        archive([Entry(name: "A", columns: [column])]), .malformedEncoding, "class 'A', key 'k'")
    }
  }

  func testDeeplyNestedEncodingsAreRefusedOnSmallStack() throws {
    // Each level of the recursive parser needs about 4 KiB of stack in a debug build, and a tenth of that in
    // an optimised build.
    try onSmallStack(byteCount: 1 << 20) {
      for opener in ["$?", "$[", "{A=", "$<", "{?=\"a\"", "^"] {
        let text = "T" + String(repeating: opener, count: 100_000)
        let column = Column(declaringClass: 1, key: "k", attributes: text)
        try self.assertRefused(self.archive([Entry(name: "A", columns: [column])]), .malformedEncoding)
      }
      let deepest = "T" + String(repeating: "$?", count: 127) + "i"
      let column = Column(declaringClass: 1, key: "k", attributes: deepest)
      let file = try ArchiveFile(bytes: self.archive([Entry(name: "A", columns: [column])]).bytes())
      XCTAssertEqual(file.layouts[1].nodes.count, 128)
    }
  }

  func testClassTableMayAddColumnsToEarlierClasses() throws {
    var table = ByteWriter()
    table.varint(1)
    table.varint(2)
    table.string("A")
    table.append([0, 0, 0])
    var gap = archive([])
    gap.segments.insert(.init(kind: "CLSS", raw: table.bytes, first: 1, count: 1), at: 1)
    try assertRefused(gap, .malformedClassTable, "class index 2")
    table = ByteWriter()
    table.append([1, 1, 1, 1])
    table.string("late")
    table.string("Ti")
    table.fixed(UInt8(2))
    var later = archive([Entry(name: "A")])
    later.segments.insert(.init(kind: "CLSS", raw: table.bytes, first: 2, count: 0), at: 1)
    XCTAssertEqual(try ArchiveFile(bytes: later.bytes()).classes[1].columns.map(\.key), ["late"])
    later.segments[1].count = 1
    try assertRefused(later, .indexMismatch, "0 new classes")
  }

  func testTrailingBytesAndBadUTF8AreRefused() throws {
    var trailing = archive([])
    trailing.segments[0].raw.append(0)
    try assertRefused(trailing, .malformedSegment, "class table")
    var bad = archive([Entry(name: "A")])
    let nameOffset = try XCTUnwrap(bad.segments[0].raw.lastIndex(of: UInt8(ascii: "A")))
    bad.segments[0].raw[nameOffset] = 0xFF
    try assertRefused(bad, .invalidString)
  }

  func testReferenceAcceptsSubclassAtAnyDepth() throws {
    // A tree of classes. A column of each class refers to a row of every class in turn.
    let parents = [0, 2, 2, 3, 5, 0, 7]
    let names = ["A", "B", "C", "D", "E", "F", "G"]
    func isKind(_ index: Int, of ancestor: Int) -> Bool {
      var next = index
      while next != ancestor, parents[next] != 0 { next = parents[next] - 2 }
      return next == ancestor
    }
    for target in names.indices {
      for declared in names.indices {
        let roots = Entry(name: "$roots", columns: [Column(key: "r", attributes: "T@\"\(names[declared])\"")])
        let entries = zip(names, parents).map { Entry(name: $0, superclass: $1) }
        let archive = HandMadeArchive(
          [
            .classes([roots] + entries),
            .rows(
              runs: [(0, 1), (target + 1, 1)],
              classes: [(1, [HandMadeArchive.chunk(1, encoding: 1, [1])]), (0, [])]),
          ], rowCount: 2)
        if isKind(target, of: declared) {
          XCTAssertNoThrow(try ArchiveFile(bytes: archive.bytes()).verify(), "\(target) as \(declared)")
        } else {
          try assertRefused(archive, .wrongClass, "'\(names[target])'")
        }
      }
    }
  }
}
