import ArcRuntime

/// How the rows of an archive are arranged anew: those of each class one behind the other, in segments of any
/// size, perhaps sorted.
///
/// What the archive says stays the same; rows get other numbers. Spec: 05-graph, section 2; 14-data-sets,
/// section 1.
package struct ArchiveArrangement: Hashable, Sendable {
  /// A class and a key, `Class.key`, by which its rows and those of its subclasses are sorted; nil for as
  /// they were.
  package var sortKey: String?
  /// What a segment takes before the next one begins, in bytes.
  package var segmentByteCount: Int
  /// How segments are stored.
  package var compression: Compression
  /// Whether there is a directory of chunks. Spec: 13-directory.
  package var hasChunkDirectory: Bool

  /// Makes an arrangement.
  package init(sortKey: String?, segmentByteCount: Int, compression: Compression, hasChunkDirectory: Bool) {
    self.sortKey = sortKey
    self.segmentByteCount = segmentByteCount
    self.compression = compression
    self.hasChunkDirectory = hasChunkDirectory
  }

  /// Arranges the rows of an archive that this library wrote, all in memory.
  ///
  /// - Returns: the bytes of the archive; none if there is a destination, which then has all.
  /// - Throws: `missingKey` or `typeMismatch` for what cannot be sorted by, `constructionOrder` if objects
  ///   are built with others that would come later; or what is wrong with the archive.
  /// - Complexity: O(values), and O(*n* log *n*) in the number of rows that are sorted.
  package func archive(_ bytes: [UInt8], to destination: ArchiveDestination? = nil) throws -> [UInt8] {
    let file = try ArchiveFile(bytes: bytes, limits: .ofWriters)
    try file.keepEverything()
    let order = try RowOrder(of: file, sortKey: sortKey)
    var metadata = try file.metadataEntries()
    if let sortKey {
      metadata.removeAll { $0.key == MetadataSegment.sortedByKey }
      metadata.append((MetadataSegment.sortedByKey, sortKey))
    }
    var writer = ArchiveWriter(
      compression: compression, metadata: metadata, hasChunkDirectory: hasChunkDirectory,
      segmentByteCount: segmentByteCount)
    writer.destination = destination
    for description in file.classes { _ = try writer.addClass(description) }
    writer.expectedRowCount = file.rowCount
    var copies: [RowOrder.Place: RowCopy] = [:]
    try order.forEachPiece { piece throws in
      var copy: RowCopy
      if let known = copies.removeValue(forKey: piece.place) {
        copy = known
      } else {
        let segment = try file.rows(inSegment: file.rowsSegments[piece.place.segment])
        guard let rows = segment.classes.first(where: { $0.classIndex == piece.place.classIndex }) else {
          return
        }
        copy = RowCopy(rows, of: segment, file.schema)
      }
      try append(piece, copying: &copy, to: &writer, order)
      if order.returnsToPlaces { copies[piece.place] = copy }
    }
    return try writer.finish { UInt32(truncatingIfNeeded: $0) }
  }

  private func append(
    _ piece: RowOrder.Piece, copying copy: inout RowCopy, to writer: inout ArchiveWriter, _ order: RowOrder
  ) throws {
    let classIndex = piece.place.classIndex
    let columns = writer.classes[classIndex].columns
    var next = piece.rowsInClass.lowerBound
    while next < piece.rowsInClass.upperBound {
      let count = min(try writer.rowCapacity(), piece.rowsInClass.upperBound - next)
      let rowCount = writer.rowsInSegment(ofClass: classIndex)
      try writer.addRows(count, classIndex: classIndex)
      try copy.append(
        next..<next + count, to: writer.columnSet(ofClass: classIndex), newRow: order.newRow,
        rowCount: rowCount
      ) { columns[$0].flags.contains(.keyed) }
      next += count
    }
  }
}
