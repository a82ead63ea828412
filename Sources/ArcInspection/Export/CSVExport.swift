import ArcArchive
import ArcFormat

/// `--format csv`: a folder with a file for each table of `TableModel`, by RFC 4180.
///
/// The first line has the names of the columns. Null is an empty field, an empty text is `""`. Numbers are as
/// Swift prints them, `nan`, `inf` and `-inf` too; data is base64.
///
/// A program that opens such a file as a spreadsheet takes a text that begins with `=`, `+`, `-` or `@` for a
/// formula, which may run programs. So texts of the archive that begin with one of these, with an apostrophe,
/// a tabulator or an end of line get an apostrophe in front: whoever takes it away again has the text. Where
/// a program divides lines at semicolons or tabulators, a field may begin within a text: there too the sign
/// gets an apostrophe in front, and so does an apostrophe.
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
    case .null, .nestedNull, .bool, .integer, .unsigned, .float, .double, .date, .uuid, .data, .reference:
      append(text, to: &bytes)
    // Nobody checks that the text of a decimal is one.
    case .decimal where DecimalNotation.normalized(text) != nil: append(text, to: &bytes)
    default: append(text, isGuarded: true, to: &bytes)
    }
  }

  /// Adds a field, in quotes where it must be, or could be taken for no field. One that is guarded has an
  /// apostrophe wherever a formula could begin.
  static func append(_ text: String, isGuarded: Bool = false, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 != quote && $0 != UInt8(ascii: ",") && $0 >= 0x20 }
    if !isPlain { bytes.append(quote) }
    if isGuarded, startsFormula(text) { bytes.append(UInt8(ascii: "'")) }
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
      if isGuarded, ";\t\r\n".utf8.contains(byte), startsFormulaInside(rest) {
        bytes.append(UInt8(ascii: "'"))
      }
    }
    if !isPlain { bytes.append(quote) }
  }

  /// Whether a spreadsheet may take a text for a formula, some in full width too, or it begins as those do
  /// that were changed for it.
  private static func startsFormula(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return "\t\r\n".utf8.contains(first) || startsWithSign(text.utf8[...])
  }

  /// The same for what follows a semicolon, a tabulator or the end of a line in a text, where a program that
  /// divides lines there has a field begin. Such a field may be in quotes.
  private static func startsFormulaInside(_ rest: Substring.UTF8View) -> Bool {
    let isQuoted = rest.first == UInt8(ascii: "\"")
    return startsWithSign(isQuoted ? rest.drop { $0 == UInt8(ascii: "\"") } : rest)
  }

  private static func startsWithSign(_ text: Substring.UTF8View) -> Bool {
    guard let first = text.first else { return false }
    if first < 0x80 { return "=+-@'".utf8.contains(first) }
    // The same signs in full width.
    return ["\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains { text.starts(with: $0.utf8) }
  }
}
