package import ArcFormat
import ArcRuntime

/// The conversion of tables to archives.
///
/// Each row becomes an object. The rows of a table have the class that the caller states, and nested JSON
/// objects have classes of their own. The root of a table is an array of its rows.
package enum TableImport {
  /// Converts a table to an archive.
  ///
  /// The type of a CSV column is the first of these types that fits all fields of the column: Boolean,
  /// integer, real, UUID, date, string. An empty field is nil, and a field that contains only quotes is an
  /// empty string. A member that some JSON objects lack becomes a keyed column. A nested object becomes an
  /// object of class `Class.member`. An array becomes a list.
  package static func archive(
    of table: TableSource, limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try archive(of: [table], limits: limits)
  }

  /// Converts tables to one archive.
  ///
  /// If there are several tables, each table becomes a root with the name of its class. All tables of an
  /// SQLite database become classes and roots, and its foreign keys become references.
  ///
  /// - Parameters:
  ///   - tables: the tables, in any order. A database must be the only source.
  ///   - joins: the columns that become references.
  ///   - guide: the declared types of the program that reads the archive; nil to derive all types from the
  ///     values.
  ///   - declared: the kinds of the properties of this program; nil without a program.
  ///   - limits: the limits for all tables together.
  /// - Returns: the bytes of the archive, which is valid by `verify()`, and a report of the import.
  /// - Throws: `ImportError` if a table is malformed, or if a join has no row or several rows for a value. If
  ///   the package was built without its trait `SQLite`, `unknownFormat` with the remedy for a database.
  package static func archive(
    of tables: [TableSource], joins: [TableJoin] = [], guide: ImportGuide? = nil,
    declared: DeclaredColumns? = nil, limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    if let database = tables.first(where: { $0.format == .sqlite }) {
      guard tables.count == 1, joins.isEmpty else {
        throw ImportError(
          .unknownFormat, found: "a database and other tables", expected: "a single database without joins",
          remedy: "import each database separately")
      }
      return try archive(ofDatabase: database, guide, limits)
    }
    var job = TableJob(tables, declared, limits)
    try job.read()
    try job.link(joins)
    return try job.archive(guide)
  }

  /// Converts a graph to an archive.
  static func archive(
    of graph: ImportedGraph, _ guide: ImportGuide?, _ limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    var job = PropertyListImport(limits: limits, guide: guide, undeclared: .value(isReal: true))
    try job.add(graph)
    return try job.finish()
  }

  // MARK: Databases

  private static func archive(
    ofDatabase database: TableSource, _ guide: ImportGuide?, _ limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    #if SQLite
      var report = ImportReport()
      do {
        let graph = try SQLiteImport.graph(
          of: database.bytes, className: database.className, fileName: database.fileName,
          ImportBudget(limits), &report)
        if let key = database.options.key { try checkKey(key, graph) }
        var result = try archive(of: graph, guide, limits)
        result.report.add(report.notes)
        return result
      } catch var error as ImportError {
        // Rows of a database have no known byte offset.
        error.byteOffset = nil
        throw error
      }
    #else
      throw ImportError(
        .unknownFormat, found: "an SQLite database", expected: "CSV, JSON or JSON Lines",
        remedy: howToReadSQLite)
    #endif
  }

  /// The instructions for building `arcdump` with SQLite support. Nil if this build already reads databases.
  package static var whyNoSQLite: String? {
    #if SQLite
      nil
    #else
      "This arcdump was built without SQLite: " + howToReadSQLite
    #endif
  }

  private static let howToReadSQLite =
    "build arcdump with `swift build --product arcdump --traits SQLite` (needs libsqlite3-dev), or convert each "
    + "table with `sqlite3 -csv -header FILE 'SELECT * FROM table' > table.csv`"

  /// The first bytes of every SQLite database.
  package static let signatureOfSQLite = Array("SQLite format 3\0".utf8)

  // MARK: Keys

  /// Throws unless each row of the first table has a distinct value under a key.
  static func checkKey(_ key: String, _ graph: ImportedGraph, classIndex: Int = 0) throws(ImportError) {
    guard let column = graph.keys.firstIndex(where: { $0.hasSameBytes(as: key) }) else {
      throw ImportError(
        .malformedTable, found: "a table without the column '\(key)'",
        expected: "a column of the table: " + graph.keys.map { "'\($0)'" }.joined(separator: ", "), key: key)
    }
    var seen: Set<DictionaryKey> = []
    for row in graph.rows where row.classIndex == classIndex {
      let field = graph.fields[row.fields].first { $0.key == column }
      guard let value = field?.value, value.kind != .nothing else {
        throw ImportError(
          .malformedTable, found: "a row without a value in the key column '\(key)'",
          expected: "a value in the key column of each row",
          byteOffset: row.byteOffset, key: key)
      }
      guard seen.insert(DictionaryKey(value, graph)).inserted else {
        throw ImportError(
          .duplicateKey, found: "two rows with an equal value in the key column '\(key)'",
          expected: "a distinct value in each row",
          byteOffset: row.byteOffset, key: key)
      }
    }
  }
}
