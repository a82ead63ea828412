import ArcForeign
import ArcFormat
import ArgumentParser

/// `arcdump import FILE… -o OUT`: an archive of files of other formats.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Write an archive of keyed archives (NSKeyedArchiver), property lists, CSV, JSON lines or SQLite.",
    discussion: """
      Property lists, binary or XML: each object is a row of its class, and so are arrays, sets and dictionaries; \
      roots keep their names, behind the file's if there are several files; objects that no root leads to are in a \
      root '$unreached'. Nothing is left out, and --report says what is otherwise than in the file.

      Tables, which are known by the names '.csv', '.jsonl' and '.ndjson' or told by --format: a row for each line, \
      of the class that --class names, a property for each column, with the narrowest type that all its values \
      have.

      Databases of SQLite, which are known by what is in them, if this program was built with --traits SQLite: a class for \
      each table with its name, or the one that --class gives the only table; foreign keys of one column are references. \
      What 'arcdump export --format sqlite' wrote becomes its objects again, as far as its tables say what they were.

      Exit codes: 0, 65 not such a file or a damaged one, 66 no such file, 74 the archive or this report could \
      not be written, and the message says which.
      """)

  @Argument(help: "The files; '-' reads standard input.")
  var files: [String]

  @Option(name: [.short, .long], help: "The archive to write; there must be no such file yet.")
  var output: String

  @Option(help: "What the files are: auto, keyed, csv, jsonl or sqlite.")
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
    if formats.contains(.sqlite), let reason = TableImport.whyNoSQLite { throw ValidationError(reason) }
    let areTables = !formats.isDisjoint(with: [.csv, .jsonl, .sqlite])
    if areTables, files.count > 1 { throw ValidationError("Import tables one by one.") }
    if !areTables, className != nil || key != nil {
      throw ValidationError("--class and --key are for tables: --format csv, jsonl or sqlite.")
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
        return try console.refuse(InspectionFailure(error, hasMoreTrust: !trust), of: files[0], asJSON: json)
      }
      try write(made.archive, output)
      return console.report(onArchive: output, .ok) {
        guard json else {
          for line in made.report.lines(isLong: report) { try console.output.line(line) }
          return
        }
        let output = JSONOutput(output: console.output, byteLimit: .max)
        try output.object(isPretty: true) { try made.report.write(to: output) }
      }
    } catch {
      try? console.errors.line("arcdump: \(printable("\(error)"))")
      try? console.errors.flush()
      return .outputError
    }
  }

  private func archive(with console: Console) throws -> (archive: [UInt8], report: ImportReport) {
    let limits: ArchiveLimits = trust ? .default : .untrusted
    var job = PropertyListImport(limits: limits)
    for file in files {
      do {
        let bytes = try console.read(file, limits.fileBytes)
        let isDatabase = format == .auto && bytes.starts(with: TableImport.signatureOfSQLite)
        switch isDatabase ? .sqlite : format.resolved(for: file) {
        case .auto, .keyed: try job.add(bytes, named: file)
        case .csv: return try TableImport.archive(ofCSV: bytes, options(for: file), limits: limits)
        case .jsonl: return try TableImport.archive(ofJSONLines: bytes, options(for: file), limits: limits)
        case .sqlite:
          guard files.count == 1 else {
            throw ImportError(
              .unknownFormat, found: "a database beside other files", remedy: "import tables one by one")
          }
          try checkIsAlone(file, with: console)
          return try TableImport.archive(
            ofSQLite: bytes, className: className, key: key, fileName: file, limits: limits)
        }
      } catch {
        throw OtherFileFailure(path: file, error: error)
      }
    }
    return try job.finish()
  }

  /// Throws if changes of a database are not in its file yet, but in one beside it.
  private func checkIsAlone(_ file: String, with console: Console) throws {
    for log in [file + "-wal", file + "-journal"] where file != "-" {
      // One that is not there cannot be read; one that was used up is empty, or begins with zeros.
      guard let bytes = try? console.read(log, .max), bytes.first ?? 0 != 0 else { continue }
      throw ImportError(
        .malformedTable, found: "changes of the database in '\(log)'", expected: "all of them in the file",
        remedy: "close it: sqlite3 '\(file)' 'PRAGMA wal_checkpoint(TRUNCATE)'")
    }
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
  case keyed, csv, jsonl, sqlite

  /// The format of a file.
  func resolved(for path: String) -> ImportFormat {
    guard self == .auto else { return self }
    if path.lowercased().hasSuffix(".csv") { return .csv }
    if [".sqlite", ".sqlite3", ".db"].contains(where: { path.lowercased().hasSuffix($0) }) { return .sqlite }
    return [".jsonl", ".ndjson"].contains { path.lowercased().hasSuffix($0) } ? .jsonl : .keyed
  }
}
