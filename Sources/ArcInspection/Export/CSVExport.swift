import ArcArchive
import ArcForeign
import ArcFormat

/// `--format csv`: a folder with a CSV file for each table of `TableModel`, according to RFC 4180.
///
/// The first line contains the names of the columns. Null is an empty field, and an empty string is `""`.
/// Numbers are written as Swift prints them, including `nan`, `inf` and `-inf`. Data is base64.
///
/// A spreadsheet treats a field that begins with `=`, `+`, `-` or `@` as a formula, which may run programs.
/// So an apostrophe is inserted before a string that begins with one of these signs, an apostrophe, a tab or
/// an end of line. A reader restores the string by removing the apostrophe. Some programs also split a line
/// at semicolons or tabs, so that a field can begin in the middle of a string. Therefore a sign or apostrophe
/// after a semicolon, tab or end of line gets an apostrophe too.
final class CSVExport: ExportWriter {
  private let model: TableModel
  private let outputs: [Output]
  /// The indices of the tables to which rows were written since the last batch.
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
    // Releases the buffers, so that memory does not grow with the number of tables.
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

/// Writes records and fields of CSV.
enum CSVText {
  /// Writes a record. Strings that a spreadsheet could read as formulas are guarded by an apostrophe.
  static func write(_ cells: [ArchiveValue], to output: Output) throws {
    var bytes: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      try append(cell, to: &bytes)
    }
    bytes += "\r\n".utf8
    try output.write(bytes)
  }

  /// Writes a record of strings without guards, for programs that have no formulas. Nil is an empty field.
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
    // A decimal is guarded if its text is not a number, because reading does not verify the text.
    case .decimal where DecimalNotation.normalized(text) != nil: append(text, to: &bytes)
    default: append(text, isGuarded: true, to: &bytes)
    }
  }

  /// Appends a field. It is quoted if CSV requires quotes, and also if it is empty, because an empty field
  /// without quotes is null. If `isGuarded`, an apostrophe is inserted wherever a formula could begin.
  static func append(_ text: String, isGuarded: Bool = false, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { $0 != quote && $0 != UInt8(ascii: ",") && $0 >= 0x20 }
    if !isPlain { bytes.append(quote) }
    if isGuarded, FormulaGuard.isNeeded(atStartOf: text.utf8[...]) { bytes.append(UInt8(ascii: "'")) }
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
      if isGuarded, ";\t\r\n".utf8.contains(byte), FormulaGuard.isNeeded(inside: rest) {
        bytes.append(UInt8(ascii: "'"))
      }
    }
    if !isPlain { bytes.append(quote) }
  }
}
