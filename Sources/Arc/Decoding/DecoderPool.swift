import ArcArchive
import ArcFormat
import ArcRuntime

/// Keeps decoders that read a small archive for the next one with the same class table: most of the time of a
/// small archive goes into reading the class table and comparing it with the program's classes, and most of
/// the rest into memory.
///
/// Nothing counts as checked because it was before: the file is checked like any other, and a decoder is
/// reused only if the class table has the same bytes and no class was registered since. One that threw an
/// error is not kept.
enum DecoderPool {
  private static let pool = IdlePool<ArchiveDecoder>()

  /// The maximum that a decoder read if it is to be kept.
  private static let maximumByteCount = 1 << 16
  private static let maximumRowCount = 1000

  /// Opens an archive whose bytes stay valid until the decoder is put back or released. `areRoots` says
  /// whether given roots are those that the caller asks for; `roots` returns these. Of a copy, `liveClasses`
  /// are the classes.
  static func open(
    _ bytes: ByteView, _ classes: ClassTable, _ limits: ArchiveLimits,
    unknownContent: UnknownContentPolicy = .refuse, newerVersions: NewerVersionPolicy = .refuse,
    liveClasses: LiveClasses? = nil,
    areRoots: ([ResolvedSchema.Root]) -> Bool, roots: () -> [ResolvedSchema.Root]
  ) throws -> ArchiveDecoder {
    let version = classes.version
    var location = 0
    // The bytes are compared while the pool is locked: no more than the class tables of a few small
    // archives. The decoder that was put back last is taken out to be compared; other threads miss it
    // meanwhile.
    let known = pool.take { decoder in
      let request = decoder.schema.request
      guard unknownContent.refuses, newerVersions == .refuse, request.classesVersion == version,
        areRoots(request.roots),
        request.limits == limits,
        request.liveClasses == liveClasses,
        let found = decoder.file.locationOfClasses(in: bytes)
      else { return false }
      location = found
      return true
    }
    if let known, try known.reopen(bytes, locationOfClasses: location) { return known }
    let request = ResolvedSchema.Request(
      roots: roots(), classes: classes, classesVersion: version, limits: limits,
      unknownContent: unknownContent, newerVersions: newerVersions, liveClasses: liveClasses)
    let file = try ArchiveFile(store: ByteStore(borrowing: bytes), limits: limits)
    return ArchiveDecoder(ResolvedSchema(RowsView(of: file), request))
  }

  /// Keeps a decoder whose archive was read without an error, unless it is too large.
  static func put(_ decoder: ArchiveDecoder) {
    guard decoder.file.rawByteCount <= maximumByteCount, decoder.file.rowCount <= maximumRowCount,
      decoder.schema.isReusable
    else { return }
    decoder.prepareForReuse()
    pool.put(decoder)
  }
}
