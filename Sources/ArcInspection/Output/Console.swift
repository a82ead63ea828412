import ArcArchive
import ArcFormat

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The streams and surroundings of a command: what it reads and writes, and what it may know of the terminal.
struct Console {
  /// Standard output.
  let output: Output
  /// Standard error.
  let errors: Output
  /// Whether standard output is a terminal.
  let isTerminal: Bool
  /// A variable of the environment.
  let environment: (String) -> String?
  /// The bytes of a file, or of standard input for `-`; more than the given number is an error.
  let read: (String, Int) throws -> [UInt8]
  /// Opens the archive in a file that can be left where it is; nil for any other, which must be read.
  var map: (String, ArchiveLimits) throws -> ArchiveFile? = { _, _ in nil }
  /// Says how far a command has come; nil where nobody would see it.
  var progress: ProgressLine?
  /// What a command calls when its output is written and errors come next: waits for the pager.
  var finish: () -> Void = {}

  /// The process's own streams. A closed pipe and a full file become errors of the write instead of signals.
  static var standard: Console { standard(isPaged: false) }

  /// The same, where output on a terminal goes through a pager if it is wanted.
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
        // Both would write on one screen.
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

  /// A progress line on standard error, which is started; nil where that is no terminal, or a dumb one.
  private static func progressOnTerminal(_ environment: (String) -> String?) -> ProgressLine? {
    guard isatty(STDERR_FILENO) == 1, environment("TERM") != "dumb" else { return nil }
    // Nothing depends on a progress line.
    let progress = ProgressLine { text in try? writeAll(Array(text.utf8), to: STDERR_FILENO) }
    progress.start()
    return progress
  }

  /// Does a command's work and writes out the rest of its output; returns the exit code.
  func run(_ body: () throws(OutputFailure) -> ExitStatus) -> ExitStatus {
    do throws(OutputFailure) {
      let status = try body()
      try output.flush()
      finish()
      try errors.flush()
      return status
    } catch {
      finish()
      // A reader that has seen enough, such as `head`, is no error.
      guard !error.isClosedPipe else { return .ok }
      // If standard error cannot be written, the exit status remains.
      try? errors.line("arcdump: \(error)")
      try? errors.flush()
      return .outputError
    }
  }

  /// Throws if there is something with that name: a command that makes a file or folder replaces none.
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

  /// Reports on an archive that was written, which is complete whatever becomes of the report; returns the
  /// exit code.
  func report(
    onArchive path: String, _ status: ExitStatus, _ body: () throws -> Void
  ) -> ExitStatus {
    do {
      try body()
      try output.flush()
      return status
    } catch {
      // A reader that has seen enough of the report is no error.
      if let failure = error as? OutputFailure, failure.isClosedPipe { return status }
      // If standard error cannot be written, the exit status remains.
      try? errors.line("arcdump: \(printable("\(error)")); the archive '\(printable(path))' is complete")
      try? errors.flush()
      return .outputError
    }
  }

  /// Writes a report that cannot fail to standard output, without colours and without a limit.
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

  /// Says why a command made no archive of a file; returns the exit code.
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

  /// Writes a new file, which has its name when all is in it.
  static func writeNew(_ bytes: [UInt8], to path: String) throws(OutputFailure) {
    try checkIsNew(path)
    try OutputFailure.of { () throws(ArchiveError) in
      let file = try AtomicFile(replacing: path)
      try file.write(bytes)
      try file.commit()
    }
  }
}

/// A file that could not be read.
struct InputFailure: Error, CustomStringConvertible {
  let number: Int32
  var description: String {
    let reason = unsafe String(cString: strerror(number))
    return number == EISDIR ? reason + "; give the path of a file" : reason
  }
}

/// The path of a file in front of a message: an empty one is seen too.
func shownPath(_ path: String) -> String { path.isEmpty ? "''" : printable(path) }

/// Output that could not be written.
struct OutputFailure: Error, CustomStringConvertible {
  let number: Int32
  let description: String

  /// What a number of the system means.
  init(number: Int32) {
    self.number = number
    description = unsafe "cannot write: " + String(cString: strerror(number))
  }

  /// What a number of the system means for what was tried.
  init(number: Int32, doing what: String) {
    self.number = number
    description = unsafe printable("cannot \(what): " + String(cString: strerror(number)))
  }

  /// What a library says, and what it was about.
  init(message: String) {
    number = 0
    description = printable(message)
  }

  /// What an error that names the file says.
  init(_ error: ArchiveError) {
    number = 0
    description = printable("\(error)")
  }

  /// Does what writes a file.
  static func of<Result>(_ body: () throws(ArchiveError) -> Result) throws(OutputFailure) -> Result {
    do throws(ArchiveError) { return try body() } catch { throw OutputFailure(error) }
  }

  /// Writes parts of a report that cannot fail themselves.
  static func ofReport(_ write: () throws -> Void) throws(OutputFailure) {
    do { try write() } catch { throw error as? OutputFailure ?? OutputFailure(message: "\(error)") }
  }

  /// Whether the reader has closed its end.
  var isClosedPipe: Bool { number == EPIPE }
}

/// Reads to the end instead of asking for the size, which a pipe does not have. Throws
/// `limitExceeded` for more than `limit` bytes. Spec: 07-limits, rule A1.
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

/// Writes all bytes, in as many calls as the system wants.
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
