import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

final class SQLExportTests: XCTestCase {
  private func answer(_ query: String, _ bytes: [UInt8], _ arguments: String...) throws -> String {
    let command = try Arcdump.parseAsRoot(["export", "test.arc", "--format", "sql"] + arguments)
    let result = try XCTUnwrap(command as? any InspectionCommand).result { _, _ in bytes }
    XCTAssertEqual(result.errors, "")
    return try SQLiteShell.answer(to: query, after: result.output)
  }

  func testEachClassBecomesATableOfItsObjects() throws {
    let zoo = try QueriedArchives.zoo()
    XCTAssertEqual(
      try answer(#"SELECT * FROM "Dog" ORDER BY rowid;"#, zoo),
      "1|5|2|Elm|7|long|0.5|2||Rex|40|Rexy|2|2\n2|9|1|Oak|1|round||0|4|Mia|60|||1\n")
    XCTAssertEqual(
      try answer("SELECT name FROM pragma_table_info('Dog');", zoo),
      "row\nage\nfriends\nhome_street\nhome_number\nshape\nshape_long_length\ntoys\nrival\nname\n"
        + "Zoo.Animal.age\nnick\nmother\ntags\n")
    XCTAssertEqual(
      try answer(#"SELECT "row", age, mother IS NULL FROM "Zoo.Animal";"#, zoo), "3|3|0\n4|2|1\n")
  }

  func testCollectionsBecomeSQLTables() throws {
    let zoo = try QueriedArchives.zoo()
    XCTAssertEqual(try answer(#"SELECT * FROM "Dog_friends" ORDER BY 1, 2;"#, zoo), "1|0|2\n1|1|3\n2|0|1\n")
    XCTAssertEqual(
      try answer("SELECT * FROM Dog_toys;", zoo), "1|0|ball|2\n1|1|two words|1\n")
    XCTAssertEqual(try answer("SELECT * FROM roots_others ORDER BY 2;", zoo), "0|0|3\n0|1|\n")
  }

  func testSQLViewsFollowReferences() throws {
    let zoo = try QueriedArchives.zoo()
    XCTAssertEqual(
      try answer(
        "SELECT source, source_position, class, name, age FROM Dog_friends_followed ORDER BY 1, 2;", zoo),
      "1|0|Dog|Mia|60\n1|1|Zoo.Animal|Tom|3\n2|0|Dog|Rex|40\n")
    XCTAssertEqual(
      try answer(#"SELECT class, "row", name, age FROM "Zoo.Animal_all" ORDER BY "row";"#, zoo),
      "Dog|1|Rex|40\nDog|2|Mia|60\nZoo.Animal|3|Tom|3\nZoo.Animal|4|Lea|2\n")
    XCTAssertEqual(
      try answer(#"SELECT class FROM objects WHERE "row" = 3;"#, zoo), "Zoo.Animal\n")
    let plan = try answer(#"EXPLAIN QUERY PLAN SELECT * FROM "Dog" WHERE mother = 1;"#, zoo)
    XCTAssertTrue(plan.contains("USING INDEX Dog_mother_index"), plan)
  }

  func testPartialExportHasNoViewsOfOmittedClasses() throws {
    let zoo = try QueriedArchives.zoo()
    XCTAssertEqual(
      try answer(
        "SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY 1;", zoo, "--class", "Dog",
        "--columns", "friends,name"),
      "Dog\nDog_friends\nDog_friends_index\narc_tables\nobjects\n")
  }

  func testEachKindOfValueIsExportedToSQL() throws {
    let columns = [
      "bool", "int32", "uint64", "uint128", "float", "double", "hex(data)", "date", "uuid", "decimal", "url",
      "none", "\"set\"", "empty", "point_x", "shape_circle_radius", "plain", "plain_circle_radius", "nested",
      "pair_owner", "pair_link",
    ]
    XCTAssertEqual(
      try answer(#"SELECT \#(columns.joined(separator: ", ")) FROM "Any" LIMIT 1;"#, SampleArchives.kinds()),
      [
        "1", "-7", "18446744073709551615", "340282366920938463463374607431768211455", "0.1", "-Inf", "01AB",
        "2026-11-22T00:26:40.25Z", "00010203-0405-0607-0809-0A0B0C0D0E0F", "1.50",
        #"{"$url":"a/b","base":"https://example.org"}"#, "", "2", "0", "1.0", "3.0", "none", "", "2", "1",
        "2",
      ].joined(separator: "|") + "\n")
    XCTAssertEqual(
      try answer(
        #"SELECT typeof(uint64), typeof(data), typeof(decimal) FROM "Any" LIMIT 1;"#, SampleArchives.kinds()),
      "text|blob|text\n")
    XCTAssertEqual(
      try answer("SELECT name, \"Biology.age\" IS NULL FROM Person;", SampleArchives.family()),
      "Ada|0\nBob|1\nCleo|0\n", "NaN is NULL")
  }

  func testCollidingAndHostileNamesBecomeSeparateTables() throws {
    let builder = try RowWiseArchive(roots: [("root", "@")])
    let keys = [
      "row", "Row", "a", "A", "", "x\"; DROP TABLE roots; --", "k\"\u{301}", "line\nend", "\u{0}", "list",
    ]
    let properties = keys.map { ($0, $0 == "list" ? "T$[q],N" : "Tq,N") }
    let names = [
      "Person", "person", "PERSON_2", "sqlite_master", "../../etc", "arc_tables", "Roots", "a'b\"c",
      "Person_list", "e\"\u{301}; DROP TABLE roots; --", "it'\u{301}s",
    ]
    try builder.row(0, .reference(0))
    for name in names {
      let index = try builder.addClass(name, properties: properties)
      try builder.addRow(index, Array(repeating: .int(1), count: keys.count - 1) + [.list([.int(7)])])
    }
    let bytes = try builder.finish()
    let list = try answer("SELECT class FROM arc_tables WHERE property IS NULL ORDER BY rowid;", bytes)
    XCTAssertEqual(list, "$roots\n" + names.map { $0 + "\n" }.joined())
    let tables = try answer("SELECT count(DISTINCT lower(name)), count(*) FROM arc_tables;", bytes)
    XCTAssertEqual(tables, "23|23\n")
    XCTAssertEqual(try answer(#"SELECT class FROM arc_tables WHERE name = 'person_2';"#, bytes), "person\n")
    XCTAssertEqual(try answer("SELECT count(*) FROM roots;", bytes), "1\n")
    XCTAssertEqual(
      try answer("SELECT \"row\", row_2, Row_3, a, A_2, _ FROM Person;", bytes), "1|1|1|1|1|1\n")
  }

  func testAnyTextRoundTripsThroughSQL() throws {
    for text in ["it's", "a\0b", "two\nlines\r\n.quit\r\n", "\u{1B}[31m\u{202E}", "😀é", ";\n/\ngo\n"] {
      let builder = try RowWiseArchive(roots: [("root", #"@"NSString""#)])
      try builder.row(0, .text(text))
      let digits = try answer("SELECT hex(root) FROM roots;", builder.finish())
      XCTAssertEqual(digits, text.utf8.map { String(format: "%02X", $0) }.joined() + "\n", text)
    }
    let output = try export("sql", on: SampleArchives.text("a\u{1B}[31m\u{202E}")).output
    XCTAssertFalse(output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, output)
  }

  func testClassWithTooManyColumnsIsRefused() throws {
    let builder = try RowWiseArchive(roots: [])
    try builder.addClass("Wide", properties: (0..<2000).map { ("k\($0)", "Tq") })
    try builder.row(0)
    let result = try export("sql", on: builder.finish())
    XCTAssertEqual(result.output, "")
    XCTAssertEqual(result.status, .incomplete)
    XCTAssertEqual(
      result.errors,
      "arcdump: test.arc: tooManyColumns: found 2001 columns for class 'Wide', expected at most 2000 columns, the "
        + "maximum of SQLite; choose columns with --columns\n")
  }

  func testLargeStructuresAreStoredInOneColumn() throws {
    let fields = (0..<600).map { "\"f\($0)\"q" }.joined()
    let builder = try RowWiseArchive(roots: [])
    let wide = try builder.addClass(
      "Wide", properties: [("a", "T{A=\(fields)},N"), ("b", "T{B=\(fields)},N")])
    try builder.row(0)
    let values = RowWiseArchive.Value.fields((0..<600).map { .int(Int64($0)) })
    try builder.row(wide, values, values)
    XCTAssertEqual(
      try answer("SELECT json_extract(b, '$.fields.f599') FROM Wide;", builder.finish()), "599\n")
  }

  func testRandomArchivesAreExportedToDatabases() throws {
    let seed = RandomTrials.seed()
    let largestRowCount = RandomTrials.size(usually: 41, exhaustively: 141)
    for (number, rowCount) in stride(from: 1, through: largestRowCount, by: 20).enumerated() {
      let seed = seed &+ UInt64(number)
      let bytes = try RandomArchive(seed: seed).bytes(rowCount: rowCount, compression: .none)
      XCTAssertEqual(
        try answer("SELECT count(*) FROM objects;", bytes), "\(rowCount - 1)\n",
        "RandomArchive(seed: \(seed))")
    }
  }
}
