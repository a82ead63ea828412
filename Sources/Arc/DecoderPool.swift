import ArcFormat

/// Tables of decoders that read a small archive, for the next one with the same class table: to read the class table
/// and to compare it with the program's classes is most of the time of a small archive.
///
/// Nothing is believed because it was true before: the file is checked as any other, and the tables serve only if its
/// class table has the same bytes and no class was registered since.
enum DecoderPool {
  private static let pool = IdlePool<DecoderTables>()

  /// Tables that read more than this are not kept.
  private static let greatestByteCount = 1 << 16
  private static let greatestRowCount = 1000

  /// Opens an archive, with tables for its classes.
  static func open(
    _ bytes: UnsafeRawBufferPointer, _ wish: DecoderTables.Wish
  ) throws -> (ArchiveFile, DecoderTables) {
    let known = pool.take { unsafe $0.fit(wish) && $0.file.mayFit(file: bytes) }
    let file = try unsafe ArchiveFile(
      store: ByteStore(borrowing: bytes), limits: wish.limits, known: known?.file)
    if let known, known.file === file.tables { return (file, known) }
    return (file, DecoderTables(file.tables, wish))
  }

  /// Keeps tables whose archive was read without an error.
  static func put(_ tables: DecoderTables, after file: ArchiveFile) {
    guard file.byteCount <= greatestByteCount, file.rowCount <= greatestRowCount, tables.areReusable else {
      return
    }
    tables.restart()
    pool.put(tables)
  }
}
