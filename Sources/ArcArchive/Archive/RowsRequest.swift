package import ArcFormat

/// What is asked for of the rows of a class.
package struct RowsRequest {
  let classIndex: Int
  /// Indices of the columns that are read.
  let columns: [Int]
  let filter: RowsFilter

  /// A request for some columns of those rows that a filter does not exclude.
  package init(classIndex: Int, columns: [Int], filter: RowsFilter = .all([])) {
    (self.classIndex, self.columns, self.filter) = (classIndex, columns, filter)
  }
}

/// Which rows of a class are asked for, as far as a directory of chunks can tell: it excludes no row that is
/// asked for, but not each that is not.
package indirect enum RowsFilter {
  /// Rows with a value within bounds.
  case within(ColumnBounds)
  /// Rows that no part excludes; without any, all.
  case all([RowsFilter])
  /// Rows that one part does not exclude; without any, none.
  case any([RowsFilter])

  /// Whether no row of any file is asked for.
  fileprivate var excludesEverything: Bool {
    switch self {
    case .within: false
    case .all(let parts): parts.contains { $0.excludesEverything }
    case .any(let parts): parts.allSatisfy { $0.excludesEverything }
    }
  }

  /// Whether by a directory none of the rows of a block is asked for. Recursive over parts, which are the
  /// program's, not over what a file has.
  fileprivate func excludesAll(ofBlock block: Int, _ directory: ChunkDirectory) -> Bool {
    switch self {
    case .within(let bounds): bounds.excludeAll(ofBlock: block, directory)
    case .all(let parts): parts.contains { $0.excludesAll(ofBlock: block, directory) }
    case .any(let parts): parts.allSatisfy { $0.excludesAll(ofBlock: block, directory) }
    }
  }
}

extension ArchiveFile {
  /// Calls a closure with each segment of rows, checked, in order. Memory contains one at a time.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the requested rows; nil if all rows are requested. Other segments are skipped.
  ///   - body: called once per segment.
  /// - Throws: what `body` throws, or what is wrong with a segment, with its byte offset.
  func forEachCheckedSegment(
    ids: ClosedRange<ObjectID>? = nil, _ body: (RowsSegment) throws -> Void
  ) throws {
    for index in rowsSegments where segments[index].contains(ids) {
      let segment: RowsSegment
      do throws(ArchiveError) {
        segment = try checkedRows(inSegment: index)
      } catch {
        throw error.located(byteOffset: segments[index].byteOffset)
      }
      try body(segment)
      discardPages(ofSegment: index)
    }
  }

  /// The same with each segment that has some of the rows that are asked for. Where a directory is believed,
  /// they have the columns of the requests alone, and segments of which it excludes all are not read.
  private func forEachSegment(
    of requests: [RowsRequest], ids: ClosedRange<ObjectID>?, _ body: (RowsSegment) throws -> Void
  ) throws {
    guard let directory = try believedDirectory() else { return try forEachCheckedSegment(ids: ids, body) }
    var requestsByClass: [UInt64: RowsRequest] = [:]
    for request in requests { requestsByClass[UInt64(request.classIndex)] = request }
    for (number, index) in rowsSegments.enumerated() where segments[index].contains(ids) {
      let blocks = directory.blocks(ofSegment: number).compactMap { block -> RowsPart.Block? in
        guard let request = requestsByClass[directory.blocks[block].classIndex],
          !request.filter.excludesAll(ofBlock: block, directory)
        else { return nil }
        return RowsPart.Block(index: block, columns: request.columns)
      }
      guard !blocks.isEmpty else { continue }
      try body(rows(RowsPart(number: number, blocks: blocks, directory: directory)))
      discardPages(ofSegment: index)
    }
  }

  /// Calls a closure with the rows of each class that is asked for in each segment: the numbers of the
  /// objects, ascending, and their columns. Memory contains one segment at a time.
  ///
  /// Where a directory is believed, only the columns that are asked for are read and checked, and segments
  /// are passed over in which filters exclude all rows; otherwise all segments are read and checked.
  ///
  /// - Parameters:
  ///   - requests: what is asked for, of each class once at most.
  ///   - ids: the numbers of the requested rows; nil if all rows are requested. Other segments are skipped,
  ///     but a batch has all rows of its segment.
  ///   - body: what is called for each of these classes in a segment, by their indices, and segment by
  ///     segment.
  /// - Throws: what `body` throws, or what is wrong with a segment, with its byte offset.
  /// - Complexity: O(bytes) for the segments that are checked, and O(rows asked for).
  package func forEachBatch(
    of requests: [RowsRequest], ids: ClosedRange<ObjectID>? = nil,
    _ body: (_ classIndex: Int, _ ids: [ObjectID], RowBatch) throws -> Void
  ) throws {
    var isWanted = [Bool](repeating: false, count: classes.count)
    for request in requests where !request.filter.excludesEverything { isWanted[request.classIndex] = true }
    try forEachSegment(of: requests, ids: ids) { try forEachBatch(of: $0, where: { isWanted[$0] }, body) }
  }

  /// The same with all columns of all rows of some classes.
  ///
  /// - Parameters:
  ///   - isWanted: whether the rows of a class are asked for, by its index.
  ///   - body: as above.
  /// - Throws: as above.
  package func forEachBatch(
    where isWanted: (_ classIndex: Int) -> Bool,
    _ body: (_ classIndex: Int, _ ids: [ObjectID], RowBatch) throws -> Void
  ) throws {
    try forEachCheckedSegment { try forEachBatch(of: $0, where: isWanted, body) }
  }

  private func forEachBatch(
    of segment: RowsSegment, where isWanted: (_ classIndex: Int) -> Bool,
    _ body: (_ classIndex: Int, _ ids: [ObjectID], RowBatch) throws -> Void
  ) throws {
    // One pass for all classes: a file may have as many runs as rows.
    var ids: [Int: [ObjectID]] = [:]
    for run in segment.runs where isWanted(run.classIndex) {
      ids[run.classIndex, default: []] += run.rows.lazy.map {
        ObjectID(rawValue: UInt32(truncatingIfNeeded: $0))
      }
    }
    for rows in segment.classes where isWanted(rows.classIndex) {
      try body(rows.classIndex, ids[rows.classIndex] ?? [], RowBatch(segment, rows, of: self))
    }
  }
}

extension SegmentInfo {
  /// Whether the segment has rows with numbers in a range. True if the range is nil.
  fileprivate func contains(_ ids: ClosedRange<ObjectID>?) -> Bool {
    ids.map { firstIndex <= Int($0.upperBound.rawValue) && Int($0.lowerBound.rawValue) < firstIndex + count }
      ?? true
  }
}
