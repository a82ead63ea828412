package import ArcRuntime

/// The class table of a file, the tables that are computed from it, and memory for strings and columns. A
/// later file with an equal class table can reuse the schema. Only one file can use a schema at a time.
package final class FileSchema {
  package let classes: [ClassDescription]
  package let layouts: [ColumnLayout]
  /// The superclasses of each class.
  package let hierarchy: ClassHierarchy
  /// For each class, whether it has a construction column.
  package let hasConstructionColumn: [Bool]
  /// For each class, whether it has a keyed column.
  package let hasKeyedColumn: [Bool]
  /// The index of each class, by the name of the class.
  package let classIndices: ShortMap<ExactName, Int>
  package let strings = StringTable()
  /// A copy of the `CLSS` segment. Nil if the file has several `CLSS` segments.
  private let source: SegmentCopy?
  /// The number of rows of each class. All numbers are zero until all rows are verified.
  package var rowCounts: [Int] {
    get { counts.value }
    set { counts.value = newValue }
  }
  /// The values of `rowCounts`. Stored in a `Cell`, so that accesses need no exclusivity checks.
  private let counts = Cell<[Int]>([])
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
    counts.value = Array(repeating: 0, count: classes.count)
  }

  /// Removes the array from `rowCounts`, sets its elements to zero, one per class, and returns the array. The
  /// caller can change the array without a copy, and must store it in `rowCounts` again.
  package func takeRowCounts() -> [Int] {
    var counts: [Int] = []
    swap(&counts, &self.counts.value)
    for index in classes.indices { counts.setOrAppend(0, at: index) }
    return counts
  }

  /// Whether an index entry is equal to the index entry of `source`, except for the offset. If the bytes of
  /// the two segments are equal too, they contain the same classes.
  package func isSource(_ segment: SegmentInfo) -> Bool { source?.isSame(as: segment) ?? false }

  /// Searches another file for a class table that is equal to the class table of this schema. Examines only
  /// the location directly after the metadata, where writers store the class table. Returns the offset of the
  /// class table, or nil if there is no equal class table.
  package func location(in file: ByteView) -> Int? {
    guard let source else { return nil }
    var offset = ArchiveHeader.byteCount
    if let metadata = SegmentHeader.wholeByteCount(of: .metadata, in: file, at: offset) {
      offset += metadata
    }
    return source.isSame(asBytes: file, from: offset) ? offset : nil
  }

  /// Returns the columns of a class as the file stores them. All callers share these columns.
  package func columns(ofClass index: Int) -> ColumnReaderSet {
    if let set = sets.value[index] { return set }
    let set = makeColumns(ofClass: index)
    sets.value[index] = set
    return set
  }

  /// Creates columns of a class as the file stores them, for a caller that does not share them.
  package func makeColumns(ofClass index: Int) -> ColumnReaderSet {
    let layout = layouts[index]
    let description = classes[index]
    return ColumnReaderSet(
      layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
      locations: description.columns.map { ColumnLocation(className: description.name, key: $0.key) },
      strings: strings, context: nil)
  }

  /// Removes everything that this schema contains from its file, so that the schema can be reused for another
  /// file.
  package func prepareForReuse() {
    // Only expanded values need memory. Callers bind the columns again before they read values.
    for index in classes.indices where sets.value[index]?.hasOwnMemory ?? false {
      sets.value[index]?.prepareForReuse()
    }
    strings.removeAll()
  }
}

extension ColumnReaderSet {
  /// Creates columns that are read as a file stores them, without strings.
  package convenience init(reading layout: ColumnLayout) {
    self.init(
      layout, sources: layout.nodes.indices.map { ResolvedColumn(identity: $0, in: layout) },
      locations: layout.roots.map { _ in ColumnLocation(className: "", key: "") }, strings: StringTable(),
      context: nil)
  }
}
