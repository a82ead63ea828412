package import ArcFormat
import ArcRuntime

/// Writes an archive again with the rows of each class together.
///
/// The graph does not change; the rows get other numbers. Spec: 05-graph, section 2; 14-data-sets, section 1.
package enum ArchiveArrangement {
  /// Arranges the rows of an archive that this library wrote, all in memory.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - sortKey: a class and a key, `Class.key`, by which the rows of the class and of its subclasses are
  ///     sorted; nil if rows of a class stay in their order.
  ///   - segmentByteCount: the number of bytes of values after which the next segment begins.
  ///   - compression: the compression of the new archive.
  ///   - hasChunkDirectory: whether the new archive has a directory of its chunks. Spec: 13-directory.
  ///   - destination: receives the new archive; nil if it is returned.
  /// - Returns: the bytes of the archive; none if there is a destination, which then has all.
  /// - Throws: `missingKey` or `typeMismatch` for what cannot be sorted by, `constructionOrder` if objects
  ///   are built with others that would come later; or what is wrong with the archive.
  /// - Complexity: O(values), and O(*n* log *n*) in the number of rows that are sorted.
  package static func arrange(
    _ bytes: [UInt8], sortedBy sortKey: String? = nil, segmentByteCount: Int,
    compression: Compression = .none, hasChunkDirectory: Bool, to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
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
    var copies: [RowGroup: RowCopy] = [:]
    try order.forEachPiece { piece throws in
      var copy: RowCopy
      if let known = copies.removeValue(forKey: piece.group) {
        copy = known
      } else {
        let segment = try file.rows(inSegment: piece.group.segment)
        guard let rows = segment.rows(ofClass: piece.group.classIndex) else {
          return
        }
        copy = RowCopy(rows, of: segment, file.schema)
      }
      try append(piece, copying: &copy, to: &writer, order)
      if order.returnsToGroups { copies[piece.group] = copy }
    }
    return try writer.finish { UInt32(truncatingIfNeeded: $0) }
  }

  private static func append(
    _ piece: RowOrder.Piece, copying copy: inout RowCopy, to writer: inout ArchiveWriter, _ order: RowOrder
  ) throws {
    let classIndex = piece.group.classIndex
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
