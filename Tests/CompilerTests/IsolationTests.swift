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

  func testCollectionsOfValuesOfTheMainActorAreRefusedElsewhereWhenTheProgramRuns() throws {
    let outcome = try Compiler.mainActorByDefault.run([
      "Program": """
      import Arc
      @Archivable struct Page { var number = 1 }
      @Archivable final class Book { var pages: [Page] = [Page()]; init() {} }
      nonisolated func save(_ pages: [Page]) throws -> [UInt8] { try Archiver().archive(pages) }
      nonisolated func load(_ bytes: [UInt8]) throws -> [Page] {
        try Unarchiver().unarchive([Page].self, from: bytes)
      }
      let bytes = try save([Page()])
      print(try load(bytes)[0].number)
      nonisolated(unsafe) let pages = [Page()]
      await Task.detached {
        do { _ = try save(pages) } catch { print(error) }
        do { _ = try load(bytes) } catch { print(error) }
      }.value
      """
    ])
    let error =
      "notArchivable: found type 'Page', which belongs to the main actor, outside of it, expected a call on the main "
      + "actor; call from a function that is marked @MainActor\n"
    XCTAssertEqual(outcome.output, "1\n" + error + error)
  }

  /// The compiler overlooks collections and optionals.
  func testCollectionsOfObjectsOfTheMainActorAreRefusedElsewhereWhenTheProgramRuns() throws {
    let outcome = try Compiler.mainActorByDefault.run([
      "Program": """
      import Arc
      @Archivable final class Document { var title = "a"; var next: Document?; init() {} }
      nonisolated func save(_ documents: [Document]) throws -> [UInt8] { try Archiver().archive(documents) }
      nonisolated func load(_ bytes: [UInt8]) throws -> [Document] {
        try Unarchiver().unarchive([Document].self, from: bytes)
      }
      let bytes = try save([Document()])
      print(try load(bytes)[0].title)
      nonisolated(unsafe) let documents = [Document()]
      await Task.detached {
        do { _ = try save(documents) } catch { print(error) }
        do { _ = try load(bytes) } catch { print(error) }
      }.value
      """
    ])
    func error(place: String) -> String {
      "notArchivable: found class 'Document', which belongs to the main actor, outside of it, expected a call on "
        + "the main actor (class 'Document'\(place)); call from a function that is marked @MainActor\n"
    }
    XCTAssertEqual(outcome.output, "a\n" + error(place: ", key 'root'") + error(place: ""))
  }
}
