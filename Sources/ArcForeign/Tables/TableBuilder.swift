import ArcFormat
import ArcRuntime

/// Collects the rows, values and classes of tables in flat arrays. All tables of one import share a builder,
/// so that rows of one table can refer to rows of another table.
///
/// Each class, name and value is charged against the limits before it is stored. Readers charge rows before
/// they read the values of a row.
struct TableBuilder {
  let budget: ImportBudget
  var nodes: TableNodes
  private(set) var rows: [ImportedRow] = []
  private(set) var fields: [ImportedField] = []
  private(set) var collections: [Range<Int>] = []
  private(set) var elements: [ImportedValue] = []
  private(set) var decimals: [String] = []
  private(set) var keys: [String] = []
  private var keyNumbers: [ExactName: Int] = [:]
  private(set) var classes: [ImportedClass] = []
  private var classNumbers: [ExactName: Int] = [:]
  /// Columns that the archive contains even if no row has a value in them.
  var columns: [ImportedGraph.Column] = []
  var roots: [(name: String, value: ImportedValue)] = []

  init(_ budget: ImportBudget) {
    self.budget = budget
    nodes = TableNodes(budget)
  }

  // MARK: Names

  /// Returns the index of a key. Adds the key if it is new.
  mutating func key(_ name: String, at offset: Int? = nil) throws(ImportError) -> Int {
    if let known = keyNumbers[ExactName(name)] { return known }
    try budget.chargeName(byteCount: name.utf8.count, at: offset)
    keys.append(name)
    keyNumbers[ExactName(name)] = keys.count - 1
    return keys.count - 1
  }

  /// Returns the index of a class. Adds the class if it is new.
  mutating func classIndex(of name: String, at offset: Int? = nil) throws(ImportError) -> Int {
    if let known = classNumbers[ExactName(name)] { return known }
    try budget.chargeClass(nameByteCount: name.utf8.count, at: offset)
    return classIndexOfCharged(name)
  }

  /// Returns the index of a class that was already charged. Adds the class if it is new.
  mutating func classIndexOfCharged(_ name: String) -> Int {
    if let known = classNumbers[ExactName(name)] { return known }
    classes.append(ImportedClass(name: name, superclasses: []))
    classNumbers[ExactName(name)] = classes.count - 1
    return classes.count - 1
  }

  // MARK: Values

  /// Adds a row, which the caller has charged. Returns its index.
  mutating func addRow(_ classIndex: Int, _ values: [ImportedField], byteOffset: Int? = nil) -> Int {
    rows.append(
      ImportedRow(
        classIndex: classIndex, fields: append(values), uid: nil, byteOffset: byteOffset ?? 0))
    return rows.count - 1
  }

  /// Sets the values of a row that was added without values.
  mutating func setFields(ofRow row: Int, _ values: [ImportedField]) {
    let known = rows[row]
    rows[row] = ImportedRow(
      classIndex: known.classIndex, fields: append(values), uid: nil, byteOffset: known.byteOffset)
  }

  private mutating func append(_ values: [ImportedField]) -> Range<Int> {
    fields += values
    return fields.count - values.count..<fields.count
  }

  /// Replaces the value of a field.
  mutating func setValue(ofField index: Int, _ value: ImportedValue) {
    fields[index] = ImportedField(key: fields[index].key, value: value)
  }

  /// Adds a collection. For a dictionary, `values` contains all keys, followed by all values of the
  /// dictionary.
  mutating func addCollection(
    _ values: [ImportedValue], _ kind: ImportedValue.Kind = .list
  ) -> ImportedValue {
    collections.append(elements.count..<elements.count + values.count)
    elements += values
    return ImportedValue(kind, collections.count - 1)
  }

  /// Adds a decimal in the notation of archives.
  mutating func addDecimal(_ text: String, at offset: Int) throws(ImportError) -> ImportedValue {
    try budget.charge(elements: 1, at: offset)
    try budget.charge(bytes: text.utf8.count, at: offset)
    decimals.append(text)
    return ImportedValue(.decimal, decimals.count - 1)
  }

  /// Adds a root that contains the objects in `rows`.
  mutating func addRoot(_ name: String, rows: some Collection<Int>) {
    roots.append((name, addCollection(rows.map { ImportedValue(.object, $0) })))
  }

  /// The contents as a graph.
  func graph(fileName: String?, format: String) -> ImportedGraph {
    var graph = ImportedGraph(list: nodes.list(.csv))
    (graph.fileName, graph.format) = (fileName, format)
    (graph.rows, graph.fields, graph.keys, graph.classes) = (rows, fields, keys, classes)
    (graph.collections, graph.elements, graph.decimals) = (collections, elements, decimals)
    (graph.columns, graph.roots) = (columns, roots)
    graph.rowOfObject = rows.indices.map { Int32(truncatingIfNeeded: $0) }
    return graph
  }
}

/// Collects the values of a table in flat arrays.
struct TableNodes {
  private(set) var content: [UInt8] = []
  private(set) var nodes: [PropertyList.Node] = []
  private(set) var byteOffsets: [Int] = []
  private let budget: ImportBudget

  init(_ budget: ImportBudget) { self.budget = budget }

  /// Adds a value. Returns its index.
  mutating func add(_ node: PropertyList.Node, at offset: Int) throws(ImportError) -> Int {
    try budget.charge(elements: 1, at: offset)
    nodes.append(node)
    byteOffsets.append(offset)
    return nodes.count - 1
  }

  mutating func add(_ text: String, at offset: Int) throws(ImportError) -> Int {
    try budget.charge(bytes: text.utf8.count, at: offset)
    let start = content.count
    content += text.utf8
    return try add(.string(start: start, count: content.count - start, .utf8), at: offset)
  }

  mutating func add(data: [UInt8], at offset: Int) throws(ImportError) -> Int {
    try budget.charge(bytes: data.count, at: offset)
    let start = content.count
    content += data
    return try add(.data(start: start, count: data.count), at: offset)
  }

  func list(_ notation: PropertyList.Notation) -> PropertyList {
    PropertyList(
      notation: notation, content: content, nodes: nodes, byteOffsets: byteOffsets, references: [], top: 0)
  }
}
