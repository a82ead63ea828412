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

  /// Returns the archive of a graph; no bytes if there is a destination, which then has all. `warn` is called
  /// as ``Archiver/onWarning`` describes.
  static func archive(
    _ roots: [(name: String, value: any ArchivableValue)], options: ArchiveOptions,
    in context: ArchiveContext, warn: (@Sendable (ArchiveError) -> Void)?,
    to destination: ArchiveDestination? = nil
  ) throws -> [UInt8] {
    let encoder = take(roots, options, context, warn)
    encoder.isForReading = true
    encoder.archive.value.destination = destination
    let bytes = try ArchiveError.whileWriting { try encoder.archive(roots: roots) }
    put(encoder, byteCount: bytes.count + encoder.archive.value.passedByteCount)
    return bytes
  }

  /// Returns the filled columns of a graph.
  static func fill(
    _ roots: [(name: String, value: any ArchivableValue)], options: ArchiveOptions,
    in context: ArchiveContext, warn: (@Sendable (ArchiveError) -> Void)?
  ) throws -> DetachedArchive {
    let encoder = take(roots, options, context, warn)
    encoder.isForReading = true
    let archive = try ArchiveError.whileWriting { try encoder.fill(roots: roots) }
    put(encoder, byteCount: archive.byteCount)
    return archive
  }

  /// Returns the archive of a graph, and the classes of its objects.
  static func archiveWithClasses(
    _ roots: [(name: String, value: any ArchivableValue)], options: ArchiveOptions = ArchiveOptions(),
    in context: ArchiveContext, after calls: inout ArchivingHooks.Calls
  ) throws -> (bytes: [UInt8], classes: LiveClasses) {
    let encoder = take(roots, options, context, nil)
    encoder.hooks.calls = calls
    let bytes = try ArchiveError.whileWriting { try encoder.archive(roots: roots) }
    let classes = encoder.classes.value.liveClasses
    calls = encoder.hooks.calls
    put(encoder, byteCount: bytes.count)
    return (bytes, classes)
  }

  private static func take(
    _ roots: [(name: String, value: any ArchivableValue)], _ options: ArchiveOptions,
    _ context: ArchiveContext, _ warn: (@Sendable (ArchiveError) -> Void)?
  ) -> GraphEncoder {
    let encoder = pool.take { $0.fits(roots, options) } ?? GraphEncoder(options: options)
    encoder.hooks.context = context
    encoder.onWarning = warn
    encoder.isForReading = false
    return encoder
  }

  /// Keeps an encoder that wrote an archive of `byteCount` bytes without an error, unless it is too large:
  /// one whose user code threw is in an unknown state.
  private static func put(_ encoder: GraphEncoder, byteCount: Int) {
    guard encoder.isReusable, encoder.objectCount <= maximumObjectCount, byteCount <= maximumByteCount else {
      return
    }
    encoder.prepareForReuse(byteCount: byteCount)
    pool.put(encoder)
  }
}
