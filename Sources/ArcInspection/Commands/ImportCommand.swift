import ArcForeign
import ArcFormat
import ArgumentParser

/// `arcdump import FILE… -o OUT`: converts files of other formats to an archive.
struct ImportCommand: ArchiveWritingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Convert keyed archives, property lists, tables or SQLite to an archive.",
    discussion: """
      For example:
        arcdump import old.plist -o new.arc --report
        arcdump import people.csv --class Person --key id -o people.arc

      Property lists can be binary or XML. In a keyed archive (NSKeyedArchiver), each object, array, set and \
      dictionary becomes an object of its class. Roots keep their names. If there are several files, the name \
      of each root begins with the path of its file in the command. A path for 'get' needs backticks around \
      such a name: '`old.plist/root`.title'. Objects that no root reaches become elements of a root '$unreached'. The archive \
      contains all objects and their values, but not '$classhints'. --report lists the differences between the \
      files and the archive. In the report, 'object 3' is the object with the UID 3 in the keyed archive, not \
      the object #3 of the archive.

      Tables are files with the extension '.csv', '.jsonl' or '.ndjson', or files with --format csv or jsonl. \
      Each row becomes an object of the class that --class names. Each CSV column becomes a property. Its \
      type is the first type in this list that fits all fields: Boolean (true, false), integer, real, UUID, \
      date with time and offset (2026-11-22T16:45:24Z), string. A nested JSON object becomes an object of a class such as \
      'Person.address'.

      SQLite databases require a build of arcdump with --traits SQLite. Each table becomes a class, and each \
      foreign key of one column becomes a reference. If 'arcdump export --format sqlite' wrote the database, \
      the import restores the exported objects, as far as the tables describe them.

      Exit codes:
        0   the archive was written
        65  a file is damaged or has another format
        66  a file cannot be read
        74  the archive or the report cannot be written; the message names it
      """)

  @Argument(help: "The files to convert; '-' for standard input.")
  var files: [String]

  @Option(name: [.short, .long], help: "The archive to create; it must not exist.")
  var output: String

  @Option(help: "The format of the files.")
  var format = ImportFormat.auto

  @Option(
    name: .customLong("class"),
    help: "The class of a table's rows. (default: the file's name up to the first '.', or 'Row' for '-')")
  var className: String?

  @Option(help: "A column whose values must be present and unique.")
  var key: String?

  @Flag(help: "Print the classes and columns of the archive, and how the archive differs from the files.")
  var report = false

  @Flag(help: "Print the report, or the error, as JSON.")
  var json = false

  @Flag(help: "Trust the files: raise the limits to gigabytes and millions of objects.")
  var trust = false

  func validate() throws {
    try checkIsArchivePath(output)
    if files.isEmpty { throw ValidationError("Name at least one file.") }
    if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Only one file can be standard input.") }
    let formats = Set(files.map { $0 == "-" ? format : format.resolved(for: $0) })
    if formats.contains(.sqlite), let reason = TableImport.whyNoSQLite { throw ValidationError(reason) }
    let areTables = !formats.isDisjoint(with: [.csv, .jsonl, .sqlite])
    if areTables, files.count > 1 { throw ValidationError("Import each table with a command of its own.") }
    if !areTables, className != nil || key != nil {
      throw ValidationError("--class and --key require a table: --format csv, jsonl or sqlite.")
    }
  }

  var inputPath: String { files[0] }

  func build(with console: Console) throws -> (archive: [UInt8], report: Report, status: ExitStatus) {
    let (archive, importReport) = try archive(with: console)
    return (archive, Report(for: reader) { importReport.fill(&$0, isLong: report) }, .ok)
  }

  private func archive(with console: Console) throws -> (archive: [UInt8], report: ImportReport) {
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
              .unknownFormat, found: "a database and other files", expected: "a single file",
              remedy: "import each database with a separate command")
          }
          try checkHasNoPendingLog(file, with: console)
          return try TableImport.archive(
            ofSQLite: bytes, className: className, key: key, fileName: file, limits: limits)
        }
      } catch {
        throw OtherFileFailure(path: file, error: error)
      }
    }
    return try job.finish()
  }

  /// Throws if SQLite has not yet moved all changes of a database from its log or journal file to the
  /// database file.
  private func checkHasNoPendingLog(_ file: String, with console: Console) throws {
    for log in [file + "-wal", file + "-journal"] where file != "-" {
      // Reading fails if there is no log. SQLite truncates a log that it no longer needs, or writes zeros
      // over its beginning.
      guard let bytes = try? console.read(log, .max), bytes.first ?? 0 != 0 else { continue }
      throw ImportError(
        .malformedTable, found: "changes of the database in '\(log)'",
        expected: "all changes in the database file",
        remedy: "run sqlite3 '\(file)' 'PRAGMA wal_checkpoint(TRUNCATE)'")
    }
  }

  private func options(for file: String) -> TableImport.Options {
    let name = file.split(separator: "/").last?.split(separator: ".").first.map(String.init)
    return TableImport.Options(
      className: className ?? (file == "-" ? nil : name) ?? "Row", key: key, fileName: file)
  }
}

/// The values of the option `--format`, which states the format of a file to import.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
  /// The format that the extension of the file name determines. For an unknown extension, a property list.
  case auto
  case keyed, csv, jsonl, sqlite

  /// Returns the format of a file. Never returns `auto`.
  func resolved(for path: String) -> ImportFormat {
    guard self == .auto else { return self }
    if path.lowercased().hasSuffix(".csv") { return .csv }
    if [".sqlite", ".sqlite3", ".db"].contains(where: { path.lowercased().hasSuffix($0) }) { return .sqlite }
    return [".jsonl", ".ndjson"].contains { path.lowercased().hasSuffix($0) } ? .jsonl : .keyed
  }
}
