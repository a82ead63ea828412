package import ArcFormat

/// A request to read columns of the rows of one class.
package struct RowsRequest {
  let classIndex: Int
  /// The indices of the columns to read.
  let columns: [Int]
  let filter: RowsFilter

  /// Creates a request for some columns of the rows that a filter does not exclude.
  package init(classIndex: Int, columns: [Int], filter: RowsFilter = .all([])) {
    (self.classIndex, self.columns, self.filter) = (classIndex, columns, filter)
  }
}

/// A condition with which a reader can exclude rows by the ranges of a chunk directory. A filter never
/// excludes a requested row, but may include rows that are not requested.
package indirect enum RowsFilter {
  /// Rows that have a value within bounds.
  case within(ColumnBounds)
  /// Rows that none of the filters excludes. Without filters, all rows.
  case all([RowsFilter])
  /// Rows that at least one filter does not exclude. Without filters, no rows.
  case any([RowsFilter])

  /// Whether the filter excludes all rows of every file.
  fileprivate var excludesEverything: Bool {
    switch self {
    case .within: false
    case .all(let parts): parts.contains { $0.excludesEverything }
    case .any(let parts): parts.allSatisfy { $0.excludesEverything }
    }
  }

  /// Whether the filter excludes all rows of a block, according to a directory. Recursive over the filters.
  /// Only the program builds filters, so the recursion does not depend on data of the file.
  fileprivate func excludesAll(ofBlock block: Int, _ directory: ChunkDirectory) -> Bool {
    switch self {
    case .within(let bounds): bounds.excludeAll(ofBlock: block, directory)
    case .all(let parts): parts.contains { $0.excludesAll(ofBlock: block, directory) }
    case .any(let parts): parts.allSatisfy { $0.excludesAll(ofBlock: block, directory) }
    }
  }
}

extension ArchiveFile {
  /// Calls a closure with each segment of rows, in order. Each segment is checked, and only one is in memory.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the requested rows; nil if all rows are requested. Segments without such rows
  ///     are skipped.
  ///   - body: called once per segment.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
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

  /// Calls a closure with each segment that contains requested rows.
  ///
  /// If the chunk directory may be used, segments in which the filters exclude all rows are skipped, and the
  /// other segments contain only the requested columns.
  private func forEachSegment(
    of requests: [RowsRequest], ids: ClosedRange<ObjectID>?, _ body: (RowsSegment) throws -> Void
  ) throws {
    guard let directory = try usableDirectory() else { return try forEachCheckedSegment(ids: ids, body) }
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

  /// Calls a closure with the requested classes of each segment. Only one segment is in memory.
  ///
  /// If the chunk directory may be used, only the requested columns are read and checked, and segments in
  /// which the filters exclude all rows are skipped. Otherwise, all segments are read and checked.
  ///
  /// - Parameters:
  ///   - requests: at most one request for each class.
  ///   - ids: the numbers of the requested rows; nil if all rows are requested. Segments without such rows
  ///     are skipped, but a batch has all rows of its class in the segment.
  ///   - body: called once for each segment and requested class, segment by segment, with the index of the
  ///     class, the ascending numbers of the objects, and their columns.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
  /// - Complexity: O(bytes) for the segments that are checked, and O(requested rows).
  package func forEachBatch(
    of requests: [RowsRequest], ids: ClosedRange<ObjectID>? = nil,
    _ body: (_ classIndex: Int, _ ids: [ObjectID], RowBatch) throws -> Void
  ) throws {
    var isWanted = [Bool](repeating: false, count: classes.count)
    for request in requests where !request.filter.excludesEverything { isWanted[request.classIndex] = true }
    try forEachSegment(of: requests, ids: ids) { try forEachBatch(of: $0, where: { isWanted[$0] }, body) }
  }

  /// Calls a closure with all columns of all rows of some classes, one segment at a time.
  ///
  /// - Parameters:
  ///   - isWanted: returns whether the rows of the class with an index are requested.
  ///   - body: called once for each segment and requested class, with the index of the class, the ascending
  ///     numbers of the objects, and their columns.
  /// - Throws: what `body` throws, or the code of the damage with its byte offset if a segment is damaged.
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
    // One pass for all classes, because a file may have as many runs as rows.
    var ids = ClassValues([ObjectID](), classCount: classes.count, runCount: segment.runs.count)
    for run in segment.runs where isWanted(run.classIndex) {
      ids[run.classIndex] += run.rows.lazy.map { ObjectID(rawValue: UInt32(truncatingIfNeeded: $0)) }
    }
    for rows in segment.classes where isWanted(rows.classIndex) {
      try body(rows.classIndex, ids[rows.classIndex], RowBatch(segment, rows, of: self))
    }
  }
}

extension SegmentInfo {
  /// Whether the segment contains at least one row whose number is in a range. True if the range is nil.
  fileprivate func contains(_ ids: ClosedRange<ObjectID>?) -> Bool {
    ids.map { firstIndex <= Int($0.upperBound.rawValue) && Int($0.lowerBound.rawValue) < firstIndex + count }
      ?? true
  }
}
