import ArcFormat
import ArgumentParser

/// `--format sqlite`: an SQLite database with the tables, indices and views that `--format sql` writes as
/// text.
///
/// The format needs the SQLite library. The format is available only if the package was built with the trait
/// `SQLite`. Without the trait, programs that use Arc do not depend on the library.
enum SQLiteExport {
  /// Throws an error that explains how to get SQLite, if arcdump was built without it.
  static func checkIsAvailable() throws {
    #if !SQLite
      throw ValidationError(
        "This arcdump was built without SQLite: build arcdump with `swift build --product arcdump --traits SQLite` "
          + "(needs libsqlite3-dev), or use --format sql and `sqlite3 OUT < FILE`.")
    #endif
  }

  /// Returns a writer that inserts the objects into a new database.
  static func writer(of objects: ExportedObjects, to target: any ExportTarget) throws -> any ExportWriter {
    #if SQLite
      return try SQLiteWriter(objects, to: target)
    #else
      throw ExportTargetMismatch()
    #endif
  }
}

#if SQLite
  /// Inserts the exported objects as rows, in one transaction.
  private struct SQLiteWriter: ExportWriter {
    private let schema: SQLSchema
    private let database: SQLiteDatabase
    private let target: any ExportTarget
    /// The number of the prepared `INSERT` statement of each table, by table index.
    private var insertions: [Int] = []

    init(_ objects: ExportedObjects, to target: any ExportTarget) throws {
      schema = try SQLSchema(objects)
      self.target = target
      database = try SQLiteDatabase(target.databasePath())
      try database.execute("BEGIN")
      for statement in schema.tables { try database.execute(statement) }
      let list = try database.insertion(into: schema.model.listName, columnCount: 3)
      for cells in schema.model.list { _ = try database.insert(cells, by: list) }
      insertions = try schema.model.tables.map { table in
        try database.insertion(into: table.name, columnCount: table.columns.count)
      }
    }

    func write(_ row: ExportedRow) throws {
      try schema.model.forEachRow(of: row) { table, cells in
        target.count(try database.insert(cells, by: insertions[table]))
      }
    }

    func end() throws {
      for statement in schema.indicesAndViews { try database.execute(statement) }
      try database.execute("COMMIT")
    }
  }
#endif
