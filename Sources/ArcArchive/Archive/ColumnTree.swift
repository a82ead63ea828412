import ArcFormat

/// The columns of one property in one segment, bound to their chunks. A tree retains the segment.
@safe final class ColumnTree {
  let layout: ColumnLayout
  private let segment: RowsSegment
  private let set: ColumnReaderSet
  /// The chunks of all columns of the class, by node in the layout of the whole class.
  private let chunks: [Chunk?]
  /// The node that node 0 of `layout` has in the layout of the whole class. The further nodes follow in the
  /// same order.
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

  /// Returns columns from which the values of a node can be read as a Swift type, beginning with the first
  /// value. Nil if the type cannot represent every value.
  ///
  /// Spec: 06-evolution, rule M4.
  func columns<Value: ColumnValue>(
    of node: Int, as type: Value.Type
  ) throws(ArchiveError) -> ColumnReaderSet? {
    let wanted = try ColumnLayout(of: Value.__columnType)
    var resolver = ColumnResolver(wanted: wanted, file: layout)
    guard let sources = resolver.resolve(root: 0, fileNode: node, within: layout.nodes.indices),
      wanted.nodes.allSatisfy({ Self.isReadableWithoutGraph($0.kind, as: type) })
    else { return nil }
    let set = ColumnReaderSet(
      wanted, sources: sources, locations: [location], strings: strings, context: nil)
    // `chunks` is indexed by the nodes of the whole class.
    set.bind(Array(chunks.dropFirst(firstNode)))
    return set
  }

  /// Whether values of a kind can be read as a type without building objects.
  ///
  /// References can be read only as types that store the number of an object. Structures and enumerations of
  /// a program cannot be read, because they may use older names for fields, or contain themselves.
  private static func isReadableWithoutGraph(_ kind: ColumnKind, as type: any ColumnValue.Type) -> Bool {
    switch kind {
    case .structure, .enumeration: false
    case .reference, .weak: type is any ReferenceHolder.Type
    default: true
    }
  }

  /// Whether the node stores its values exactly as a column stores values of the type, so that no value needs
  /// a conversion.
  func holds<Value: ColumnValue>(_ type: Value.Type, in node: Int) throws(ArchiveError) -> Bool {
    let wanted = try ColumnLayout(of: Value.__columnType)
    return wanted.nodes[0].kind == layout.nodes[node].kind
  }

  /// Returns a column reader that is positioned at the first value of a node, and a value reader that reads
  /// values of any type from this column reader.
  func dynamicReader(atStartOf node: Int) -> (column: ColumnReader, reader: ValueReader) {
    set.bind(chunks)
    return (
      set.column(ofNode: node),
      ValueReader(
        layout: layout, areEmpty: set.areEmpty, budget: DynamicBudget(limits), nesting: limits.valueNesting)
    )
  }

  /// Returns an error with the class and the key of the column.
  func error(
    _ code: ArchiveError.Code, found: String, expected: String, remedy: String
  ) -> ArchiveError {
    set.column(0).error(code, found: found, expected: expected, remedy: remedy)
  }

  /// Returns the first bits of a node, at most `count`.
  func bits(of node: Int, count: Int) -> [Bool] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { chunk.bit($0) }
  }

  /// Returns the first unsigned integers of a node, at most `count`. The check of the segment ensures that
  /// the integers fit in `Int`.
  func integers(of node: Int, count: Int) -> [Int] {
    let chunk = set.chunk(ofNode: node)
    return (0..<min(count, chunk.count)).map { Int(truncatingIfNeeded: chunk.unsigned($0)) }
  }

  /// Returns the first string numbers of a node, at most `count`. Nil if the node stores the text of the
  /// strings.
  func stringNumbers(of node: Int, count: Int) -> [Int]? {
    set.chunk(ofNode: node).usesStringTable ? integers(of: node, count: count) : nil
  }

  /// Returns a string of the string table.
  func string(_ number: Int) throws(ArchiveError) -> String {
    try strings.string(UInt64(max(number, 0)))
  }

  /// Calls a closure with the numbers of a node. The closure reads the numbers in the memory of the file,
  /// without a copy.
  ///
  /// - Returns: the result of the closure; nil if the numbers are not stored like an array of `Number`: with
  ///   the same width, aligned, and in the byte order of the machine.
  func withPlainValues<Number: BitwiseCopyable, Result>(
    of node: Int, count: Int, as type: Number.Type, _ body: (Span<Number>) throws -> Result
  ) rethrows -> Result? {
    guard 1.littleEndian == 1, let chunk = chunks[firstNode + node], chunk.form == .plain,
      chunk.width == MemoryLayout<Number>.size, count <= chunk.count
    else { return nil }
    // The object retains the segment, whose memory the closure reads.
    defer { withExtendedLifetime(self) {} }
    return try chunk.values[0..<count * chunk.width].withSpan(of: type, body)
  }
}
