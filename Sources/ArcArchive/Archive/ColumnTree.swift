import ArcFormat

/// The columns of one property in one segment, bound to their chunks. Keeps the segment in memory.
@safe final class ColumnTree {
  let layout: ColumnLayout
  private let segment: RowsSegment
  private let set: ColumnReaderSet
  /// The chunks of the class by node of the class's layout, and the node there that is the first of `layout`.
  private let chunks: [Chunk?]
  private let firstNode: Int
  private let limits: ArchiveLimits
  private let strings: StringTable
  private let location: ColumnLocation

  init(
    _ segment: RowsSegment, _ rows: RowsSegment.ClassRows, position: Int, of file: ArchiveFile
  ) throws(ArchiveError) {
    let description = file.classes[rows.classIndex]
    let column = description.columns[position]
    var layout = ColumnLayout()
    try layout.append(column, className: description.name)
    self.layout = layout
    self.segment = segment
    limits = file.limits
    let whole = file.layouts[rows.classIndex]
    let firstNode = whole.roots[position]
    self.firstNode = firstNode
    chunks = rows.chunks
    strings = file.someStrings()
    location = ColumnLocation(className: description.name, key: column.key)
    set = ColumnReaderSet(
      layout,
      sources: layout.nodes.indices.map { ResolvedColumn(identity: firstNode + $0, in: whole) },
      locations: [location], strings: strings, context: nil)
    set.bind(chunks)
  }

  /// A column reader that returns the values of a node as a Swift type, from the first on; nil if not every
  /// value is one.
  ///
  /// Spec: 06-evolution, rule M4.
  func columns<Value: ColumnValue>(
    of node: Int, as type: Value.Type
  ) throws(ArchiveError) -> ColumnReaderSet? {
    let wanted = try ColumnLayout(of: Value.__columnType)
    var resolver = ColumnResolver(wanted: wanted, file: layout)
    guard let sources = resolver.resolve(root: 0, fileNode: node, within: layout.nodes.indices),
      wanted.nodes.allSatisfy({ Self.isReadAlone($0.kind, as: type) })
    else { return nil }
    let set = ColumnReaderSet(
      wanted, sources: sources, locations: [location], strings: strings, context: nil)
    // Chunks are known by the nodes of the class.
    set.bind(Array(chunks.dropFirst(firstNode)))
    return set
  }

  /// Whether values are read without a graph around them: not so objects, and structures and enumerations of
  /// a program, which may have fields by older names or contain themselves.
  private static func isReadAlone(_ kind: ColumnKind, as type: any ColumnValue.Type) -> Bool {
    switch kind {
    case .structure, .enumeration: false
    case .reference, .weak: type is any ReferenceHolder.Type
    default: true
    }
  }

  /// Whether the values of a node are of just that type, so that none must be widened.
  func holds<Value: ColumnValue>(_ type: Value.Type, in node: Int) throws(ArchiveError) -> Bool {
    let wanted = try ColumnLayout(of: Value.__columnType)
    return wanted.nodes[0].kind == layout.nodes[node].kind
  }

  /// A reader at the first value of a node, and what reads values of any type from it.
  func dynamicReader(atStartOf node: Int) -> (column: ColumnReader, reader: ValueReader) {
    set.bind(chunks)
    return (
      set.column(ofNode: node),
      ValueReader(
        layout: layout, areEmpty: set.areEmpty, budget: DynamicBudget(limits), nesting: limits.valueNesting)
    )
  }

  /// An error that names the class and key of the column.
  func error(
    _ code: ArchiveError.Code, found: String, expected: String, remedy: String
  ) -> ArchiveError {
    set.column(0).error(code, found: found, expected: expected, remedy: remedy)
  }

  /// The bits of a node, at most as many as it has.
  func bits(of node: Int, count: Int) -> [Bool] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { chunk.bit($0) }
  }

  /// The unsigned integers of a node, at most as many as it has. They fit: they were checked with the
  /// segment.
  func integers(of node: Int, count: Int) -> [Int] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { Int(truncatingIfNeeded: chunk.unsigned($0)) }
  }

  /// The numbers of a node's strings in the table, at most as many as it has; nil if it has their text.
  func stringNumbers(of node: Int, count: Int) -> [Int]? {
    set.chunk(ofNode: node).usesStringTable ? integers(of: node, count: count) : nil
  }

  /// A string of the table.
  func string(_ number: Int) throws(ArchiveError) -> String {
    try strings.string(UInt64(max(number, 0)))
  }

  /// Calls `body` with the numbers of a node in the file's memory, if they are there in the form of `Number`:
  /// as wide, aligned, and in the byte order of the machine; otherwise returns nil.
  func withPlainValues<Number: BitwiseCopyable, Result>(
    of node: Int, count: Int, as type: Number.Type, _ body: (Span<Number>) throws -> Result
  ) rethrows -> Result? {
    guard 1.littleEndian == 1, let chunk = chunks[firstNode + node], chunk.form == .plain,
      chunk.width == MemoryLayout<Number>.size, count <= chunk.count
    else { return nil }
    // This object keeps the segment in memory.
    defer { withExtendedLifetime(self) {} }
    return try chunk.values[0..<count * chunk.width].withSpan(of: type, body)
  }
}
