#if SQLite
  import ArcFormat
  import ArcRuntime

  /// The rows of a database table, before they are converted to objects.
  struct SQLiteTable {
    /// A column of the table.
    struct Column {
      let name: String
      /// The declared type in capitals. Empty if the table declares no type.
      let type: String
      /// The column's position in the primary key, counted from 1. 0 if the key does not contain the column.
      let keyPosition: Int
    }

    let name: String
    let columns: [Column]
    /// The values, row by row.
    private(set) var values: [ImportedValue] = []
    private(set) var rowCount = 0

    func row(_ index: Int) -> ArraySlice<ImportedValue> {
      values[index * columns.count..<(index + 1) * columns.count]
    }

    func value(row: Int, column: Int) -> ImportedValue { values[row * columns.count + column] }

    func column(_ name: String) -> Int? { columns.firstIndex { $0.name.hasSameBytes(as: name) } }

    /// Reads a table, and converts columns with declared types that SQLite does not have: Booleans and dates.
    ///
    /// - Throws: `malformedTable` with SQLite's message, or `limitExceeded`.
    init(
      _ name: String, in database: SQLiteReader, _ builder: inout TableBuilder
    ) throws(ImportError) {
      self.name = name
      let budget = builder.budget
      columns = try Self.columns(of: name, in: database)
      let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ",")
      guard !columns.isEmpty else { return }
      var (values, rowCount) = ([ImportedValue](), 0)
      try database.forEachRow(of: "SELECT \(names) FROM \(SQLName.quoted(name))") {
        cells throws(ImportError) in
        rowCount += 1
        try budget.chargeRow()
        for cell in cells {
          if case .null = cell { try budget.charge(elements: 1) }
          values.append(try Self.value(cell, &builder.nodes))
        }
      }
      (self.values, self.rowCount) = (values, rowCount)
      for index in columns.indices { try convert(index, &builder.nodes) }
    }

    /// Returns the columns of a table, including generated columns, without hidden columns of virtual tables.
    private static func columns(
      of table: String, in database: SQLiteReader
    ) throws(ImportError) -> [Column] {
      var columns: [Column] = []
      try database.forEachRow(
        of: "SELECT name, upper(type), pk, hidden FROM pragma_table_xinfo(\(SQLName.literal(table)))"
      ) { row throws(ImportError) in
        guard let name = row[0].text, case .integer(let key) = row[2], case .integer(let hidden) = row[3],
          hidden != 1
        else { return }
        columns.append(Column(name: name, type: row[1].text ?? "", keyPosition: Int(clamping: key)))
      }
      return columns
    }

    private static func value(
      _ cell: SQLiteReader.Cell, _ nodes: inout TableNodes
    ) throws(ImportError) -> ImportedValue {
      switch cell {
      case .null: return ImportedValue(.nothing)
      case .integer(let number):
        return ImportedValue(.integer, try nodes.add(.integer(Int128(number)), at: 0))
      case .real(let number): return ImportedValue(.real, try nodes.add(.real(number), at: 0))
      case .text(let bytes):
        // Text that is not UTF-8 is stored as data.
        guard let text = String(validating: bytes, as: UTF8.self) else {
          return ImportedValue(.data, try nodes.add(data: bytes, at: 0))
        }
        return ImportedValue(.string, try nodes.add(text, at: 0))
      case .blob(let bytes):
        return ImportedValue(.data, try nodes.add(data: bytes, at: 0))
      }
    }

    // MARK: Declared types that SQLite does not have

    /// Converts the values of a column to the column's declared type. Changes nothing if one of the values
    /// cannot be converted.
    private mutating func convert(_ column: Int, _ nodes: inout TableNodes) throws(ImportError) {
      let type = columns[column].type
      guard ["BOOL", "DATE", "TIMESTAMP"].contains(where: { type.contains($0) }) else { return }
      let indices = (0..<rowCount).map { $0 * columns.count + column }.filter { values[$0].kind != .nothing }
      var convertedValues: [(kind: ImportedValue.Kind, node: PropertyList.Node)] = []
      do {
        let list = nodes.list(.sqlite)
        for index in indices {
          guard let value = Self.converted(values[index], type, list) else { return }
          convertedValues.append(value)
        }
      }
      for (index, value) in zip(indices, convertedValues) {
        values[index] = ImportedValue(value.kind, try nodes.add(value.node, at: 0))
      }
    }

    /// Returns a value of a declared type. Nil if the value cannot be converted.
    private static func converted(
      _ value: ImportedValue, _ type: String, _ list: PropertyList
    ) -> (kind: ImportedValue.Kind, node: PropertyList.Node)? {
      let index = Int(value.index)
      if type.contains("BOOL"), case .integer(let number) = list.nodes[index], number == 0 || number == 1 {
        return (.bool, .bool(number == 1))
      }
      if type.contains("DATE") || type.contains("TIMESTAMP"), value.kind == .string,
        let text = list.string(index), text.utf8.count >= 19, let seconds = DateNotation.seconds(text)
      {
        return (.date, .date(seconds))
      }
      return nil
    }
  }
#endif
