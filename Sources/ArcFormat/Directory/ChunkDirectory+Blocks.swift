// Where in a directory something of a segment and a class is.

extension ChunkDirectory {
  /// The blocks of a segment, given by its number among those of rows.
  package func blocks(ofSegment number: Int) -> Range<Int> {
    let first = firstBlocks[number]
    // Their sum was checked.
    return first..<first + Int(truncatingIfNeeded: segments[number].blockCount)
  }

  /// The index of the block of a class in a segment; nil if it says of no such rows.
  ///
  /// - Complexity: O(log blocks of the segment), which ascend by their classes. Spec: 13-directory, rule Y2.
  func block(ofClass classIndex: Int, inSegment number: Int) -> Int? {
    let blocks = blocks[blocks(ofSegment: number)]
    let index = blocks.partitioningIndex { $0.classIndex >= UInt64(classIndex) }
    return index < blocks.endIndex && blocks[index].classIndex == UInt64(classIndex) ? index : nil
  }
}
