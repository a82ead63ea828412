import ArcForeign
import ArcFormat
import ArgumentParser

/// `arcdump import FILE… -o OUT`: an archive of files of other formats.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Write an archive of keyed archives (NSKeyedArchiver), property lists, CSV or JSON lines.",
    discussion: """
      Property lists, binary or XML: each object is a row of its class, and so are arrays, sets and dictionaries; \
      roots keep their names, behind the file's if there are several files; objects that no root leads to are in a \
      root '$unreached'. Nothing is left out, and --report says what is otherwise than in the file.

      Tables, which are known by the names '.csv', '.jsonl' and '.ndjson' or told by --format: a row for each line, \
      of the class that --class names, a property for each column, with the narrowest type that all its values \
      have.

      Exit codes: 0, 65 not such a file or a damaged one, 66 no such file, 74 the archive or this report could \
      not be written, and the message says which.
      """)

  @Argument(help: "The files; '-' reads standard input.")
  var files: [String]

  @Option(name: [.short, .long], help: "The archive to write; there must be no such file yet.")
  var output: String

  @Option(help: "What the files are: auto, keyed, csv or jsonl.")
  var format = ImportFormat.auto

  @Option(name: .customLong("class"), help: "The class of a table's rows; the name of the file if not given.")
  var className: String?

  @Option(help: "A column of a table whose values must be there and differ.")
  var key: String?

  @Flag(help: "Print what was met: classes, columns and whatever is not as it was.")
  var report = false

  @Flag(help: "Print JSON, also for errors.")
  var json = false

  @Flag(help: "Allow what a file from a stranger may not ask for: gigabytes, millions of objects.")
  var trust = false

  func validate() throws {
    try checkIsArchivePath(output)
    if files.isEmpty { throw ValidationError("Give at least one file.") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Only one file can be standard input.") }
    let formats = Set(files.map { $0 == "-" ? format : format.resolved(for: $0) })
    let areTables = formats.contains(.csv) || formats.contains(.jsonl)
    if areTables, files.count > 1 { throw ValidationError("Import tables one by one.") }
    if !areTables, className != nil || key != nil {
      throw ValidationError("--class and --key are for tables: --format csv or jsonl.")
    }
  }

  func run() throws {
    let status = run(with: .standard, write: Console.writeNew)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Makes the archive, passes it with its path to `write`, and reports; returns the exit code.
  func run(with console: Console, write: ([UInt8], String) throws -> Void) -> ExitStatus {
    do {
      let made: (archive: [UInt8], report: ImportReport)
      do {
        made = try archive(with: console)
      } catch {
        return try refuse(error, with: console)
      }
      try write(made.archive, output)
      return console.report(onArchive: output, .ok) {
        guard json else {
          for line in made.report.lines(isLong: report) { try console.output.line(line) }
          return
        }
        let output = JSONOutput(output: console.output, byteLimit: .max)
        try output.object(isOnLines: true) { try made.report.write(to: output) }
      }
    } catch {
      try? console.errors.line("arcdump: \(printable("\(error)"))")
      try? console.errors.flush()
      return .outputError
    }
  }

  private func refuse(_ error: any Error, with console: Console) throws(OutputFailure) -> ExitStatus {
    let failure = InspectionFailure(error, hasMoreTrust: !trust)
    if json {
      try JSONOutput(output: console.output, byteLimit: .max).finish(with: failure)
      try console.output.flush()
    } else {
      try console.errors.line(
        "arcdump: \(shownPath(failure.path ?? files[0])): \(printable(failure.message))")
      try console.errors.flush()
    }
    return failure.status
  }

  private func archive(with console: Console) throws -> (archive: [UInt8], report: ImportReport) {
    let limits: Limits = trust ? .default : .untrusted
    var job = PropertyListImport(limits: limits)
    for file in files {
      do {
        let bytes = try console.read(file, limits.fileBytes)
        switch format.resolved(for: file) {
        case .auto, .keyed: try job.add(bytes, named: file)
        case .csv: return try TableImport.archive(ofCSV: bytes, options(for: file), limits: limits)
        case .jsonl: return try TableImport.archive(ofJSONLines: bytes, options(for: file), limits: limits)
        }
      } catch {
        throw OtherFileFailure(path: file, error: error)
      }
    }
    return try job.finish()
  }

  private func options(for file: String) -> TableImport.Options {
    let name = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    return TableImport.Options(
      className: className ?? (file == "-" ? nil : name) ?? "Row", key: key, fileName: file)
  }
}

/// What a file to import is.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
  /// By the name of the file, else a property list.
  case auto
  case keyed, csv, jsonl

  /// The format of a file.
  func resolved(for path: String) -> ImportFormat {
    guard self == .auto else { return self }
    if path.lowercased().hasSuffix(".csv") { return .csv }
    return [".jsonl", ".ndjson"].contains { path.lowercased().hasSuffix($0) } ? .jsonl : .keyed
  }
}
