import ArcArchive
import ArcForeign

/// `--format sql`: SQL statements that create an SQLite database, for example with `sqlite3 out.db <
/// out.sql`.
///
/// All statements are in one transaction, so a truncated file creates no tables.
struct SQLExport: ExportWriter {
  private let schema: SQLSchema
  private let output: Output
  /// The text before the values of each `INSERT` statement, by table index.
  private let beginnings: [[UInt8]]

  init(_ objects: ExportedObjects, to output: Output) throws {
    schema = try SQLSchema(objects)
    self.output = output
    beginnings = schema.model.tables.map { Self.beginning(of: $0.name) }
  }

  private static func beginning(of table: String) -> [UInt8] {
    Array("INSERT INTO \(SQLName.quoted(table)) VALUES(".utf8)
  }

  func begin() throws {
    try output.line("BEGIN;")
    for statement in schema.tables { try output.line(statement + ";") }
    let beginning = Self.beginning(of: schema.model.listName)
    for cells in schema.model.list { try write(cells, beginning) }
  }

  func write(_ row: ExportedRow) throws {
    try schema.model.forEachRow(of: row) { table, cells in try write(cells, beginnings[table]) }
  }

  private func write(_ cells: [ArchiveValue], _ beginning: [UInt8]) throws(OutputFailure) {
    var bytes = beginning
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      SQLText.append(cell, to: &bytes)
    }
    bytes += ");\n".utf8
    try output.write(bytes)
  }

  func end() throws {
    for statement in schema.indicesAndViews { try output.line(statement + ";") }
    try output.line("COMMIT;")
  }
}
