#if SQLite
  import ArcFormat
  import CSQLite

  /// An SQLite database in memory, from which rows are read.
  ///
  /// The database is read-only. SQLite runs no code from the file except the expressions of generated
  /// columns. These expressions can call only functions that SQLite classifies as safe.
  ///
  /// Invariant: until the database is closed, it owns its copy of the file's bytes.
  @safe final class SQLiteReader {
    /// A value of a row.
    enum Cell {
      case null
      case integer(Int64)
      case real(Double)
      /// Bytes that are UTF-8 unless the file is malformed.
      case text([UInt8])
      case blob([UInt8])

      /// The text, with U+FFFD in the position of invalid bytes. Nil if the value is not text.
      var text: String? {
        guard case .text(let bytes) = self else { return nil }
        return String(decoding: bytes, as: UTF8.self)
      }
    }

    private let handle: OpaquePointer

    /// Opens a copy of the bytes of a file.
    ///
    /// - Throws: `malformedTable` with SQLite's message, or `limitExceeded`.
    init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ImportError) {
      var handle: OpaquePointer?
      let code = unsafe sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE, nil)
      guard let handle = unsafe handle else {
        throw ImportError(
          .limitExceeded, found: "too little memory to open SQLite",
          expected: "enough memory for the whole database")
      }
      unsafe self.handle = handle
      try check(code)
      // SQLite frees the memory when it closes the database, or immediately if `sqlite3_deserialize` fails.
      guard let copy = unsafe sqlite3_malloc64(UInt64(max(bytes.count, 1))) else {
        throw ImportError(
          .limitExceeded, found: "too little memory for a database of \(plural(bytes.count, "byte"))",
          expected: "enough memory for a copy of the whole database")
      }
      let memory = unsafe copy.assumingMemoryBound(to: UInt8.self)
      unsafe memory.update(from: Self.withoutLog(bytes), count: bytes.count)
      let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
      try check(
        unsafe sqlite3_deserialize(handle, "main", memory, Int64(bytes.count), Int64(bytes.count), flags))
      // No stored value is longer than the file, but a computed value could have a gigabyte per row.
      let limit = min(max(bytes.count, 1 << 20), limits.rawBytes)
      unsafe _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: limit))
      for pragma in ["trusted_schema=OFF", "cell_size_check=ON", "query_only=ON"] {
        try check(unsafe sqlite3_exec(handle, "PRAGMA \(pragma)", nil, nil, nil))
      }
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Returns a copy of a file's bytes, with a changed header, so that SQLite does not search for a
    /// write-ahead log. A database in memory has no log file.
    private static func withoutLog(_ bytes: [UInt8]) -> [UInt8] {
      guard bytes.count > 19, bytes.starts(with: TableImport.signatureOfSQLite) else { return bytes }
      var bytes = bytes
      for offset in 18...19 where bytes[offset] == 2 { bytes[offset] = 1 }
      return bytes
    }

    /// Calls a closure with each row of a query's result.
    ///
    /// - Throws: `malformedTable` with SQLite's message, or the error of the closure.
    func forEachRow(
      of query: String, _ body: ([Cell]) throws(ImportError) -> Void
    ) throws(ImportError) {
      var statement: OpaquePointer?
      try check(unsafe sqlite3_prepare_v2(handle, query, -1, &statement, nil))
      defer { unsafe sqlite3_finalize(statement) }
      let columnCount = unsafe sqlite3_column_count(statement)
      while true {
        let code = unsafe sqlite3_step(statement)
        guard code != SQLITE_DONE else { return }
        guard code == SQLITE_ROW else { throw failure() }
        var row: [Cell] = []
        row.reserveCapacity(Int(columnCount))
        for column in 0..<columnCount { row.append(unsafe Self.cell(statement, column)) }
        try body(row)
      }
    }

    private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
      switch unsafe sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        let start = unsafe sqlite3_column_text(statement, column)
        return .text(unsafe bytes(from: UnsafeRawPointer(start), statement, column))
      case SQLITE_BLOB:
        let start = unsafe sqlite3_column_blob(statement, column)
        return .blob(unsafe bytes(from: start, statement, column))
      default: return .null
      }
    }

    /// Copies the bytes of a value. SQLite's pointer to the first byte is valid only until the next step.
    private static func bytes(
      from start: UnsafeRawPointer?, _ statement: OpaquePointer?, _ column: Int32
    ) -> [UInt8] {
      let count = Int(unsafe sqlite3_column_bytes(statement, column))
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }

    private func check(_ code: Int32) throws(ImportError) {
      if code != SQLITE_OK { throw failure() }
    }

    private func failure() -> ImportError {
      ImportError(
        .malformedTable,
        found: unsafe "a database that SQLite rejects (\(String(cString: sqlite3_errmsg(handle))))",
        expected: "a readable SQLite database"
      )
    }
  }
#endif
