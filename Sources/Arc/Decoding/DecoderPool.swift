import ArcArchive
import ArcFormat
import ArcRuntime

/// Stores decoders that have read a small archive, for the next archive with the same class table. Without
/// the pool, reading a small archive would consist mostly of three steps: reading the class table, comparing
/// it with the program's classes, and allocating memory.
///
/// The next archive is checked like any other archive. A decoder is reused only if the class table has the
/// same bytes and no class was registered since the decoder was created. After an error, a decoder is not
/// stored.
enum DecoderPool {
  private static let pool = IdlePool<ArchiveDecoder>()

  // The maximum size of an archive whose decoder is stored.
  private static let maximumByteCount = 1 << 16
  private static let maximumRowCount = 1000

  /// Returns a decoder that has opened an archive: a stored decoder that fits, or a new one. The bytes must
  /// remain valid until the decoder is put back or released.
  ///
  /// `areRoots` returns whether the roots of a stored decoder are the requested roots, and `roots` returns
  /// the requested roots. If the archive is a copy of objects in memory, `liveClasses` contains their
  /// classes.
  static func open(
    _ bytes: ByteView, _ classes: ClassTable, _ limits: ArchiveLimits,
    unknownContent: UnknownContentPolicy = .refuse, newerVersions: NewerVersionPolicy = .refuse,
    liveClasses: LiveClasses? = nil,
    areRoots: ([ResolvedSchema.Root]) -> Bool, roots: () -> [ResolvedSchema.Root]
  ) throws -> ArchiveDecoder {
    let version = classes.version
    var location = 0
    // The bytes are compared while the pool is locked, because a few small class tables take little time. The
    // decoder that was put back last is outside the pool meanwhile, so other threads do not find it.
    let known = pool.take { decoder in
      // A copy of the request would retain all that is in it.
      let schema = decoder.schema
      guard unknownContent.refuses, newerVersions == .refuse, schema.request.classesVersion == version,
        areRoots(schema.request.roots),
        schema.request.limits == limits,
        schema.request.liveClasses == liveClasses,
        let offset = decoder.file.locationOfClasses(in: bytes)
      else { return false }
      location = offset
      return true
    }
    if let known, try known.reopen(bytes, locationOfClasses: location) { return known }
    let request = ResolvedSchema.Request(
      roots: roots(), classes: classes, classesVersion: version, limits: limits,
      unknownContent: unknownContent, newerVersions: newerVersions, liveClasses: liveClasses)
    let file = try ArchiveFile(store: ByteStore(borrowing: bytes), limits: limits)
    return ArchiveDecoder(ResolvedSchema(RowsView(of: file), request))
  }

  /// Stores a decoder whose archive was read without an error, unless the archive is too large.
  static func put(_ decoder: ArchiveDecoder) {
    guard decoder.file.rawByteCount <= maximumByteCount, decoder.file.rowCount <= maximumRowCount,
      decoder.schema.isReusable
    else { return }
    decoder.prepareForReuse()
    pool.put(decoder)
  }
}
