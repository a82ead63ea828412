import ArcTestSupport
import Foundation
import XCTest

/// The code in the tables of the article "Recipes" compiles unchanged.
final class TaskTableTests: XCTestCase {
  /// The declarations that the code in the tables uses.
  private static let surroundings = """
    import Arc
    import Foundation
    @Archivable class Person { var name = ""; var age = 0; var mother: Person?; init() {} }
    @Archivable final class Employee: Person { override init() { super.init() } }
    @Archivable final class Box<Value: ArchivableValue> { var value: Value?; init() {} }
    @Archivable final class Document { var names: Set<String> = []; init() {} }
    @Archivable struct Settings { var isDark = false }
    @Archivable final class Album { var title = "" }
    protocol Shape: ArchivableValue {}
    @Archivable struct Square: Shape { var side = 1 }
    let shape: any Shape = Square()
    let albums: [Lazy<Album>] = []
    let person = Person(), people = [Person()], settings = Settings(), root = [Person()], classes = ClassTable()
    let url = URL(fileURLWithPath: "file.arc"), folder = url, bytes: [UInt8] = []
    """

  /// The APIs that belong to another module than `Arc`, by module, as the article states.
  private static let otherModules = [
    "ArcArchive": ["ArchiveFile", "ArchiveRecovery"],
    "ArcDataSets": ["ShardedArchive"],
    "ArcImport": ["ArchiveImporter"],
    "ArcModel": ["(json:", ".json("],
    "ArcRuntime": ["ClassInfo", "TypeEncoding", "MethodType", "PropertyAttributes"],
    "ArcTesting": [".check(", ".cyclicKeys("],
  ]

  /// Returns the statements in the second columns of the tables.
  private func statements() throws -> [String] {
    let article = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/Arc/Arc.docc/Tasks.md"), encoding: .utf8)
    let tables = article.components(separatedBy: "| to do this | write |\n").dropFirst()
    return tables.flatMap { table in
      table.components(separatedBy: "\n").prefix { $0.hasPrefix("|") }.flatMap { line in
        line.components(separatedBy: "|")[2].matches(of: /`((?:try|let) [^`]+)`/).map { String($0.1) }
      }
    }
  }

  /// Returns the errors in statements. Each statement has a scope of its own.
  private func errors(of statements: [String], importing modules: [String]) throws -> [String] {
    let scopes = statements.map { statement in
      let scope = statement.contains("await") ? "Task" : "do"
      return "\(scope) { \(statement.hasPrefix("try") ? "_ = " : "")\(statement) }"
    }
    let program = modules.map { "import \($0)" } + [Self.surroundings] + scopes
    return try Compiler(flags: ["-enable-upcoming-feature", "MemberImportVisibility"])
      .diagnostics(of: program.joined(separator: "\n")).filter { $0.contains(" error: ") }
  }

  func testTableCodeCompilesWithTheListedModules() throws {
    let statements = try statements()
    XCTAssertGreaterThan(statements.count, 30)
    XCTAssertEqual(try errors(of: statements, importing: Self.otherModules.keys.sorted()), [])
  }

  func testCoreTableCodeCompilesWithOnlyArc() throws {
    let others = Self.otherModules.values.flatMap(\.self)
    let statements = try statements().filter { line in !others.contains { line.contains($0) } }
    XCTAssertGreaterThan(statements.count, 20)
    XCTAssertEqual(try errors(of: statements, importing: []), [])
  }
}
