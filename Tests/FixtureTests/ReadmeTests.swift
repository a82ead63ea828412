import Arc
import ArcTestSupport
import Foundation
import XCTest

final class ReadmeTests: XCTestCase {
  func testExampleIsTheCodeThatIsCompiledHere() throws {
    let readme = try block("swift", of: "README.md").flatMap(statements)
    let compiled = try text("Tests/FixtureTests/ReadmeExample.swift")
    let types = compiled.split(separator: "\n").filter {
      $0.hasPrefix("import") || $0.hasPrefix("@Archivable")
    }
    let body = try XCTUnwrap(
      compiled.components(separatedBy: "// Example begins.\n").last?
        .components(separatedBy: "  // Example ends.").first)
    XCTAssertEqual(
      readme,
      types.flatMap { statements(String($0)) }
        + body.split(separator: "\n").flatMap { statements(String($0)) })
  }

  func testExampleWithoutClassesIsCompiledHereAndPrintsWhatItsCommentsSay() throws {
    let lines = try text("README.md").components(separatedBy: "\n")
    let start = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("let builder = ") })
    let shown = lines[start...].prefix { $0 != "```" }
    let body = try XCTUnwrap(
      text("Tests/FixtureTests/ReadmeExampleWithoutClasses.swift").components(
        separatedBy: "// Dynamic example begins.\n"
      )
      .last?
      .components(separatedBy: "  // Dynamic example ends.").first)
    XCTAssertEqual(shown.flatMap(statements), body.components(separatedBy: "\n").flatMap(statements))
    let comments = shown.filter { $0.hasPrefix("print") }.compactMap {
      $0.components(separatedBy: " // ").last
    }
    XCTAssertEqual(try runReadmeDynamicExample(), comments)
  }

  func testExamplePrintsWhatItsCommentSays() throws {
    XCTAssertEqual(try runReadmeExample().printed, "true true")
    XCTAssertTrue(try text("README.md").contains("// true true\n"))
  }

  func testConversionIsTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("conversion", in: "ReadmeConversion", from: "extension Color")
    XCTAssertEqual(try roundTrip([Color(red: 1, green: 0.5, blue: 0)])[0].green, 0.5)
    assertThrows(.valueOutOfRange, "[1.0], expected three numbers (class") {
      _ = try Unarchiver().unarchive(Color.self, from: Archiver().archive([1.0]))
    }
  }

  func testReadingJSONIsTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("json", in: "ReadmeJSON", from: "func readTeam")
    try assertIsCompiled("mapping", in: "ReadmeMapping", from: "@Archivable class FeedItem")
  }

  func testSavingIsTheCodeThatIsCompiledHere() async throws {
    try assertIsCompiled("saving", in: "ReadmeSaving", from: "@MainActor final class Autosave")
  }

  func testSavingSavesWhatItSays() async throws {
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

  func testTestsOfReleasesAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("schema", in: "ReadmeSchema", from: "final class ReleaseTests")
  }

  func testFileOfAReleaseIsWhatTheOldProgramWrote() throws {
    let url = Repository.fixtures.appendingPathComponent("releases/1.0.arc")
    let written = try Archiver(isCanonical: true).archive(OldDocument())
    if ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1" { try Data(written).write(to: url) }
    XCTAssertEqual(try Array(Data(contentsOf: url)), written)
    let document = try Unarchiver().read(Document.self, from: url)
    XCTAssertEqual([document.title, document.pages[0].text], ["Plan", "one"])
  }

  func testHooksAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("hooks", in: "ReadmeHooks", from: "extension CodingUserInfoKey")
    let store = ColourStore()
    let drawing = Drawing()
    drawing.pending = [store.colour(named: "red"), store.colour(named: "blue")]
    let copy = try copy(drawing, sharing: store)
    XCTAssertEqual(copy.names, ["red", "blue"])
    XCTAssertTrue(copy.colours[0] === store.colour(named: "red"))
  }

  func testVersionsAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("versions", in: "ReadmeVersions", from: "@Archivable struct Corner")
    let old = EarlierPolygons.Polygon()
    old.points = [.init(1, 2), .init(3, 4)]
    let polygon = try Unarchiver().unarchive(Polygon.self, from: Archiver().archive(old))
    XCTAssertEqual(polygon.corners.map { [$0.x, $0.y] }, [[1, 2], [3, 4]])
    XCTAssertEqual(polygon.outline, 1)
  }

  func testKeepingIsTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("keep", in: "ReadmeKeeping", from: "let unknown")
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("poster-\(UUID()).arc")
    defer { try? FileManager.default.removeItem(at: url) }
    let written = LaterPosters.Poster()
    written.panels = [LaterPosters.Film(), LaterPosters.Panel()]
    try Archiver().write(written, to: url)
    let classes = ClassTable(isClosed: true)
    try classes.register(LaterPosters.Film.self)
    try rename(url, to: "Harbour")
    let read = try Unarchiver(classes: classes).read(LaterPosters.Poster.self, from: url)
    written.title = "Harbour"
    XCTAssertNil(try difference(between: written, and: read))
  }

  func testGraphsAsValuesAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("values", in: "ReadmeValues", from: "func duplicate")
    let book = Book()
    let chapter = Chapter("One", in: book)
    chapter.sections = [Section("Begin"), Section("End")]
    chapter.illustrations = [Illustration()]
    let copy = try duplicate(chapter)
    XCTAssertEqual(copy.title, "One (copy)")
    XCTAssertTrue(copy.book === book && copy.illustrations[0] === chapter.illustrations[0])
    XCTAssertFalse(copy.sections[1] === chapter.sections[1])
    XCTAssertNil(try change(from: chapter, to: chapter))
    copy.title = "One"
    copy.sections[1].title = "Fin"
    XCTAssertEqual(
      try change(from: chapter, to: copy),
      #"root.sections[1].title: "End" in the first graph, "Fin" in the second"#)
  }

  func testPartsOfAFileAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("parts", in: "ReadmeParts", from: "@Archivable final class Library")
    let library = Library()
    let albums = ["One", "Two", "Three"].map { title in
      let album = Album()
      (album.title, album.cover, album.library) = (title, Picture(), library)
      return album
    }
    library.albums = albums.map { Lazy($0) }
    let url = try temporaryFolder().appendingPathComponent("library.arc")
    try Archiver().write(library, to: url)
    XCTAssertEqual(try titles(in: url), ["One", "Two", "Three"])
  }

  func testKeyedArchivesAreTheCodeThatIsCompiledHere() throws {
    try assertIsCompiled("keyed", in: "ReadmeKeyed", from: "@Archivable final class Chart ")
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

  /// Asserts that the block of the README after a comment is the end of a file here.
  private func assertIsCompiled(_ comment: String, in file: String, from first: String) throws {
    let readme = try XCTUnwrap(
      text("README.md").components(separatedBy: "<!-- \(comment) -->\n```swift\n").last)
    let shown = readme.components(separatedBy: "\n").prefix { $0 != "```" }
    let compiled = try text("Tests/FixtureTests/\(file).swift").components(separatedBy: "\n")
    let start = try XCTUnwrap(compiled.firstIndex { $0.hasPrefix(first) })
    // The formatter breaks lines elsewhere.
    func words(_ lines: some Sequence<String>) -> [Substring] {
      lines.flatMap(statements).joined(separator: " ").split(separator: " ")
    }
    XCTAssertEqual(words(shown), words(compiled[start...]))
  }

  /// The tables of each module are compared with values that go there and back in the tests of that module.
  func testTypesTableNamesEachConformanceAndNoOther() throws {
    for module in ["Arc", "ArcFoundation", "ArcCollections"] {
      let folder = Repository.root.appendingPathComponent("Sources/\(module)")
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      let sources = try paths.filter { $0.hasSuffix(".swift") }.map {
        try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)
      }
      let conformance = /^ *extension ([\w.]+): (?:ColumnValue, )?Archivable(?:Value|ByConversion)\b/
        .anchorsMatchLineEndings()
      // What the macros make of properties whose types have no conformance is no row; links are Arc's own.
      let names = sources.flatMap { $0.matches(of: conformance).map { String($0.1) } }
        .filter { !["CodedValue", "__Tuple", "Link"].contains($0) }
      XCTAssertEqual(try TypesTable.names(of: module).sorted(), names.sorted())
    }
  }

  func testArcdumpPrintsWhatTheReadmeShows() throws {
    let shown = try block("text", of: "README.md").joined(separator: "\n") + "\n"
    XCTAssertEqual(try tree(of: runReadmeExample().bytes), shown)
  }

  /// Lines of the first fenced block of a language.
  private func block(_ language: String, of path: String) throws -> [String] {
    let lines = try text(path).components(separatedBy: "\n")
    let start = try XCTUnwrap(lines.firstIndex(of: "```\(language)"))
    return Array(lines[(start + 1)...].prefix { $0 != "```" })
  }

  /// A line without comment and indentation; none for an empty one.
  private func statements(_ line: String) -> [String] {
    let code = line.components(separatedBy: " //")[0].trimmingCharacters(in: .whitespaces)
    return code.isEmpty || code.hasPrefix("//") ? [] : [code]
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }
}
