import ArcFormat

/// Decoders that read a small archive, for the next one with the same class table: to read the class table and to
/// compare it with the program's classes is most of the time of a small archive, and memory the rest.
///
/// Nothing is believed because it was true before: the file is checked as any other, and a decoder serves only if its
/// class table has the same bytes and no class was registered since. One that threw an error is not kept.
enum DecoderPool {
  private static let pool = IdlePool<GraphDecoder>()

  /// Decoders that read more than this are not kept.
  private static let greatestByteCount = 1 << 16
  private static let greatestRowCount = 1000

  /// Opens an archive that stays where it is until the decoder is put back or let go. `areRoots` tells whether certain
  /// roots are those that the caller asks for, `roots` which these are.
  static func open(
    _ bytes: UnsafeRawBufferPointer, _ classes: ClassTable, _ limits: Limits,
    areRoots: ([DecoderTables.Root]) -> Bool, roots: () -> [DecoderTables.Root]
  ) throws -> GraphDecoder {
    let version = classes.version
    var place = 0
    let known = pool.take { decoder in
      let wish = decoder.tables.wish
      guard wish.classesVersion == version, areRoots(wish.roots), wish.limits == limits,
        let found = unsafe decoder.file.placeOfClasses(in: bytes)
      else { return false }
      place = found
      return true
    }
    if let known, unsafe try known.reopen(bytes, placeOfClasses: place) { return known }
    let wish = DecoderTables.Wish(roots: roots(), classes: classes, classesVersion: version, limits: limits)
    let file = try unsafe ArchiveFile(store: ByteStore(borrowing: bytes), limits: limits)
    return GraphDecoder(file, DecoderTables(file.tables, wish))
  }

  /// Keeps a decoder whose archive was read without an error.
  static func put(_ decoder: GraphDecoder) {
    guard decoder.file.rawByteCount <= greatestByteCount, decoder.file.rowCount <= greatestRowCount,
      decoder.tables.areReusable
    else { return }
    decoder.restart()
    pool.put(decoder)
  }
}
