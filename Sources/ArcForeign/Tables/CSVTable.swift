import ArcFormat
import ArcRuntime

/// Reads comma-separated values in two passes: first the types of the columns, then the values.
enum CSVTable {
  /// Adds the rows of a table to the builder. Returns the indices of the rows.
  static func read(
    _ text: TableText, class className: String, declared: DeclaredColumns?, _ options: TableOptions,
    into builder: inout TableBuilder, _ report: inout ImportReport
  ) throws(ImportError) -> Range<Int> {
    let separator = try CSVSeparator(of: text, stated: options.separator, builder.budget.limits)
    var reader = CSVReader(
      text.bytes, from: separator.start, separator: separator.byte, builder.budget.limits)
    let names = try names(&reader, options)
    let classIndex = try builder.classIndex(of: className)
    var columns: [CSVColumn] = []
    for name in names {
      builder.columns.append(ImportedGraph.Column(classIndex: classIndex, key: try builder.key(name)))
      let declared = declared?.column(ofKey: name, inClass: className)
      columns.append(CSVColumn(name, inClass: className, declared: declared, options))
    }
    var values = reader
    while let record = try record(&reader, names.count) {
      for (index, field) in record.enumerated() { columns[index].note(field) }
    }
    let keys = builder.columns.suffix(names.count).map(\.key)
    let first = builder.rows.count
    while let record = try record(&values, names.count) {
      try builder.budget.chargeRow(at: record[0].offset)
      var fields: [ImportedField] = []
      for (index, field) in record.enumerated() {
        fields.append(
          ImportedField(key: keys[index], value: try columns[index].value(of: field, &builder, &report)))
      }
      _ = builder.addRow(classIndex, fields, byteOffset: record[0].offset)
    }
    return first..<builder.rows.count
  }

  /// Returns the names of the columns, and moves the reader to the first row.
  private static func names(
    _ reader: inout CSVReader, _ options: TableOptions
  ) throws(ImportError) -> [String] {
    let start = reader
    guard let record = try reader.record(), record.count > 1 || !record[0].isEmpty else {
      throw ImportError(
        .malformedTable, found: reader.offset > start.offset ? "an empty first line" : "an empty file",
        expected: options.hasHeader
          ? "a first line with the names of the columns" : "a first line with the fields of a row",
        byteOffset: start.offset)
    }
    if !options.hasHeader { reader = start }
    var names = record.map { FormulaGuard.removed(from: $0.text) ?? $0.text }
    if !options.columnNames.isEmpty {
      guard options.columnNames.count == record.count else {
        throw ImportError(
          .malformedTable, found: "a first line of \(plural(record.count, "field"))",
          expected: "\(plural(options.columnNames.count, "field")), one for each name in the options",
          byteOffset: start.offset)
      }
      names = options.columnNames
    } else if !options.hasHeader {
      names = record.indices.map { "column\($0 + 1)" }
    }
    var seen: Set<ExactName> = []
    for (index, name) in names.enumerated() where !seen.insert(ExactName(name)).inserted {
      throw ImportError(
        .duplicateKey,
        found: name.isEmpty ? "two columns without a name" : "two columns with the name '\(name)'",
        expected: "a distinct name for each column", byteOffset: record[index].offset, key: name)
    }
    return names
  }

  /// Returns the next record, which has `count` fields. Skips empty lines if the table has several columns.
  private static func record(
    _ reader: inout CSVReader, _ count: Int
  ) throws(ImportError) -> [CSVReader.Field]? {
    while let record = try reader.record() {
      if record.count == 1, count > 1, record[0].isEmpty { continue }
      guard record.count == count else {
        throw ImportError(
          .malformedTable, found: "a line of \(plural(record.count, "field"))",
          expected: "\(plural(count, "field")), as in the first line", byteOffset: record[0].offset)
      }
      return record
    }
    return nil
  }
}
