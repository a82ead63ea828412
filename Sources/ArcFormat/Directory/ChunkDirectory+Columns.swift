// Where columns begin and end in the payloads of segments.

extension ChunkDirectory {
  /// Returns the offsets at which large columns of a segment begin and end, in ascending order. Decompression
  /// can begin at these offsets. `number` is the position of the segment among the segments of rows. This
  /// directory must have been built from the segment.
  ///
  /// If `areWeak` is true, returns offsets in the payload of the `LINK` segment, which contains the weak
  /// chunks of the columns. `minimumByteCount` is the minimum size of a large column.
  ///
  /// Spec: 13-directory, sections 2 and 5.
  func borders(
    ofColumnsInSegment number: Int, layouts: [ColumnLayout], areWeak: Bool, minimumByteCount: Int
  ) -> [Int] {
    var borders: [Int] = []
    var position = areWeak ? 0 : Int(truncatingIfNeeded: segments[number].headByteCount)
    for index in blocks(ofSegment: number) {
      let block = blocks[index]
      let layout = layouts[Int(truncatingIfNeeded: block.classIndex)]
      if !areWeak { position += ByteWriter.varintByteCount(Int(truncatingIfNeeded: block.columnCount)) }
      var chunk = firstChunks[index]
      for column in 0..<Int(truncatingIfNeeded: block.columnCount) {
        let start = position
        for node in layout.nodes[layout.nodes(ofRoot: column)] where !node.kind.storage.isNone {
          if (node.kind == .weak) == areWeak { position += wholeByteCount(ofChunk: chunk) }
          chunk += 1
        }
        guard position - start >= minimumByteCount else { continue }
        if borders.last != start { borders.append(start) }
        borders.append(position)
      }
    }
    return borders
  }

  /// Returns the number of bytes of a chunk, including the bytes in which the segment stores the byte count.
  private func wholeByteCount(ofChunk chunk: Int) -> Int {
    let byteCount = Int(truncatingIfNeeded: chunks[chunk].byteCount)
    return ByteWriter.varintByteCount(byteCount) + byteCount
  }
}
