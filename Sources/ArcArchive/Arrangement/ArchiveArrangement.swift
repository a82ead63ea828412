package import ArcFormat
import ArcRuntime

/// Writes an archive again so that the rows of each class follow each other.
///
/// The graph does not change, but the rows get new numbers. Spec: 05-graph, section 2; 14-data-sets, section
/// 1.
package enum ArchiveArrangement {
  /// Arranges the rows of an archive that this library wrote. The whole archive is in memory.
  ///
  /// - Parameters:
  ///   - bytes: the archive.
  ///   - sortKey: a class and a key, `Class.key`. The rows of the class and of its subclasses are sorted by
  ///     the property with the key. Nil if the rows of each class keep their order.
  ///   - segmentByteCount: the number of bytes of values after which the next segment begins.
  ///   - compression: the compression of the new archive.
  ///   - hasChunkDirectory: whether the new archive has a chunk directory. Spec: 13-directory.
  ///   - destination: receives the new archive; nil if the function returns the archive.
  /// - Returns: the bytes of the archive; empty if there is a destination.
  /// - Throws: `missingKey` or `typeMismatch` if rows cannot be sorted by the key, `constructionOrder` if
  ///   sorting would put an object before an object that its initializer needs, or the code of the damage if
  ///   the archive is damaged.
  /// - Complexity: O(values), and O(*n* log *n*) in the number of rows that are sorted.
  package static func arrange(
    _ bytes: [UInt8], sortedBy sortKey: String? = nil, segmentByteCount: Int,
    compression: Compression = .none, hasChunkDirectory: Bool, to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    let file = try ArchiveFile(bytes: bytes, limits: .unlimited)
    try file.cacheEverything()
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
