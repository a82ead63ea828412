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
        arcdump import answer.json --at data.items --class Item -o items.arc
        arcdump import shop.csv item.csv --join item.shop=shop.id -o all.arc

      Property lists can be binary or XML. In a keyed archive (NSKeyedArchiver), each object, array, set and \
      dictionary becomes an object of its class. Roots keep their names. If there are several files, the name \
      of each root begins with the path of its file in the command. A path for 'get' needs backticks around \
      such a name: '`old.plist/root`.title'. Objects that no root reaches become elements of a root '$unreached'. The archive \
      contains all objects and their values, but not '$classhints'. --report lists the differences between the \
      files and the archive. In the report, 'object 3' is the object with the UID 3 in the keyed archive, not \
      the object #3 of the archive.

      Tables are files with the extension '.csv', '.tsv', '.tab', '.json', '.jsonl' or '.ndjson', or files with \
      --format csv, json or jsonl. Each row becomes an object of the class that --class names. Each CSV column \
      becomes a property of the first type that all its fields have: Boolean (true, false), integer, real, \
      UUID, date with time and offset (2026-11-22T16:45:24Z), string. A number is a string if its digits \
      would change, as in 007, 1.10 and 1e5; with --numbers value, 1.10 and 1e5 are reals. --report lists \
      numbers that are written differently in the archive.

      The separator of a CSV file is the one of comma, semicolon, tab and '|' that its header contains, or that \
      a first line 'sep=;' states. A byte order mark states UTF-8 or UTF-16. The apostrophes that 'arcdump \
      export --format csv' inserts before text like a formula are removed.

      A JSON document contains the rows in an array of objects, to which --at leads. A nested JSON object \
      becomes an object of a class such as 'Person.address'.

      Several tables become the roots of one archive. With --join, each value of a column becomes a reference \
      to the row with this key, in any of the tables.

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

  @Option(help: "The character between the fields of a CSV line; 'tab' for a tab. (default: see above)")
  var separator: CSVSeparatorArgument?

  @Option(help: "The encoding of the tables. (default: the byte order mark's, else utf-8)")
  var encoding: TableEncodingArgument?

  @Flag(help: "The first line of a CSV file is a row; the columns are column1, column2, …")
  var noHeader = false

  @Option(help: "A field without quotes that is nil, such as NA; may be repeated.")
  var null: [String] = []

  @Option(help: "Whether numbers of a CSV file keep their notation: as text, or as a value.")
  var numbers = NumberRule.exact

  @Option(help: "The path to the rows in a JSON document, such as data.items.")
  var at = ""

  @Option(help: "A column of keys and the column with these keys: orders.buyer=people.id; may be repeated.")
  var join: [TableJoinArgument] = []

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
    let areTables = !formats.isDisjoint(with: [.csv, .json, .jsonl, .sqlite])
    if areTables, formats.contains(.keyed) || formats.contains(.sqlite) && files.count > 1 {
      throw ValidationError("Import databases, and files that are not tables, with a command of their own.")
    }
    if areTables, className != nil || key != nil, files.count > 1 {
      throw ValidationError(
        "--class and --key need a single table. Each of several has the name of its file.")
    }
    if !areTables, className != nil || key != nil {
      throw ValidationError("--class and --key require a table: --format csv, json, jsonl or sqlite.")
    }
    if !at.isEmpty, formats != [.json] {
      throw ValidationError("--at requires JSON documents: --format json.")
    }
    let hasCSVOption =
      separator != nil || noHeader || !null.isEmpty || numbers != .exact
    if hasCSVOption, !formats.contains(.csv) {
      throw ValidationError("--separator, --no-header, --null and --numbers require a table: --format csv.")
    }
    if encoding != nil || !join.isEmpty, formats.isDisjoint(with: [.csv, .json, .jsonl]) {
      throw ValidationError("--encoding and --join require tables: --format csv, json or jsonl.")
    }
  }

  var inputPath: String { files[0] }

  func build(with console: Console) throws -> (archive: [UInt8], report: Report, status: ExitStatus) {
    let (archive, importReport) = try archive(with: console)
    return (archive, Report(for: reader) { importReport.fill(&$0, isLong: report) }, .ok)
  }

  private func archive(with console: Console) throws -> (archive: [UInt8], report: ImportReport) {
    var job = PropertyListImport(limits: limits)
    var tables: [TableSource] = []
    for file in files {
      do {
        let bytes = try console.read(file, limits.fileBytes)
        let isDatabase = format == .auto && bytes.starts(with: TableImport.signatureOfSQLite)
        switch isDatabase ? .sqlite : format.resolved(for: file) {
        case .auto, .keyed: try job.add(bytes, named: file)
        case .csv: tables.append(table(file, bytes, .csv))
        case .json: tables.append(table(file, bytes, .json))
        case .jsonl: tables.append(table(file, bytes, .jsonLines))
        case .sqlite:
          guard files.count == 1 else {
            throw ImportError(
              .unknownFormat, found: "a database and other files", expected: "a single file",
              remedy: "import each database with a separate command")
          }
          try checkHasNoPendingLog(file, with: console)
          tables.append(table(file, bytes, .sqlite))
        }
      } catch {
        throw OtherFileFailure(path: file, error: error)
      }
    }
    guard !tables.isEmpty else { return try job.finish() }
    do { return try TableImport.archive(of: tables, joins: join.map(\.join), limits: limits) } catch {
      // If there are several tables, the error names the file.
      guard tables.count > 1 else { throw OtherFileFailure(path: files[0], error: error) }
      guard let path = (error as? ImportError)?.filePath else { throw error }
      throw OtherFileFailure(path: path, error: error)
    }
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

  private func table(_ file: String, _ bytes: [UInt8], _ format: TableFormat) -> TableSource {
    var options = TableOptions(separator: separator?.character, encoding: encoding?.encoding, path: at)
    (options.hasHeader, options.nullTexts, options.key) = (!noHeader, Set(null), key)
    options.allowsOtherNotation = numbers == .value
    // The tables of a database have names of their own.
    let name = format == .sqlite || file == "-" ? nil : TableSource.className(ofFile: file)
    return TableSource(
      bytes, format, className: className ?? (format == .sqlite ? nil : name ?? "Row"), fileName: file,
      options: options)
  }
}

/// The values of the option `--format`, which states the format of a file to import.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
  /// The format that the extension of the file name determines. For an unknown extension, a property list.
  case auto
  case keyed, csv, json, jsonl, sqlite

  /// Returns the format of a file. Never returns `auto`.
  func resolved(for path: String) -> ImportFormat {
    guard self == .auto else { return self }
    return switch TableFormat(fileName: path) {
    case .csv: .csv
    case .json: .json
    case .jsonLines: .jsonl
    case .sqlite: .sqlite
    case nil: .keyed
    }
  }
}

/// The rule for numbers of a CSV file, as the option `--numbers` names it.
enum NumberRule: String, CaseIterable, ExpressibleByArgument {
  /// A number is imported as a string if an archive would not preserve its notation.
  case exact
  /// A number is imported as a number, even if an archive does not preserve its notation. The report lists
  /// such numbers.
  case value
}

/// The separator of a CSV file, as the option `--separator` states it.
struct CSVSeparatorArgument: ExpressibleByArgument {
  let character: Character

  init?(argument: String) {
    switch argument {
    case "tab", "\\t": character = "\t"
    case _ where argument.count == 1: character = argument.first ?? ","
    default: return nil
    }
  }
}

/// The encoding of tables, as the option `--encoding` names it.
struct TableEncodingArgument: ExpressibleByArgument {
  let encoding: TableEncoding

  init?(argument: String) {
    guard let encoding = TableEncoding(rawValue: argument) else { return nil }
    self.encoding = encoding
  }

  static var allValueStrings: [String] { TableEncoding.allCases.map(\.rawValue) }
}

/// A join of two tables, as the option `--join` states it.
struct TableJoinArgument: ExpressibleByArgument {
  let join: TableJoin

  init?(argument: String) {
    guard let join = TableJoin(parsing: argument) else { return nil }
    self.join = join
  }
}
