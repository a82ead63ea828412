import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

/// The contents of an exported page. `.ci/open-page` tests its appearance and behaviour in a browser.
final class HTMLExportTests: XCTestCase {
  func testHTMLPageContainsEveryValueOfEveryObject() throws {
    let page = try HTMLText(of: SampleArchives.family())
    XCTAssertEqual(try page.index()["blocks"] as? [[Int]], [[0, 1], [2, 3]])
    XCTAssertEqual(try page.json("b0"), "[0,1]")
    XCTAssertEqual(try page.json("b0c0"), "[1]")
    XCTAssertEqual(try page.json("b0c1"), #"[["math",1,"art",-2]]"#)
    XCTAssertEqual(try page.json("b1"), "[1,3]")
    XCTAssertEqual(
      try (0..<7).map { try page.json("b1c\($0)") },
      [
        #"["Ada","Bob","Cleo"]"#, "[36,40,70]", "[3,0,0]", "[[2,3],[1,3],[]]", #"[0.5,"nan",-0.0]"#,
        #"["first",null,"a \"quoted\"\n\u001b[31m"]"#, nil,
      ])
  }

  func testEachKindOfValueAppearsOnThePage() throws {
    let page = try HTMLText(of: SampleArchives.kinds())
    let expected = [
      "true", "-7", #""18446744073709551615""#, #""340282366920938463463374607431768211455""#, "0.1",
      #""-inf""#, #"[2,"01ab"]"#, #""2026-11-22T00:26:40.25Z""#,
      #""00010203-0405-0607-0809-0A0B0C0D0E0F""#, #""1.50""#, #"["a/b","https://example.org"]"#, "null", "0",
      "[1,2]", "[]", "[1.0,2.5]", #"["circle",[3.0]]"#, #""none""#, "[[1],[]]",
      #"["word word word word word word word word ","word word word word word word word word "]"#,
      "[2,5]", "[1,2]",
    ]
    for (column, value) in expected.enumerated() {
      XCTAssertEqual(try page.json("b1c\(column)"), "[\(value),\(value)]", "column \(column)")
    }
  }

  func testPageIndexDescribesTheTypes() throws {
    let index = try HTMLText(of: SampleArchives.family()).index()
    XCTAssertEqual(index["rows"] as? Int, 4)
    let classes = try XCTUnwrap(index["classes"] as? [[String: Any]])
    XCTAssertEqual(classes.map { $0["name"] as? String }, ["$roots", "Biology", "Person"])
    XCTAssertEqual(classes.map { $0["count"] as? Int }, [1, 0, 3])
    XCTAssertEqual(classes.map { $0["superclass"] as? Int }, [nil, nil, 1])
    let columns = try XCTUnwrap(classes[2]["columns"] as? [[String: Any]])
    XCTAssertEqual(
      columns.map { $0["name"] as? String }, ["name", "age", "mother", "friends", "Biology.age", "intro"])
    XCTAssertEqual(columns[5]["nils"] as? Int, 1)
    let nodes = try XCTUnwrap(classes[2]["nodes"] as? [[String: Any]])
    let node = try XCTUnwrap(columns[3]["node"] as? Int)
    XCTAssertEqual(nodes[node]["kind"] as? String, "array")
    XCTAssertEqual(nodes[node]["children"] as? [Int], [node + 1])
    XCTAssertEqual(nodes[node + 1]["kind"] as? String, "reference")
  }

  func testOnlyUnownedReferencesAreMarkedAsUnowned() throws {
    let index = try HTMLText(of: QueriedArchives.zoo()).index()
    let classes = try XCTUnwrap(index["classes"] as? [[String: Any]])
    let columns = try XCTUnwrap(classes[2]["columns"] as? [[String: Any]])
    let unowned = columns.filter { $0["isUnowned"] as? Bool == true }.map { $0["name"] as? String }
    XCTAssertEqual(unowned, ["rival"])
  }

  func testPageContainsRetainedSizesOfObjects() throws {
    let archive = try QueriedArchives.zoo()
    let heap = try Heap(ObjectCatalog(ArchiveFile(bytes: archive)))
    let text = try XCTUnwrap(try HTMLText(of: archive).json("sizes"))
    let sizes = try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [Int]])
    for row in 1...4 {
      let retained = try heap.holding(ObjectID(rawValue: UInt32(row)), atMost: 0).retained
      XCTAssertEqual(sizes["objects"]?[row], retained?.objectCount ?? 0)
      XCTAssertEqual(sizes["bytes"]?[row], retained?.byteCount ?? 0)
    }
    XCTAssertEqual(sizes["objects"]?.count, 5)
  }

  func testPageContainsObjectsOfManySegments() throws {
    let count = RandomTrials.size(usually: 7_000, exhaustively: 70_000)
    let segmentByteCount = RandomTrials.size(
      usually: 1 << 12, exhaustively: ArchiveWriter.usualSegmentByteCount)
    let page = try HTMLText(of: SampleArchives.chain(count, segmentByteCount: segmentByteCount))
    let blocks = try XCTUnwrap(try page.index()["blocks"] as? [[Int]])
    XCTAssertEqual(blocks.reduce(0) { $0 + $1[1] }, count + 1)
    var rows: [Int] = []
    var targets: [Int] = []
    for (number, block) in blocks.enumerated() where block[0] == 1 {
      let runs = try numbers(page, "b\(number)")
      for run in stride(from: 0, to: runs.count, by: 2) { rows += runs[run]..<runs[run] + runs[run + 1] }
      targets += try numbers(page, "b\(number)c0")
    }
    XCTAssertEqual(rows, Array(1...count))
    XCTAssertEqual(targets, Array(2...count) + [0])
  }

  private func numbers(_ page: HTMLText, _ id: String) throws -> [Int] {
    let json = try XCTUnwrap(try page.json(id))
    return try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [Int])
  }

  // MARK: Limits

  func testLongTextIsTruncatedWithANote() throws {
    let page = try HTMLText(of: Self.archive(of: String(repeating: "é", count: 10_003)))
    let start = String(repeating: "é", count: 10_000)
    XCTAssertEqual(try page.json("b1c0"), #"[{"text":"\#(start)","rest":6}]"#)
  }

  func testPageLargerThanTheLimitIsRefused() throws {
    let archive = try Self.archive(of: String(repeating: "x", count: 9000))
    XCTAssertNoThrow(try HTMLText(of: archive, byteLimit: 20_000))
    XCTAssertThrowsError(try HTMLText(of: archive, byteLimit: 5000)) { error in
      XCTAssertEqual((error as? ArchiveError)?.code, .limitExceeded)
    }
  }

  func testDamagedFileIsRefusedBeforeAnyOutput() throws {
    var bytes = try SampleArchives.family()
    let rows = try XCTUnwrap(ArchiveFile(bytes: bytes).segments.first { $0.kind == .rows })
    bytes[rows.byteOffset + 30] ^= 1
    var written = 0
    let output = Output { written += $0.count }
    XCTAssertThrowsError(
      try HTMLExport(ObjectCatalog(ArchiveFile(bytes: bytes)), title: "").write(to: output))
    try output.flush()
    XCTAssertEqual(written, 0)
  }

  /// Returns an archive of one object with one string.
  private static func archive(of text: String) throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [("root", "@")])
    let note = try builder.addClass("Note", properties: [("text", #"T@"NSString",N,V_text"#)])
    try builder.row(0, .reference(1))
    try builder.row(note, .text(text))
    return try builder.finish()
  }
}
