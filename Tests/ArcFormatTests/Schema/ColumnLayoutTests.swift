import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcFormat

final class ColumnLayoutTests: XCTestCase {
  private func layout(_ encoding: String) throws -> ColumnLayout {
    var layout = ColumnLayout()
    try layout.append(TypeEncoding(parsing: encoding))
    return layout
  }

  func testEveryColumnKindHasAnEncoding() throws {
    let kinds: [(String, ColumnKind)] = [
      ("B", .bool), ("c", .int8), ("s", .int16), ("i", .int32), ("q", .int64), ("C", .uint8), ("S", .uint16),
      ("I", .uint32), ("Q", .uint64), ("t", .int128), ("T", .uint128), (" ", .float16), ("f", .float32),
      ("d", .float64), ("@\"NSString\"", .string), ("@\"NSData\"", .data), ("@\"NSDate\"", .date),
      ("@\"NSUUID\"", .uuid), ("@\"NSDecimalNumber\"", .decimal), ("@\"NSURL\"", .url), ("$?i", .optional),
      ("$[i]", .array), ("$<i>", .set), ("$<i:i>", .dictionary), ("{A=i}", .structure),
      ("$(A=\"a\")", .enumeration), ("@\"A\"", .reference), ("@", .reference), ("$~@\"A\"", .weak),
    ]
    for (encoding, kind) in kinds { XCTAssertEqual(try layout(encoding).nodes[0].kind, kind, encoding) }
    XCTAssertEqual(Set(kinds.map(\.1)).count, ColumnKind.allCases.count)
  }

  func testLayoutNodesAreInPreOrderWithNames() throws {
    typealias Node = ColumnLayout.Node
    let layout = try layout("$<@\"NSString\":{P=\"x\"d\"who\"@\"Box<Int>\"}>")
    XCTAssertEqual(
      layout.nodes,
      [
        Node(kind: .dictionary, children: [1, 2]), Node(kind: .string),
        Node(kind: .structure, children: [3, 4], name: "P", labels: ["x", "who"]), Node(kind: .float64),
        Node(kind: .reference, name: "Box<Int>"),
      ])
    XCTAssertEqual(layout.roots, [0])
  }

  func testPayloadsAreAssignedToTheirCases() throws {
    let layout = try layout("$(E=\"a\"\"b\"{?=\"\"i}\"c\"\"d\"@)")
    XCTAssertEqual(layout.nodes[0].labels, ["a", "b", "c", "d"])
    XCTAssertEqual(layout.nodes[0].payloads, [nil, 0, nil, 1])
    XCTAssertEqual(layout.nodes[0].children, [1, 3])
  }

  func testURLHasNodesForStringAndOptionalBase() throws {
    let layout = try layout("@\"NSURL\"")
    XCTAssertEqual(layout.nodes.map(\.kind), [.url, .string, .optional, .string])
    XCTAssertEqual(layout.nodes.map(\.children), [[1, 2], [], [3], []])
  }

  func testKeyedWeakColumnHasOptionalAndWeakNodes() throws {
    var layout = ColumnLayout()
    try layout.append(.object(named: "A"), isWeak: true, isKeyed: true)
    try layout.append(.scalar(.int))
    XCTAssertEqual(layout.nodes.map(\.kind), [.optional, .weak, .int32])
    XCTAssertEqual(layout.roots, [0, 2])
    XCTAssertEqual(layout.nodes[1].name, "A")
  }

  func testRecursiveTypeRefersToTheEnclosingNode() throws {
    let tree = try layout("{Tree=\"label\"i\"children\"$[{Tree}]}")
    XCTAssertEqual(tree.nodes.map(\.children), [[1, 2], [], [0]])
    XCTAssertEqual(tree.nodes.map(\.isRecursive), [true, false, true])
    let expression = try layout("$(E=\"n\"{?=i}\"sum\"{?=$(E)$(E)})")
    XCTAssertEqual(expression.nodes.map(\.children), [[1, 3], [2], [], [0, 0]])
    XCTAssertThrowsError(try layout("{A=\"b\"{B=\"a\"$?{C}}}"), "a mention of what does not enclose it")
    XCTAssertThrowsError(try layout("{A=\"b\"$?{B=\"a\"i}\"c\"{B}}"), "B does not enclose c")
  }

  func testEndlesslyRecursiveStructureIsRefused() throws {
    for encoding in ["{A=\"a\"{A}}", "{A=\"b\"{B=\"a\"{A}}}", "$[{A=\"a\"{A}}]", "{A=\"b\"$?{B=\"b\"{B}}}"] {
      assertThrows(.malformedEncoding) { try layout(encoding) }
    }
    for encoding in ["{A=\"a\"$?{A}}", "{A=\"b\"{B=\"a\"$[{A}]}}", "$(E=\"a\"{?=$(E)})", "{A=\"a\"$<{A}>}"] {
      XCTAssertNoThrow(try layout(encoding), encoding)
    }
  }

  func testReferencesInKeysOfRecursiveTypesAreFound() throws {
    let layout = try layout("{A=\"s\"$<{B=\"x\"$[{A}]}>\"d\"$<i:@\"P\">\"k\"$<@\"P\":i>\"p\"@\"P\"}")
    let hashing = layout.nodes.filter { layout.hashesReferences($0) }
    XCTAssertEqual(hashing.map(\.kind), [.set, .dictionary])
    XCTAssertEqual(layout.nodesThatContainReferences(), layout.nodes.indices.map(layout.containsReference))
    XCTAssertTrue(layout.containsHashedReferences(0))
    XCTAssertEqual(try self.layout("$<i>").nodesThatContainReferences(), [false, false])
  }

  func testOnlyEmptyStructuresHaveNoBytes() throws {
    let layout = try layout("{A=\"e\"{E=}\"n\"{N=\"e\"{E=}}\"l\"$[{E=}]}")
    XCTAssertEqual(layout.nodesWithoutBytes(), [false, true, true, true, false, true])
  }

  func testClassNamesOfValueTypesAreReserved() {
    for name in [
      "NSString", "NSData", "NSDate", "NSUUID", "NSURL", "NSDecimalNumber", "$roots", "$", "",
      "NSString<P>", "NSURL<P><Q>", "NSData<>",
    ] {
      XCTAssertTrue(ColumnLayout.isReserved(name), name)
    }
    for name in ["NSObject", "Person", "nsstring", "Box<NSString>", "NSURL<", "NSURL<P>x"] {
      XCTAssertFalse(ColumnLayout.isReserved(name), name)
    }
  }
}
