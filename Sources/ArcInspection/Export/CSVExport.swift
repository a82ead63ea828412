import ArcFormat

/// `--format csv`: a folder with a file for each table of `TableModel`, by RFC 4180.
///
/// The first line has the names of the columns. Null is an empty field, an empty text is `""`. Numbers are as
/// Swift prints them, `nan`, `inf` and `-inf` too; data is base64.
///
/// A program that opens such a file as a spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a
/// formula, which may run programs. So texts of the archive that begin with one of these, with an apostrophe,
/// a tabulator or an end of line get an apostrophe in front: whoever takes it away again has the text.
final class CSVExport: ExportWriter {
  private let model: TableModel
  private let outputs: [Output]
  /// The tables that something was written to since the last batch.
  private var dirty: Set<Int> = []

  init(_ objects: ExportedObjects, to target: any ExportTarget) throws {
    model = TableModel(objects, names: .file)
    let list = try target.file(named: model.listName + ".csv")
    try CSVText.write([.string("name"), .string("class"), .string("property")], to: list)
    for cells in model.list { try CSVText.write(cells, to: list) }
    outputs = try model.tables.map { table in
      let output = try target.file(named: table.name + ".csv")
      try CSVText.write(table.columns.map { .string($0.name) }, to: output)
      return output
    }
  }

  func begin() throws {
    // Memory does not grow with the number of tables.
    for output in outputs { try output.flush() }
  }

  func write(_ row: ExportedRow) throws {
    try model.forEachRow(of: row) { [self] table, cells in
      dirty.insert(table)
      try CSVText.write(cells, to: outputs[table])
    }
  }

  func endBatch() throws {
    for table in dirty { try outputs[table].flush() }
    dirty.removeAll(keepingCapacity: true)
  }
}

/// Fields of CSV.
enum CSVText {
  /// Writes a record.
  static func write(_ cells: [ArchiveValue], to output: Output) throws {
    var bytes: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try append(cell, to: &bytes)
    }
    bytes += "\r\n".utf8
    try output.write(bytes)
  }

  /// Writes a record of texts as they are, for programs that know no formulas; nil is an empty field.
  static func write(fields: [String?], to output: Output) throws(OutputFailure) {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if let field { append(field, to: &bytes) }
    }
    bytes += "\r\n".utf8
    try output.write(bytes)
  }

  private static func append(_ cell: ArchiveValue, to bytes: inout [UInt8]) throws {
    guard let text = try CellText.text(cell) else { return }
    switch cell {
    case .string, .url: append(text, isUnsafe: startsFormula(text), to: &bytes)
    // Nobody checks that the text of a decimal is one.
    case .decimal:
      append(text, isUnsafe: startsFormula(text) && DecimalNotation.normalized(text) == nil, to: &bytes)
    default: append(text, isUnsafe: false, to: &bytes)
    }
  }

  /// Adds a field, in quotes where it must be, or could be taken for no field.
  static func append(_ text: String, isUnsafe: Bool = false, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 != quote && $0 != UInt8(ascii: ",") && $0 >= 0x20 }
    if !isPlain { bytes.append(quote) }
    if isUnsafe { bytes.append(UInt8(ascii: "'")) }
    for byte in text.utf8 {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    if !isPlain { bytes.append(quote) }
  }

  /// Whether a spreadsheet may take a text for a formula, some in full width too, or it begins as those do
  /// that were changed for it.
  private static func startsFormula(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return "=+-@'\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
  }
}
