import ArcFormat

/// A cache of the rows that `ArchiveFile.object(_:)` read last: objects in blocks of adjacent rows, and
/// segments with random access to their rows.
final class ObjectCache {
  /// The number of rows in a block. Blocks are small because a traversal of the graph does not visit objects
  /// in the order of the rows, and may read a block again for each of its objects.
  static let blockLength = 16
  /// The maximum number of values in all cached blocks together. This number of values needs about 10 MB.
  private static let valueLimit = 200_000
  /// The minimum and the maximum of the cache's capacity, in segments. The capacity begins at the minimum,
  /// and doubles each time a segment that was removed from the cache is read again.
  private static let segmentCapacities = 4...32

  private struct Block {
    let key: BlockKey
    let objects: [ArchiveObject]
    let valueCount: Int
  }
  private struct BlockKey: Hashable {
    let segment: Int
    let number: Int
  }

  private var blocks: [BlockKey: Block] = [:]
  /// The keys of the cached blocks, the oldest first. The blocks before index `oldestBlock` were removed.
  private var order: [BlockKey] = []
  private var oldestBlock = 0
  private var valueCount = 0
  /// The block that was used last. Nil before the first use.
  private var last: Block?

  private var segments: [(index: Int, reader: SegmentObjectReader)] = []
  private var seen: Set<Int> = []
  private var capacity = segmentCapacities.lowerBound

  /// Returns the object in a row of the segment at `index`.
  func object(_ row: Int, inSegment index: Int, of file: ArchiveFile) throws -> ArchiveObject {
    let position = row - file.segments[index].firstIndex
    let key = BlockKey(segment: index, number: position / Self.blockLength)
    if let last, last.key == key { return last.objects[position % Self.blockLength] }
    if let block = blocks[key] {
      last = block
      return block.objects[position % Self.blockLength]
    }
    let (objects, valueCount) = try segment(index, of: file).objects(
      from: key.number * Self.blockLength, atMost: Self.blockLength)
    insert(Block(key: key, objects: objects, valueCount: valueCount))
    return objects[position % Self.blockLength]
  }

  private func insert(_ block: Block) {
    while oldestBlock < order.count, valueCount + block.valueCount > Self.valueLimit {
      valueCount -= blocks.removeValue(forKey: order[oldestBlock])?.valueCount ?? 0
      oldestBlock += 1
    }
    if oldestBlock > order.count / 2 {
      order.removeFirst(oldestBlock)
      oldestBlock = 0
    }
    last = block
    blocks[block.key] = block
    order.append(block.key)
    valueCount += block.valueCount
  }

  /// Returns a reader of the segment at an index.
  func segment(_ index: Int, of file: ArchiveFile) throws -> SegmentObjectReader {
    if let last = segments.last, last.index == index { return last.reader }
    if let key = segments.firstIndex(where: { $0.index == index }) {
      let entry = segments.remove(at: key)
      segments.append(entry)
      return entry.reader
    }
    let reader = SegmentObjectReader(try file.checkedRows(inSegment: index), at: index, of: file)
    let wasRemoved = !seen.insert(index).inserted
    if wasRemoved { capacity = min(capacity * 2, Self.segmentCapacities.upperBound) }
    if segments.count >= capacity { segments.removeFirst() }
    segments.append((index, reader))
    return reader
  }
}
