import ArcRuntime

/// A file's class table, what follows from it, and memory for strings and columns: it can serve the next file with an
/// equal class table. Used by one file at a time.
package final class FileTables {
  package let classes: [ClassDescription]
  package let layouts: [ColumnLayout]
  let hierarchy: ClassHierarchy
  /// For each class whether it has a column whose references lead to earlier rows.
  package let hasConstructionColumn: [Bool]
  /// For each class whether it has a column with a dynamic key.
  let hasKeyedColumn: [Bool]
  /// The index of each class by its name.
  let classIndices: ShortMap<ExactName, Int>
  package let strings = StringTable()
  /// The `CLSS` segment; nil if there are several.
  private let source: SegmentCopy?
  /// Rows of each class in the file, once all rows were checked.
  var rowCounts: [Int]
  /// Columns of each class, to look at its rows.
  private let sets = Cell<[ColumnReaderSet?]>([])

  init(
    _ classes: [ClassDescription], _ classIndices: ShortMap<ExactName, Int>, _ layouts: [ColumnLayout],
    _ hierarchy: ClassHierarchy, source: SegmentCopy?
  ) {
    self.classes = classes
    self.classIndices = classIndices
    self.layouts = layouts
    self.hierarchy = hierarchy
    self.source = source
    hasConstructionColumn = classes.map { $0.columns.contains { $0.flags.contains(.construction) } }
    hasKeyedColumn = classes.map { $0.columns.contains { $0.flags.contains(.keyed) } }
    sets.value = Array(repeating: nil, count: classes.count)
    rowCounts = Array(repeating: 0, count: classes.count)
  }

  /// Zeros for all classes, to be counted up and put back.
  func takeRowCounts() -> [Int] {
    var counts = rowCounts
    rowCounts = []
    for index in classes.indices { counts.put(0, at: index) }
    return counts
  }

  /// Whether reading the class table from this segment, whose bytes are known to be the same, would give the same again.
  func isSource(_ segment: SegmentInfo) -> Bool { source?.isSame(as: segment) ?? false }

  /// Where in a file the same class table may stand: behind metadata, as writers put it. Only a guess.
  func place(in file: UnsafeRawBufferPointer) -> Int? {
    guard let source else { return nil }
    var place = ArchiveHeader.byteCount
    if let metadata = unsafe SegmentHeader.wholeByteCount(of: .metadata, in: file, at: place) {
      place += metadata
    }
    return unsafe source.isSame(asBytes: file, from: place) ? place : nil
  }

  /// The columns of a class as the file has them.
  func columns(ofClass index: Int) -> ColumnReaderSet {
    if let set = sets.value[index] { return set }
    let set = makeColumns(ofClass: index)
    sets.value[index] = set
    return set
  }

  /// The same, for a caller that keeps them.
  func makeColumns(ofClass index: Int) -> ColumnReaderSet {
    let layout = layouts[index]
    let description = classes[index]
    return unsafe ColumnReaderSet(
      layout, sources: layout.nodes.indices.map { ColumnSource(identity: $0, in: layout) },
      places: description.columns.map { ColumnPlace(className: description.name, key: $0.key) },
      strings: strings, context: nil)
  }

  /// Forgets the file.
  package func restart() {
    // Those who ask for columns bind them before they look at values.
    for index in classes.indices where sets.value[index]?.hasRoom ?? false { sets.value[index]?.unbind() }
    strings.restart()
  }
}

extension ColumnSource {
  /// A column that the reader wants as the file has it.
  init(identity node: Int, in layout: ColumnLayout) {
    self.init(node: node, cases: Array(layout.nodes[node].labels.indices))
    if case .integers(_, let isSigned) = layout.nodes[node].kind.storage { self.isSigned = isSigned }
    if layout.nodes[node].kind == .int128 { isSigned = true }
  }
}
