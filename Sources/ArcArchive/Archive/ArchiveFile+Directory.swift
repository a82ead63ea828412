import ArcFormat
import ArcRuntime

// Whether the chunk directory and the decompression points of an archive describe its segments correctly.

extension ArchiveFile {
  /// Checks that the chunk directory and the decompression points, if the archive has them, agree with the
  /// segments.
  ///
  /// Spec: 13-directory, rules Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9 and Y10; 05-graph, section 4, step 10.
  ///
  /// - Complexity: O(bytes of rows, and of strings with points).
  func verifyDirectory() throws(ArchiveError) {
    let directory = try statedDirectory()
    let points = try statedPoints()
    guard directory != nil || points != nil else { return }
    var cursor = DirectoryCursor()
    _ = try forEachRowsSegment { rows throws(ArchiveError) in
      guard let payloads = rows.storedPayloads else { return }
      if let (info, stated) = directory {
        var found = ChunkDirectory()
        let weakChunks = try found.addRows(payloads.rows.bytes, layouts: layouts)
        if let links = payloads.links { try found.addLinks(links.bytes, to: weakChunks) }
        if let error = cursor.mismatch(between: stated, and: found) {
          throw .wrongDirectory(error, ofRowsAt: payloads.rows.byteOffset, byteOffset: info.byteOffset)
        }
      }
      try points?.check(payloads.rows, in: store)
      if let links = payloads.links { try points?.check(links, in: store) }
    }
    guard let points else { return }
    for segment in segments where segment.kind == .strings && segment.isCompressed {
      try points.check(SegmentPayload(segment, in: store), in: store)
    }
  }

  /// Reads the chunk directory. Returns the directory and the segment that contains it. Nil if the archive
  /// has no directory.
  ///
  /// The directory is not compared with the contents of the segments of rows, but only with their number.
  ///
  /// Spec: 13-directory, rules Y1, Y2 and Y3.
  private func statedDirectory() throws(ArchiveError) -> (SegmentInfo, ChunkDirectory)? {
    guard let info = try onlySegment("CDIR", where: \.isChunkDirectory) else { return nil }
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

  /// Returns the segment of a kind that occurs at most once. Nil if the archive has no such segment.
  ///
  /// Spec: 13-directory, rules Y1 and Y6.
  private func onlySegment(
    _ name: String, where isOfKind: (SegmentInfo) -> Bool
  ) throws(ArchiveError) -> SegmentInfo? {
    let infos = segments.filter(isOfKind)
    guard let info = infos.first else { return nil }
    guard infos.count == 1, info.firstIndex == 0 else {
      throw ArchiveError(
        .malformedSegment,
        found:
          "\(plural(infos.count, "\(name) segment")), the first of which begins at entry \(info.firstIndex)",
        expected: "at most one \(name) segment, which begins at entry 0", byteOffset: info.byteOffset)
    }
    return info
  }

  /// Reads the decompression points of the archive. Nil if it has none.
  ///
  /// Spec: 13-directory, rules Y6, Y7 and Y8.
  private func statedPoints() throws(ArchiveError) -> StatedPoints? {
    guard let info = try onlySegment("ZPTS", where: \.isDecompressionPoints) else { return nil }
    let listed = segments.filter(\.canHaveDecompressionPoints)
    guard info.count == listed.count else {
      throw ArchiveError(
        .indexMismatch, found: "decompression points with the count \(info.count) in their index entry",
        expected: "the number of compressed STRS, ROWS and LINK segments, \(listed.count)",
        byteOffset: info.byteOffset)
    }
    let payload = try SegmentPayload(info, in: store)
    do throws(ArchiveError) {
      var reader = payload.reader
      let stated = try DecompressionPoints(reading: &reader, of: listed, limits: limits)
      return StatedPoints(
        info: info,
        points: Dictionary(
          zip(listed, stated.segments).map { ($0.byteOffset, ($0, $1)) },
          uniquingKeysWith: { first, _ in first }))
    } catch {
      if [.limitExceeded, .indexMismatch].contains(error.code) {
        throw error.located(byteOffset: info.byteOffset)
      }
      throw ArchiveError(
        .malformedSegment, found: "decompression points with \(error.found)",
        expected: error.expected ?? "a complete list of points", byteOffset: info.byteOffset)
    }
  }

  /// Reads a chunk directory from its segment. Every error in the directory, except an exceeded limit, has
  /// the code `malformedSegment`. Spec: 13-directory, rule Y2.
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

// Reading columns with the help of the directory.

extension ArchiveFile {
  /// Returns the directory if queries may use it: after `verify()`, or if the program trusts the directory.
  /// Nil if queries may not use it, or if there is no directory.
  ///
  /// - Throws: the code of the damage if the directory is damaged, or `indexMismatch` if the directory
  ///   describes a wrong number of segments.
  func usableDirectory() throws(ArchiveError) -> ChunkDirectory? {
    guard isVerified || trustsChunkDirectory else { return nil }
    if let known = cachedDirectory { return known }
    let directory = try statedDirectory()?.1
    cachedPoints = try statedPoints()?.points.mapValues(\.points) ?? [:]
    cachedDirectory = .some(directory)
    return directory
  }

  /// Reads and checks some columns of the rows of some classes in a segment.
  ///
  /// - Throws: `indexMismatch` or `damagedSegment` if the directory does not agree with the segment, or the
  ///   code of the damage if one of the columns is damaged.
  /// - Complexity: O(*r* + *c* + *b*). *r* is the number of runs of the segment, *c* the number of chunks up
  ///   to the last requested column, and *b* the number of bytes of the requested columns.
  func rows(_ part: RowsPart) throws(ArchiveError) -> RowsSegment {
    let info = segments[rowsSegments[part.number]]
    // Wrong points or damaged bytes can cause any error. Reading without points finds the right rows, or the
    // right error.
    if !cachedPoints.isEmpty, let rows = try? rows(part, of: info, usesPoints: true) { return rows }
    do throws(ArchiveError) {
      return try rows(part, of: info, usesPoints: false)
    } catch {
      throw error.located(byteOffset: info.byteOffset)
    }
  }

  private func rows(
    _ part: RowsPart, of info: SegmentInfo, usesPoints: Bool
  ) throws(ArchiveError) -> RowsSegment {
    var links: SegmentPayload?
    if let segment = try weakColumns(of: info) {
      links = try payload(of: segment, usesPoints: usesPoints)
    }
    var byteCount = 0
    let rows = try part.read(
      payload(of: info, usesPoints: usesPoints), links: links, info: info, layouts: layouts, classes: classes
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
  }

  /// Returns the payload of a segment without comparing its checksum, for a reader that checks the checksums
  /// of single chunks. If `usesPoints` is true, only the bytes that the reader requests are decompressed.
  private func payload(of segment: SegmentInfo, usesPoints: Bool) throws(ArchiveError) -> SegmentPayload {
    guard usesPoints, let points = cachedPoints[segment.byteOffset] else {
      return try SegmentPayload(segment, in: store, comparesChecksum: false)
    }
    return try SegmentPayload(segment, in: store, points: points.points[...])
  }
}

/// The decompression points that an archive states, and the segment that contains them.
private struct StatedPoints {
  let info: SegmentInfo
  /// The points of each segment that can have points, by the offset of the segment.
  let points: [Int: (segment: SegmentInfo, points: SegmentPoints)]

  /// Throws an error if the points of a segment do not agree with the payload of the segment. The payload has
  /// been found valid.
  ///
  /// Spec: 13-directory, rules Y8, Y9 and Y10.
  func check(_ payload: SegmentPayload, in store: ByteStore) throws(ArchiveError) {
    guard let (segment, points) = points[payload.byteOffset],
      let code = points.mismatch(with: segment, raw: payload.bytes, in: store)
    else { return }
    throw ArchiveError(
      code,
      found: "decompression points that do not match the \(segment.kind?.rawValue ?? "") segment at byte "
        + "\(segment.byteOffset)",
      expected: "points at which decompression of the segment can begin",
      remedy: "write the file again, or read the file without setting trustsChunkDirectory",
      byteOffset: info.byteOffset)
  }
}

/// The position, in each list of a chunk directory, of the first entry for a segment.
private struct DirectoryCursor {
  private var segment = 0
  private var block = 0
  private var chunk = 0

  /// Compares the entries for the next segment in the archive's directory with a directory that was computed
  /// from this segment. Then moves to the entries for the following segment.
  ///
  /// Spec: 13-directory, rules Y3, Y4 and Y5.
  ///
  /// - Parameters:
  ///   - stated: the directory of the archive.
  ///   - found: the directory that was computed from the segment. It contains only this segment.
  /// - Returns: the code of the first difference; nil if there is none.
  mutating func mismatch(
    between stated: ChunkDirectory, and found: ChunkDirectory
  ) -> ArchiveError.Code? {
    let blocks = block..<block + found.blocks.count
    let chunks = chunk..<chunk + found.chunks.count
    // The stated lists may end too early, so each upper bound is checked before the comparison.
    guard segment < stated.segments.count, stated.segments[segment..<segment + 1] == found.segments[...],
      blocks.upperBound <= stated.blocks.count, stated.blocks[blocks] == found.blocks[...],
      chunks.upperBound <= stated.chunks.count, stated.chunks[chunks] == found.chunks[...]
    else { return .indexMismatch }
    guard stated.headChecksums[segment] == found.headChecksums[0],
      stated.checksums[chunks] == found.checksums[...]
    else { return .damagedSegment }
    // A directory may omit any range.
    for (stated, found) in zip(stated.ranges[chunks], found.ranges) where stated != nil && stated != found {
      return .indexMismatch
    }
    segment += 1
    block = blocks.upperBound
    chunk = chunks.upperBound
    return nil
  }
}
