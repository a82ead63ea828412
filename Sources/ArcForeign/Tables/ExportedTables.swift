#if SQLite
  import ArcFormat
  import ArcRuntime

  /// The tables of a database that `arcdump export --format sqlite` or `--format sql` wrote.
  ///
  /// The table `arc_tables` lists the other tables. The import restores the objects in the order of their
  /// numbers, with their classes and references. Arrays, sets and dictionaries become properties again; a set
  /// becomes an array. The export creates an index only for columns of references, so an index identifies
  /// these columns.
  ///
  /// The import does not restore what the tables do not contain: the fields of a structure remain separate
  /// properties, and dates remain strings. If the elements of a collection have several columns, they become
  /// objects of a class `Class.property`.
  struct ExportedTables {
    /// An entry of `arc_tables`, which describes a table.
    struct Entry {
      let name: String
      let className: String
      /// The property whose elements the table contains. Nil for a table of objects.
      let property: String?
    }

    private struct Table {
      let entry: Entry
      let content: SQLiteTable
      /// The indices of the columns that contain references.
      var references: Set<Int>
      var isOfRoots: Bool { entry.className == "$roots" }
    }

    /// Identifies a collection by its class, its property, and the number of the object that has the
    /// property.
    private struct CollectionProperty: Hashable {
      let className: ExactName
      let property: ExactName
      let number: Int
    }

    /// Identifies a property whose values are collections.
    private struct PropertyKey: Hashable {
      let className: ExactName
      let property: ExactName
    }

    private var tables: [Table]
    private let list: PropertyList
    /// The row of each object, by the number that the object has in the tables.
    private var rowOfNumber: [Int: Int] = [:]
    private var collections: [CollectionProperty: [ImportedValue]] = [:]
    private var kinds: [PropertyKey: ImportedValue.Kind] = [:]

    /// Returns the entries of `arc_tables`. Nil if there is no such table, or if it does not list all other
    /// tables.
    static func entries(among names: [String], in database: SQLiteReader) -> [Entry]? {
      guard names.first == "arc_tables" else { return nil }
      var entries: [Entry] = []
      // The query fails if another program created a table of this name with other columns.
      let isRead: Void? = try? database.forEachRow(of: "SELECT name, class, property FROM arc_tables") {
        row in
        guard let name = row[0].text, let className = row[1].text else { return }
        entries.append(Entry(name: name, className: className, property: row[2].text))
      }
      let listed = Set(entries.map { ExactName($0.name) })
      return isRead != nil && listed == Set(names.dropFirst().map { ExactName($0) }) ? entries : nil
    }

    /// Reads the tables into a graph. Returns the named roots.
    static func read(
      _ entries: [Entry], into job: inout SQLiteImport, _ report: inout ImportReport
    ) throws(ImportError) -> [(name: String, value: ImportedValue)] {
      var reader = try ExportedTables(entries, &job)
      return try reader.read(into: &job, &report)
    }

    private init(_ entries: [Entry], _ job: inout SQLiteImport) throws(ImportError) {
      var tables: [Table] = []
      for entry in entries {
        let content = try SQLiteTable(entry.name, in: job.database, &job.builder)
        let first = content.columns.prefix(entry.property == nil ? 1 : 2).map(\.name)
        guard first == ["row", "position"].prefix(first.count).map({ $0 }), !first.isEmpty else {
          throw ImportError(
            .malformedTable,
            found: "a table that begins with the columns " + first.map { "'\($0)'" }.joined(separator: ", "),
            expected: entry.property == nil ? "the column 'row'" : "the columns 'row' and 'position'",
            className: entry.name)
        }
        let references = try Self.references(of: content, in: job.database)
        tables.append(Table(entry: entry, content: content, references: references))
      }
      self.tables = tables
      list = job.builder.nodes.list(.sqlite)
    }

    /// Returns the columns that contain references, as positions in the table. The export created an SQL
    /// index for exactly these columns.
    private static func references(
      of table: SQLiteTable, in database: SQLiteReader
    ) throws(ImportError) -> Set<Int> {
      var references: Set<Int> = []
      try database.forEachRow(
        of: """
          SELECT i.name FROM pragma_index_list(\(SQLName.literal(table.name))) AS l, \
          pragma_index_info(l.name) AS i WHERE l.origin = 'c'
          """
      ) { row throws(ImportError) in
        if let column = row[0].text.flatMap(table.column) { references.insert(column) }
      }
      return references
    }

    // MARK: Objects

    private mutating func read(
      into job: inout SQLiteImport, _ report: inout ImportReport
    ) throws(ImportError) -> [(name: String, value: ImportedValue)] {
      let order = try numberObjects()
      for index in tables.indices { removeUnresolvedReferences(from: &tables[index], &report) }
      func classIndex(_ name: String) -> Int { job.builder.classIndexOfCharged(name) }
      // Elements with several columns become objects, whose rows follow the rows of the tables.
      var elements: [(classIndex: Int, values: [ImportedField])] = []
      for table in tables where table.entry.property != nil {
        // The name is built once per table, because it may be long and the table may have many rows.
        var known: Int?
        try collect(table) { values throws(ImportError) in
          let index = known ?? classIndex(table.entry.className + "." + (table.entry.property ?? ""))
          known = index
          elements.append((index, try Self.fields(values, &job.builder)))
          return ImportedValue(.object, order.count + elements.count - 1)
        }
      }
      for (table, row) in order {
        let values = try values(of: tables[table], row, &job)
        let index = classIndex(tables[table].entry.className)
        let fields = try Self.fields(values, &job.builder)
        _ = job.builder.addRow(index, fields)
      }
      for element in elements { _ = job.builder.addRow(element.classIndex, element.values) }
      for table in tables where table.entry.property == nil && !table.isOfRoots {
        let index = classIndex(table.entry.className)
        for column in table.content.columns.dropFirst() {
          job.builder.columns.append(
            ImportedGraph.Column(classIndex: index, key: try job.builder.key(column.name)))
        }
      }
      if let roots = tables.first(where: { $0.isOfRoots && $0.entry.property == nil }),
        roots.content.rowCount > 0
      {
        return try values(of: roots, 0, &job)
      }
      // The export of a part of an archive has no roots, so all objects become roots.
      return job.builder.classes.enumerated().map { index, description in
        let members = order.indices.filter { job.builder.rows[$0].classIndex == index }
        return (description.name, job.builder.addCollection(members.map { ImportedValue(.object, $0) }))
      }
    }

    /// Returns the properties of an object as fields.
    private static func fields(
      _ values: [(name: String, value: ImportedValue)], _ builder: inout TableBuilder
    ) throws(ImportError) -> [ImportedField] {
      var fields: [ImportedField] = []
      for (name, value) in values { fields.append(ImportedField(key: try builder.key(name), value: value)) }
      return fields
    }

    /// Assigns rows to the objects, in the order of their numbers.
    private mutating func numberObjects() throws(ImportError) -> [(table: Int, row: Int)] {
      var numberedRows: [(number: Int, table: Int, row: Int)] = []
      for (position, table) in tables.enumerated() where table.entry.property == nil && !table.isOfRoots {
        for row in 0..<table.content.rowCount {
          numberedRows.append((try number(of: table, row), position, row))
        }
      }
      numberedRows.sort { $0.number < $1.number }
      for (index, object) in numberedRows.enumerated() {
        guard rowOfNumber.updateValue(index, forKey: object.number) == nil else {
          throw ImportError(
            .duplicateKey, found: "two objects with the number \(object.number)",
            expected: "a distinct number for each object",
            className: tables[object.table].entry.className, key: "row")
        }
      }
      return numberedRows.map { ($0.table, $0.row) }
    }

    /// Treats the values of a reference column as plain numbers if the tables do not contain all objects with
    /// these numbers. For example, an export of only some classes omits the objects of other classes.
    private func removeUnresolvedReferences(from table: inout Table, _ report: inout ImportReport) {
      for column in table.references {
        let areAllResolved = (0..<table.content.rowCount).allSatisfy { row in
          let value = table.content.value(row: row, column: column)
          return value.kind == .nothing || integer(value).map { rowOfNumber[$0] != nil } ?? false
        }
        guard !areAllResolved else { continue }
        table.references.remove(column)
        let name = table.content.columns[column].name
        report.note(.unresolvedForeignKey, "table '\(table.entry.name)', column '\(name)'")
      }
    }

    /// Returns the object number in a row of a table. If the table contains the elements of collections, it
    /// is the number of the object that has the collection.
    private func number(of table: Table, _ row: Int) throws(ImportError) -> Int {
      guard let value = table.content.row(row).first, let number = integer(value) else {
        throw ImportError(
          .malformedTable, found: "a row without a number in the column 'row'",
          expected: "the number of an object in the column 'row'",
          className: table.entry.className)
      }
      return number
    }

    private func integer(_ value: ImportedValue) -> Int? {
      guard value.kind == .integer, case .integer(let number) = list.nodes[Int(value.index)] else {
        return nil
      }
      return Int(exactly: number)
    }

    /// Returns the properties of an object with their values. If a column contains the element count of a
    /// collection, the value is the collection.
    private func values(
      of table: Table, _ row: Int, _ job: inout SQLiteImport
    ) throws(ImportError) -> [(name: String, value: ImportedValue)] {
      let number = try number(of: table, row)
      let className = ExactName(table.entry.className)
      var result: [(name: String, value: ImportedValue)] = []
      for (column, value) in zip(table.content.columns.indices, table.content.row(row)).dropFirst() {
        let name = table.content.columns[column].name
        guard let kind = kinds[PropertyKey(className: className, property: ExactName(name))],
          value.kind != .nothing
        else {
          result.append((name, try self.value(value, in: column, of: table)))
          continue
        }
        let owner = CollectionProperty(className: className, property: ExactName(name), number: number)
        result.append((name, job.builder.addCollection(collections[owner] ?? [], kind)))
      }
      return result
    }

    /// Returns a value of a column. In a column of references, the value is an object number, and the
    /// function returns a reference to this object. In other columns, it returns the value unchanged.
    private func value(
      _ value: ImportedValue, in column: Int, of table: Table
    ) throws(ImportError) -> ImportedValue {
      guard table.references.contains(column), value.kind != .nothing else { return value }
      guard let number = integer(value), let row = rowOfNumber[number] else {
        throw ImportError(
          .danglingReference, found: "a reference to an object that does not exist",
          expected: "a reference to a number in the column 'row' of a table",
          className: table.entry.className, key: table.content.columns[column].name)
      }
      return ImportedValue(.object, row)
    }

    // MARK: Collections

    /// Collects the elements of a property. If an element has several columns, `makeObject` creates an object
    /// for the element.
    private mutating func collect(
      _ table: Table,
      _ makeObject: ([(name: String, value: ImportedValue)]) throws(ImportError) -> ImportedValue
    ) throws(ImportError) {
      let (className, property) = (ExactName(table.entry.className), ExactName(table.entry.property ?? ""))
      let names = table.content.columns.dropFirst(2).map(\.name)
      let isDictionary = names == ["key", "value"]
      var keys: [CollectionProperty: [ImportedValue]] = [:]
      for row in 0..<table.content.rowCount {
        let owner = CollectionProperty(
          className: className, property: property, number: try number(of: table, row))
        var values: [ImportedValue] = []
        for (column, value) in zip(table.content.columns.indices, table.content.row(row)).dropFirst(2) {
          values.append(try self.value(value, in: column, of: table))
        }
        if isDictionary { keys[owner, default: []].append(values[0]) }
        let element =
          isDictionary || names == ["value"] ? values.last : try makeObject(Array(zip(names, values)))
        collections[owner, default: []].append(element ?? ImportedValue(.nothing))
      }
      for (owner, keys) in keys { collections[owner] = keys + (collections[owner] ?? []) }
      kinds[PropertyKey(className: className, property: property)] = isDictionary ? .dictionary : .list
    }
  }
#endif
