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
    let budget: ImportBudget
    var nodes: TableNodes
    var rows: [ImportedRow] = []
    var fields: [ImportedField] = []
    var collections: [Range<Int>] = []
    var elements: [ImportedValue] = []
    var keys: [String] = []
    private var keyNumbers: [ExactName: Int] = [:]
    var classes: [ImportedClass] = []
    var columns: [ImportedGraph.Column] = []

    static func graph(
      of bytes: [UInt8], className: String?, fileName: String?, _ budget: ImportBudget,
      _ report: inout ImportReport
    ) throws(ImportError) -> ImportedGraph {
      try budget.checkFile(byteCount: bytes.count)
      var job = SQLiteImport(
        database: try SQLiteReader(bytes, limits: budget.limits), budget: budget, nodes: TableNodes(budget))
      let tables = try job.tables()
      let roots: [(name: String, value: ImportedValue)]
      if let entries = ExportedTables.entries(among: tables, in: job.database) {
        guard className == nil else { throw Self.namedClass("the tables of an exported archive") }
        roots = try ExportedTables.read(entries, into: &job, &report)
      } else {
        guard className == nil || tables.count == 1 else {
          throw Self.namedClass(plural(tables.count, "table"))
        }
        roots = try job.readRows(tables, className: className, &report)
      }
      var graph = ImportedGraph(list: job.nodes.list(.sqlite))
      (graph.rows, graph.fields, graph.keys) = (job.rows, job.fields, job.keys)
      (graph.collections, graph.elements, graph.classes) = (job.collections, job.elements, job.classes)
      graph.rowOfObject = job.rows.indices.map { Int32(truncatingIfNeeded: $0) }
      (graph.roots, graph.columns) = (roots, job.columns)
      (graph.fileName, graph.format) = (fileName, PropertyList.Notation.sqlite.rawValue)
      return graph
    }

    private static func namedClass(_ found: String) -> ImportError {
      ImportError(
        .malformedTable, found: found, expected: "a database with one table, because --class names one class",
        remedy: "omit --class to name each class after its table")
    }

    private init(database: SQLiteReader, budget: ImportBudget, nodes: TableNodes) {
      (self.database, self.budget, self.nodes) = (database, budget, nodes)
    }

    /// Returns the names of the tables that have their own rows, in the order of their creation.
    private func tables() throws(ImportError) -> [String] {
      var names: [String] = []
      let budget = budget
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

    // MARK: Parts of the graph

    /// Returns the number of a key. Adds the key if it is new.
    mutating func keyNumber(of key: String) -> Int {
      if let known = keyNumbers[ExactName(key)] { return known }
      keys.append(key)
      keyNumbers[ExactName(key)] = keys.count - 1
      return keys.count - 1
    }

    /// Adds an object. Returns its row.
    mutating func addRow(
      _ classIndex: Int, _ values: [(key: Int, value: ImportedValue)]
    ) throws(ImportError) -> Int {
      let start = fields.count
      fields += values.map { ImportedField(key: $0.key, value: $0.value) }
      rows.append(
        ImportedRow(classIndex: classIndex, fields: start..<fields.count, uid: nil, byteOffset: 0))
      return rows.count - 1
    }

    /// Adds a collection. For a dictionary, `values` contains all keys, followed by all values of the
    /// dictionary.
    mutating func addCollection(_ values: [ImportedValue], _ kind: ImportedValue.Kind = .list)
      -> ImportedValue
    {
      collections.append(elements.count..<elements.count + values.count)
      elements += values
      return ImportedValue(kind, collections.count - 1)
    }

    // MARK: Databases of other programs

    private mutating func readRows(
      _ names: [String], className: String?, _ report: inout ImportReport
    ) throws(ImportError) -> [(name: String, value: ImportedValue)] {
      var tables: [SQLiteTable] = []
      var firstRows: [Int] = []
      var rowCount = 0
      for name in names {
        let table = try SQLiteTable(name, in: database, &nodes, budget)
        firstRows.append(rowCount)
        rowCount += table.rowCount
        tables.append(table)
      }
      let plain = tables
      for index in tables.indices { try addReferences(to: &tables[index], plain, firstRows, &report) }
      return try tables.enumerated().map { index, table throws(ImportError) in
        classes.append(ImportedClass(name: className ?? table.name, superclasses: []))
        let keys = table.columns.map { keyNumber(of: $0.name) }
        columns += keys.map { ImportedGraph.Column(classIndex: index, key: $0) }
        for row in 0..<table.rowCount { _ = try addRow(index, zip(keys, table.row(row)).map { ($0, $1) }) }
        let members = (0..<table.rowCount).map { ImportedValue(.object, firstRows[index] + $0) }
        return (table.name, addCollection(members))
      }
    }

    /// Replaces the values of foreign keys with references.
    private func addReferences(
      to table: inout SQLiteTable, _ tables: [SQLiteTable], _ firstRows: [Int], _ report: inout ImportReport
    ) throws(ImportError) {
      for key in try foreignKeys(of: table) {
        // SQLite ignores the case of names.
        guard let target = tables.firstIndex(where: { $0.name.lowercased() == key.table.lowercased() }),
          let column = table.columns.firstIndex(where: { $0.name.lowercased() == key.column.lowercased() }),
          let targetColumn = Self.columnIndex(of: key.targetColumn, in: tables[target])
        else { continue }
        let graph = ImportedGraph(list: nodes.list(.sqlite))
        var rowOfKey: [DictionaryKey: Int] = [:]
        for row in 0..<tables[target].rowCount {
          let value = tables[target].value(row: row, column: targetColumn)
          if value.kind != .nothing { rowOfKey[DictionaryKey(value, graph)] = firstRows[target] + row }
        }
        var references: [(row: Int, target: Int)] = []
        var areAllResolved = true
        for row in 0..<table.rowCount {
          let value = table.value(row: row, column: column)
          // If a column has two foreign keys, the first key is used.
          guard value.kind != .nothing, value.kind != .object else { continue }
          if let target = rowOfKey[DictionaryKey(value, graph)] {
            references.append((row, target))
          } else {
            areAllResolved = false
          }
        }
        guard areAllResolved else {
          report.note(.unresolvedForeignKey, "table '\(table.name)', column '\(key.column)'")
          continue
        }
        for (row, target) in references {
          table.set(ImportedValue(.object, target), row: row, column: column)
        }
      }
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
