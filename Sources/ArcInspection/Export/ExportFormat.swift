import ArgumentParser

/// What `arcdump export` writes.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  /// An object of the archive in each line.
  case jsonl
  /// A folder of tables, one for each class.
  case csv
  /// Statements of SQL for SQLite.
  case sql
  /// A database of SQLite.
  case sqlite
  /// A graph for Graphviz.
  case dot
  /// A graph in XML.
  case graphml
  /// A folder of nodes and relationships for Neo4j.
  case neo4j = "neo4j-csv"
  /// A page for a browser.
  case html

  /// What a format makes.
  enum Product {
    /// Text, which may go to standard output.
    case text
    /// A folder of files.
    case folder
    /// A file that a library writes.
    case database
  }

  /// What the format makes.
  var product: Product {
    switch self {
    case .csv, .neo4j: .folder
    case .sqlite: .database
    case .jsonl, .sql, .dot, .graphml, .html: .text
    }
  }

  /// What writes the objects to a target, row by row. A page is written column by column: by `HTMLExport`.
  func writer(of objects: ExportedObjects, to target: any ExportTarget) throws -> any ExportWriter {
    switch self {
    case .jsonl: try JSONLinesExport(objects, to: target.mainFile())
    case .csv: try CSVExport(objects, to: target)
    case .sql: try SQLExport(objects, to: target.mainFile())
    case .sqlite: try SQLiteExport.writer(of: objects, to: target)
    case .dot: try DotExport(objects, to: target.mainFile())
    case .graphml: try GraphMLExport(objects, to: target.mainFile())
    case .neo4j: try Neo4jExport(objects, to: target)
    case .html: throw ExportTargetMismatch()
    }
  }
}

/// Writes objects in a format. Memory does not grow with their number.
protocol ExportWriter {
  /// Writes what stands before all objects. Called once.
  func begin() throws
  /// Writes an object.
  func write(_ row: ExportedRow) throws
  /// Called after the objects of one class in one segment.
  func endBatch() throws
  /// Writes what stands behind all objects. Called once, unless something failed.
  func end() throws
}

extension ExportWriter {
  func begin() throws {}
  func endBatch() throws {}
  func end() throws {}
}
