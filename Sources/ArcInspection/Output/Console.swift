import ArcArchive
import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The environment of a command: its streams, its access to files, and the properties of the terminal. Tests
/// replace it with streams in memory.
struct Console {
  /// Standard output.
  let output: Output
  /// Standard error.
  let errors: Output
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// Returns the value of an environment variable. Nil if the variable is not set.
  let environment: (String) -> String?
  /// Reads a file, or standard input for the path `-`. The second argument is the maximum number of bytes.
  /// Throws if there are more bytes.
  let read: (String, Int) throws -> [UInt8]
  /// Opens the archive in a file without copying the file. Returns nil for a file that cannot be mapped into
  /// memory, such as standard input.
  var map: (String, ArchiveLimits) throws -> ArchiveFile? = { _, _ in nil }
  /// The line that shows the progress of the command. Nil if standard error is not a terminal.
  var progress: ProgressLine?
  /// Waits until the user quits the pager. A command calls this function after its output and before its
  /// errors.
  var finish: () -> Void = {}

  /// The streams of the process, without a pager. Writing to a closed pipe or a full file throws, because the
  /// signals for these errors are ignored.
  static var standard: Console { standard(isPaged: false) }

  /// Returns the streams of the process. If `isPaged` is true, output on a terminal is shown in the user's
  /// pager.
  static func standard(isPaged: Bool) -> Console {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let environment: (String) -> String? = { name in
      unsafe getenv(name).map { unsafe String(cString: $0) }
    }
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let progress = progressOnTerminal(environment)
    let command =
      isPaged && isTerminal
      ? Pager.command(environment: environment, hasProgram: Pager.hasProgram) : nil
    let pager = command.map(Pager.init)
    return Console(
      output: Output { bytes throws(OutputFailure) in
        // Output and the progress line would mix on the terminal.
        if isTerminal { progress?.finish() }
        try writeAll(bytes, to: pager?.descriptor() ?? STDOUT_FILENO)
      },
      errors: Output { bytes throws(OutputFailure) in
        progress?.finish()
        try writeAll(bytes, to: STDERR_FILENO)
      },
      isTerminal: isTerminal, environment: environment,
      read: { path, limit in try bytes(ofFile: path, limit: limit) },
      map: { path, limits in
        guard path != "-" else { return nil }
        do {
          return try ArchiveFile(mapping: path, limits: limits)
        } catch let error as ArchiveError where error.code == .fileSystem {
          return nil
        }
      },
      progress: progress,
      finish: {
        progress?.finish()
        pager?.finish()
      })
  }

  /// Starts a progress line on standard error. Returns nil if standard error is not a terminal, or if `TERM`
  /// is `dumb`.
  private static func progressOnTerminal(_ environment: (String) -> String?) -> ProgressLine? {
    guard isatty(STDERR_FILENO) == 1, environment("TERM") != "dumb" else { return nil }
    // A progress line that cannot be written is not an error of the command.
    let progress = ProgressLine { text in try? writeAll(Array(text.utf8), to: STDERR_FILENO) }
    progress.start()
    return progress
  }

  /// Runs a command and flushes its output. Returns the exit code.
  func run(_ body: () throws(OutputFailure) -> ExitStatus) -> ExitStatus {
    do throws(OutputFailure) {
      let status = try body()
      try output.flush()
      finish()
      try errors.flush()
      return status
    } catch {
      finish()
      // A reader that closes the pipe early, such as `head`, is not an error.
      guard !error.isClosedPipe else { return .ok }
      // If standard error cannot be written, the exit status remains.
      try? errors.line("arcdump: \(error)")
      try? errors.flush()
      return .outputError
    }
  }

  /// Throws if a file or folder exists at the path. Commands never replace files or folders.
  static func checkIsNew(_ path: String) throws(OutputFailure) {
    var status = stat()
    guard unsafe stat(path, &status) != 0 else {
      let what = status.st_mode & S_IFMT == S_IFDIR ? "folder" : "file"
      throw OutputFailure(
        ArchiveError(
          .fileSystem, found: "an existing \(what) '\(path)'",
          expected: "a path at which no file or folder exists", remedy: "choose another path"))
    }
  }

  /// Calls `body` to write a report on a new archive. Returns the exit code. The archive is complete even if
  /// the report cannot be written.
  func report(
    onArchive path: String, _ status: ExitStatus, _ body: () throws -> Void
  ) -> ExitStatus {
    do {
      try body()
      try output.flush()
      return status
    } catch {
      // A reader that closes the pipe before the end of the report is not an error.
      if let failure = error as? OutputFailure, failure.isClosedPipe { return status }
      // If standard error cannot be written, the exit status remains.
      try? errors.line("arcdump: \(printable("\(error)")); the archive '\(printable(path))' is complete")
      try? errors.flush()
      return .outputError
    }
  }

  /// Writes a report to standard output, without colours and without a size limit. Computing the report must
  /// not throw: every error is reported as an `OutputFailure`, which describes output that could not be
  /// written.
  func write(_ report: Report, as format: OutputFormat) throws(OutputFailure) {
    try OutputFailure.ofReport {
      let json = JSONOutput(output: output, byteLimit: .max)
      switch format {
      case .text:
        let style = Style(isColored: false)
        try Page(output: output, style: style, isOnTerminal: isTerminal, progress: nil).write(report)
      case .json: try json.object(isPretty: true) { try json.write(report) }
      case .jsonLines: try json.writeEntries(of: report)
      }
    }
  }

  /// Writes the reason why a command created no archive. Returns the exit code.
  func refuse(
    _ failure: InspectionFailure, of file: String, asJSON: Bool
  ) throws(OutputFailure) -> ExitStatus {
    if asJSON {
      try JSONOutput(output: output, byteLimit: .max).finish(with: failure)
      try output.flush()
    } else {
      try errors.line("arcdump: \(shownPath(failure.path ?? file)): \(printable(failure.message))")
      try errors.flush()
    }
    return failure.status
  }

  /// Writes a new file. The file gets its name when all bytes are written.
  static func writeNew(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
    try checkIsNew(path)
    try OutputFailure.of { () throws(ArchiveError) in
      let file = try AtomicFile(replacing: path)
      try file.write(bytes)
      try file.commit()
    }
  }
}

/// The failure of a command to read a file.
struct InputFailure: Error, CustomStringConvertible {
  let number: Int32
  var description: String {
    let reason = unsafe String(cString: strerror(number))
    return number == EISDIR ? reason + "; give the path of a file" : reason
  }
}

/// Returns the path of a file for the beginning of a message. Returns `''` for an empty path, so that the
/// path is visible.
func shownPath(_ path: String) -> String { path.isEmpty ? "''" : printable(path) }

/// The failure of a command to write its output.
struct OutputFailure: Error, CustomStringConvertible {
  let number: Int32
  let description: String

  /// Creates the failure of a write from an `errno` value.
  init(number: Int32) {
    self.number = number
    description = unsafe "cannot write: " + String(cString: strerror(number))
  }

  /// Creates the failure of an operation from an `errno` value. `what` is a verb phrase that follows
  /// "cannot".
  init(number: Int32, doing what: String) {
    self.number = number
    description = unsafe printable("cannot \(what): " + String(cString: strerror(number)))
  }

  /// Creates a failure with the message of a library.
  init(message: String) {
    number = 0
    description = printable(message)
  }

  /// Creates a failure with the description of an error, which contains the path of the file.
  init(_ error: ArchiveError) {
    number = 0
    description = printable("\(error)")
  }

  /// Calls `body`, which writes a file. Converts an error of `body` to an `OutputFailure`.
  static func of<Result>(_ body: () throws(ArchiveError) -> Result) throws(OutputFailure) -> Result {
    do throws(ArchiveError) { return try body() } catch { throw OutputFailure(error) }
  }

  /// Calls `write`, which writes a report. Converts every error to an `OutputFailure`, so only writing may
  /// throw, not computing the report.
  static func ofReport(_ write: () throws -> Void) throws(OutputFailure) {
    do { try write() } catch { throw error as? OutputFailure ?? OutputFailure(message: "\(error)") }
  }

  /// Whether the output could not be written because the reading program closed the pipe.
  var isClosedPipe: Bool { number == EPIPE }
}

/// Reads a file or pipe to its end. Does not use the size of the file, because a pipe has no size. Throws
/// `limitExceeded` if there are more than `limit` bytes. Spec: 07-limits, rule A1.
private func bytes(ofFile path: String, limit: Int) throws -> [UInt8] {
  let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY)
  guard descriptor >= 0 else { throw InputFailure(number: errno) }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 18)
  while true {
    let count = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    if count == 0 { return bytes }
    if count > 0 {
      bytes += block[..<count]
    } else if errno != EINTR {
      throw InputFailure(number: errno)
    }
    guard bytes.count <= limit else {
      throw ArchiveError(
        .limitExceeded, found: "a file of more than \(plural(limit, "byte"))",
        expected: "at most \(plural(limit, "byte"))", byteOffset: limit)
    }
  }
}

/// Writes all bytes. One call of the system's `write` may write only some bytes.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(OutputFailure) {
  var start = 0
  while start < bytes.count {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
    }
    if count >= 0 {
      start += count
    } else if errno != EINTR {
      throw OutputFailure(number: errno)
    }
  }
}
