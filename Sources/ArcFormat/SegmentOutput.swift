import Dispatch

/// The file while it is written: header, segments one after the other, index and trailer.
///
/// Segments that are stored as they are go straight into the file. Large ones that are to be compressed are handed
/// to other threads, while the caller fills the next one; they take their places in the order in which they were
/// written, so the file does not depend on which is ready first.
///
/// With a destination, what is complete is passed on while the rest is written, from the first byte to the last: memory
/// holds a few segments, not the file.
struct SegmentOutput: ~Copyable {
  /// Smaller segments are compressed at once: handing them over would take longer.
  private static let leastByteCountForThread = 1 << 18

  /// For an index and a trailer of usual size.
  private static let roomForEnd = 4096

  /// Fewer bytes are not worth a call of the system.
  private static let leastByteCountToPassOn = 1 << 18

  private let compression: Compression
  /// Where the file goes; nil if it is handed out at the end. Set before anything is written.
  var destination: ArchiveWriter.Destination?
  /// Bytes at the start of the file that the destination has; a multiple of the alignment.
  private(set) var passedByteCount = 0
  /// The file, from `passedByteCount` on.
  private var file = ByteWriter()
  private var segments: [SegmentInfo] = []
  private var segmentsChecksum: UInt32 = 0
  /// Written, but not yet in the file: the first one is still being compressed.
  private var pending: [CompressionJob] = []
  private let pendingLimit = 2 * Processors.count

  init(compression: Compression) {
    self.compression = compression
    file.append(ArchiveHeader.current)
  }

  /// Starts the next file, which is expected to have about as many bytes as the last one.
  mutating func restart(byteCount: Int) {
    segments.removeAll(keepingCapacity: true)
    segmentsChecksum = 0
    pending = []
    destination = nil
    passedByteCount = 0
    file.reset()
    file.reserveExactly(byteCount)
    file.append(ArchiveHeader.current)
  }

  /// Passes on the segments so far, if they are many bytes. Each is there until the next one begins.
  private mutating func passOn(atLeast least: Int = leastByteCountToPassOn) throws(ArchiveError) {
    guard let destination, file.count >= least else { return }
    passedByteCount += file.count
    try destination(file.takeBytes())
  }

  /// Adds a segment; `write` appends its payload, which has at most about `byteCount` bytes; it
  /// completes the part `progress` of what is known to be written.
  mutating func write(
    _ kind: SegmentKind, first: Int, count: Int, byteCount: Int = 0, progress: Double = 1,
    _ write: (inout ByteWriter) -> Void
  ) throws(ArchiveError) {
    try passOn()
    guard case .zlib(let level) = compression, kind != .index else {
      try drain(to: 0)
      // Little grows fast enough by itself.
      if byteCount > Self.roomForEnd {
        let needed = file.count + byteCount + Self.roomForEnd
        let expected = destination == nil ? Int(Double(needed) / max(progress, 0.01)) : needed
        file.reserve(byteCount + Self.roomForEnd, expected: expected)
      }
      return append(kind, first: first, count: count, write)
    }
    var payload = ByteWriter()
    write(&payload)
    let job = CompressionJob(kind, payload.takeBytes(), first: first, count: count, level: level)
    // With enough at hand for the other threads, this one helps.
    if job.raw.count >= Self.leastByteCountForThread, pending.count < pendingLimit {
      DispatchQueue.global().async { job.run() }
    } else {
      job.run()
    }
    pending.append(job)
    try drain(to: pendingLimit)
  }

  /// Appends a segment as it is.
  private mutating func append(
    _ kind: SegmentKind, first: Int, count: Int, _ write: (inout ByteWriter) -> Void
  ) {
    let start = file.count
    SegmentHeader(kind: kind, isCompressed: false, storedByteCount: 0, rawByteCount: 0).write(to: &file)
    write(&file)
    let byteCount = file.count - start - SegmentHeader.byteCount
    pad(from: start)
    file.overwrite(at: start + SegmentHeader.sizesOffset, with: UInt64(byteCount))
    file.overwrite(at: start + SegmentHeader.sizesOffset + 8, with: UInt64(byteCount))
    let crc = file.checksum(from: start)
    add(
      SegmentInfo(
        code: kind.code, byteOffset: passedByteCount + start, storedByteCount: byteCount,
        rawByteCount: byteCount, isCompressed: false, first: first, count: count), crc)
  }

  /// Appends zeros, so that the segment that began at `start` ends at a multiple of the alignment with its checksum.
  private mutating func pad(from start: Int) {
    let byteCount = file.count - start + SegmentHeader.checksumByteCount
    for _ in 0..<ChunkEncoding.padding(at: byteCount) { file.fixed(UInt8(0)) }
  }

  /// A segment that can be added to other files as it is.
  struct Copy {
    let info: SegmentInfo
    /// Header, payload and padding.
    let bytes: [UInt8]
    let crc: UInt32
  }

  /// The last segment; nil where there is none, or it is not stored as it is.
  func copyOfLastSegment() -> Copy? {
    guard let info = segments.last, case .none = compression else { return nil }
    let end = file.count - SegmentHeader.checksumByteCount
    let bytes = Array(file.bytes[(info.byteOffset - passedByteCount)..<end])
    return Copy(info: info, bytes: bytes, crc: Checksum.crc32(bytes))
  }

  /// Adds a segment of an earlier file.
  mutating func write(_ copy: Copy) {
    let start = file.count
    file.append(copy.bytes)
    add(
      copy.info.moved(to: passedByteCount + start), copy.crc)
  }

  /// Takes over compressed segments from the front: those that are ready, and as many as it takes for `limit`.
  private mutating func drain(to limit: Int) throws(ArchiveError) {
    var taken = 0
    while taken < pending.count, pending.count - taken > limit || pending[taken].isDone {
      let job = pending[taken]
      taken += 1
      let stored = try job.result()
      let start = file.count
      SegmentHeader(
        kind: job.kind, isCompressed: job.isCompressed, storedByteCount: stored.count,
        rawByteCount: job.raw.count
      ).write(to: &file)
      file.append(stored)
      pad(from: start)
      add(
        SegmentInfo(
          code: job.kind.code, byteOffset: passedByteCount + start, storedByteCount: stored.count,
          rawByteCount: job.raw.count, isCompressed: job.isCompressed, first: job.first, count: job.count),
        file.checksum(from: start))
    }
    if taken > 0 { pending.removeFirst(taken) }
  }

  private mutating func add(_ segment: SegmentInfo, _ crc: UInt32) {
    file.fixed(crc)
    guard segment.kind != .index else { return }
    segments.append(segment)
    segmentsChecksum = Checksum.crc32(of: crc, seed: segmentsChecksum)
  }

  /// Adds index and trailer and hands out the file; no bytes if there is a destination, which then has all.
  mutating func finish(rowCount: Int) throws(ArchiveError) -> [UInt8] {
    try drain(to: 0)
    let indexOffset = passedByteCount + file.count
    let segments = segments
    try write(.index, first: 0, count: segments.count) { SegmentIndex.write(segments, to: &$0) }
    ArchiveTrailer(
      indexOffset: UInt64(indexOffset), rowCount: UInt64(rowCount), segmentCount: UInt32(segments.count),
      segmentsChecksum: segmentsChecksum
    ).write(to: &file)
    guard destination == nil else {
      try passOn(atLeast: 0)
      return []
    }
    return file.takeBytes()
  }
}

/// One segment on its way through zlib. `run` is called once, on any thread; the rest by the owner.
private final class CompressionJob: @unchecked Sendable {
  let kind: SegmentKind
  let raw: [UInt8]
  let first: Int
  let count: Int
  private let level: Int
  private let done = DispatchSemaphore(value: 0)
  /// Written by `run` before it signals `done`, read after that.
  private var outcome: Result<[UInt8]?, ArchiveError>?
  private var isKnownDone = false

  init(_ kind: SegmentKind, _ raw: [UInt8], first: Int, count: Int, level: Int) {
    self.kind = kind
    self.raw = raw
    self.first = first
    self.count = count
    self.level = level
  }

  func run() {
    outcome = Result { () throws(ArchiveError) in try Deflate.compress(raw, level: level) }
    done.signal()
  }

  var isDone: Bool {
    isKnownDone = isKnownDone || done.wait(timeout: .now()) == .success
    return isKnownDone
  }

  /// Whether the compressed form is smaller, known when the job is done.
  private(set) var isCompressed = false

  /// The bytes to store; waits until they are there.
  func result() throws(ArchiveError) -> [UInt8] {
    if !isKnownDone { done.wait() }
    isKnownDone = true
    guard let compressed = try outcome?.get() else { return raw }
    isCompressed = true
    return compressed
  }
}
