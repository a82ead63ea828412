import ArcFormat

/// Where an export goes: a file or a folder that is there when all is in it, or a stream.
protocol ExportTarget: AnyObject {
  /// The only file of the export. Called once, and for no folder.
  func mainFile() throws -> Output
  /// A file of the folder by its name, which is used once and no path.
  func file(named name: String) throws -> Output
  /// The path of an empty file for a library that writes it itself. Called once, and for a database only.
  func databasePath() throws -> String
  /// Counts bytes that a library writes.
  func count(_ byteCount: Int)
  /// Gives what was written its name.
  func commit() throws
}

extension ExportTarget {
  func mainFile() throws -> Output { throw ExportTargetMismatch() }
  func file(named name: String) throws -> Output { throw ExportTargetMismatch() }
  func databasePath() throws -> String { throw ExportTargetMismatch() }
  func count(_ byteCount: Int) {}
}

/// What a format asks of a target that has no such thing, which no format does.
struct ExportTargetMismatch: Error {}

/// Counts the bytes of an export, and refuses more than a stranger's file may ask for: it can mention one
/// long string a million times.
final class ExportLimit {
  private let byteLimit: Int
  private var byteCount = 0

  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// An output whose bytes are counted before they go to `sink`.
  func output(_ sink: @escaping ([UInt8]) throws(OutputFailure) -> Void) -> Output {
    Output { bytes throws(OutputFailure) in
      self.byteCount += bytes.count
      try sink(bytes)
    }
  }

  /// Counts bytes that are written elsewhere.
  func count(_ byteCount: Int) { self.byteCount += byteCount }

  /// Throws `limitExceeded` when too much was written.
  func check() throws(ArchiveError) {
    if byteCount > byteLimit {
      throw ArchiveError(
        .limitExceeded, found: "more than \(plural(byteLimit, "byte")) to export",
        expected: "at most \(plural(byteLimit, "byte"))")
    }
  }
}

/// Standard output.
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

/// A new file, which has its name when all is in it.
final class ExportFile: ExportTarget {
  private let file: AtomicFile
  private let counted: Output

  /// Begins a file at a path where there is none.
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
