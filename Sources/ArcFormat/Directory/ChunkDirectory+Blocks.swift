// Positions in a directory of the data of a segment and of a class.

extension ChunkDirectory {
  /// Returns the indices of a segment's blocks. A block describes the rows of one class. `number` is the
  /// position of the segment among the segments of rows.
  package func blocks(ofSegment number: Int) -> Range<Int> {
    let first = firstBlocks[number]
    // The sum of the counts was checked, so it does not overflow.
    return first..<first + Int(truncatingIfNeeded: segments[number].blockCount)
  }

  /// Returns the index of the block of a class in a segment. Nil if the segment has no rows of the class.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of blocks of the segment. The blocks are in ascending
  ///   order of their classes. Spec: 13-directory, rule Y2.
  func block(ofClass classIndex: Int, inSegment number: Int) -> Int? {
    let blocks = blocks[blocks(ofSegment: number)]
    let index = blocks.partitioningIndex { $0.classIndex >= UInt64(classIndex) }
    return index < blocks.endIndex && blocks[index].classIndex == UInt64(classIndex) ? index : nil
  }
}
