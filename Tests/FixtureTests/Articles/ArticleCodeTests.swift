import Arc
import ArcTestSupport
import Foundation
import XCTest

/// The behaviour of code in articles that show no output. `DocumentationTests` compares the code.
final class ArticleCodeTests: XCTestCase {
  func testArticleConversionRoundTripsAndRefusesInvalidValues() throws {
    XCTAssertEqual(try roundTrip([Color(red: 1, green: 0.5, blue: 0)])[0].green, 0.5)
    assertThrows(.valueOutOfRange, "[1.0], expected three numbers (class") {
      try Unarchiver().unarchive(Color.self, from: Archiver().archive([1.0]))
    }
  }

  func testArticleCodeSavesAndLoadsDocuments() async throws {
    let url = try temporaryFolder().appendingPathComponent("a.arc")
    let autosave = await Autosave()
    try await autosave.save(to: url)
    let done = autosave.progress.completedUnitCount
    XCTAssertEqual(done, 100)
    XCTAssertTrue(try tree(of: Array(Data(contentsOf: url))).hasPrefix("root: Canvas #1\n"))
    let bank = Bank()
    await bank.open("Mia")
    try await save(bank, to: url)
    let other = Bank()
    try await other.load(from: url)
    let (one, two) = try await (bank.snapshot().archive(), other.snapshot().archive())
    XCTAssertEqual(one, two)
  }

  func testReleaseFileEqualsOutputOfTheOldProgram() throws {
    let url = Repository.fixtures.appendingPathComponent("releases/1.0.arc")
    let written = try Archiver(isCanonical: true).archive(OldDocument())
    if ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1" { try Data(written).write(to: url) }
    XCTAssertEqual(try Array(Data(contentsOf: url)), written)
    let document = try Unarchiver().read(Document.self, from: url)
    XCTAssertEqual([document.title, document.pages[0].text], ["Plan", "one"])
  }

  func testArticleHooksShareObjectsAndFillCaches() throws {
    XCTAssertEqual(try runHooks(), #"["blue", "red"] true"#)
  }

  func testMigrationConvertsObjectsToStructures() throws {
    let polygon = try Unarchiver().unarchive(Polygon.self, from: archiveOfAnEarlierPolygon())
    XCTAssertEqual(polygon.corners.map { [$0.x, $0.y] }, [[1, 2], [3, 4]])
    XCTAssertEqual(polygon.outline, 1)
  }

  func testDeprecatedPropertyIsReadFromOldFiles() throws {
    let sheet = try Unarchiver().unarchive(Sheet.self, from: Archiver().archive(EarlierSheets.Sheet()))
    XCTAssertEqual(sheet.area, 9)
  }

  func testMigrationSplitsAClassInTwo() throws {
    let old = EarlierCustomers.Customer()
    (old.name, old.mail, old.phone) = ("Ada", "ada@example.org", "1")
    let customer = try Unarchiver().unarchive(Customer.self, from: Archiver().archive(old))
    XCTAssertEqual(customer.name, "Ada")
    XCTAssertEqual(customer.contact?.mail, "ada@example.org")
    XCTAssertEqual(customer.contact?.phone, "1")
    XCTAssertEqual(try roundTrip(customer).contact?.phone, "1")
  }

  func testMigrationConvertsFieldsOfStructures() throws {
    let old = [EarlierStrokes.Stroke(width: 25, red: 1, green: 2)]
    let strokes = try Unarchiver().unarchive([Stroke].self, from: Archiver().archive(old))
    XCTAssertEqual(strokes.map(\.points), [2.5])
    XCTAssertEqual(strokes.map(\.colour), ["1, 2"])
  }

  func testCodableValueIsConvertedToAnArchivableStructure() throws {
    let bytes = try Archiver().archive(EarlierTints.Brush())
    let brush = try Unarchiver().unarchive(Brush.self, from: bytes)
    XCTAssertEqual([brush.tint.red, brush.tint.green, brush.tint.blue], [0.25, 0.5, 1])
    XCTAssertEqual(try roundTrip(brush).tint.green, 0.5)
    XCTAssertEqual(try Unarchiver().unarchive(EarlierTints.RedBrush.self, from: bytes).red, 0.25)
    XCTAssertThrowsError(try Unarchiver().unarchive(EarlierTints.BrushWithoutKey.self, from: bytes)) {
      XCTAssertEqual(
        "\($0)",
        "typeMismatch: found type 'Coded' (encoding '$(Coded)'), expected type 'Tint' (encoding "
          + "'{Tint=\"red\"d\"green\"d\"blue\"d}') or a type that it can hold without loss (class 'Brush', key "
          + "'tint'); give the property another key, and convert the old value: @Key(\"newKey\") "
          + "@Key(\"tint\", from: OldType.self, { … })")
    }
  }

  func testUnknownContentIsPreserved() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("poster-\(UUID()).arc")
    defer { try? FileManager.default.removeItem(at: url) }
    let written = LaterPosters.Poster()
    written.panels = [LaterPosters.Film(), LaterPosters.Panel()]
    try Archiver().write(written, to: url)
    let classes = ClassTable(scope: .declared)
    try classes.register(LaterPosters.Film.self)
    try rename(url, to: "Harbour")
    let read = try Unarchiver(classes: classes).read(LaterPosters.Poster.self, from: url)
    written.title = "Harbour"
    XCTAssertNil(try ObjectGraph.difference(between: written, and: read))
    let poster = try Unarchiver(unknownContent: .preserve(in: unknown)).read(Poster.self, from: url)
    let copy = try Archiver(preserving: unknown).archive(duplicate(poster))
    XCTAssertNil(
      try ObjectGraph.difference(
        between: written, and: Unarchiver(classes: classes).unarchive(LaterPosters.Poster.self, from: copy)))
    let plain = try Archiver().archive(ObjectGraph.copy(poster))
    XCTAssertEqual(
      try Unarchiver(classes: classes).unarchive(LaterPosters.Poster.self, from: plain).panels.count, 1)
  }

  func testArticleCodeCopiesAndComparesGraphs() throws {
    let book = Book()
    let chapter = makeChapter(of: book)
    let copy = try duplicate(chapter)
    XCTAssertEqual(copy.title, "One (copy)")
    XCTAssertTrue(copy.book === book && copy.illustrations[0] === chapter.illustrations[0])
    XCTAssertFalse(copy.sections[0] === chapter.sections[0])
    XCTAssertNil(try change(from: chapter, to: chapter))
    copy.title = "One"
    copy.sections[0].title = "Start"
    XCTAssertEqual(
      try change(from: chapter, to: copy),
      #"root.sections[0].title: "Begin" in the first graph, "Start" in the second"#)
  }

  func testPartsOfAFileAreReadOnDemand() throws {
    XCTAssertEqual(try runParts(in: temporaryFolder()), #"["One", "Two", "Three"]"#)
  }

  func testKeyedArchivesAreConverted() throws {
    let folder = try temporaryFolder()
    let (old, new) = (folder.appendingPathComponent("old.plist"), folder.appendingPathComponent("new.arc"))
    try FileManager.default.copyItem(
      at: Repository.fixtures.appendingPathComponent("keyed/readme.xml.plist"), to: old)
    try convert(old, to: new)
    let chart = try Unarchiver().read(Chart.self, from: new)
    XCTAssertEqual(chart.scale, 2)
    XCTAssertEqual(chart.layers.map(\.title), ["Ground", "Roads"])
    XCTAssertTrue(chart.layers.allSatisfy { $0.chart === chart })
  }

  /// The tests of each module also compare its table with the types that they archive and read.
  func testTypesTableListsExactlyTheArchivableTypes() throws {
    for module in ["Arc", "ArcFoundation", "ArcCollections"] {
      let folder = Repository.root.appendingPathComponent("Sources/\(module)")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      let sources = try paths.filter { $0.hasSuffix(".swift") }.map {
        try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
      }
      let conformance =
        /^ *extension ([\w.]+): (?:ColumnValue, )?(?:__)?Archivable(?:Value|By(?:Exact)?Conversion)\b/
        .anchorsMatchLineEndings()
      // Types that only the macros use have no row. `AnyHashable` has the type of its value, as the list
      // below the table states.
      let names = sources.flatMap { $0.matches(of: conformance).map { String($0.1) } }
        .filter { !["AnyHashable", "CodableValue", "__Tuple"].contains($0) }
      XCTAssertEqual(try TypesTable.names(of: module).sorted(), names.sorted())
    }
  }

  func testEditorSavesTheLastStateAndReportsFailures() async throws {
    let url = try temporaryFolder().appendingPathComponent("diary.arc")
    let editor = await DiaryEditor(url: url)
    await editor.add("Monday")
    async let first: Void = editor.save()
    await editor.add("Tuesday")
    await editor.save()
    await first
    let other = await DiaryEditor(url: url)
    await other.open()
    let (pages, areInDiary) = await MainActor.run {
      (other.diary.pages.map(\.text), other.diary.pages.allSatisfy { $0.diary === other.diary })
    }
    XCTAssertEqual(pages, ["Monday", "Tuesday"])
    XCTAssertTrue(areInDiary)
    let problems = await [editor.problem, other.problem]
    XCTAssertEqual(problems, [nil, nil])
    let nowhere = await DiaryEditor(url: url.appendingPathComponent("none.arc"))
    await nowhere.save()
    let problem = await nowhere.problem
    XCTAssertEqual(problem, "“none.arc” could not be written.")
  }

  func testEditorBacksUpTheGraphItRead() async throws {
    let url = try temporaryFolder().appendingPathComponent("score.arc")
    let score = Score()
    (score.title, score.bars) = ("Fugue", [4, 2])
    try await Archiver().write(score, to: url)
    let editor = await Editor()
    try await editor.open(url)
    try await Archiver().write(Score(), to: url)
    try await backUp(editor, to: url)
    let read = try await Unarchiver().read(Score.self, from: url)
    XCTAssertEqual(read.title, "Fugue")
    XCTAssertEqual(read.bars, [4, 2])
  }
}
