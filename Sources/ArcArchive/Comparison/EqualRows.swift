import ArcFormat
import ArcRuntime

/// The rows that are equal at the beginning of two files. Arc numbers objects in the order in which they are
/// reached. So two graphs have equal objects with equal numbers up to the first difference.
///
/// Segments are first compared as bytes. Only the segments that contain the first difference are compared
/// column by column.
///
/// No rows count as equal if elements of sets or keys of dictionaries can refer to objects, because the
/// numbers of these objects depend on the order of the set or dictionary.
struct EqualRows {
  let file: ArchiveFile
  /// The indices of the segments with equal rows. The last segment may also contain rows that are not equal.
  private(set) var segments: [Int] = []
  /// The number of equal rows, beginning with row 0.
  private(set) var count = 0

  init(_ first: ArchiveFile, _ second: ArchiveFile) {
    file = first
    let hashes = first.layouts.contains { layout in
      layout.nodes.contains { node in
        (node.kind == .set || node.kind == .dictionary)
          && layout.containsAnyReference(node.children[0])
      }
    }
    if hashes { return }
    var stringCount = 0
    for (index, (segment, other)) in zip(first.segments, second.segments).enumerated() {
      guard first.hasSameBytes(segment, as: other, of: second) else { break }
      if segment.kind == .strings { stringCount = segment.firstIndex + segment.count }
      guard segment.kind == .rows else { continue }
      guard first.hasSameLinks(segment, as: second) else { break }
      segments.append(index)
      count = segment.firstIndex + segment.count
    }
    let strings = EqualStrings(first, second, commonCount: stringCount)
    for (index, other) in zip(first.rowsSegments, second.rowsSegments).dropFirst(segments.count) {
      // Damage of a file is reported when its objects are read.
      guard let rows = try? first.rows(inSegment: index), let others = try? second.rows(inSegment: other),
        rows.firstRow == count, others.firstRow == count
      else { return }
      count = equalRows(rows, others, second, strings)
      if count > rows.firstRow { segments.append(index) }
      guard count == rows.firstRow + rows.rowCount, rows.rowCount == others.rowCount else { return }
    }
  }

  /// Returns the first row in which two segments differ, or the end of the shorter segment. Both segments
  /// begin with the same row.
  private func equalRows(
    _ rows: RowsSegment, _ others: RowsSegment, _ second: ArchiveFile, _ strings: EqualStrings
  ) -> Int {
    var end = rows.firstRow + min(rows.rowCount, others.rowCount)
    if let (run, other) = zip(rows.runs, others.runs).first(where: {
      $0.classIndex != $1.classIndex || $0.rows != $1.rows
    }) {
      end =
        run.classIndex == other.classIndex
        ? min(run.rows.upperBound, other.rows.upperBound) : run.rows.lowerBound
    }
    for columns in rows.classes {
      let runs = rows.runs.filter { $0.classIndex == columns.classIndex && $0.rows.lowerBound < end }
      let count = runs.reduce(0) { $0 + min($1.rows.upperBound, end) - $1.rows.lowerBound }
      var rest = equalRowCount(columns, others, second, strings, atMost: count)
      guard rest < count else { continue }
      for run in runs {
        if rest < run.rows.count {
          end = run.rows.lowerBound + rest
          break
        }
        rest -= run.rows.count
      }
    }
    return end
  }

  /// Returns the number of equal rows of a class in two segments before the first difference, at most
  /// `count`.
  private func equalRowCount(
    _ rows: RowsSegment.ClassRows, _ others: RowsSegment, _ second: ArchiveFile, _ strings: EqualStrings,
    atMost count: Int
  ) -> Int {
    let index = rows.classIndex
    guard count > 0, let other = others.rows(ofClass: index),
      rows.columnCount == other.columnCount, file.hasSameClass(index, as: second)
    else { return 0 }
    let columns = EqualColumns(
      first: file.schema.columns(ofClass: index), second: second.schema.columns(ofClass: index),
      strings: strings)
    columns.first.bind(rows.chunks)
    columns.second.bind(other.chunks)
    // Damage of a file is reported when its objects are read.
    return (try? columns.equalRowCount(columns: rows.columnCount, atMost: count)) ?? 0
  }
}

extension ArchiveFile {
  /// Whether a class has the same name and columns in another file.
  fileprivate func hasSameClass(_ index: Int, as file: ArchiveFile) -> Bool {
    func words(_ file: ArchiveFile) -> [String] {
      [file.classes[index].name]
        + file.classes[index].columns.flatMap {
          [
            $0.key, file.classes[$0.declaringClassIndex].name, $0.attributes.description,
            $0.flags.contains(.keyed) ? "keyed" : "",
          ]
        }
    }
    return index < file.classes.count
      && words(self).elementsEqual(words(file)) { $0.hasSameBytes(as: $1) }
  }

  /// Whether a segment has the same bytes as a segment of another file.
  fileprivate func hasSameBytes(_ segment: SegmentInfo, as other: SegmentInfo, of file: ArchiveFile) -> Bool {
    store.bytes[segment.byteOffset..<segment.endOffset]
      .isEqual(to: file.store.bytes[other.byteOffset..<other.endOffset])
  }

  /// Whether the weak references of a segment of rows are equal in another file.
  fileprivate func hasSameLinks(_ rows: SegmentInfo, as file: ArchiveFile) -> Bool {
    let links = contents.weakColumnsByFirstRow[rows.firstIndex]
    let others = file.contents.weakColumnsByFirstRow[rows.firstIndex]
    guard let links, let others else { return links == nil && others == nil }
    return hasSameBytes(links, as: others, of: file)
  }
}
