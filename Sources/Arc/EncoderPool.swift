/// Encoders that wrote a small archive, for the next one of the same roots: what it takes to describe classes and to
/// make columns is most of the time of a small archive.
///
/// Bytes do not depend on it: a class of an earlier archive is used again only at the place that a new encoder would
/// give it, and else it is forgotten and added anew (`GraphEncoder.meet`).
enum EncoderPool {
  private static let pool = IdlePool<GraphEncoder>()

  /// Encoders that used more memory than this, about, are not kept.
  private static let greatestByteCount = 1 << 16
  private static let greatestObjectCount = 1000

  /// The archive of a graph; no bytes if there is a destination, which then has all.
  static func archive(
    _ roots: [(name: String, value: any ArchivableValue)], options: Archiver.Options,
    to destination: ArchiveWriter.Destination? = nil
  ) throws -> [UInt8] {
    let encoder = pool.take { $0.fits(roots, options) } ?? GraphEncoder(options: options)
    unsafe encoder.archive.destination = destination
    // An encoder whose user code threw stands anywhere, so it is not put back.
    let bytes = try encoder.archive(roots: roots)
    let byteCount = unsafe bytes.count + encoder.archive.passedByteCount
    if encoder.isReusable, encoder.objectCount <= greatestObjectCount, byteCount <= greatestByteCount {
      encoder.restart(byteCount: byteCount)
      pool.put(encoder)
    }
    return bytes
  }
}
