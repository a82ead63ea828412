import Dispatch

/// A function that receives the bytes of a file in parts, in order.
package typealias ArchiveDestination = ([UInt8]) throws(ArchiveError) -> Void

/// A function that is called for each segment before compression. It receives the payload, the kind, and the
/// index of the first row, string or class of the segment. It returns the offsets in the payload that become
/// points if the payload is compressed, in ascending order.
typealias SegmentObserver = (
  [UInt8], _ kind: SegmentInfo.Kind, _ first: Int
) throws(ArchiveError) -> [Int]

/// Writes a file: header, segments in order, index and trailer.
///
/// Uncompressed segments are written directly to the file. Large segments are compressed by other threads
/// while the caller fills the next segment. Compressed segments are added to the file in the order in which
/// the caller wrote them, so the bytes of the file do not depend on the speed of the threads.
///
/// If there is a destination, complete segments are passed to it in file order while later segments are
/// written. Therefore, only a few segments are in memory instead of the whole file.
struct SegmentWriter: ~Copyable {
  /// The minimum size, in bytes, of a segment that another thread compresses. For a smaller segment, starting
  /// a thread would take longer than the compression.
  private static let minimumByteCountForThread = 1 << 18

  /// The capacity, in bytes, that is reserved for an index and a trailer of a typical size.
  private static let reservedByteCountForEnd = 4096

  /// The minimum number of bytes that are passed to the destination at once. Fewer bytes are not worth a
  /// system call.
  private static let minimumByteCountToPassOn = 1 << 18

  let compression: Compression
  /// Receives the bytes of the file. Nil if `finish` returns the file. Must be set before anything is
  /// written.
  var destination: ArchiveDestination?
  /// Receives the payload of each segment except the index. Nil if no observer needs the payloads. Must be
  /// set before anything is written.
  var observer: SegmentObserver?
  /// The number of bytes that the destination has received. A multiple of the alignment.
  private(set) var passedByteCount = 0
  /// The bytes of the file from offset `passedByteCount`.
  private var file = ByteWriter()
  private var segments: [SegmentInfo] = []
  private var segmentsChecksum: UInt32 = 0
  /// The segments that are written but not yet added to the file, because the first of these segments is
  /// still being compressed.
  private var pending: [CompressionJob] = []
  private let pendingLimit = 2 * Processors.count
  /// The points of the compressed segments that were added to the file. Empty if there is no observer.
  private var points: [SegmentPoints] = []

  init(compression: Compression) {
    self.compression = compression
    file.append(ArchiveHeader.current)
  }

  /// Begins the next file. Reserves `byteCount` bytes, the size of the previous file.
  mutating func prepareForReuse(byteCount: Int) {
    segments.removeAll(keepingCapacity: true)
    segmentsChecksum = 0
    pending = []
    destination = nil
    observer = nil
    points = []
    passedByteCount = 0
    file.removeAll()
    file.reserveExactly(byteCount)
    file.append(ArchiveHeader.current)
  }

  /// Passes all bytes of `file` to the destination if `file` has at least `least` bytes. Called before each
  /// segment is written, and at the end of the file. Until the next call, `file` still contains the segment
  /// that was written last.
  private mutating func passOn(atLeast least: Int = minimumByteCountToPassOn) throws(ArchiveError) {
    guard let destination, file.count >= least else { return }
    passedByteCount += file.count
    try destination(file.takeBytes())
  }

  /// Adds a segment. `write` appends the payload of the segment. `byteCount` is the approximate maximum size
  /// of the payload. `progress` is the fraction of the file, from 0 to 1, that is complete after this
  /// segment. It is used to estimate the size of the file.
  mutating func write(
    _ kind: SegmentInfo.Kind, first: Int, count: Int, byteCount: Int = 0, progress: Double = 1,
    _ write: (inout ByteWriter) -> Void
  ) throws(ArchiveError) {
    try passOn()
    guard case .zlib(let level) = compression, kind != .index else {
      try drain(to: 0)
      // Small payloads do not need a reservation.
      if byteCount > Self.reservedByteCountForEnd {
        let needed = file.count + byteCount + Self.reservedByteCountForEnd
        let expected = destination == nil ? Int(Double(needed) / max(progress, 0.01)) : needed
        file.reserve(byteCount + Self.reservedByteCountForEnd, expected: expected)
      }
      guard let observer, kind != .index else {
        return append(kind.code, first: first, count: count, write)
      }
      let payload = Self.payload(write)
      _ = try observer(payload, kind, first)
      return append(kind.code, first: first, count: count) { $0.append(payload) }
    }
    let payload = Self.payload(write)
    let borders = try observer?(payload, kind, first)
    let job = CompressionJob(kind, payload, first: first, count: count, level: level, borders: borders)
    // If the other threads are busy, this thread compresses the segment.
    if job.raw.count >= Self.minimumByteCountForThread, pending.count < pendingLimit {
      DispatchQueue.global().async { job.run() }
    } else {
      job.run()
    }
    pending.append(job)
    try drain(to: pendingLimit)
  }

  private static func payload(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var payload = ByteWriter()
    write(&payload)
    return payload.takeBytes()
  }

  /// Adds an uncompressed segment that a reader skips if it does not know the segment's kind. Spec:
  /// 02-container, rule S3.
  mutating func writeIgnorable(
    _ code: SegmentCode, first: Int = 0, count: Int, _ write: (inout ByteWriter) -> Void
  ) throws(ArchiveError) {
    try passOn()
    try drain(to: 0)
    append(code, flags: SegmentHeader.mayIgnore, first: first, count: count, write)
  }

  /// Returns the points of all compressed segments of strings, rows and links, in file order, and waits until
  /// they are compressed. Empty if there is no observer.
  mutating func pointsOfSegments() throws(ArchiveError) -> [SegmentPoints] {
    try drain(to: 0)
    return points
  }

  private mutating func append(
    _ code: SegmentCode, flags: UInt8 = 0, first: Int, count: Int, _ write: (inout ByteWriter) -> Void
  ) {
    let start = file.count
    SegmentHeader(kind: code, flags: flags, isCompressed: false, storedByteCount: 0, rawByteCount: 0)
      .write(to: &file)
    write(&file)
    let byteCount = file.count - start - SegmentHeader.byteCount
    pad(from: start)
    file.overwrite(at: start + SegmentHeader.sizesOffset, with: UInt64(byteCount))
    file.overwrite(at: start + SegmentHeader.sizesOffset + 8, with: UInt64(byteCount))
    let crc = file.checksum(from: start)
    add(
      SegmentInfo(
        code: code, byteOffset: passedByteCount + start, storedByteCount: byteCount,
        rawByteCount: byteCount, isCompressed: false, firstIndex: first, count: count), crc)
  }

  /// Appends the padding after the payload of the segment that begins at `start`.
  private mutating func pad(from start: Int) {
    let byteCount = file.count - start + SegmentHeader.checksumByteCount
    for _ in 0..<Alignment.padding(at: byteCount) { file.fixed(UInt8(0)) }
  }

  /// A segment that can be added to another file unchanged.
  struct Copy {
    let info: SegmentInfo
    /// The header, the payload and the padding, without the checksum.
    let bytes: [UInt8]
    let crc: UInt32
  }

  /// Returns a copy of the segment that was written last. Nil if no segment was written, if segments are
  /// compressed, or if an observer is set.
  func copyOfLastSegment() -> Copy? {
    guard let info = segments.last, case .none = compression, observer == nil else { return nil }
    let end = file.count - SegmentHeader.checksumByteCount
    let bytes = Array(file.bytes[(info.byteOffset - passedByteCount)..<end])
    return Copy(info: info, bytes: bytes, crc: Checksum.crc32(bytes))
  }

  /// Adds a copy of a segment of an earlier file.
  mutating func write(_ copy: Copy) {
    let start = file.count
    file.append(copy.bytes)
    add(
      copy.info.moved(to: passedByteCount + start), copy.crc)
  }

  /// Adds to the file, in order, all compressed segments that are ready. Then waits for further segments
  /// until at most `limit` segments are pending.
  private mutating func drain(to limit: Int) throws(ArchiveError) {
    var doneCount = 0
    while doneCount < pending.count, pending.count - doneCount > limit || pending[doneCount].isDone {
      let job = pending[doneCount]
      doneCount += 1
      let stored = try job.result()
      let start = file.count
      SegmentHeader(
        kind: job.kind.code, isCompressed: job.isCompressed, storedByteCount: stored.count,
        rawByteCount: job.raw.count
      ).write(to: &file)
      file.append(stored)
      pad(from: start)
      add(
        SegmentInfo(
          code: job.kind.code, byteOffset: passedByteCount + start, storedByteCount: stored.count,
          rawByteCount: job.raw.count, isCompressed: job.isCompressed, firstIndex: job.first, count: job.count
        ),
        file.checksum(from: start))
      if let points = job.points { self.points.append(points) }
    }
    if doneCount > 0 { pending.removeFirst(doneCount) }
  }

  private mutating func add(_ segment: SegmentInfo, _ crc: UInt32) {
    file.fixed(crc)
    guard segment.kind != .index else { return }
    segments.append(segment)
    segmentsChecksum = Checksum.crc32(of: crc, seed: segmentsChecksum)
  }

  /// Adds the index and the trailer. If there is a destination, passes the rest of the file to it and returns
  /// no bytes. Otherwise, returns the file.
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

/// The compression of one segment. `run` is called once, on any thread. Only the `SegmentWriter` that created
/// the job accesses the other members.
private final class CompressionJob: @unchecked Sendable {
  let kind: SegmentInfo.Kind
  let raw: [UInt8]
  let first: Int
  let count: Int
  private let level: Int
  /// The offsets that become points. Nil if points are not listed.
  private let borders: [Int]?
  private let done = DispatchSemaphore(value: 0)
  /// The compressed bytes. `run` sets them before it signals `done`, and `result` reads them after that
  /// signal.
  private var outcome: Result<(stored: [UInt8], points: [DecompressionPoint])?, ArchiveError>?
  private var partChecksums: [UInt32] = []
  private var isKnownDone = false

  init(_ kind: SegmentInfo.Kind, _ raw: [UInt8], first: Int, count: Int, level: Int, borders: [Int]?) {
    self.kind = kind
    self.raw = raw
    self.first = first
    self.count = count
    self.level = level
    self.borders = borders
  }

  func run() {
    outcome = Result { () throws(ArchiveError) in
      try Deflate.compress(raw, level: level, borders: borders ?? [])
    }
    if borders != nil, kind == .strings, case .success(let compressed?)? = outcome {
      partChecksums = raw.withByteView {
        SegmentPoints.partChecksums(of: $0, points: compressed.points)
      }
    }
    done.signal()
  }

  var isDone: Bool {
    isKnownDone = isKnownDone || done.wait(timeout: .now()) == .success
    return isKnownDone
  }

  /// Whether the compressed form is stored because it is smaller than the payload. Valid only after a call of
  /// `result`.
  private(set) var isCompressed = false
  /// The points of the segment. Nil if its points are not listed. Valid only after a call of `result`.
  private(set) var points: SegmentPoints?

  /// Returns the bytes to store. Waits until `run` has ended.
  func result() throws(ArchiveError) -> [UInt8] {
    if !isKnownDone { done.wait() }
    isKnownDone = true
    guard let compressed = try outcome?.get() else { return raw }
    isCompressed = true
    if borders != nil, [.strings, .rows, .weakColumns].contains(kind) {
      points = SegmentPoints(points: compressed.points, partChecksums: partChecksums)
    }
    return compressed.stored
  }
}
