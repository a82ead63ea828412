import XCTest

/// Objects of an actor are archived on it or not at all.
final class IsolationTests: XCTestCase {
  /// A class without a word about isolation, and functions anywhere that use it.
  private static let document = """
    import Arc
    @Archivable class Document { var title = "a"; var parts: [Document] = []; init() {} }
    @Archivable final class Letter: Document { var greeting = "" }
    nonisolated func save(_ document: Document) throws { _ = try Archiver().archive(document) }
    nonisolated func save(_ letter: Letter) throws { _ = try Archiver().archive(letter) }
    nonisolated func save(roots document: Document) throws { _ = try Archiver().archive(roots: ["a": document]) }
    nonisolated func load() throws -> Document { try Unarchiver().unarchive(Document.self, from: []) }
    func saveAndLoad(_ document: Document) throws -> Document {
      try Unarchiver().unarchive(Document.self, from: Archiver().archive(document))
    }
    """

  func testClassWithoutActorIsArchivedAnywhere() throws {
    XCTAssertEqual(try Compiler().diagnostics(of: Self.document), [])
  }

  func testTypesThatAreArchivedAsOthersCompileWithAndWithoutADefaultActor() throws {
    let program = """
      import Arc
      struct Color { var red = 0.5 }
      extension Color: ArchivableByConversion {
        var archivedForm: Double { red }
        init(archivedForm: Double) { red = archivedForm }
      }
      @Archivable final class Drawing { var color = Color(); var more: [Color?] = []; init() {} }
      func copy(_ drawing: Drawing) throws -> Drawing {
        try Unarchiver().unarchive(Drawing.self, from: Archiver().archive(drawing))
      }
      print(try copy(Drawing()).color.red)
      """
    XCTAssertEqual(try Compiler().diagnostics(of: program), [])
    XCTAssertEqual(try Compiler.mainActorByDefault.diagnostics(of: program), [])
    XCTAssertEqual(try Compiler.mainActorByDefault.run(["Program": program]).output, "0.5\n")
  }

  func testClassOfTheMainActorByDefaultIsNotArchivedElsewhere() throws {
    let places = [(4, "Document"), (5, "Letter"), (6, "Document"), (7, "Document")]
    XCTAssertEqual(
      try Compiler.mainActorByDefault.diagnostics(of: Self.document),
      places.map {
        "\($0): error: main actor-isolated conformance of '\($1)' to 'ArchivableValue' cannot be used in "
          + "nonisolated context"
      })
  }

  func testClassThatIsMarkedForAnActorIsRefused() throws {
    XCTAssertEqual(
      try Compiler().diagnostics(of: "import Arc\n@Archivable @MainActor final class Document { init() {} }"),
      [
        "2: error: 'Document' is isolated to '@MainActor' and cannot be archived: "
          + "an archive reads and rebuilds it outside of that actor"
      ])
  }

  func testTypesThatStayApartFromTheDefaultActorAreArchivedAnywhere() throws {
    let program = """
      import Arc
      @Archivable nonisolated final class Free { var number = 1; init() {} }
      @Archivable nonisolated struct Plain { var number = 1 }
      @Archivable nonisolated enum Choice { case one(Int), other }
      nonisolated func save(_ free: Free) throws { _ = try Archiver().archive(free) }
      nonisolated func save(_ plain: Plain) throws { _ = try Archiver().archive(plain) }
      nonisolated func save(_ choice: Choice) throws { _ = try Archiver().archive(choice) }
      """
    XCTAssertEqual(try Compiler.mainActorByDefault.diagnostics(of: program), [])
    XCTAssertEqual(try Compiler().diagnostics(of: program), [])
  }

  /// The compiler overlooks collections and optionals. What a program prints that archives an array of `type` and reads it
  /// again, on the main actor and then elsewhere, `property` of what it read and the errors.
  private func printed(_ declaration: String, archiving type: String, _ property: String) throws -> String {
    try Compiler.mainActorByDefault.run([
      "Program": """
      import Arc
      \(declaration)
      nonisolated func save(_ values: [\(type)]) throws -> [UInt8] { try Archiver().archive(values) }
      nonisolated func load(_ bytes: [UInt8]) throws -> [\(type)] {
        try Unarchiver().unarchive([\(type)].self, from: bytes)
      }
      let bytes = try save([\(type)()])
      print(try load(bytes)[0].\(property))
      nonisolated(unsafe) let values = [\(type)()]
      await Task.detached {
        do { _ = try save(values) } catch { print(error) }
        do { _ = try load(bytes) } catch { print(error) }
      }.value
      """
    ]).output
  }

  func testCollectionsOfValuesOfTheMainActorAreRefusedElsewhereWhenTheProgramRuns() throws {
    let output = try printed(
      """
      @Archivable struct Page { var number = 1 }
      @Archivable final class Book { var pages: [Page] = [Page()]; init() {} }
      """, archiving: "Page", "number")
    let error =
      "notArchivable: found type 'Page', which belongs to the main actor, outside of it, expected a call on the main "
      + "actor; call from a function that is marked @MainActor\n"
    XCTAssertEqual(output, "1\n" + error + error)
  }

  func testCollectionsOfObjectsOfTheMainActorAreRefusedElsewhereWhenTheProgramRuns() throws {
    let output = try printed(
      #"@Archivable final class Document { var title = "a"; var next: Document?; init() {} }"#,
      archiving: "Document", "title")
    func error(place: String) -> String {
      "notArchivable: found class 'Document', which belongs to the main actor, outside of it, expected a call on "
        + "the main actor (class 'Document'\(place)); call from a function that is marked @MainActor\n"
    }
    XCTAssertEqual(output, "a\n" + error(place: ", key 'root'") + error(place: ""))
  }
}
