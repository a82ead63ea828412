import ArcRuntime

/// Builds the directory of an archive from the payloads of its segments while they are written.
final class DirectoryWriter {
  private var directory = ChunkDirectory()
  private var classes: [ClassDescription] = []
  private var indices = ShortMap<ExactName, Int>()
  private var layouts: [ColumnLayout] = []
  /// The weak chunks whose `LINK` segment is not written yet. The key is the number of the first row in the
  /// `ROWS` segment to which the chunks belong.
  private var weakChunks: [Int: [ChunkDirectory.WeakChunk]] = [:]

  /// Adds the payload of the next segment.
  ///
  /// - Complexity: O(bytes).
  private func add(_ payload: ByteView, _ kind: SegmentInfo.Kind, first: Int) throws(ArchiveError) {
    switch kind {
    case .classes: try addClasses(payload)
    case .rows: weakChunks[first] = try directory.addRows(payload, layouts: layouts)
    case .weakColumns: try directory.addLinks(payload, to: weakChunks[first] ?? [])
    case .strings, .metadata, .index: break
    }
  }

  private func addClasses(_ payload: ByteView) throws(ArchiveError) {
    var reader = ByteReader(payload, fileOffset: 0)
    try ClassTableSegment.read(&reader, into: &classes, indices: &indices, limits: .ofWriters)
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

  /// Writes the directory. Must be called after all other segments were written.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    try output.writeIgnorable(ChunkDirectory.code, count: directory.segments.count) {
      directory.write(to: &$0)
    }
  }
}
