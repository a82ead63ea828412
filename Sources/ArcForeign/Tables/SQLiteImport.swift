#if SQLite
  import ArcFormat
  import ArcRuntime

  /// Reads all tables of an SQLite database.
  ///
  /// Each table becomes a class, and each row an object. The roots are arrays of these objects, with the
  /// names of the tables. If each value of a foreign key with one column refers to a row, the values become
  /// references to objects.
  ///
  /// Views and virtual tables are skipped, because other tables contain their data. A database that `arcdump
  /// export` wrote contains a table `arc_tables`; `ExportedTables` restores its original objects.
  struct SQLiteImport {
    let database: SQLiteReader
    var builder: TableBuilder

    static func graph(
      of bytes: [UInt8], className: String?, fileName: String?, _ budget: ImportBudget,
      _ report: inout ImportReport
    ) throws(ImportError) -> ImportedGraph {
      try budget.checkFile(byteCount: bytes.count)
      var job = SQLiteImport(
        database: try SQLiteReader(bytes, limits: budget.limits), builder: TableBuilder(budget))
      let tables = try job.tables()
      if let entries = ExportedTables.entries(among: tables, in: job.database) {
        guard className == nil else { throw Self.namedClass("the tables of an exported archive") }
        job.builder.roots = try ExportedTables.read(entries, into: &job, &report)
      } else {
        guard className == nil || tables.count == 1 else {
          throw Self.namedClass(plural(tables.count, "table"))
        }
        try job.readRows(tables, className: className, &report)
      }
      return job.builder.graph(fileName: fileName, format: PropertyList.Notation.sqlite.rawValue)
    }

    private static func namedClass(_ found: String) -> ImportError {
      ImportError(
        .malformedTable, found: found, expected: "a database with one table, because --class names one class",
        remedy: "omit --class to name each class after its table")
    }

    private init(database: SQLiteReader, builder: TableBuilder) {
      (self.database, self.builder) = (database, builder)
    }

    /// Returns the names of the database's tables in the order of their creation. Omits virtual tables and
    /// SQLite's own tables.
    private func tables() throws(ImportError) -> [String] {
      var names: [String] = []
      let budget = builder.budget
      try database.forEachRow(
        of: """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' \
          AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rowid
          """
      ) { row throws(ImportError) in
        guard let name = row[0].text else { return }
        try budget.chargeClass(nameByteCount: name.utf8.count)
        names.append(name)
      }
      return names
    }

    // MARK: Databases of other programs

    /// Adds a class, its rows and a root for each table.
    private mutating func readRows(
      _ names: [String], className: String?, _ report: inout ImportReport
    ) throws(ImportError) {
      var tables: [SQLiteTable] = []
      var classIndices: [Int] = []
      for name in names {
        let table = try SQLiteTable(name, in: database, &builder)
        let classIndex = builder.classIndexOfCharged(className ?? table.name)
        var keys: [Int] = []
        for column in table.columns { keys.append(try builder.key(column.name)) }
        builder.columns += keys.map { ImportedGraph.Column(classIndex: classIndex, key: $0) }
        let first = builder.rows.count
        for row in 0..<table.rowCount {
          _ = builder.addRow(
            classIndex, zip(keys, table.row(row)).map { ImportedField(key: $0, value: $1) })
        }
        builder.addRoot(table.name, rows: first..<builder.rows.count)
        tables.append(table)
        classIndices.append(classIndex)
      }
      var references: [TableReference] = []
      for (table, classIndex) in zip(tables, classIndices) {
        for key in try foreignKeys(of: table) {
          // SQLite ignores the case of names.
          guard let target = tables.firstIndex(where: { $0.name.lowercased() == key.table.lowercased() }),
            let column = table.columns.first(where: { $0.name.lowercased() == key.column.lowercased() }),
            let targetColumn = Self.columnIndex(of: key.targetColumn, in: tables[target])
          else { continue }
          references.append(
            TableReference(
              classIndex: classIndex, key: try builder.key(column.name),
              targetClassIndex: classIndices[target],
              targetKey: try builder.key(tables[target].columns[targetColumn].name), table: table.name,
              column: key.column, isRequired: false))
        }
      }
      try builder.link(references, &report)
    }

    private struct ForeignKey {
      let column: String
      let table: String
      /// The column to which the foreign key refers. Nil if the foreign key refers to the primary key.
      let targetColumn: String?
    }

    /// Returns the foreign keys of a table. Omits foreign keys with several columns.
    private func foreignKeys(of table: SQLiteTable) throws(ImportError) -> [ForeignKey] {
      var keys: [(number: Int64, key: ForeignKey)] = []
      try database.forEachRow(
        of:
          "SELECT id, \"from\", \"table\", \"to\" FROM pragma_foreign_key_list(\(SQLName.literal(table.name))) "
          + "ORDER BY id DESC, seq"
      ) { row throws(ImportError) in
        guard case .integer(let number) = row[0], let column = row[1].text, let target = row[2].text else {
          return
        }
        keys.append((number, ForeignKey(column: column, table: target, targetColumn: row[3].text)))
      }
      let counts = Dictionary(keys.map { ($0.number, 1) }, uniquingKeysWith: +)
      return keys.filter { counts[$0.number] == 1 }.map(\.key)
    }

    /// Returns the index of a column. If `column` is nil, returns the index of the primary key's only column.
    /// Returns nil if there is no such column, or if the primary key has several columns.
    private static func columnIndex(of column: String?, in table: SQLiteTable) -> Int? {
      if let column { return table.columns.firstIndex { $0.name.lowercased() == column.lowercased() } }
      let keyColumns = table.columns.indices.filter { table.columns[$0].keyPosition > 0 }
      return keyColumns.count == 1 ? keyColumns[0] : nil
    }
  }
#endif
