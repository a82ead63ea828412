import ArcFormat
import ArcRuntime

/// The import of tables of text into one archive: reads the tables, links their rows, and writes the archive.
struct TableJob {
  private let tables: [TableSource]
  private let declared: DeclaredColumns?
  private let limits: ArchiveLimits
  private var builder: TableBuilder
  private var report = ImportReport()
  private var texts: [TableText] = []
  /// The class of each table's rows.
  private var classNames: [String] = []
  private var fileByteCount = 0

  init(_ tables: [TableSource], _ declared: DeclaredColumns?, _ limits: ArchiveLimits) {
    (self.tables, self.declared, self.limits) = (tables, declared, limits)
    builder = TableBuilder(ImportBudget(limits))
  }

  // MARK: Reading

  /// Reads all tables.
  mutating func read() throws(ImportError) {
    for table in tables {
      let name = table.className ?? table.fileName.flatMap(TableSource.className) ?? "Row"
      guard !classNames.contains(where: { $0.hasSameBytes(as: name) }) else {
        throw ImportError(
          .duplicateKey, found: "two tables with the class '\(name)'",
          expected: "a distinct class for each table",
          className: name
        ).located(filePath: table.fileName)
      }
      do throws(ImportError) {
        fileByteCount += table.bytes.count
        try builder.budget.checkFile(byteCount: fileByteCount)
        texts.append(try TableText(table.bytes, encoding: table.options.encoding))
        classNames.append(name)
        try located { job throws(ImportError) in try job.read(table, job.texts[job.texts.count - 1], name) }
      } catch {
        throw error.located(filePath: table.fileName)
      }
    }
  }

  /// Reads a table into the builder. Adds a root for the table to the builder, and an entry for the table to
  /// the report.
  private mutating func read(
    _ table: TableSource, _ text: TableText, _ name: String
  ) throws(ImportError) {
    let rootName = tables.count > 1 ? name : "root"
    let (first, root) = (builder.rows.count, builder.roots.count)
    switch table.format {
    case .csv:
      let rows = try CSVTable.read(
        text, class: name, declared: declared, table.options, into: &builder, &report)
      builder.addRoot(rootName, rows: rows)
    case .jsonLines:
      let rows = try JSONTable.readLines(text, class: name, into: &builder, &report)
      builder.addRoot(rootName, rows: rows)
    case .json:
      let (rows, isSingle) = try JSONTable.readDocument(
        text, class: name, at: table.options.path, into: &builder, &report)
      if isSingle {
        builder.roots.append((rootName, ImportedValue(.object, rows[0])))
      } else {
        builder.addRoot(rootName, rows: rows)
      }
    case .sqlite: break
    }
    report.files.append(
      ImportReport.File(
        name: table.fileName, format: table.format.rawValue, objectCount: builder.rows.count - first,
        roots: builder.roots[root...].map(\.name)))
  }

  /// Calls `body`. If `body` throws an error, adds the path, the line and the column to the error. They are
  /// positions in the table whose class the error names, or in the table that was read last.
  private mutating func located<Result>(
    _ body: (inout TableJob) throws(ImportError) -> Result
  ) throws(ImportError) -> Result {
    do throws(ImportError) { return try body(&self) } catch { throw self.located(error) }
  }

  private func located(_ error: ImportError) -> ImportError {
    let index = error.className.flatMap { name in
      // The class of a nested object begins with the class of the table.
      classNames.lastIndex { name == $0 || name.hasPrefix($0 + ".") }
    }
    guard let text = index.map({ texts[$0] }) ?? texts.last else { return error }
    let path = tables[index ?? texts.count - 1].fileName
    return text.located(error).located(filePath: path)
  }

  // MARK: Links

  /// Replaces the values of the joined columns with references.
  mutating func link(_ joins: [TableJoin]) throws(ImportError) {
    for (index, table) in tables.enumerated() {
      guard let key = table.options.key else { continue }
      let graph = builder.graph(fileName: nil, format: "")
      do throws(ImportError) {
        try TableImport.checkKey(key, graph, classIndex: builder.classIndexOfCharged(classNames[index]))
      } catch {
        throw texts[index].located(error).located(filePath: table.fileName)
      }
    }
    guard !joins.isEmpty else { return }
    var references: [TableReference] = []
    for join in joins {
      let (classIndex, key) = try column(join.column, of: join.table)
      let (targetClassIndex, targetKey) = try column(join.targetColumn, of: join.targetTable)
      references.append(
        TableReference(
          classIndex: classIndex, key: key, targetClassIndex: targetClassIndex, targetKey: targetKey,
          table: join.table, column: join.column, isRequired: true))
    }
    try located { job throws(ImportError) in try job.builder.link(references, &job.report) }
  }

  /// Returns the indices of a table's class and of the key of its column.
  private func column(_ name: String, of table: String) throws(ImportError) -> (classIndex: Int, key: Int) {
    guard let classIndex = builder.classes.firstIndex(where: { $0.name.hasSameBytes(as: table) }) else {
      throw ImportError(
        .malformedTable, found: "a join with the table '\(table)'",
        expected: "one of the tables " + classNames.map { "'\($0)'" }.joined(separator: ", "))
    }
    let key = builder.keys.firstIndex { $0.hasSameBytes(as: name) }
    let isKnown =
      key.map { key in
        builder.columns.contains { $0.classIndex == classIndex && $0.key == key }
          || builder.rows.contains { row in
            row.classIndex == classIndex && builder.fields[row.fields].contains { $0.key == key }
          }
      } ?? false
    guard let key, isKnown else {
      throw ImportError(
        .malformedTable, found: "a join with the column '\(name)' of '\(table)'",
        expected: "a column that the table has", className: table, key: name)
    }
    return (classIndex, key)
  }

  // MARK: Writing

  /// Writes the archive.
  func archive(_ guide: ImportGuide?) throws -> (archive: [UInt8], report: ImportReport) {
    var formats: [String] = []
    for table in tables where !formats.contains(table.format.rawValue) {
      formats.append(table.format.rawValue)
    }
    let graph = builder.graph(
      fileName: tables.count == 1 ? tables[0].fileName : nil, format: formats.joined(separator: ", "))
    do {
      var result = try TableImport.archive(of: graph, guide, limits)
      result.report.files = report.files
      result.report.add(report.notes)
      return result
    } catch let error as ImportError {
      throw located(error)
    }
  }
}
