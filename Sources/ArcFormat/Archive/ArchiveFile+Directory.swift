// Whether what a directory says of an archive is so.

extension ArchiveFile {
  /// Checks that the directory of the archive, if it has one, says what is so of its segments.
  ///
  /// Spec: 13-directory, rules Y1, Y2, Y3, Y4 and Y5; 05-graph, section 4, step 10.
  ///
  /// - Complexity: O(bytes of rows).
  func verifyDirectory() throws(ArchiveError) {
    let infos = segments.filter { $0.code == ChunkDirectory.code }
    guard let info = infos.first else { return }
    guard infos.count == 1, info.firstIndex == 0 else {
      throw ArchiveError(
        .malformedSegment,
        found: "\(plural(infos.count, "CDIR segment")), the first of entries from \(info.firstIndex)",
        expected: "one at most, from 0", byteOffset: info.byteOffset)
    }
    let stated = try directory(info)
    guard stated.segments.count == rowsSegments.count, info.count == rowsSegments.count else {
      throw ArchiveError(
        .indexMismatch,
        found: "a directory of \(stated.segments.count) segments, of \(info.count) by the index",
        expected: "\(rowsSegments.count), as there are segments of rows", byteOffset: info.byteOffset)
    }
    var place = DirectoryPlace()
    _ = try forEachRowsSegment { rows throws(ArchiveError) in
      guard let payloads = rows.storedPayloads else { return }
      var found = ChunkDirectory()
      let weakChunks = try found.addRows(payloads.rows.bytes, layouts: layouts)
      if let links = payloads.links { try found.addLinks(links.bytes, to: weakChunks) }
      if let error = place.mismatch(between: stated, and: found) {
        throw ArchiveError(
          error,
          found: "a directory that says something else of the rows from byte \(payloads.rows.byteOffset)",
          expected: "what there is of them", remedy: "write the file anew, or read it without its directory",
          byteOffset: info.byteOffset)
      }
    }
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
        .malformedSegment, found: "a directory with \(error.found)",
        expected: error.expected ?? "the lists of a directory", byteOffset: info.byteOffset)
    }
  }
}

/// A place in the lists of a directory: before one of its segments.
private struct DirectoryPlace {
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
