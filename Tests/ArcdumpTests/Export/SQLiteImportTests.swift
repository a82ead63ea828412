import ArcArchive
import ArcForeign
import ArcFormat
import ArcTestSupport
import ArgumentParser
import XCTest

@testable import ArcInspection

/// With `swift test --traits SQLite --filter SQLiteImportTests`, the tests import databases. Without the
/// trait, they check the error, which names the trait.
final class SQLiteImportTests: XCTestCase {
  #if SQLite
    /// Returns a database that these statements create.
    private func database(_ statements: String) throws -> [UInt8] {
      try withTemporaryFolder { folder in
        let path = folder.appendingPathComponent("a.db").path
        XCTAssertEqual(try SQLiteShell.answer(to: ".save '\(path)'", after: statements), "")
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      }
    }

    private func run(
      _ arguments: String..., on bytes: [UInt8], named name: String = "a.db", beside: [String: [UInt8]] = [:]
    ) throws -> (result: CommandResult, archive: [UInt8]) {
      run(try command(arguments, named: name), on: bytes, named: name, beside: beside)
    }

    private func command(_ arguments: [String], named name: String = "a.db") throws -> ImportCommand {
      let line = ["import", name, "-o", "out.arc"] + arguments
      return try XCTUnwrap(try Arcdump.parseAsRoot(line) as? ImportCommand)
    }

    private func run(
      _ command: ImportCommand, on bytes: [UInt8], named name: String = "a.db",
      beside: [String: [UInt8]] = [:]
    ) -> (result: CommandResult, archive: [UInt8]) {
      var files = beside
      files[name] = bytes
      let (result, archive) = command.result(files: files)
      return (result, archive ?? [])
    }

    private func tree(_ archive: [UInt8]) throws -> String {
      let result = try arcdump("tree", on: archive)
      XCTAssertEqual(result.errors, "")
      return result.output
    }

    private static let library = """
      CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT, alive BOOLEAN, born DATETIME);
      INSERT INTO author VALUES(7,'Ann',1,'1970-01-01T00:00:00Z'),(9,'Bob',0,NULL);
      CREATE TABLE book(isbn TEXT PRIMARY KEY, author INTEGER REFERENCES author, price REAL, cover BLOB);
      INSERT INTO book VALUES('1',9,1.5,x'00ff'),('2',NULL,2,NULL);
      CREATE VIEW titles AS SELECT isbn FROM book;
      """

    func testTablesBecomeClassesAndForeignKeysBecomeReferences() throws {
      let (result, archive) = try run(on: database(Self.library))
      XCTAssertEqual(result, CommandResult(output: "imported: 4 objects of 2 classes, 1 file\n"))
      XCTAssertEqual(
        try tree(archive),
        """
        author: array of 2
          author #1
            id 7
            name "Ann"
            alive true
            born 1970-01-01T00:00:00Z
          author #2
            id 9
            name "Bob"
            alive false
            born nil
        book: array of 2
          book #3
            isbn "1"
            author → author #2 (above)
            price 1.5
            cover 2 bytes 00ff
          book #4
            isbn "2"
            author nil
            price 2.0
            cover nil

        """)
    }

    func testUnmatchedForeignKeysAreStoredAsValues() throws {
      let (result, archive) = try run(
        "--report",
        on: database(
          """
          CREATE TABLE a(x INTEGER PRIMARY KEY); INSERT INTO a VALUES(1);
          CREATE TABLE b(a REFERENCES a(x), pair, FOREIGN KEY(a,pair) REFERENCES c(p,q), FOREIGN KEY(pair) REFERENCES d);
          INSERT INTO b VALUES(1,2),(3,4);
          """))
      XCTAssertTrue(
        result.output.contains(
          "foreign keys without a row to refer to, stored as values: 1, first table 'b', column 'a'"))
      let shown = try tree(archive)
      XCTAssertTrue(shown.contains("  b #3\n    a 3\n    pair 4\n"), shown)
    }

    /// The key of `sh` is itself a foreign key, and the names differ in case.
    func testKeyThatIsAReferenceIsResolved() throws {
      let shown = try tree(
        run(
          on: database(
            """
            CREATE TABLE n(id INTEGER PRIMARY KEY, up INTEGER REFERENCES N(ID)); INSERT INTO n VALUES(1,NULL),(2,2);
            CREATE TABLE sh(x INTEGER PRIMARY KEY REFERENCES n(id)); INSERT INTO sh VALUES(1),(2);
            CREATE TABLE u(s REFERENCES sh(x)); INSERT INTO u VALUES(2);
            """)
        ).archive)
      XCTAssertTrue(shown.contains("    up → n #2 (cycle)\n"), shown)
      XCTAssertTrue(shown.contains("  sh #4\n    x → n #2 (above)\n"), shown)
      XCTAssertTrue(shown.contains("    s → sh #4 (above)\n"), shown)
    }

    func testValuesKeepTheirActualTypeDespiteTheDeclaration() throws {
      let (result, archive) = try run(
        "--report",
        on: database(
          """
          CREATE TABLE "we""ird 'n" ("a b" INTEGER, flag BOOL, at DATE, twice GENERATED ALWAYS AS ("a b" || '!'));
          INSERT INTO "we""ird 'n" VALUES(9223372036854775807,2,'soon'),('text',0,'1970-01-01T00:00:00Z'),
            (9e999,1,NULL),(CAST(x'ff' AS TEXT),NULL,NULL);
          CREATE TABLE empty(x INTEGER, y); CREATE TABLE nokey(x PRIMARY KEY) WITHOUT ROWID;
          """))
      XCTAssertEqual(result.errors, "")
      let file = try ArchiveFile(bytes: archive)
      try file.verify()
      XCTAssertEqual(file.classes.dropFirst().map(\.name), ["we'ird 'n", "empty", "nokey"])
      XCTAssertEqual(file.classes[2].columns.map(\.key), ["x", "y"])
      let values = try (1...4).map { try file.object(ObjectID(rawValue: $0)) }
      XCTAssertEqual(values[0]["a b"], .integer(Int128(Int64.max)))
      XCTAssertEqual(values[0]["flag"], .integer(2))
      XCTAssertEqual(values[0]["at"], .string("soon"))
      XCTAssertEqual(values[1]["a b"], .string("text"))
      XCTAssertEqual(values[1]["twice"], .string("text!"))
      XCTAssertEqual(values[2]["a b"], .double(.infinity))
      // Text that is not UTF-8 is imported as data.
      XCTAssertEqual(values[3]["a b"], .data([0xFF]))
    }

    func testClassAndKeyOptionsNeedASingleTable() throws {
      let one = try database("CREATE TABLE t(a,b); INSERT INTO t VALUES(1,2),(1,3);")
      XCTAssertTrue(try tree(run("--class", "Thing", "--key", "b", on: one).archive).contains("Thing #2"))
      let twice = try run("--key", "a", on: one).result
      XCTAssertEqual(
        twice.errors,
        "arcdump: a.db: duplicateKey: found two rows with an equal value in the key column 'a', expected a distinct value in each row (key 'a')\n"
      )
      let several = try run("--class", "Thing", on: database(Self.library)).result
      XCTAssertEqual(several.status, .dataError)
      XCTAssertTrue(several.errors.contains("found 2 tables"), several.errors)
    }

    func testDatabaseIsDetectedByItsContents() throws {
      let bytes = try database(Self.library)
      XCTAssertEqual(try run(on: bytes, named: "-").result.status, .ok)
      XCTAssertEqual(try run(on: bytes, named: "unknown").result.status, .ok)
      XCTAssertEqual(try run(on: Array("text".utf8), named: "a.sqlite").result.status, .dataError)
    }

    func testUnmergedWriteAheadLogIsRefused() throws {
      var bytes = try database(Self.library)
      // The header of a database with a log has these versions, even if the database is closed.
      (bytes[18], bytes[19]) = (2, 2)
      XCTAssertEqual(try run(on: bytes).result.status, .ok)
      XCTAssertEqual(try run(on: bytes, beside: ["a.db-wal": []]).result.status, .ok)
      let log = try run(on: bytes, beside: ["a.db-wal": [0x37, 0x7F]]).result
      XCTAssertEqual(log.status, .dataError)
      XCTAssertTrue(log.errors.contains("found changes of the database in 'a.db-wal'"), log.errors)
    }

    // MARK: Imports of exported databases

    private func returned(_ bytes: [UInt8], _ arguments: String...) throws -> [UInt8] {
      let line = ["export", "test.arc", "--format", "sql"] + arguments
      let command = try XCTUnwrap(Arcdump.parseAsRoot(line) as? any InspectionCommand)
      let (result, archive) = try run(on: database(command.result { _, _ in bytes }.output))
      XCTAssertEqual(result.errors, "")
      return archive
    }

    func testDatabaseExportIsImportedAsEqualObjects() throws {
      let before = try tree(SampleArchives.family())
      let after = try tree(returned(SampleArchives.family()))
      func named(_ tree: String) -> [Substring] {
        tree.split(separator: "\n").map { $0.drop { $0 == " " } }.filter {
          $0.hasPrefix("name ") || $0.hasPrefix("age ")
        }
      }
      // The order can differ, because the tables do not state that a reference is weak.
      XCTAssertEqual(named(after).sorted(), named(before).sorted())
      XCTAssertTrue(after.contains("root: Person #1\n"), after)
      XCTAssertTrue(after.contains("mother → Person #3"), after)
      let (old, new) = (try SampleArchives.family(), try returned(SampleArchives.family()))
      XCTAssertEqual(
        try ArchiveFile(bytes: new).roots()["scores"], try ArchiveFile(bytes: old).roots()["scores"])
    }

    /// A table with random fields, as a database and as an archive again.
    func testTableReturnsUnchangedThroughADatabase() throws {
      var random = SplitMix64(seed: RandomTrials.seed())
      for _ in 0..<RandomTrials.count(usually: 3, exhaustively: 50) {
        let lines = (0..<8).map { row in
          let real = Double.random(in: -1e6...1e6, using: &random)
          let word = ["", "a", "x y", "007", "1.10", "é"].randomElement(using: &random) ?? ""
          return
            "\(row),\(Int64.random(in: Int64.min...Int64.max, using: &random)),\(real),\(word),\(Bool.random(using: &random))"
        }
        let table = Array(("n,i,r,s,b\n" + lines.joined(separator: "\n")).utf8)
        let before = try TableImport.archive(
          of: TableSource(table, .csv, className: "Row"), limits: .untrusted
        ).archive
        XCTAssertEqual(try tree(returned(before)), try tree(before))
      }
    }

    func testDatabaseExportIsImportedWithItsReferences() throws {
      let bytes = try QueriedArchives.zoo()
      let (old, new) = (try ArchiveFile(bytes: bytes), try ArchiveFile(bytes: returned(bytes)))
      try new.verify()
      XCTAssertEqual(new.rowCount, old.rowCount)
      for row in 1..<UInt32(old.rowCount) {
        let (one, other) = (try old.object(ObjectID(rawValue: row)), try new.object(ObjectID(rawValue: row)))
        XCTAssertEqual(one.className, other.className)
        for property in one.properties where one.properties.count(where: { $0.key == property.key }) == 1 {
          switch property.value {
          case .reference, .string, .integer:
            XCTAssertEqual(other[property.key], property.value, property.key)
          case .array(let elements), .set(let elements):
            XCTAssertEqual(other[property.key], .array(elements), property.key)
          default: break
          }
        }
      }
      XCTAssertEqual(try ArchiveFile(bytes: returned(bytes, "--class", "Dog")).classes.last?.name, "Dog")
    }

    // MARK: Hostile files

    func testEachChangedDatabaseByteGivesErrorOrArchive() throws {
      let tables =
        "PRAGMA page_size=512; " + Self.library + "CREATE TABLE t(x); INSERT INTO t VALUES(zeroblob(2000));"
      let ordinary = try database(tables)
      let exported = try database(
        "PRAGMA page_size=512; " + export("sql", on: SampleArchives.family()).output)
      let command = try command(["--format", "sqlite"])
      for (bytes, step) in [(ordinary, 1), (exported, 3)] {
        for index in stride(from: 0, to: bytes.count, by: step) {
          var changed = bytes
          changed[index] ^= 0x81
          let (result, archive) = run(command, on: changed)
          XCTAssertTrue([.ok, .dataError].contains(result.status), "byte \(index)")
          if result.status == .ok {
            XCTAssertNoThrow(try ArchiveFile(bytes: archive).verify(), "byte \(index)")
          }
        }
        for count in stride(from: 0, to: bytes.count, by: 97) {
          _ = run(command, on: Array(bytes[..<count]))
        }
      }
    }

    func testDatabasesBeyondTheLimitsAreRefused() throws {
      let many = try database(
        "CREATE TABLE t(x); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM c WHERE n<1100000) "
          + "INSERT INTO t SELECT NULL FROM c;")
      let result = try run(on: many).result
      XCTAssertEqual(result.status, .dataError)
      XCTAssertTrue(result.errors.contains("ArchiveLimits.rows"), result.errors)
      // A generated column, which would have a gigabyte per row.
      let generated = try database(
        "CREATE TABLE t(x, y GENERATED ALWAYS AS (hex(zeroblob(x)))); INSERT INTO t(x) VALUES(499999999),(499999999);"
      )
      XCTAssertEqual(try run(on: generated).result.status, .dataError)
    }
  #else
    func testMissingDatabaseLibraryIsReportedWithARemedy() throws {
      XCTAssertThrowsError(try Arcdump.parseAsRoot(["import", "a.sqlite", "-o", "out.arc"])) { error in
        let message = Arcdump.message(for: error)
        XCTAssertTrue(message.contains("--traits SQLite"), message)
        XCTAssertTrue(message.contains("sqlite3 -csv"), message)
      }
    }
  #endif
}
