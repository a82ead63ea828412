import ArcArchive
import ArcForeign
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class CSVExportTests: XCTestCase {
  func testEachClassAndCollectionHasAFile() throws {
    let files = try exportFolder("csv", on: QueriedArchives.zoo())
    XCTAssertEqual(
      files.keys.sorted(),
      [
        "Dog.csv", "Dog_friends.csv", "Dog_tags.csv", "Dog_toys.csv", "Zoo.Animal.csv", "Zoo.Animal_tags.csv",
        "arc_tables.csv", "roots.csv", "roots_others.csv",
      ])
    XCTAssertEqual(
      files["Dog.csv"],
      "row,age,friends,home_street,home_number,shape,shape_long_length,toys,rival,name,Zoo.Animal.age,nick,mother,"
        + "tags\r\n1,5,2,Elm,7,long,0.5,2,,Rex,40,Rexy,2,2\r\n2,9,1,Oak,1,round,,0,4,Mia,60,,,1\r\n")
    XCTAssertEqual(files["Dog_toys.csv"], "row,position,key,value\r\n1,0,ball,2\r\n1,1,two words,1\r\n")
    XCTAssertEqual(
      files["arc_tables.csv"]?.components(separatedBy: "\r\n").prefix(4).joined(separator: "\n"),
      "name,class,property\nroots,$roots,\nroots_others,$roots,others\nZoo.Animal,Zoo.Animal,")
  }

  func testCSVDistinguishesNilFromEmptyQuotedText() throws {
    let builder = try RowWiseArchive(roots: [])
    let note = try builder.addClass("Note", properties: [("text", #"T$?@"NSString""#), ("x", "Td")])
    try builder.row(0)
    for text in [nil, "", "a,b", "say \"no\"", "two\nlines", "plain text"] as [String?] {
      try builder.row(note, text.map { .some(.text($0)) } ?? nil, .double(.nan))
    }
    XCTAssertEqual(
      try exportFolder("csv", "--class", "Note", on: builder.finish())["Note.csv"],
      "row,text,x\r\n1,,nan\r\n2,\"\",nan\r\n3,\"a,b\",nan\r\n4,\"say \"\"no\"\"\",nan\r\n5,\"two\nlines\",nan\r\n"
        + "6,plain text,nan\r\n")
  }

  func testTextIsNotAFormula() throws {
    let texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", "＝1", "a=1", "1-1"]
    let builder = try RowWiseArchive(roots: [("texts", #"$[@"NSString"]"#), ("number", "q")])
    try builder.row(0, .list(texts.map { .text($0) }), .int(-1))
    let files = try exportFolder("csv", on: builder.finish())
    XCTAssertEqual(
      files["roots_texts.csv"]?.split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",").last ?? ""
      },
      ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "\"'\t'=1\"", "\"'\r'=1\"", "''=1", "'＝1", "a=1", "1-1"])
    XCTAssertEqual(files["roots.csv"], "row,texts,number\r\n0,10,-1\r\n")
  }

  /// Some programs also divide lines at semicolons and tabs.
  func testTextIsNotAFormulaAfterASeparator() throws {
    let texts = [
      "x;=1", "x\t=1", "x\n=1", "x;\"=1\"", "x;;@a", "x;＝1", "a;b", "a; =1", "a;'b", "a\nb", "a,=1", "x;-1",
    ]
    let builder = try RowWiseArchive(roots: [("texts", #"$[@"NSString"]"#)])
    try builder.row(0, .list(texts.map { .text($0) }))
    let file = try XCTUnwrap(exportFolder("csv", on: builder.finish())["roots_texts.csv"])
    let fields = file.components(separatedBy: "\r\n").dropFirst().dropLast().map { line in
      line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false).last.map(String.init)
    }
    XCTAssertEqual(
      fields,
      [
        "x;'=1", "\"x\t'=1\"", "\"x\n'=1\"", "\"x;'\"\"=1\"\"\"", "x;;'@a", "x;'＝1", "a;b", "a; =1",
        "a;''b", "\"a\nb\"", "\"a,=1\"", "x;'-1",
      ])
  }

  func testTextInDecimalColumnIsNotAFormula() throws {
    let texts = ["=1+1", "-2+3", "-1.5", "-0", "@SUM(A1)", "12"]
    let builder = try RowWiseArchive(roots: [("numbers", #"$[@"NSDecimalNumber"]"#)])
    try builder.row(0, .list(texts.map { .bytes(Array($0.utf8)) }))
    let files = try exportFolder("csv", on: builder.finish())
    XCTAssertEqual(
      files["roots_numbers.csv"]?.split(separator: "\r\n").dropFirst().map {
        $0.split(separator: ",").last ?? ""
      },
      ["'=1+1", "'-2+3", "-1.5", "-0", "'@SUM(A1)", "12"])
  }

  func testCollidingAndHostileNamesStayInTheFolder() throws {
    let builder = try RowWiseArchive(roots: [])
    try builder.row(0)
    for name in [
      "../../etc/passwd", "/etc/passwd", "..", ".hidden", "Person", "PERSON", "person_2", "con", "LPT1.x",
      "a\0b",
      "a\nb", "ARC_TABLES", "Straße", "😀", String(repeating: "x", count: 300),
      String(repeating: "x", count: 301),
    ] { try builder.addClass(name, properties: [("x/y", "Tq"), ("X.Y", "Tq")]) }
    let files = try exportFolder("csv", on: builder.finish())
    let long = String(repeating: "x", count: 60)
    XCTAssertEqual(
      Set(files.keys),
      [
        "_.._.._etc_passwd.csv", "_etc_passwd.csv", "_...csv", "_.hidden.csv", "Person.csv", "PERSON_2.csv",
        "person_2_2.csv", "_con.csv", "_LPT1.x.csv", "a_b.csv", "a_b_2.csv", "ARC_TABLES_2.csv", "Straße.csv",
        "_.csv", long + ".csv", long + "_2.csv", "arc_tables.csv", "roots.csv",
      ])
    XCTAssertEqual(files["Person.csv"], "row,x_y,X.Y\r\n")
    XCTAssertTrue(files["arc_tables.csv"]?.contains("\r\nPERSON_2,PERSON,\r\n") ?? false)
  }

  func testExportedFilesCanBeImported() throws {
    let files = try exportFolder("csv", "--class", "Person", on: SampleArchives.family())
    let text = try XCTUnwrap(files["Person.csv"])
    var options = TableOptions()
    options.key = "row"
    let imported = try TableImport.archive(
      of: TableSource(
        Array(text.utf8), .csv, className: "Person", fileName: "Person.csv", options: options),
      limits: .untrusted
    ).archive
    let names = try ArchiveFile(bytes: imported).rows(ofClass: "Person").column("name", as: String.self)
    XCTAssertEqual(names, ["Ada", "Bob", "Cleo"])
  }
}
