import ArcFormat

/// A pool of encoders that wrote a small archive. Such an encoder can write the next archive if its roots
/// have the same names and types. This saves most of the time of a small archive, which the encoder needs to
/// describe classes and create columns.
///
/// The bytes do not depend on the pool, because a class of an earlier archive is reused only if it gets the
/// index that a new encoder would assign. Otherwise, `ArchivedClasses` removes the class and adds it again.
enum EncoderPool {
  private static let pool = IdlePool<GraphEncoder>()

  /// The maximum number of bytes of an archive whose encoder returns to the pool.
  private static let maximumByteCount = 1 << 16
  /// The maximum number of objects of an archive whose encoder returns to the pool.
  private static let maximumObjectCount = 1000

  /// Returns the archive of a graph. If `destination` is not nil, the archive is written to the destination
  /// instead, and the result is empty. `warn` is called as ``Archiver/onWarning`` describes.
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

  /// Fills columns with a graph. Returns the columns.
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

  /// Returns an encoder to the pool after it wrote an archive of `byteCount` bytes, unless the archive is too
  /// large. An encoder must not be returned after an error, because its state is unknown then.
  private static func put(_ encoder: GraphEncoder, byteCount: Int) {
    guard encoder.isReusable, encoder.objectCount <= maximumObjectCount, byteCount <= maximumByteCount else {
      return
    }
    encoder.prepareForReuse(byteCount: byteCount)
    pool.put(encoder)
  }
}
