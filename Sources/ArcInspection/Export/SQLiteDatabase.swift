#if SQLite
  import ArcArchive
  import ArcForeign
  import ArcFormat
  import CSQLite

  /// A new SQLite database to which an export writes rows.
  ///
  /// The database has no journal, so its file is usable only if the export completes without an error.
  @safe final class SQLiteDatabase {
    private let path: String
    private let handle: OpaquePointer
    /// The prepared `INSERT` statements, by the number that `insertion(into:columnCount:)` returned.
    private var insertions: [OpaquePointer]

    /// Creates a database in an empty file, or in a new file if none exists at `path`.
    ///
    /// - Throws: `OutputFailure` with SQLite's message.
    init(_ path: String) throws(OutputFailure) {
      var handle: OpaquePointer?
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
      guard let handle = unsafe handle else {
        throw OutputFailure(message: "cannot write '\(path)': out of memory")
      }
      self.path = path
      unsafe (self.handle, insertions) = unsafe (handle, [])
      try check(code)
      for pragma in ["journal_mode=OFF", "synchronous=OFF", "locking_mode=EXCLUSIVE"] {
        try execute("PRAGMA \(pragma)")
      }
    }

    deinit {
      for index in unsafe insertions.indices { unsafe sqlite3_finalize(insertions[index]) }
      unsafe sqlite3_close_v2(handle)
    }

    /// Runs an SQL statement without parameters.
    func execute(_ statement: String) throws(OutputFailure) {
      try check(unsafe sqlite3_exec(handle, statement, nil, nil, nil))
    }

    /// Prepares a statement that inserts rows into a table. Returns the number of the statement.
    func insertion(into table: String, columnCount: Int) throws(OutputFailure) -> Int {
      let placeholders = Array(repeating: "?", count: columnCount).joined(separator: ",")
      var statement: OpaquePointer?
      try check(
        unsafe sqlite3_prepare_v2(
          handle, "INSERT INTO \(SQLName.quoted(table)) VALUES(\(placeholders))", -1, &statement, nil))
      guard let statement = unsafe statement else { throw failure() }
      unsafe insertions.append(statement)
      return unsafe insertions.count - 1
    }

    /// Inserts a row with the prepared statement of number `insertion`. Returns the approximate number of
    /// bytes that the row adds to the database.
    func insert(_ cells: [ArchiveValue], by insertion: Int) throws(OutputFailure) -> Int {
      let statement = unsafe insertions[insertion]
      var byteCount = 0
      for (index, cell) in cells.enumerated() {
        let parameterIndex = Int32(index + 1)
        switch SQLValue(cell) {
        case .null: try check(unsafe sqlite3_bind_null(statement, parameterIndex))
        case .integer(let number): try check(unsafe sqlite3_bind_int64(statement, parameterIndex, number))
        case .real(let number): try check(unsafe sqlite3_bind_double(statement, parameterIndex, number))
        case .text(let text):
          let bytes = Array(text.utf8)
          byteCount += bytes.count
          try check(unsafe arc_bind_text(statement, parameterIndex, bytes, UInt64(bytes.count)))
        case .blob(let bytes):
          byteCount += bytes.count
          try check(unsafe arc_bind_blob(statement, parameterIndex, bytes, UInt64(bytes.count)))
        }
        byteCount += 8
      }
      let code = unsafe sqlite3_step(statement)
      guard code == SQLITE_DONE else { throw failure() }
      try check(unsafe sqlite3_reset(statement))
      return byteCount
    }

    private func check(_ code: Int32) throws(OutputFailure) {
      if code != SQLITE_OK { throw failure() }
    }

    private func failure() -> OutputFailure {
      OutputFailure(message: unsafe "cannot write '\(path)': \(String(cString: sqlite3_errmsg(handle)))")
    }
  }
#endif
