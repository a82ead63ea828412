import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcForeign

/// Separators, line ends and encodings of tables, and the lines and columns of errors.
final class TableNotationTests: XCTestCase {
  private func archive(
    _ bytes: [UInt8], _ options: TableOptions = TableOptions(), _ format: TableFormat = .csv
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try TableImport.archive(
      of: TableSource(bytes, format, className: "Row", options: options), limits: .untrusted)
  }

  private func error(
    _ bytes: [UInt8], _ options: TableOptions = TableOptions(), _ format: TableFormat = .csv
  ) -> ImportError? {
    assertThrows(ImportError.self) { try archive(bytes, options, format) }
  }

  private func rows(_ archive: [UInt8]) throws -> [[ArchiveValue?]] {
    let file = try ArchiveFile(verifying: archive)
    return try (1..<UInt32(file.rowCount)).map { row in
      let object = try file.object(ObjectID(rawValue: row))
      return object.properties.map(\.value)
    }
  }

  private func encoded(_ text: String, _ encoding: TableEncoding, hasMark: Bool) -> [UInt8] {
    let text = hasMark ? "\u{FEFF}" + text : text
    switch encoding {
    case .utf8: return Array(text.utf8)
    case .utf16LittleEndian: return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    case .utf16BigEndian: return text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    case .latin1, .windows1252:
      return text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8(truncatingIfNeeded: $0.value) }
    }
  }

  /// Each combination of a separator, a line end and an encoding that the file shows or the options state.
  func testEachNotationGivesTheSameRows() throws {
    let lines = [["id", "näme"], ["1", "\"a,b;c|d\te\nf\""], ["2", "é"], ["3", ""]]
    for separator in [",", ";", "\t", "|"] as [Character] {
      for lineEnd in ["\n", "\r\n", "\r"] {
        let text = lines.map { $0.joined(separator: String(separator)) }.joined(separator: lineEnd)
        for encoding in TableEncoding.allCases {
          for (isShown, endsLine) in [(true, true), (false, false)] {
            let hasMark = isShown && ![.latin1, .windows1252].contains(encoding)
            var options = TableOptions()
            if !isShown { options.separator = separator }
            if !hasMark { options.encoding = encoding }
            let bytes = encoded(endsLine ? text + lineEnd : text, encoding, hasMark: hasMark)
            let made = try archive(bytes, options)
            XCTAssertEqual(
              try rows(made.archive),
              [
                [1, .string("a,b;c|d\te\nf")], [2, .string("é")], [3, .null],
              ], "\(separator.debugDescription) \(lineEnd.debugDescription) \(encoding)")
            XCTAssertEqual(made.report.classes[0].columns.map(\.key), ["id", "näme"])
          }
        }
      }
    }
  }

  func testWindowsCharactersDifferFromLatin1() throws {
    let bytes: [UInt8] = Array("a\n".utf8) + [0x80, 0x0A]
    XCTAssertEqual(try rows(archive(bytes, TableOptions(encoding: .windows1252)).archive), [["€"]])
    XCTAssertEqual(try rows(archive(bytes, TableOptions(encoding: .latin1)).archive), [["\u{80}"]])
    let undefined = error(Array("a\nx".utf8) + [0x81], TableOptions(encoding: .windows1252))
    XCTAssertEqual(undefined?.code, .malformedText)
  }

  func testOtherEncodingIsRefusedWithTheOption() throws {
    let latin = error(Array("a,b\n1,caf".utf8) + [0xE9, 0x0A])
    XCTAssertEqual(latin?.code, .malformedText)
    XCTAssertEqual([latin?.line, latin?.column, latin?.byteOffset], [2, 6, 9])
    XCTAssertTrue("\(latin as Any)".contains("--encoding"), "\(latin as Any)")
    let wide = error(encoded("a,b\n1,2\n", .utf16LittleEndian, hasMark: false))
    XCTAssertEqual(wide?.code, .malformedText)
    XCTAssertTrue("\(wide as Any)".contains("utf-16le"), "\(wide as Any)")
    let odd = error([0xFF, 0xFE, 0x61])
    XCTAssertEqual(odd?.code, .malformedText)
    let half = error([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00, 0x00, 0xD8])
    XCTAssertEqual([half?.line, half?.column], [2, 1])
  }

  func testFirstLineStatesTheSeparator() throws {
    for line in ["sep=;", "SEP=;", "\"sep=;\""] {
      XCTAssertEqual(try rows(archive(Array("\(line)\r\na;b,c\r\n1;2\r\n".utf8)).archive), [[1, 2]])
    }
    XCTAssertEqual(
      try rows(archive(Array("sep=;\na,b\n1,2\n".utf8), TableOptions(separator: ",")).archive), [[1, 2]])
  }

  func testSeparatorOfAllLinesIsUsed() throws {
    XCTAssertEqual(
      try rows(archive(Array("price;net,name\n1,x\n2,y\n".utf8)).archive), [[1, "x"], [2, "y"]])
    XCTAssertEqual(try rows(archive(Array("a,b;c\n\"1,5\";2\n".utf8)).archive), [["1,5", 2]])
  }

  func testAmbiguousSeparatorIsRefusedWithTheOption() throws {
    let bytes = Array("a;b,c\n1;2,3\n".utf8)
    let error = error(bytes)
    XCTAssertEqual(error?.code, .malformedTable)
    XCTAssertTrue("\(error as Any)".contains("--separator"), "\(error as Any)")
    XCTAssertEqual(
      try archive(bytes, TableOptions(separator: ";")).report.classes[0].columns.map(\.key), ["a", "b,c"])
    for separator in ["\"", "\n", "é"] as [Character] {
      XCTAssertEqual(self.error(bytes, TableOptions(separator: separator))?.code, .malformedTable)
    }
  }

  func testErrorsNameLineAndColumn() throws {
    let lines = (0..<30).map { "\($0),y\n" }.joined()
    let cases: [(text: String, format: TableFormat, line: Int, column: Int)] = [
      ("a,b\n1,\"x\n\(lines)", .csv, 2, 3), ("a,b\r1,2\r3\r", .csv, 3, 1),
      ("a,b\r\n1,\"x\"y\r\n", .csv, 2, 6),
      ("a,b\n1,x\"y\n", .csv, 2, 4), ("a,é,a\n", .csv, 1, 5), ("\u{FEFF}a,b\n1\n", .csv, 2, 1),
      ("", .csv, 1, 1), ("a,b\n\"1\n2\",3\nx\n", .csv, 4, 1), ("{\"a\":1}\n{\"a\":}\n", .jsonLines, 2, 6),
      ("{\"a\":1}\n\n [1]\n", .jsonLines, 3, 2), ("[{\"é\":1},\n 7]", .json, 2, 2),
      ("{\"a\":[\n{\"x\":1e999}]}", .json, 2, 6), ("{\"a\":1,\n\"a\":2}", .json, 2, 2),
    ]
    for (text, format, line, column) in cases {
      let error = error(Array(text.utf8), TableOptions(), format)
      XCTAssertEqual([error?.line, error?.column], [line, column], "\(text): \(error as Any)")
    }
  }

  func testKeyErrorsNameTheirLine() throws {
    var options = TableOptions()
    options.key = "id"
    XCTAssertEqual(error(Array("id,b\n1,2\n1,3\n".utf8), options)?.line, 3)
    XCTAssertEqual(error(Array("id,b\n1,2\n,3\n".utf8), options)?.line, 3)
  }

  func testHeaderCanBeMissingOrReplaced() throws {
    var options = TableOptions()
    options.hasHeader = false
    let plain = try archive(Array("1,x\n2,y\n".utf8), options)
    XCTAssertEqual(try rows(plain.archive), [[1, "x"], [2, "y"]])
    XCTAssertEqual(plain.report.classes[0].columns.map(\.key), ["column1", "column2"])
    options.columnNames = ["n", "s"]
    XCTAssertEqual(
      try archive(Array("1,x\n".utf8), options).report.classes[0].columns.map(\.key), ["n", "s"])
    options.hasHeader = true
    XCTAssertEqual(try rows(archive(Array("a,b\n1,x\n".utf8), options).archive), [[1, "x"]])
    options.columnNames = ["n"]
    XCTAssertEqual(error(Array("a,b\n1,x\n".utf8), options)?.code, .malformedTable)
  }

  func testNullFieldsAreNilUnlessQuoted() throws {
    var options = TableOptions()
    options.nullTexts = ["NA", "-"]
    XCTAssertEqual(
      try rows(archive(Array("a,b\n1,NA\n-,\"NA\"\n".utf8), options).archive), [[1, .null], [.null, "NA"]])
  }

  func testGuardOfAnExportIsRemoved() throws {
    let fields = ["'+49", "''x", "'tis", "'=1+1", "\"a;'=b\"", "'＝1", "plain"]
    let (bytes, report) = try archive(Array(("t\n" + fields.joined(separator: "\n") + "\n").utf8))
    XCTAssertEqual(
      try rows(bytes), ["+49", "'x", "'tis", "=1+1", "a;=b", "＝1", "plain"].map { [.string($0)] })
    XCTAssertEqual(report.notes.map(\.kind), [.removedGuard])
    XCTAssertEqual(report.notes.map(\.count), [5])
  }

  func testEmptyColumnsAreReadAsDeclared() throws {
    let csv = try archive(Array("id,phone,age\n1,,\n2,,\n".utf8)).archive
    let lines = try archive(
      Array("{\"id\":1,\"phone\":null,\"age\":null,\"tags\":[]}\n{\"id\":2,\"phone\":null,\"tags\":[]}".utf8),
      TableOptions(), .jsonLines
    ).archive
    for bytes in [csv, lines] {
      let read = try Unarchiver(classes: ClassTable()).unarchive([EmptyColumns].self, from: bytes)
      XCTAssertEqual(read.map(\.id), [1, 2])
      XCTAssertTrue(read.allSatisfy { $0.phone == nil && $0.age == nil && $0.tags ?? [] == [] })
      XCTAssertEqual(read.map { $0.tags == nil }, [bytes == csv, bytes == csv])
    }
    assertThrows(.typeMismatch) {
      try Unarchiver(classes: ClassTable()).unarchive([RequiredColumns].self, from: csv)
    }
  }
}
