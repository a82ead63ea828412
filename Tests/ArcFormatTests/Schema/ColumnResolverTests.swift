import ArcRuntime
import ArcTestSupport
import XCTest

@testable import ArcArchive
@testable import ArcFormat

final class ColumnResolverTests: XCTestCase {
  private func resolve(
    _ wanted: String, _ file: String, olderNames: [ExactName: [ExactName: [String]]] = [:]
  ) throws -> [ResolvedColumn]? {
    var layouts = [ColumnLayout(), ColumnLayout()]
    try layouts[0].append(TypeEncoding(parsing: wanted))
    try layouts[1].append(TypeEncoding(parsing: file))
    var resolver = ColumnResolver(wanted: layouts[0], file: layouts[1], olderNames: olderNames)
    return resolver.resolve(root: 0, fileRoot: 0)
  }

  func testIntegersConvertBetweenAllWidthsAndSigns() throws {
    for wanted in "csiqtCSIQT" {
      for have in "csiqtCSIQT" {
        let source = try XCTUnwrap(resolve("\(wanted)", "\(have)")).first
        // A reader of integers accepts any width and sign. Values of the widest types are converted.
        let isConverted = wanted != have && "tT".contains(have)
        XCTAssertEqual(source?.conversion?.form, isConverted ? .values : nil, "\(have) as \(wanted)")
        let signed = isConverted ? wanted : have
        XCTAssertEqual(source?.isSigned, signed.isLowercase, "\(have) as \(wanted)")
      }
    }
  }

  func testKindsOfValuesConvertOnlyWithoutLoss() throws {
    let (text, data, date) = ("@\"NSString\"", "@\"NSData\"", "@\"NSDate\"")
    let (id, decimal, url) = ("@\"NSUUID\"", "@\"NSDecimalNumber\"", "@\"NSURL\"")
    let kinds = [
      "B", "i", "f", text, data, date, id, decimal, url, "$[i]", "$<i>", "$<i:i>", "{A=\"x\"i}", "$(A=\"x\")",
      "@\"A\"",
    ]
    let others = [
      "B": ["i", "f"], "i": ["B", "f", decimal], "f": ["B", "i", decimal], text: [date, id, decimal, url],
      date: [text], id: [text], decimal: [text, "i", "f"], url: [text],
      "$[i]": ["B", "i", "f", decimal, "$<i>"], "$<i>": ["B", "i", "f", decimal, "$[i]"],
    ]
    for wanted in kinds {
      for have in kinds {
        let fits = wanted == have || others[wanted]?.contains(have) ?? false
        XCTAssertEqual(try resolve(wanted, have) != nil, fits, "\(have) as \(wanted)")
      }
    }
    for (wanted, have) in [
      ("d", "f"), ("d", " "), ("f", " "), ("f", "d"), (" ", "f"), ("d", date), ("$[C]", data), (data, "$[C]"),
      ("$[" + data + "]", data),
    ] { XCTAssertNotNil(try resolve(wanted, have), "\(have) as \(wanted)") }
    for (wanted, have) in [
      ("$[c]", data), (date, "d"), (data, "$[c]"), ("f", date), (" ", decimal), ("B", decimal),
    ] {
      XCTAssertNil(try resolve(wanted, have), "\(have) as \(wanted)")
    }
    XCTAssertNotNil(try resolve("$~@\"A\"", "@\"A\""))
    XCTAssertNotNil(try resolve("@\"A\"", "$~@\"A\""))
    XCTAssertNotNil(try resolve("@\"A\"", "@\"B\""), "classes are compared object by object")
  }

  func testOptionalAndNonOptionalTypesMatch() throws {
    let sources = try XCTUnwrap(resolve("$?q", "i"))
    XCTAssertEqual(sources.map(\.isAlwaysPresent), [true, false])
    XCTAssertEqual(sources.map(\.node), [nil, 0])
    XCTAssertEqual(try resolve("$?$?i", "$?i")?.map(\.node), [0, nil, 1])
    XCTAssertNotNil(try resolve("$[$?i]", "$[c]"))
    for (wanted, file, conditions) in [
      ("q", "$?q", [[0]]), ("q", "$?$?q", [[0, 1]]), ("$[i]", "$[$?i]", [[], [1]]),
      ("{A=\"x\"q\"y\"$[q]}", "$?{A=\"x\"q\"y\"$[q]}", [[], [0], [0], []]),
    ] {
      XCTAssertEqual(
        try resolve(wanted, file)?.map { $0.conversion?.conditions.map(\.node) ?? [] }, conditions, file)
    }
    // Values of a recursive type and the values nested in them are in one column.
    XCTAssertNil(try resolve("{T=\"c\"$[{T}]}", "$?{T=\"c\"$[{T}]}"))
  }

  func testSingleValuesConvertToLists() throws {
    XCTAssertEqual(try resolve("$[q]", "q")?.map { $0.conversion?.form }, [.single, nil])
    XCTAssertEqual(try resolve("$[q]", "$?q")?.map { $0.conversion?.form }, [.present, nil])
    XCTAssertEqual(try resolve("$[$[q]]", "$[q]")?.map { $0.conversion?.form }, [nil, .single, nil])
    XCTAssertEqual(try resolve("$[@\"A\"]", "@\"A\"")?.map { $0.conversion?.form }, [.references, .objects])
    XCTAssertEqual(
      try resolve("$[{P=\"x\"q}]", "{P=\"x\"q}")?.map(\.node), [1, 0, 1], "a field tells how many there are")
    XCTAssertNil(try resolve("$[{P=}]", "{P=}"), "nothing tells how many there are")
  }

  func testFieldsAreMatchedByNameInAnyOrder() throws {
    let sources = try XCTUnwrap(resolve("{P=\"x\"q\"y\"q\"z\"q}", "{P=\"y\"c\"w\"d\"x\"s}"))
    XCTAssertEqual(sources.map(\.node), [0, 3, 1, nil])
    XCTAssertEqual(sources.map(\.isMissing), [false, false, false, true])
    XCTAssertNil(try resolve("{P=\"x\"c}", "{P=\"x\"@\"NSString\"}"))
  }

  func testRenamedFieldsAndCasesMatchByOlderNames() throws {
    XCTAssertEqual(
      try resolve(
        "{P=\"new\"i}", "{P=\"old\"i}", olderNames: [ExactName("P"): [ExactName("new"): ["older", "old"]]])?
        .map(\.node),
      [0, 1])
    XCTAssertEqual(
      try resolve(
        "$(E=\"a\"\"new\")", "$(E=\"old\"\"a\"\"gone\")",
        olderNames: [ExactName("E"): [ExactName("new"): ["old"]]])?[0].cases,
      [1, 0, nil])
    XCTAssertEqual(
      try resolve(
        "{P=\"new\"i}", "{P=\"old\"i\"new\"c}", olderNames: [ExactName("P"): [ExactName("new"): ["old"]]])?
        .map(\.node),
      [0, 2])
  }

  func testFieldsWithEqualLabelsMatchInOrder() throws {
    XCTAssertEqual(try resolve("{?=\"\"i\"\"q\"\"q}", "{?=\"\"i\"\"i}")?.map(\.node), [0, 1, 2, nil])
  }

  func testPayloadsAreMatchedByCaseName() throws {
    let sources = try resolve("$(E=\"a\"{?=\"\"q}\"b\")", "$(E=\"b\"{?=\"\"d}\"a\"{?=\"\"i})")
    XCTAssertEqual(sources?.map(\.node), [0, 3, 4])
    XCTAssertEqual(sources?[0].cases, [1, 0])
    XCTAssertNil(try resolve("$(E=\"a\"{?=\"\"i})", "$(E=\"a\"{?=\"\"@\"A\"})"))
    XCTAssertEqual(try resolve("$(E=\"a\"{?=\"\"i})", "$(E=\"a\")")?.map(\.isMissing), [false, true, true])
  }

  func testRecursiveTypeDoesNotMatchItsUnrolledForm() throws {
    let tree = "{T=\"v\"i\"c\"$[{T}]}"
    XCTAssertEqual(try resolve(tree, tree)?.map(\.node), [0, 1, 2])
    XCTAssertEqual(try resolve("{T=\"v\"q\"w\"q\"c\"$[{T}]}", tree)?.map(\.node), [0, 1, nil, 2])
    // A sieve moves values to the fields, or to the order, in which the program reads them.
    XCTAssertEqual(try resolve("{T=\"c\"$[{T}]\"v\"q}", tree)?.map(\.node), [0, 2, 1])
    XCTAssertEqual(try resolve("{T=\"v\"q}", tree)?.map(\.isRearranged), [true, false])
    XCTAssertEqual(
      try resolve("$(E=\"a\"{?=\"\"$(E)\"n\"i})", "$(E=\"a\"{?=\"n\"i\"\"$(E)})")?.map(\.node), [0, 1, 2])
    // Both levels would read the one column that the file has for all levels.
    XCTAssertNil(try resolve("{T=\"v\"i\"c\"$[{U=\"v\"i\"c\"$[{V=\"v\"i}]}]}", tree))
    XCTAssertNil(try resolve(tree, "{T=\"v\"i\"c\"$[{U=\"v\"i}]}"))
  }

  func testTwoFieldsCannotReadOneStoredColumn() throws {
    XCTAssertNil(
      try resolve(
        "{P=\"a\"i\"b\"i}", "{P=\"x\"i}",
        olderNames: [ExactName("P"): [ExactName("a"): ["x"], ExactName("b"): ["x"]]]))
  }

  func testAllNodesOfAMissingColumnAreMissing() throws {
    var wanted = ColumnLayout()
    try wanted.append(TypeEncoding(parsing: "$[{A=\"x\"i}]"))
    var resolver = ColumnResolver(wanted: wanted, file: ColumnLayout())
    XCTAssertEqual(resolver.resolve(root: 0, fileRoot: nil), [.missing, .missing, .missing])
  }

  func testValuesReadAsWiderTypesAreUnchanged() throws {
    let store = ByteStore(
      copying: try HandMadeArchive(
        rootTypes: ["c", "S", "T", "f"],
        chunks: [
          HandMadeArchive.chunk(1, encoding: 1, [0x80]), HandMadeArchive.chunk(1, encoding: 1, [0xFF]),
          HandMadeArchive.chunk(1, encoding: 0, [UInt8](repeating: 0xFF, count: 16)),
          HandMadeArchive.chunk(1, encoding: 0, [0, 0, 0xC0, 0x7F]),
        ]
      ).bytes())
    let file = try ArchiveFile(store: store, limits: .default)
    var wanted = ColumnLayout()
    for encoding in ["t", "$?q", "T", "d"] { try wanted.append(TypeEncoding(parsing: encoding)) }
    var sources: [ResolvedColumn] = []
    for root in 0..<4 {
      var resolver = ColumnResolver(wanted: wanted, file: file.layouts[0])
      sources += try XCTUnwrap(resolver.resolve(root: root, fileRoot: root))
    }
    let locations = (0..<4).map { ColumnLocation(className: "$roots", key: "root\($0)") }
    let set = ColumnReaderSet(
      wanted, sources: sources, locations: locations, strings: try file.strings(), context: nil)
    set.bind(try file.rows(inSegment: file.rowsSegments[0]).classes[0].chunks)
    XCTAssertEqual(try set.column(0).integer(Int128.self), -128)
    XCTAssertEqual(try set.column(1).bit(), true)
    XCTAssertEqual(try set.column(1).child(0).integer(Int.self), 255)
    assertThrows(.valueOutOfRange, "class '$roots', key 'root2'") { try set.column(2).integer(Int128.self) }
    XCTAssertTrue(try set.column(3).double().isNaN)
    assertThrows(.malformedColumn, "a column that ends") { try set.column(0).integer(Int.self) }
  }
}
