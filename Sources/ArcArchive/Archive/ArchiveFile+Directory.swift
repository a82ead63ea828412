import ArcFormat
import ArcRuntime

// Whether what a directory says of an archive is so.

extension ArchiveFile {
  /// Checks that the directory of the archive, if it has one, says what is so of its segments.
  ///
  /// Spec: 13-directory, rules Y1, Y2, Y3, Y4 and Y5; 05-graph, section 4, step 10.
  ///
  /// - Complexity: O(bytes of rows).
  func verifyDirectory() throws(ArchiveError) {
    guard let (info, stated) = try statedDirectory() else { return }
    var place = DirectoryCursor()
    _ = try forEachRowsSegment { rows throws(ArchiveError) in
      guard let payloads = rows.storedPayloads else { return }
      var found = ChunkDirectory()
      let weakChunks = try found.addRows(payloads.rows.bytes, layouts: layouts)
      if let links = payloads.links { try found.addLinks(links.bytes, to: weakChunks) }
      if let error = place.mismatch(between: stated, and: found) {
        throw .wrongDirectory(error, ofRowsAt: payloads.rows.byteOffset, byteOffset: info.byteOffset)
      }
    }
  }

  /// What the directory of the archive says, and the segment that it is in; nil if there is none. Of what it
  /// says of segments only their number is checked.
  ///
  /// Spec: 13-directory, rules Y1, Y2 and Y3.
  private func statedDirectory() throws(ArchiveError) -> (SegmentInfo, ChunkDirectory)? {
    let infos = segments.filter(\.isChunkDirectory)
    guard let info = infos.first else { return nil }
    guard infos.count == 1, info.firstIndex == 0 else {
      throw ArchiveError(
        .malformedSegment,
        found:
          "\(plural(infos.count, "CDIR segment")), the first of which begins at entry \(info.firstIndex)",
        expected: "at most one CDIR segment, which begins at entry 0", byteOffset: info.byteOffset)
    }
    let stated = try directory(info)
    guard stated.segments.count == rowsSegments.count, info.count == rowsSegments.count else {
      throw ArchiveError(
        .indexMismatch,
        found:
          "a chunk directory for \(plural(stated.segments.count, "segment")), with the count \(info.count) "
          + "in its index entry",
        expected:
          "the number of ROWS segments, \(rowsSegments.count), in the directory and in its index entry",
        byteOffset: info.byteOffset)
    }
    return (info, stated)
  }

  /// What the segment of a directory says. Whatever is wrong with it has one code.
  /// Spec: 13-directory, rule Y2.
  private func directory(_ info: SegmentInfo) throws(ArchiveError) -> ChunkDirectory {
    let payload = try SegmentPayload(info, in: store)
    do throws(ArchiveError) {
      var reader = payload.reader
      return try ChunkDirectory(reading: &reader, layouts: layouts, limits: limits)
    } catch {
      if error.code == .limitExceeded { throw error.located(byteOffset: info.byteOffset) }
      throw ArchiveError(
        .malformedSegment, found: "a chunk directory with \(error.found)",
        expected: error.expected ?? "a complete chunk directory", byteOffset: info.byteOffset)
    }
  }
}

// Columns that are read by what a directory says.

extension ArchiveFile {
  /// The directory, if there is one that may be believed: in a file that was verified, or is trusted.
  ///
  /// - Throws: what is wrong with it by itself.
  func believedDirectory() throws(ArchiveError) -> ChunkDirectory? {
    guard isVerified || trustsChunkDirectory else { return nil }
    if let known = readDirectory { return known }
    let directory = try statedDirectory()?.1
    readDirectory = .some(directory)
    return directory
  }

  /// Some columns of the rows of some classes in a segment, which are checked.
  ///
  /// - Throws: `indexMismatch` or `damagedSegment` if the directory says something else of them; or what is
  ///   wrong with one of the columns.
  /// - Complexity: O(runs of the segment, chunks before those of the columns, bytes of the columns).
  func rows(_ part: RowsPart) throws(ArchiveError) -> RowsSegment {
    let info = segments[rowsSegments[part.number]]
    do throws(ArchiveError) {
      var links: SegmentPayload?
      if let segment = contents.weakColumnsByFirstRow[info.firstIndex], segment.count == info.count {
        links = try SegmentPayload(segment, in: store, comparesChecksum: false)
      }
      var byteCount = 0
      let rows = try part.read(
        SegmentPayload(info, in: store, comparesChecksum: false), links: links, info: info, layouts: layouts,
        classes: classes
      ) { more throws(ArchiveError) in
        byteCount += more
        try ArchiveLimits.check(byteCount, within: limits.rawBytes, "rawBytes")
      }
      var counts = [Int](repeating: 0, count: classes.count)
      for run in rows.runs { counts[run.classIndex] += run.rows.count }
      var verifier = RowsVerifier(self, only: rows, counts: counts, isComplete: true)
      for (block, each) in zip(part.blocks, rows.classes) {
        try verifier.verify(columns: block.columns.filter { $0 < each.columnCount }, of: each)
      }
      return rows
    } catch {
      throw error.located(byteOffset: info.byteOffset)
    }
  }
}

/// A place in the lists of a directory: before one of its segments.
private struct DirectoryCursor {
  private var segment = 0
  private var block = 0
  private var chunk = 0

  /// What is wrong with what a directory says of the next segment, of which all is given, nil for nothing;
  /// goes on behind it.
  ///
  /// Spec: 13-directory, rules Y3, Y4 and Y5.
  mutating func mismatch(
    between stated: ChunkDirectory, and found: ChunkDirectory
  ) -> ArchiveError.Code? {
    let blocks = block..<block + found.blocks.count
    let chunks = chunk..<chunk + found.chunks.count
    // That there is no more of it than was stated shows before it is compared.
    guard segment < stated.segments.count, stated.segments[segment..<segment + 1] == found.segments[...],
      blocks.upperBound <= stated.blocks.count, stated.blocks[blocks] == found.blocks[...],
      chunks.upperBound <= stated.chunks.count, stated.chunks[chunks] == found.chunks[...]
    else { return .indexMismatch }
    guard stated.headChecksums[segment] == found.headChecksums[0],
      stated.checksums[chunks] == found.checksums[...]
    else { return .damagedSegment }
    // A directory need not have a range that it could have.
    for (stated, found) in zip(stated.ranges[chunks], found.ranges) where stated != nil && stated != found {
      return .indexMismatch
    }
    segment += 1
    block = blocks.upperBound
    chunk = chunks.upperBound
    return nil
  }
}
