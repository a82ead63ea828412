package import ArcFormat
import ArcRuntime

/// The conversion of tables to archives.
///
/// Each line becomes an object of one class. The root is an array of these objects.
package enum TableImport {
  /// The options for converting a table.
  package struct Options: Sendable {
    /// The class of the rows.
    package let className: String
    /// The key column, in which each row must have a distinct value. Nil if the table has no key column.
    package let key: String?
    /// The name of the file. Nil if the file has no name.
    package let fileName: String?

    /// Creates options.
    package init(className: String, key: String? = nil, fileName: String? = nil) {
      self.className = className
      self.key = key
      self.fileName = fileName
    }
  }

  /// Converts comma-separated values (RFC 4180) to an archive. The first line contains the column names.
  ///
  /// The type of a column is the first of these types that fits all fields of the column: Boolean, integer,
  /// real, UUID, date, string. An empty field is nil, and a field that contains only quotes is an empty
  /// string. A number with leading zeros, such as `007`, is a string.
  package static func archive(
    ofCSV bytes: [UInt8], _ options: Options, limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try archive(of: try CSVTable.graph(of: bytes, options, ImportBudget(limits)), options, limits)
  }

  /// Converts JSON Lines, with one object per line, to an archive.
  ///
  /// A member that some objects lack becomes a keyed column. A nested object becomes an object of class
  /// `Class.member`. An array becomes a list.
  package static func archive(
    ofJSONLines bytes: [UInt8], _ options: Options, limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    try archive(of: try JSONLinesTable.graph(of: bytes, options, ImportBudget(limits)), options, limits)
  }

  /// Converts all tables of an SQLite database to an archive.
  ///
  /// Each table becomes a class, and foreign keys become references. A database that
  /// `arcdump export --format sqlite` wrote becomes the original objects.
  ///
  /// - Parameters:
  ///   - bytes: the database file. Changes in a separate log file are not included.
  ///   - className: the class of the rows if the database has one table; nil to use the name of the table.
  ///   - key: the key column of the first table, in which each row must have a distinct value; nil for no key
  ///     column.
  ///   - fileName: the name of the file; nil if the file has no name.
  ///   - limits: the limits for the file.
  /// - Returns: the bytes of the archive, which `verify()` accepts, and a report of the import.
  /// - Throws: `ImportError` with code `malformedTable` and SQLite's message if the database is not valid.
  ///   `ImportError` with code `unknownFormat` and a remedy if the package was built without its trait
  ///   `SQLite`.
  package static func archive(
    ofSQLite bytes: [UInt8], className: String?, key: String?, fileName: String?, limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    #if SQLite
      var report = ImportReport()
      let graph = try SQLiteImport.graph(
        of: bytes, className: className, fileName: fileName, ImportBudget(limits), &report)
      do {
        let options = Options(className: className ?? "", key: key, fileName: fileName)
        var result = try archive(of: graph, options, limits)
        result.report.notes += report.notes
        return result
      } catch var error as ImportError {
        // Rows of a database have no known byte offset.
        error.byteOffset = nil
        throw error
      }
    #else
      throw ImportError(
        .unknownFormat, found: "an SQLite database", expected: "CSV or JSON Lines", remedy: howToReadSQLite)
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

  private static func archive(
    of graph: ImportedGraph, _ options: Options, _ limits: ArchiveLimits
  ) throws -> (archive: [UInt8], report: ImportReport) {
    if let key = options.key { try checkKey(key, graph) }
    var job = PropertyListImport(limits: limits, undeclared: .value(isReal: true))
    try job.add(graph)
    return try job.finish()
  }

  /// Throws unless each row of the table has a distinct value under a key.
  private static func checkKey(_ key: String, _ graph: ImportedGraph) throws(ImportError) {
    guard let column = graph.keys.firstIndex(where: { $0.hasSameBytes(as: key) }) else {
      throw ImportError(
        .malformedTable, found: "a table without the column '\(key)'",
        expected: "a column of the table: " + graph.keys.map { "'\($0)'" }.joined(separator: ", "), key: key)
    }
    var seen: Set<DictionaryKey> = []
    for row in graph.rows where row.classIndex == 0 {
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

/// Collects the values of a table in flat arrays.
struct TableNodes {
  private(set) var content: [UInt8] = []
  private(set) var nodes: [PropertyList.Node] = []
  private(set) var byteOffsets: [Int] = []
  private let budget: ImportBudget

  init(_ budget: ImportBudget) { self.budget = budget }

  /// Adds a value. Returns its index.
  mutating func add(_ node: PropertyList.Node, at offset: Int) throws(ImportError) -> Int {
    try budget.charge(elements: 1, at: offset)
    nodes.append(node)
    byteOffsets.append(offset)
    return nodes.count - 1
  }

  mutating func add(_ text: String, at offset: Int) throws(ImportError) -> Int {
    try budget.charge(bytes: text.utf8.count, at: offset)
    let start = content.count
    content += text.utf8
    return try add(.string(start: start, count: content.count - start, .utf8), at: offset)
  }

  mutating func add(data: [UInt8], at offset: Int) throws(ImportError) -> Int {
    try budget.charge(bytes: data.count, at: offset)
    let start = content.count
    content += data
    return try add(.data(start: start, count: data.count), at: offset)
  }

  func list(_ notation: PropertyList.Notation) -> PropertyList {
    PropertyList(
      notation: notation, content: content, nodes: nodes, byteOffsets: byteOffsets, references: [], top: 0)
  }
}
