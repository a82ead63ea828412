import ArcFormat
import ArcJSON

/// Reads the objects of JSON Lines, or of a JSON document, as rows. Nested objects become rows, too.
///
/// An array contains the objects whose members are not yet read, so nesting uses no stack.
struct JSONTable {
  private var builder: TableBuilder
  private var report = ImportReport()
  /// The classes of nested objects. The cache ensures that each class name is built only once.
  private var innerClasses: [InnerClass: Int] = [:]
  /// Objects and arrays that have a row, but whose values are not yet read.
  private var pending: [(node: JSONNode, row: Int)] = []
  /// The byte offset of the current line, or of the document.
  private var textOffset = 0

  /// Identifies the class of nested objects by the class of the enclosing object and the key of the value
  /// that contains them.
  private struct InnerClass: Hashable {
    let classIndex: Int
    /// The key of the value that contains the objects. Nil for an array in an array: its objects have the
    /// class `classIndex` itself.
    let key: Int?
  }

  /// Takes the contents of the builder, so that its arrays are not copied. `finish` returns them.
  private init(_ builder: inout TableBuilder) {
    self.builder = builder
    builder = TableBuilder(builder.budget)
  }

  // MARK: Files

  /// Adds an object per line to the builder. Returns the indices of the rows of these objects.
  static func readLines(
    _ text: TableText, class className: String, into builder: inout TableBuilder, _ report: inout ImportReport
  ) throws(ImportError) -> [Int] {
    let bytes = text.bytes
    var table = JSONTable(&builder)
    let rootClass = try table.builder.classIndex(of: className)
    var rows: [Int] = []
    var start = text.start
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
        table.textOffset = start
        let root = try table.document(Array(bytes[start..<end]), "a line that is not valid JSON").root
        guard root.kind == .object else { throw table.unexpected(root, in: "a line with", "on each line") }
        rows.append(try table.rows(of: root, rootClass))
      }
      start = end + 1
    }
    table.finish(&builder, &report)
    return rows
  }

  /// Adds the objects at a path of a document to the builder. Returns the indices of the rows of these
  /// objects, and whether the value at the path is a single object instead of an array.
  static func readDocument(
    _ text: TableText, class className: String, at path: String, into builder: inout TableBuilder,
    _ report: inout ImportReport
  ) throws(ImportError) -> (rows: [Int], isSingle: Bool) {
    var table = JSONTable(&builder)
    let rootClass = try table.builder.classIndex(of: className)
    table.textOffset = text.start
    let document = try table.document(Array(text.bytes[text.start...]), "a document that is not valid JSON")
    let root = try table.node(at: path, in: document)
    guard root.kind == .array else {
      guard root.kind == .object else {
        throw table.unexpected(
          root, in: "a document with", "or an array of objects", "state the path to the rows")
      }
      let row = try table.rows(of: root, rootClass)
      table.finish(&builder, &report)
      return ([row], true)
    }
    var rows: [Int] = []
    for element in root.elements {
      guard element.kind == .object else {
        throw table.unexpected(element, in: "an array with", "in each element")
      }
      rows.append(try table.rows(of: element, rootClass))
    }
    table.finish(&builder, &report)
    return (rows, false)
  }

  private func finish(_ builder: inout TableBuilder, _ report: inout ImportReport) {
    builder = self.builder
    report.add(self.report.notes)
  }

  private func document(_ bytes: [UInt8], _ found: String) throws(ImportError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(bytes)
    } catch {
      throw ImportError(
        .malformedTable, found: "\(found): \(error.found)",
        expected: error.expected ?? "a JSON object", byteOffset: textOffset + error.byteOffset)
    }
  }

  private func unexpected(
    _ node: JSONNode, in container: String, _ location: String, _ remedy: String? = nil
  ) -> ImportError {
    ImportError(
      .malformedTable, found: "\(container) a JSON value of kind '\(node.kind.rawValue)'",
      expected: "a JSON object \(location)",
      remedy: remedy.map { "\($0): --at data.items, or in a program TableOptions(path: \"data.items\")" },
      byteOffset: textOffset + node.byteOffset)
  }

  private func node(at path: String, in document: JSONDocument) throws(ImportError) -> JSONNode {
    guard let steps = JSONPath(path)?.steps else {
      throw ImportError(
        .malformedTable, found: "the path '\(path)'",
        expected: "member names with dots between them, and indices, such as data.pages[0].items")
    }
    var node = document.root
    for step in steps {
      let next: JSONNode? =
        switch step {
        case .member(let name): node[name]
        case .element(let position): node[position]
        }
      guard let next else { throw missing(step, of: node, path) }
      node = next
    }
    return node
  }

  private func missing(_ step: JSONPath.Step, of node: JSONNode, _ path: String) -> ImportError {
    let expected: String =
      switch (step, node.kind) {
      case (.member, .object):
        "one of the members " + node.members.prefix(10).map { "'\($0.name)'" }.joined(separator: ", ")
      case (.member, _): "an object instead of a value of kind '\(node.kind.rawValue)'"
      case (.element, .array): "an index below \(node.count)"
      case (.element, _): "an array instead of a value of kind '\(node.kind.rawValue)'"
      }
    return ImportError(
      .malformedTable, found: "no value at the path '\(path)'", expected: expected,
      byteOffset: textOffset + node.byteOffset)
  }

  // MARK: Objects

  /// Adds an object and all objects in it. Returns the row of the object.
  private mutating func rows(of node: JSONNode, _ classIndex: Int) throws(ImportError) -> Int {
    let first = try addRow(node, classIndex)
    while let (node, row) = pending.popLast() { try fill(row, with: node) }
    return first
  }

  /// Returns the index of the class of the objects in a value. Adds the class if it is new.
  private mutating func classNumber(of inner: InnerClass, at offset: Int) throws(ImportError) -> Int {
    guard let key = inner.key else { return inner.classIndex }
    if let known = innerClasses[inner] { return known }
    let (outer, name) = (builder.classes[inner.classIndex].name, builder.keys[key])
    // Charged before the name is built, because the name contains all enclosing keys. The sum cannot
    // overflow, because both names are in memory.
    try builder.budget.chargeClass(nameByteCount: outer.utf8.count + name.utf8.count + 1, at: offset)
    let number = builder.classIndexOfCharged(outer + "." + name)
    innerClasses[inner] = number
    return number
  }

  private mutating func addRow(_ node: JSONNode, _ classIndex: Int) throws(ImportError) -> Int {
    let offset = textOffset + node.byteOffset
    try builder.budget.chargeRow(at: offset)
    let row = builder.addRow(classIndex, [], byteOffset: offset)
    pending.append((node, row))
    return row
  }

  private mutating func fill(_ row: Int, with node: JSONNode) throws(ImportError) {
    let classIndex = builder.rows[row].classIndex
    let offset = textOffset + node.byteOffset
    var fields: [ImportedField] = []
    if node.kind == .array {
      let inner = InnerClass(classIndex: classIndex, key: nil)
      fields.append(ImportedField(key: try builder.key("objects", at: offset), value: try list(node, inner)))
    }
    for (name, value) in node.members {
      let key = try builder.key(name, at: offset)
      let inner = InnerClass(classIndex: classIndex, key: key)
      let value = value.kind == .array ? try list(value, inner) : try self.value(value, inner)
      fields.append(ImportedField(key: key, value: value))
    }
    builder.setFields(ofRow: row, fields)
  }

  private mutating func list(_ node: JSONNode, _ inner: InnerClass) throws(ImportError) -> ImportedValue {
    try builder.budget.charge(elements: 1, at: textOffset + node.byteOffset)
    var values: [ImportedValue] = []
    for element in node.elements { values.append(try value(element, inner)) }
    return builder.addCollection(values)
  }

  /// Returns a value. An object, or an array in an array, becomes a row.
  private mutating func value(_ node: JSONNode, _ inner: InnerClass) throws(ImportError) -> ImportedValue {
    let offset = textOffset + node.byteOffset
    switch node.kind {
    case .null:
      try builder.budget.charge(elements: 1, at: offset)
      return ImportedValue(.nothing)
    case .bool: return ImportedValue(.bool, try builder.nodes.add(.bool(node.bool ?? false), at: offset))
    case .string: return ImportedValue(.string, try builder.nodes.add(node.string ?? "", at: offset))
    case .number: return try number(node.number?.text ?? "", inner, at: offset)
    case .object, .array:
      return ImportedValue(.object, try addRow(node, classNumber(of: inner, at: offset)))
    }
  }

  /// Returns a number: an integer of at most 128 bits; otherwise a Double that has all digits; otherwise a
  /// decimal. A number whose notation differs from the archive's notation is noted.
  private mutating func number(
    _ text: String, _ inner: InnerClass, at offset: Int
  ) throws(ImportError) -> ImportedValue {
    if let integer = Int128(text), integer.description == text {
      return ImportedValue(.integer, try builder.nodes.add(.integer(integer), at: offset))
    }
    if let real = NumberNotation.real(text) {
      noteNotation(of: text, real.written, inner)
      return ImportedValue(.real, try builder.nodes.add(.real(real.value), at: offset))
    }
    guard let decimal = DecimalNotation.normalized(text) else {
      throw ImportError(
        .valueOutOfRange, found: "the number \(text)",
        expected: "a number of at most 130 digits, or one that a Double represents", byteOffset: offset)
    }
    noteNotation(of: text, decimal, inner)
    return try builder.addDecimal(decimal, at: offset)
  }

  private mutating func noteNotation(of text: String, _ written: String, _ inner: InnerClass) {
    guard written != text else { return }
    report.note(
      .changedNumber,
      "class '\(builder.classes[inner.classIndex].name)', key '\(inner.key.map { builder.keys[$0] } ?? "objects")': "
        + "'\(text)' is now \(written)")
  }
}
