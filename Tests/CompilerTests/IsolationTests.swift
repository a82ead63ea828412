import XCTest

/// Objects that are isolated to an actor can be archived only on this actor.
final class IsolationTests: XCTestCase {
  /// A class without isolation attributes, and functions that use it.
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

  func testClassWithoutActorIsArchivedOnAnyActor() throws {
    XCTAssertEqual(try Compiler().diagnostics(of: Self.document), [])
  }

  func testConvertedTypesCompileWithAndWithoutDefaultActor() throws {
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

  func testMainActorClassesAreRefusedOffTheActor() throws {
    let places = [(4, "Document"), (5, "Letter"), (6, "Document"), (7, "Document")]
    XCTAssertEqual(
      try Compiler.mainActorByDefault.diagnostics(of: Self.document),
      places.map {
        "\($0): error: main actor-isolated conformance of '\($1)' to 'ArchivableValue' cannot be used in "
          + "nonisolated context"
      })
  }

  /// Flags that current projects use, in addition to the flags of `Compiler()`.
  private static let modes = [
    Compiler(), .mainActorByDefault,
    Compiler(flags: ["-enable-upcoming-feature", "NonisolatedNonsendingByDefault"]),
    Compiler(
      flags: Compiler.mainActorByDefault.flags + [
        "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
      ]),
  ]

  func testActorTypesAreArchivedOnlyOnTheirActor() throws {
    let program = """
      import Arc
      @globalActor actor StoreActor { static let shared = StoreActor() }
      @Archivable @MainActor class Document { var title = "a"; weak var next: Document?; let page: Page
        init(_ page: Page) { self.page = page } }
      @Archivable @MainActor final class Letter: Document { var kinds: [Kind] = []; var n: Int = 0 }
      @Archivable @MainActor struct Page { var number = 1; var inner: [Page] = [] }
      @MainActor @Archivable enum Kind { case one(Int), two(Page) }
      @Archivable @StoreActor final class Entry { var number = 1; var next: Entry?; init() {} }
      @MainActor func copy(_ document: Document) throws -> Document {
        try Unarchiver().unarchive(Document.self, from: Archiver().archive(document)) }
      @MainActor func copies(_ kinds: [Kind]) throws -> [Kind] {
        try Unarchiver().unarchive([Kind].self, from: Archiver().archive(kinds)) }
      @StoreActor func copy(_ entry: Entry) throws -> Entry {
        try Unarchiver().unarchive(Entry.self, from: Archiver().archive(entry)) }
      nonisolated func save(_ document: Document) throws { _ = try Archiver().archive(document) }
      nonisolated func save(_ page: Page) throws { _ = try Archiver().archive(page) }
      nonisolated func save(_ kind: Kind) throws { _ = try Archiver().archive(kind) }
      @MainActor func save(_ entry: Entry) throws { _ = try Archiver().archive(entry) }
      """
    let errors = [
      "15: error: main actor-isolated conformance of 'Document' to 'ArchivableValue' cannot be used in nonisolated context",
      "16: error: main actor-isolated conformance of 'Page' to 'ArchivableValue' cannot be used in nonisolated context",
      "17: error: main actor-isolated conformance of 'Kind' to 'ArchivableValue' cannot be used in nonisolated context",
      "18: error: global actor 'StoreActor'-isolated conformance of 'Entry' to 'ArchivableValue' cannot be used in "
        + "main actor-isolated context",
    ]
    for compiler in Self.modes {
      XCTAssertEqual(try compiler.diagnostics(of: program), errors, "\(compiler.flags)")
    }
  }

  func testIsolatedObjectsAreReadOnTheirActor() throws {
    let program = """
      import Arc
      @globalActor actor StoreActor { static let shared = StoreActor() }
      @Archivable @StoreActor final class Entry { var number = 1; var next: Entry?; init() {} }
      @Archivable @MainActor final class Document {
        var title = "a"; weak var last: Document?; var parts: [Document] = []; var pages: Set<Page> = []; init() {} }
      @Archivable @MainActor struct Page: nonisolated Hashable { var number = 1 }
      let document = Document()
      document.parts = [Document(), Document()]
      document.last = document.parts[1]
      document.parts[1].title = "b"
      document.pages = [Page(number: 3)]
      let copy = try Unarchiver().unarchive(Document.self, from: Archiver().archive(document))
      print(copy.last!.title, copy.parts[1] === copy.last, copy.pages)
      @StoreActor func number() throws -> Int {
        let entry = Entry()
        entry.next = Entry()
        entry.next?.number = 7
        return try Unarchiver().unarchive(Entry.self, from: Archiver().archive(entry)).next?.number ?? 0
      }
      print(try await number())
      """
    for compiler in Self.modes {
      XCTAssertEqual(
        try compiler.run(["Program": program]).output, "b true [Program.Page(number: 3)]\n7\n",
        "\(compiler.flags)")
    }
  }

  func testHooksOfIsolatedClassesRunOnTheirActor() throws {
    let program = """
      import Arc
      @globalActor actor StoreActor { static let shared = StoreActor() }
      extension CodingUserInfoKey { static let title = CodingUserInfoKey(rawValue: "title")! }
      @Archivable @MainActor final class Document { var title = "a"; var parts: [Document] = []; init() {} }
      extension Document: @MainActor ArchivePreparing, @MainActor ArchiveReplacing {
        func willArchive(in context: ArchiveContext) { title += "b" }
        func replacementForArchiving(in context: ArchiveContext) -> any Archivable { self }
      }
      extension Document: @MainActor UnarchiveReplacing, @MainActor UnarchiveFinishing {
        func replacementAfterUnarchiving(in context: ArchiveContext) -> any Archivable { title += "c"; return self }
        func didUnarchive(in context: ArchiveContext) { title += context.userInfo[.title] as? String ?? "" }
      }
      @Archivable @StoreActor final class Entry { var number = 1; init() {} }
      extension Entry: @StoreActor ArchivePreparing, @StoreActor UnarchiveFinishing {
        func willArchive(in context: ArchiveContext) { number += 1 }
        func didUnarchive(in context: ArchiveContext) { number *= 10 }
      }
      let document = Document()
      document.parts = [Document()]
      let unarchiver = Unarchiver(userInfo: [.title: "d"])
      let copy = try unarchiver.unarchive(Document.self, from: Archiver().archive(document))
      print(copy.title, copy.parts[0].title)
      @StoreActor func number() throws -> Int {
        try Unarchiver().unarchive(Entry.self, from: Archiver().archive(Entry())).number
      }
      print(try await number())
      """
    for compiler in Self.modes {
      XCTAssertEqual(try compiler.diagnostics(of: program), [], "\(compiler.flags)")
      XCTAssertEqual(try compiler.run(["Program": program]).output, "abcd abcd\n20\n", "\(compiler.flags)")
    }
  }

  func testNonisolatedTypesAreArchivedOnAnyActor() throws {
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

  /// The compiler does not check the isolation of elements in collections and optionals. Returns the output
  /// of a program that archives an array of `type` and reads it, on the main actor and then off the main
  /// actor. The program prints `property` of the read object, and the errors.
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

  func testMainActorValuesAreRefusedOffTheActor() throws {
    let output = try printed(
      """
      @Archivable struct Page { var number = 1 }
      @Archivable final class Book { var pages: [Page] = [Page()]; init() {} }
      """, archiving: "Page", "number")
    let error =
      "notArchivable: found a call off the main actor with type 'Page', which is isolated to the main actor, "
      + "expected a call on the main actor; call from a function marked @MainActor; for reading, the function must "
      + "not be async\n"
    XCTAssertEqual(output, "1\n" + error + error)
  }

  func testMainActorObjectsAreRefusedOffTheActor() throws {
    let output = try printed(
      #"@Archivable final class Document { var title = "a"; var next: Document?; init() {} }"#,
      archiving: "Document", "title")
    func error(place: String) -> String {
      "notArchivable: found a call off the main actor with class 'Document', which is isolated to the main actor, "
        + "expected a call on the main actor (class 'Document'\(place); call from a function marked @MainActor; "
        + "for reading, the function must not be async\n"
    }
    XCTAssertEqual(output, "a\n" + error(place: ", key 'root') at root[0]") + error(place: ")"))
  }

  /// If `main` is asynchronous on Linux, the code of the main actor does not run on the main thread.
  func testMainActorObjectsAreArchivedAfterASuspension() throws {
    let program = """
      import Arc
      @Archivable @MainActor final class Document { var title = "a"; init() {} }
      @MainActor func copy() async throws -> [Document] {
        for _ in 0..<3 { await Task.yield() }
        return try copyNow([Document()])
      }
      @MainActor func copyNow(_ documents: [Document]) throws -> [Document] {
        try Unarchiver().unarchive([Document].self, from: Archiver().archive(documents))
      }
      print(try await copy()[0].title)
      """
    for compiler in Self.modes {
      XCTAssertEqual(try compiler.run(["Program": program]).output, "a\n", "\(compiler.flags)")
    }
  }

  /// No declared type reaches the objects in `Any`, so neither the compiler nor Arc can determine their actor
  /// from types.
  func testIsolatedObjectsStoredAsAnyNeedTheirActor() throws {
    let program = """
      import Arc
      protocol Titled {}
      @Archivable nonisolated final class Hold {
        @Boxed var any: [Any] = []
        var titled: (any Titled)?
        init() {}
      }
      @MainActor @Archivable final class Document { var title = "a"; init() {} }
      @MainActor @Archivable final class Note: Titled { var number = 1; nonisolated init() {} }
      nonisolated func archived(_ hold: Hold) -> String {
        do { return "\\(try Archiver().archive(hold).count)" } catch { return "\\(error)" }
      }
      nonisolated func read(_ bytes: [UInt8], _ classes: ClassTable) -> String {
        do { return "\\(try Unarchiver(classes: classes).unarchive(Hold.self, from: bytes).any.count)" } catch {
          return "\\(error)"
        }
      }
      @MainActor func readNow(_ bytes: [UInt8]) throws -> String {
        let hold = try Unarchiver().unarchive(Hold.self, from: bytes)
        return "\\((hold.any.first as? Document)?.title ?? "") \\(hold.titled is Note)"
      }
      @MainActor func archivedNow(_ hold: Hold) throws -> [UInt8] { try Archiver().archive(hold) }
      @MainActor func readLater(_ bytes: [UInt8]) async -> String {
        do { return "\\(try await Unarchiver().unarchive(Hold.self, from: bytes).any.count)" } catch {
          return "\\(error)"
        }
      }
      @MainActor func run() async throws {
        let hold = Hold()
        hold.any = [Document()]
        hold.titled = Note()
        let bytes = try archivedNow(hold)
        print(try readNow(bytes))
        let (first, second) = (Hold(), Hold())
        first.any = [Document()]
        second.titled = Note()
        print(await Task.detached { archived(first) }.value)
        print(await Task.detached { archived(second) }.value)
        print(await readLater(bytes))
        let classes = ClassTable(scope: .declared)
        try classes.register(all: Document.self, Note.self)
        print(await Task.detached { read(bytes, classes) }.value)
      }
      extension Hold: @unchecked Sendable {}
      try await run()
      """
    let writing =
      "whose conformance is isolated to an actor, off this actor, expected a call on the actor of the type"
    let reading = "which is isolated to the main actor, expected a call on the main actor"
    let hint = "; call from a function marked @MainActor; for reading, the function must not be async"
    let unread =
      "notArchivable: found a call off the main actor with class 'Document', \(reading) (class 'Document')\(hint)"
    for compiler in Self.modes {
      let output = try compiler.run(["Program": program]).output
      XCTAssertEqual(
        output,
        """
        a true
        notArchivable: found a value of type 'Document' as 'Any', \(writing) (class 'Hold', key 'any', object #1) \
        at root.any[0]\(hint)
        notArchivable: found a value of type 'Note' as 'Titled', \(writing) (class 'Hold', key 'titled', \
        object #1) at root.titled\(hint)
        \(unread)
        \(unread)
        also notArchivable: found a call off the main actor with class 'Note', \(reading) (class 'Note')\(hint)

        """, "\(compiler.flags)")
    }
  }

  // MARK: Asynchronous forms

  func testAsynchronousMethodsCompileOnEveryActor() throws {
    let program = """
      import Arc
      import Foundation
      @globalActor actor StoreActor { static let shared = StoreActor() }
      @Archivable @MainActor final class Document { var title = "a"; var parts: [Document] = []; init() {} }
      @Archivable @StoreActor final class Entry { var number = 1; init() {} }
      @Archivable nonisolated final class Free { var number = 1; init() {} }
      @MainActor func onMain(_ document: Document, _ free: Free, _ url: URL) async throws -> [Document] {
        try await Archiver().write(document, to: url)
        try await Archiver().write([document], to: url) { print($0.fractionCompleted) }
        try await Archiver().write(roots: ["a": document, "b": 1], to: url)
        try await Archiver().write(free, to: url)
        let bytes = try await Archiver().archive(document)
        try await Archiver().write(document, to: .descriptor(1))
        _ = try await Unarchiver().read([Free].self, from: url)
        _ = try await Unarchiver().read(roots: .init("a", Document.self), .init("b", Int.self), from: url)
        let copy = try await Unarchiver().unarchive(Document.self, from: bytes)
        return try await Unarchiver().read([Document].self, from: url) + [copy]
      }
      @StoreActor func onStore(_ entry: Entry, _ url: URL) async throws -> Entry? {
        try await Archiver().write(entry, to: url)
        _ = try await Unarchiver().read([Entry].self, from: url)
        return try await Unarchiver().read(Entry?.self, from: url)
      }
      nonisolated func anywhere(_ free: Free, _ url: URL) async throws -> Free {
        try await Archiver().write(free, to: url)
        return try await Unarchiver().read(Free.self, from: url)
      }
      nonisolated func generic<Value: ArchivableValue>(_ value: Value, _ url: URL) async throws -> Value {
        try await Archiver().write(value, to: url)
        return try await Unarchiver().read(Value.self, from: url)
      }
      actor Bank {
        private var accounts = [Free()]
        func save(to url: URL) async throws { try await Archiver().write(accounts, to: url) }
        func snapshot() throws -> GraphSnapshot { try Archiver().snapshot(of: accounts) }
        func load(from url: URL) async throws { accounts = try await Unarchiver().read([Free].self, from: url) }
      }
      nonisolated func save(_ bank: Bank, to url: URL) async throws {
        let snapshot = try await bank.snapshot()
        try await snapshot.write(to: url)
        Task { try await snapshot.write(to: url) }
      }
      // Synchronous code, without `await`.
      @MainActor func now(_ document: Document, _ url: URL) throws -> Document {
        try Archiver().write(document, to: url)
        try Archiver().snapshot(of: document).write(to: url)
        try Archiver().write(document, to: .descriptor(1))
        return try Unarchiver().read(Document.self, from: url)
      }
      """
    for compiler in Self.modes {
      XCTAssertEqual(try compiler.diagnostics(of: program), [], "\(compiler.flags)")
    }
  }

  /// Objects of nonisolated types are built on another thread. Objects of types that are isolated to the main
  /// actor, and collections of these objects, are built on the main actor.
  func testNonisolatedGraphsAreBuiltOffTheActor() throws {
    let program = """
      import Arc
      import Foundation
      // The test checks the queue of the main actor, because on Linux any thread can run the queue.
      nonisolated enum Main {
        private static let key = {
          let key = DispatchSpecificKey<Bool>()
          DispatchQueue.main.setSpecific(key: key, value: true)
          return key
        }()
        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
      }
      @Archivable @MainActor final class Document {
        var title = "a"; @Transient var wasMain = Main.isCurrent; init() {} }
      @Archivable nonisolated final class Free {
        var number = 1; @Transient var wasMain = Main.isCurrent; init() {} }
      @MainActor func save() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\\(UUID()).arc")
        try await Archiver().write(Document(), to: url)
        print(try await Unarchiver().read(Document.self, from: url).wasMain)
        try await Archiver().write([Document()], to: url)
        print(try await Unarchiver().read([Document].self, from: url)[0].wasMain)
        let bytes = try await Archiver().archive([Free()])
        print(try await Unarchiver().unarchive([Free].self, from: bytes)[0].wasMain)
        let (free, documents) = try await Unarchiver().unarchive(
          roots: .init("free", Free.self), .init("documents", [Document].self),
          from: Archiver().archive(roots: ["free": Free(), "documents": [Document()]]))
        print(free.wasMain, documents[0].wasMain)
        try FileManager.default.removeItem(at: url)
      }
      try await save()
      """
    for compiler in Self.modes {
      XCTAssertEqual(
        try compiler.run(["Program": program]).output, "true\ntrue\nfalse\ntrue true\n", "\(compiler.flags)")
    }
  }
}
