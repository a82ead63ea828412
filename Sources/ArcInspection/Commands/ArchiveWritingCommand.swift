import ArcFormat
import ArgumentParser

/// A command that writes a new archive and prints a report on it.
protocol ArchiveWritingCommand: ParsableCommand {
  /// The path of the input in messages.
  var inputPath: String { get }
  /// The path of the new archive.
  var output: String { get }
  var json: Bool { get }
  var trust: Bool { get }
  /// Builds the archive and the report. `status` is the exit code of the command if the archive and the
  /// report can be written.
  func build(with console: Console) throws -> (archive: [UInt8], report: Report, status: ExitStatus)
}

extension ArchiveWritingCommand {
  /// The reader of the report: a program if `--json` is set, otherwise a person.
  var reader: Report.Reader { json ? .program : .text }

  var limits: ArchiveLimits { trust ? .default : .untrusted }

  func run() throws {
    let status = run(with: .standard, write: Console.writeNew)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Builds the archive, passes its bytes and its path to `write`, and prints the report. Returns the exit
  /// code.
  func run(with console: Console, write: ([UInt8], String) throws -> Void) -> ExitStatus {
    defer { console.finish() }
    do {
      let built: (archive: [UInt8], report: Report, status: ExitStatus)
      do {
        built = try build(with: console)
      } catch {
        let failure = InspectionFailure(error, hasMoreTrust: !trust)
        return try console.refuse(failure, of: inputPath, asJSON: json)
      }
      try write(built.archive, output)
      return console.report(onArchive: output, built.status) {
        try console.write(built.report, as: json ? .json : .text)
      }
    } catch {
      // If standard error cannot be written, the exit status remains.
      try? console.errors.line("arcdump: \(printable("\(error)"))")
      try? console.errors.flush()
      return .outputError
    }
  }
}

/// Throws if the path of a new archive is `-`, because a stream does not show whether the archive is
/// complete.
func checkIsArchivePath(_ path: String) throws {
  try checkIsNamed(path)
  if path == "-" {
    throw ValidationError("Name a file with -o OUT: an archive is not written to standard output.")
  }
}

/// Throws if the path of an output is empty.
func checkIsNamed(_ path: String) throws {
  if path.isEmpty { throw ValidationError("Name the output with -o OUT: the name is empty.") }
}
