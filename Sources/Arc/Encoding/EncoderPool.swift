import ArcFormat

/// Keeps encoders that wrote a small archive for the next one of the same roots: most of the time of a small
/// archive goes into describing classes and making columns.
///
/// Bytes do not depend on it: a class of an earlier archive is used again only at the index that a new
/// encoder would give it, and otherwise forgotten and added anew (`ArchivedClasses`).
enum EncoderPool {
  private static let pool = IdlePool<GraphEncoder>()

  /// The maximum that an encoder used, approximately, if it is to be kept.
  private static let maximumByteCount = 1 << 16
  private static let maximumObjectCount = 1000

  /// Returns the archive of a graph; no bytes if there is a destination, which then has all.
  static func archive(
    _ roots: [(name: String, value: any ArchivableValue)], options: ArchiveOptions,
    in context: ArchiveContext = ArchiveContext(), to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    let encoder = pool.take { $0.fits(roots, options) } ?? GraphEncoder(options: options)
    encoder.archive.value.destination = destination
    // An encoder whose user code threw is in an unknown state, so it is not put back.
    let bytes = try encoder.archive(roots: roots, in: context)
    let byteCount = bytes.count + encoder.archive.value.passedByteCount
    if encoder.isReusable, encoder.objectCount <= maximumObjectCount, byteCount <= maximumByteCount {
      encoder.prepareForReuse(byteCount: byteCount)
      pool.put(encoder)
    }
    return bytes
  }
}
