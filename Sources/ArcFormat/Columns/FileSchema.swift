package import ArcRuntime

/// A file's class table, what follows from it, and memory for strings and columns. It can serve the next file
/// with an equal class table; one file uses it at a time.
package final class FileSchema {
  package let classes: [ClassDescription]
  package let layouts: [ColumnLayout]
  /// The superclasses of each class.
  package let hierarchy: ClassHierarchy
  /// For each class whether it has a construction column.
  package let hasConstructionColumn: [Bool]
  /// For each class whether it has a keyed column.
  package let hasKeyedColumn: [Bool]
  /// The index of each class by its name.
  package let classIndices: ShortMap<ExactName, Int>
  package let strings = StringTable()
  /// The `CLSS` segment; nil if there are several.
  private let source: SegmentCopy?
  /// The number of rows of each class, once all rows were verified; zeros before.
  package var rowCounts: [Int]
  /// Columns of each class, for verification.
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

  /// Takes the array of `rowCounts` and sets its elements to 0; the caller puts it back.
  package func takeRowCounts() -> [Int] {
    var counts = rowCounts
    rowCounts = []
    for index in classes.indices { counts.setOrAppend(0, at: index) }
    return counts
  }

  /// Whether a segment, whose bytes were found to be those of `source`, has the same index entry: it gives
  /// the same classes.
  package func isSource(_ segment: SegmentInfo) -> Bool { source?.isSame(as: segment) ?? false }

  /// The offset at which a file seems to contain the same class table: after metadata, as writers put it.
  package func location(in file: ByteView) -> Int? {
    guard let source else { return nil }
    var offset = ArchiveHeader.byteCount
    if let metadata = SegmentHeader.wholeByteCount(of: .metadata, in: file, at: offset) {
      offset += metadata
    }
    return source.isSame(asBytes: file, from: offset) ? offset : nil
  }

  /// The columns of a class as the file has them, which are shared.
  package func columns(ofClass index: Int) -> ColumnReaderSet {
    if let set = sets.value[index] { return set }
    let set = makeColumns(ofClass: index)
    sets.value[index] = set
    return set
  }

  /// Makes columns of a class as the file has them, for a caller that keeps them.
  package func makeColumns(ofClass index: Int) -> ColumnReaderSet {
    let layout = layouts[index]
    let description = classes[index]
    return ColumnReaderSet(
      layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
      locations: description.columns.map { ColumnLocation(className: description.name, key: $0.key) },
      strings: strings, context: nil)
  }

  /// Forgets the file.
  package func prepareForReuse() {
    // Whoever asks for columns binds them again before reading values.
    for index in classes.indices where sets.value[index]?.hasOwnMemory ?? false {
      sets.value[index]?.prepareForReuse()
    }
    strings.removeAll()
  }
}

extension ColumnReaderSet {
  /// The columns of a layout, read as a file has them, without strings.
  package convenience init(reading layout: ColumnLayout) {
    self.init(
      layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
      locations: layout.roots.map { _ in ColumnLocation(className: "", key: "") }, strings: StringTable(),
      context: nil)
  }
}
