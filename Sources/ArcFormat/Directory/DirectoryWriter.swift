import ArcRuntime

/// Builds the directory of an archive from the payloads of its segments while they are written.
final class DirectoryWriter {
  private var directory = ChunkDirectory()
  private var classes: [ClassDescription] = []
  private var indices = ShortMap<ExactName, Int>()
  private var layouts: [ColumnLayout] = []
  /// For each segment of rows whose `LINK` segment is not written yet: the number of the segment, and its
  /// weak chunks. The key is the first row of the segment.
  private var weakChunks: [Int: (segment: Int, chunks: [ChunkDirectory.WeakChunk])] = [:]

  /// Adds the payload of the next segment. Returns the offsets at which decompression can begin.
  ///
  /// - Complexity: O(bytes).
  private func add(
    _ payload: ByteView, _ kind: SegmentInfo.Kind, first: Int
  ) throws(ArchiveError) -> [Int] {
    switch kind {
    case .classes:
      try addClasses(payload)
      return []
    case .strings: return DecompressionPoints.borders(inStringsOf: payload.count)
    case .rows:
      let segment = directory.segments.count
      weakChunks[first] = (segment, try directory.addRows(payload, layouts: layouts))
      return borders(inSegment: segment, areWeak: false, of: payload)
    case .weakColumns:
      guard let rows = weakChunks[first] else { return [] }
      try directory.addLinks(payload, to: rows.chunks)
      return borders(inSegment: rows.segment, areWeak: true, of: payload)
    case .metadata, .index: return []
    }
  }

  /// Returns the offsets at which large columns of a segment begin and end, except the end of the payload.
  private func borders(inSegment number: Int, areWeak: Bool, of payload: ByteView) -> [Int] {
    directory.borders(
      ofColumnsInSegment: number, layouts: layouts, areWeak: areWeak,
      minimumByteCount: DecompressionPoints.minimumColumnByteCount
    ).filter { $0 < payload.count }
  }

  private func addClasses(_ payload: ByteView) throws(ArchiveError) {
    var reader = ByteReader(payload, fileOffset: 0)
    try ClassTableSegment.read(&reader, into: &classes, indices: &indices, limits: .unlimited)
    // Existing classes may have additional columns.
    layouts = []
    for description in classes { layouts.append(try ColumnLayout(description)) }
  }

  /// Adds to the directory every segment that `output` writes after this call.
  func observe(_ output: inout SegmentWriter) {
    output.observer = { (payload, kind, first) throws(ArchiveError) in
      try payload.withByteView { view in
        Result { () throws(ArchiveError) in try self.add(view, kind, first: first) }
      }.get()
    }
  }

  /// Writes the points of compressed segments, and the directory. Must be called after all other segments
  /// were written.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    let points = DecompressionPoints(try output.pointsOfSegments())
    if !points.isEmpty {
      try output.writeIgnorable(DecompressionPoints.code, count: points.segments.count) {
        points.write(to: &$0)
      }
    }
    try output.writeIgnorable(ChunkDirectory.code, count: directory.segments.count) {
      directory.write(to: &$0)
    }
  }
}
