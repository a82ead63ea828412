import ArcFormat
import ArcRuntime

/// Reads comma-separated values in two passes: first the types of the columns, then the values.
enum CSVTable {
  static func graph(
    of bytes: [UInt8], _ options: TableImport.Options, _ budget: ImportBudget
  ) throws(ImportError) -> ImportedGraph {
    try budget.checkFile(byteCount: bytes.count)
    var reader = try CSVReader(bytes)
    let names = try header(&reader)
    for name in names { try budget.chargeName(byteCount: name.utf8.count) }
    var values = reader
    var types = [FieldType](repeating: FieldType(), count: names.count)
    while let record = try record(&reader, names.count) {
      for (index, field) in record.enumerated() { types[index].note(field) }
    }
    var nodes = TableNodes(budget)
    var (rows, fields): ([ImportedRow], [ImportedField]) = ([], [])
    while let record = try record(&values, names.count) {
      let start = fields.count
      try budget.chargeRow(at: record.first?.offset)
      for (index, field) in record.enumerated() {
        let value = try types[index].value(of: field, &nodes)
        if value.kind == .nothing { try budget.charge(elements: 1, at: field.offset) }
        fields.append(ImportedField(key: index, value: value))
      }
      rows.append(
        ImportedRow(
          classIndex: 0, fields: start..<fields.count, uid: nil, byteOffset: record.first?.offset ?? 0))
    }
    var graph = ImportedGraph(list: nodes.list(.csv))
    (graph.rows, graph.fields, graph.keys) = (rows, fields, names)
    graph.finishTable(options, rootRows: Array(rows.indices))
    graph.columns = names.indices.map { ImportedGraph.Column(classIndex: 0, key: $0) }
    return graph
  }

  private static func header(_ reader: inout CSVReader) throws(ImportError) -> [String] {
    let record = try reader.record()
    let isEmptyLine = record.map { $0.count == 1 && $0[0].text.isEmpty && !$0[0].isQuoted } ?? false
    guard let names = record?.map(\.text), !isEmptyLine else {
      throw ImportError(
        .malformedTable, found: isEmptyLine ? "an empty first line" : "an empty file",
        expected: "a first line with the names of the columns", line: 1)
    }
    var seen: Set<ExactName> = []
    for name in names {
      guard seen.insert(ExactName(name)).inserted else {
        throw ImportError(
          .duplicateKey,
          found: name.isEmpty ? "two columns without a name" : "two columns with the name '\(name)'",
          expected: "a distinct name for each column", line: 1, key: name)
      }
    }
    return names
  }

  /// Reads the next record. Skips empty lines if the table has several columns. Throws if the record does not
  /// have `count` fields. Nil at the end of the file.
  private static func record(
    _ reader: inout CSVReader, _ count: Int
  ) throws(ImportError) -> [CSVReader.Field]? {
    while true {
      let line = reader.line
      guard let record = try reader.record() else { return nil }
      if record.count == 1, count > 1, record[0].text.isEmpty, !record[0].isQuoted { continue }
      guard record.count == count else {
        throw ImportError(
          .malformedTable, found: "a line of \(plural(record.count, "field"))",
          expected: "\(plural(count, "field")), as in the first line",
          byteOffset: record.first?.offset, line: line)
      }
      return record
    }
  }
}

extension ImportedGraph {
  /// Completes the graph of a table. The root becomes an array of the objects in `rootRows`.
  mutating func finishTable(_ options: TableImport.Options, rootRows: [Int]) {
    fileName = options.fileName
    format = list.notation.rawValue
    if classes.isEmpty { classes = [ImportedClass(name: options.className, superclasses: [])] }
    rowOfObject = rows.indices.map { Int32(truncatingIfNeeded: $0) }
    collections.append(elements.count..<elements.count + rootRows.count)
    elements += rootRows.map { ImportedValue(.object, $0) }
    roots = [("root", ImportedValue(.list, collections.count - 1))]
  }
}

/// The types that fit all fields that have been read so far in a column.
struct FieldType {
  private var (canBeBool, canBeInteger, canBeReal, canBeUUID, canBeDate) = (true, true, true, true, true)
  private var hasValue = false

  /// Excludes the types that do not fit a field.
  mutating func note(_ field: CSVReader.Field) {
    if field.text.isEmpty, !field.isQuoted { return }
    hasValue = true
    let text = field.text
    if canBeBool { canBeBool = text == "true" || text == "false" }
    if canBeInteger { canBeInteger = Self.integer(text) != nil }
    if canBeReal { canBeReal = Self.real(text) != nil }
    if canBeUUID { canBeUUID = UUIDNotation.bytes(text) != nil }
    if canBeDate { canBeDate = text.utf8.count >= 19 && DateNotation.seconds(text) != nil }
  }

  /// Returns a signed or unsigned integer of 64 bits. Nil for any other text, and for an unusual notation
  /// such as `007`.
  private static func integer(_ text: String) -> Int128? {
    guard text.utf8.count <= 20, let value = Int128(text), value.description == text,
      Int64(exactly: value) != nil || UInt64(exactly: value) != nil
    else { return nil }
    return value
  }

  /// Returns a number with at most 15 digits, which a Double represents without loss. Nil for other text.
  private static func real(_ text: String) -> Double? {
    let digitCount = text.utf8.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard digitCount > 0, digitCount <= 15, text.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
      let first = text.utf8.first,
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= first || first == UInt8(ascii: "-"),
      let value = Double(text), value.isFinite
    else { return nil }
    // A text such as 007 looks like a number, but is a name.
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !unsigned.hasPrefix("0") || unsigned.utf8.count == 1 || unsigned.hasPrefix("0.") else { return nil }
    return value
  }

  func value(of field: CSVReader.Field, _ nodes: inout TableNodes) throws(ImportError) -> ImportedValue {
    let (text, offset) = (field.text, field.offset)
    if text.isEmpty, !field.isQuoted { return ImportedValue(.nothing) }
    if canBeBool, hasValue { return ImportedValue(.bool, try nodes.add(.bool(text == "true"), at: offset)) }
    if canBeInteger, let value = Self.integer(text) {
      return ImportedValue(.integer, try nodes.add(.integer(value), at: offset))
    }
    if canBeReal, let value = Self.real(text) {
      return ImportedValue(.real, try nodes.add(.real(value), at: offset))
    }
    if canBeUUID, let value = UUIDNotation.bytes(text) {
      let bytes = (0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128($0 * 8)) }
      return ImportedValue(.uuid, try nodes.add(data: bytes, at: offset))
    }
    if canBeDate, let value = DateNotation.seconds(text) {
      return ImportedValue(.date, try nodes.add(.date(value), at: offset))
    }
    return ImportedValue(.string, try nodes.add(text, at: offset))
  }
}
