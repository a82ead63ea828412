import ArcFormat
import ArcJSON
import ArcRuntime

/// Reads JSON Lines, with one object per line. Nested objects become rows, too.
///
/// An array contains the objects whose members are not yet read, so nesting uses no stack.
struct JSONLinesTable {
  private var nodes: TableNodes
  private var graph: (rows: [ImportedRow], fields: [ImportedField]) = ([], [])
  private var collections: [Range<Int>] = []
  private var elements: [ImportedValue] = []
  private var keys: [String] = []
  private var keyNumbers: [ExactName: Int] = [:]
  private var classes: [ImportedClass] = []
  private var classNumbers: [ExactName: Int] = [:]
  /// The classes of nested objects. The cache ensures that each class name is built only once.
  private var innerClasses: [InnerClass: Int] = [:]
  private let budget: ImportBudget
  /// Objects and arrays that have a row, but whose values are not yet read.
  private var pending: [(node: JSONNode, row: Int)] = []
  /// The byte offset of the current line.
  private var lineOffset = 0

  /// Identifies the class of nested objects by the class of the enclosing object, and by the key whose value
  /// contains the nested objects.
  private struct InnerClass: Hashable {
    let classIndex: Int
    /// The key. Nil for an array in an array: the objects of the inner array have the class `classIndex`.
    let key: Int?
  }

  static func graph(
    of bytes: [UInt8], _ options: TableImport.Options, _ budget: ImportBudget
  ) throws(ImportError) -> ImportedGraph {
    try budget.checkFile(byteCount: bytes.count)
    var table = JSONLinesTable(budget)
    let rootClass = table.addClass(options.className)
    var rootRows: [Int] = []
    var (start, line) = (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, 0)
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      line += 1
      if bytes[start..<end].contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
        table.lineOffset = start
        rootRows.append(try table.read(Array(bytes[start..<end]), line: line, rootClass))
      }
      start = end + 1
    }
    var graph = ImportedGraph(list: table.nodes.list(.jsonLines))
    (graph.rows, graph.fields, graph.keys) = (table.graph.rows, table.graph.fields, table.keys)
    (graph.collections, graph.elements, graph.classes) = (table.collections, table.elements, table.classes)
    graph.finishTable(options, rootRows: rootRows)
    return graph
  }

  private init(_ budget: ImportBudget) {
    self.budget = budget
    nodes = TableNodes(budget)
  }

  /// Returns the index of the class for nested objects. Adds the class if it is new.
  private mutating func classNumber(of inner: InnerClass, at offset: Int) throws(ImportError) -> Int {
    guard let key = inner.key else { return inner.classIndex }
    if let known = innerClasses[inner] { return known }
    let (outer, name) = (classes[inner.classIndex].name, keys[key])
    // The sum cannot overflow, because both names are in memory.
    try budget.chargeClass(nameByteCount: outer.utf8.count + name.utf8.count + 1, at: offset)
    let number = addClass(outer + "." + name)
    innerClasses[inner] = number
    return number
  }

  private mutating func addClass(_ name: String) -> Int {
    if let known = classNumbers[ExactName(name)] { return known }
    classes.append(ImportedClass(name: name, superclasses: []))
    classNumbers[ExactName(name)] = classes.count - 1
    return classes.count - 1
  }

  private mutating func keyNumber(of key: String) throws(ImportError) -> Int {
    if let known = keyNumbers[ExactName(key)] { return known }
    try budget.charge(bytes: key.utf8.count, at: lineOffset)
    keys.append(key)
    keyNumbers[ExactName(key)] = keys.count - 1
    return keys.count - 1
  }

  /// Reads a line. Returns the row of its object.
  private mutating func read(_ text: [UInt8], line: Int, _ classIndex: Int) throws(ImportError) -> Int {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(text)
    } catch {
      throw ImportError(
        .malformedTable, found: "a line that is not valid JSON (\(error))",
        expected: "a JSON object on each line",
        byteOffset: lineOffset,
        line: line)
    }
    guard document.root.kind == .object else {
      throw ImportError(
        .malformedTable, found: "a line with a JSON value of kind '\(document.root.kind.rawValue)'",
        expected: "a JSON object on each line",
        byteOffset: lineOffset,
        line: line)
    }
    let first = try addRow(document.root, classIndex)
    while let (node, row) = pending.popLast() { try fill(row, with: node) }
    return first
  }

  private mutating func addRow(_ node: JSONNode, _ classIndex: Int) throws(ImportError) -> Int {
    let offset = lineOffset + node.byteOffset
    try budget.chargeRow(at: offset)
    graph.rows.append(ImportedRow(classIndex: classIndex, fields: 0..<0, uid: nil, byteOffset: offset))
    pending.append((node, graph.rows.count - 1))
    return graph.rows.count - 1
  }

  private mutating func fill(_ row: Int, with node: JSONNode) throws(ImportError) {
    let known = graph.rows[row]
    var fields: [ImportedField] = []
    if node.kind == .array {
      let inner = InnerClass(classIndex: known.classIndex, key: nil)
      fields.append(ImportedField(key: try keyNumber(of: "objects"), value: try list(node, inner)))
    }
    for (name, value) in node.members {
      let key = try keyNumber(of: name)
      let inner = InnerClass(classIndex: known.classIndex, key: key)
      let value = value.kind == .array ? try list(value, inner) : try self.value(value, inner)
      fields.append(ImportedField(key: key, value: value))
    }
    let start = graph.fields.count
    graph.fields += fields
    graph.rows[row] = ImportedRow(
      classIndex: known.classIndex, fields: start..<graph.fields.count, uid: nil, byteOffset: known.byteOffset
    )
  }

  private mutating func list(_ node: JSONNode, _ inner: InnerClass) throws(ImportError) -> ImportedValue {
    try budget.charge(elements: 1, at: lineOffset + node.byteOffset)
    var values: [ImportedValue] = []
    for element in node.elements { values.append(try value(element, inner)) }
    collections.append(elements.count..<elements.count + values.count)
    elements += values
    return ImportedValue(.list, collections.count - 1)
  }

  /// Returns a value. An object, or an array in an array, becomes a row.
  private mutating func value(_ node: JSONNode, _ inner: InnerClass) throws(ImportError) -> ImportedValue {
    let offset = lineOffset + node.byteOffset
    switch node.kind {
    case .null:
      try budget.charge(elements: 1, at: offset)
      return ImportedValue(.nothing)
    case .bool: return ImportedValue(.bool, try nodes.add(.bool(node.bool ?? false), at: offset))
    case .string: return ImportedValue(.string, try nodes.add(node.string ?? "", at: offset))
    case .number:
      if let integer = node.number.flatMap({ Int128($0.text) }) {
        return ImportedValue(.integer, try nodes.add(.integer(integer), at: offset))
      }
      guard let real = node.number?.double else {
        throw ImportError(
          .valueOutOfRange, found: "the number \(node.number?.text ?? "")",
          expected: "a number that a Double can hold",
          byteOffset: offset)
      }
      return ImportedValue(.real, try nodes.add(.real(real), at: offset))
    case .object, .array:
      return ImportedValue(.object, try addRow(node, classNumber(of: inner, at: offset)))
    }
  }
}
