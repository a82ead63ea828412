import ArgumentParser

/// The output format of `arcdump export`.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  /// JSON Lines, with an object of the archive in each line.
  case jsonl
  /// A folder with a CSV file for each class and each collection property.
  case csv
  /// SQL statements for SQLite.
  case sql
  /// An SQLite database.
  case sqlite
  /// A graph for Graphviz.
  case dot
  /// A graph in GraphML, an XML format.
  case graphml
  /// A folder with CSV files of nodes and relationships for Neo4j.
  case neo4j = "neo4j-csv"
  /// An HTML page.
  case html

  /// The kind of output that a format creates.
  enum Product {
    /// Text that can be written to standard output.
    case text
    /// A folder of files.
    case folder
    /// A database file, which a library writes.
    case database
  }

  /// The kind of output that the format creates.
  var product: Product {
    switch self {
    case .csv, .neo4j: .folder
    case .sqlite: .database
    case .jsonl, .sql, .dot, .graphml, .html: .text
    }
  }

  /// Returns the writer that writes the objects to `target`, row by row. HTML has no such writer, because
  /// `HTMLExport` writes a page column by column.
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

/// Writes exported objects in one format. The memory of the writer does not grow with the number of objects.
protocol ExportWriter {
  /// Writes the text before the first object. Called once.
  func begin() throws
  /// Writes an object.
  func write(_ row: ExportedRow) throws
  /// Ends a batch, which consists of the objects of one class in one segment.
  func endBatch() throws
  /// Writes the text after the last object. Called once, unless an error occurred.
  func end() throws
}

extension ExportWriter {
  func begin() throws {}
  func endBatch() throws {}
  func end() throws {}
}
