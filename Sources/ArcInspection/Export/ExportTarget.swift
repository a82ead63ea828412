import ArcFormat

/// The destination of an export: a stream, or a new file or folder that gets its final name when it is
/// complete.
protocol ExportTarget: AnyObject {
  /// Returns the only file of the export. Called once, but not for formats that write folders or databases.
  func mainFile() throws -> Output
  /// Creates a file in the folder. `name` is not a path, and is passed only once.
  func file(named name: String) throws -> Output
  /// Returns the path of an empty file, which a library then writes. Called once, and only by formats that
  /// write a database.
  func databasePath() throws -> String
  /// Counts bytes that a library wrote, because the size of the export has a limit.
  func count(_ byteCount: Int)
  /// Completes the export. A file or folder gets its final name.
  func commit() throws
}

extension ExportTarget {
  func mainFile() throws -> Output { throw ExportTargetMismatch() }
  func file(named name: String) throws -> Output { throw ExportTargetMismatch() }
  func databasePath() throws -> String { throw ExportTargetMismatch() }
  func count(_ byteCount: Int) {}
}

/// Thrown if a format requires an output that its target does not have. Indicates a defect of the program,
/// because `ExportFormat.product` determines the target.
struct ExportTargetMismatch: Error {}

/// Counts the bytes of an export and enforces a limit. An untrusted file can refer to one long string a
/// million times.
final class ExportLimit {
  private let byteLimit: Int
  private var byteCount = 0

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// Returns an output that counts the bytes and then passes them to `sink`.
  func output(_ sink: @escaping ([UInt8]) throws(OutputFailure) -> Void) -> Output {
    Output { bytes throws(OutputFailure) in
      self.byteCount += bytes.count
      try sink(bytes)
    }
  }

  /// Counts bytes that a library wrote, so that `output(_:)` did not count them.
  func count(_ byteCount: Int) { self.byteCount += byteCount }

  /// Throws `limitExceeded` if more bytes than the limit were written.
  func check() throws(ArchiveError) {
    if byteCount > byteLimit {
      throw ArchiveError(
        .limitExceeded, found: "more than \(plural(byteLimit, "byte")) to export",
        expected: "at most \(plural(byteLimit, "byte"))")
    }
  }
}

/// Standard output as the destination of an export.
final class ExportStream: ExportTarget {
  private let stream: Output
  private let counted: Output

  init(_ stream: Output, _ limit: ExportLimit) {
    self.stream = stream
    counted = limit.output { bytes throws(OutputFailure) in try stream.write(bytes) }
  }

  func mainFile() -> Output { counted }

  func commit() throws { try counted.flush() }
}

/// A new file as the destination of an export. It gets its final name when it is complete.
final class ExportFile: ExportTarget {
  private let file: AtomicFile
  private let counted: Output

  /// Begins the file. Throws if something already exists at `path`.
  init(_ path: String, _ limit: ExportLimit) throws(OutputFailure) {
    try Console.checkIsNew(path)
    let file = try OutputFailure.of { () throws(ArchiveError) in try AtomicFile(replacing: path) }
    self.file = file
    counted = limit.output { bytes throws(OutputFailure) in
      try OutputFailure.of { () throws(ArchiveError) in try file.write(bytes) }
    }
  }

  func mainFile() -> Output { counted }

  func commit() throws {
    try counted.flush()
    try OutputFailure.of { () throws(ArchiveError) in try file.commit() }
  }
}
