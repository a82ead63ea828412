import ArcFormat
import ArgumentParser

/// `arcdump export FILE --format F [--class C]… [--columns a,b] [-o OUT]`: the objects in another format.
///
/// JSON, for a file or folder: `{"format":"arc","exported":"jsonl","output":"out.jsonl","objects":514112}`.
struct ExportCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the objects in another format: \(ExportFormat.names).",
    discussion: ExportHelp.text)

  @OptionGroup var options: InspectionOptions

  @Option(help: "The format: \(ExportFormat.names).")
  var format: ExportFormat

  @Option(
    name: .customLong("class"), help: "A class to export with its subclasses; without any, everything is.")
  var classes: [String] = []

  @Option(help: "Names of properties to export, with commas between; without any, all are.")
  var columns: [String] = []

  @Option(
    name: [.short, .long],
    help: "The file or folder to make, which must not be there yet; without it, or with '-', standard output."
  )
  var output: String?

  /// The path of the file or folder; nil for standard output.
  private var path: String? { output == "-" ? nil : output }

  func validate() throws {
    if format == .sqlite { try SQLiteExport.checkIsThere() }
    if let output { try checkIsNamed(output) }
    if path == nil, format.product != .text {
      throw ValidationError("The format \(format.rawValue) is no text: say where it goes by -o OUT.")
    }
    if format == .html, !(classes.isEmpty && columns.isEmpty) {
      throw ValidationError(
        "A page has all objects: leave --class and --columns out, or choose another format.")
    }
    if path == nil, options.json {
      throw ValidationError("--json is about what was exported: say where that goes by -o OUT.")
    }
  }

  func read(with console: Console) throws -> AskedFile { try AskedFile(openFile(with: console)) }

  func status(of input: AskedFile) -> ExitStatus { .ok }

  func write(_ input: AskedFile, to page: Page) throws {
    try export(input, orTo: page.output)
    guard let path else { return }
    try page.line("exported: \(counted(input.count, "object")) to \(printable(path))")
  }

  func write(_ input: AskedFile, to json: JSONOutput) throws {
    guard let path else { return }
    try export(input, orTo: nil)
    try json.member("format", "arc")
    try json.member("exported", format.rawValue)
    try json.member("output", path)
    try json.member("objects", input.count)
  }

  /// Exports the objects, and counts them.
  private func export(_ input: AskedFile, orTo stream: Output?) throws {
    let limit = ExportLimit(byteLimit: options.outputByteLimit)
    if format == .html { return try exportPage(input, to: target(orTo: stream, limit)) }
    let names = columns.flatMap { $0.split(separator: ",").map(String.init) }
    let objects = try ExportedObjects(input.catalog, classes: classes, columns: names)
    let target = try target(orTo: stream, limit)
    let writer = try format.writer(of: objects, to: target)
    try writer.begin()
    try objects.forEachRow { row in
      try writer.write(row)
      try limit.check()
      if row.classIndex != 0 { input.count += 1 }
    } onBatchEnd: {
      try writer.endBatch()
    }
    try writer.end()
    // An export of everything leaves no damage unsaid, also where no row shows it.
    if classes.isEmpty, columns.isEmpty { try input.catalog.file.verify() }
    try target.commit()
  }

  /// Exports all objects as a page.
  private func exportPage(_ input: AskedFile, to target: any ExportTarget) throws {
    let title = options.file.split(separator: "/").last.map(String.init) ?? options.file
    let page = HTMLExport(input.catalog, title: title, byteLimit: options.outputByteLimit)
    try page.write(to: target.mainFile())
    input.count = input.catalog.objectCount
    try target.commit()
  }

  private func target(orTo stream: Output?, _ limit: ExportLimit) throws -> any ExportTarget {
    guard let path else {
      guard let stream else { throw ExportTargetMismatch() }
      return ExportStream(stream, limit)
    }
    switch format.product {
    case .text: return try ExportFile(path, limit)
    case .folder: return try ExportFolder(path, limit)
    case .database: return try ExportDatabase(path, limit)
    }
  }
}

extension ExportFormat {
  /// The names of all formats.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// What `arcdump help export` explains.
enum ExportHelp {
  static let text = """
    jsonl: a line {"class":…,"id":…,"values":{…}} for each object; values as --json of other commands writes \
    them, references as {"$ref":ID}.

    sql: statements for 'sqlite3 out.db < out.sql'. A table for each class, with inherited columns; 'row' is the \
    number of the object, by which references name it. Collections are tables CLASS_KEY(row, position, value), \
    with a column 'key' for dictionaries; in the table of the class is the number of elements. Structures are a \
    column for each field; what is deeper is JSON. Views: CLASS_all has the objects of subclasses too, \
    CLASS_KEY_followed the objects that references lead to, objects the class of each. NaN is NULL, integers \
    beyond 64 bits are texts. 'arc_tables' says which class and property a table is of.

    sqlite: a database with the same, if this program was built with --traits SQLite.

    csv: the same tables as files of a folder, by RFC 4180. An empty field is nil, "" an empty text, data is \
    base64. A text that a spreadsheet would take for a formula has an apostrophe in front, also after a semicolon, a \
    tabulator or an end of a line in it, where some divide a line.

    dot, graphml: objects are nodes, references are edges with the name of the property and the place in a \
    collection; weak ones are marked. Properties without references are attributes. Of these dot shows eight, or \
    those of --columns.

    neo4j-csv: the same graph as files of a folder, for 'cd OUT && neo4j-admin database import full \
    @arguments.txt'.

    html: one page for a browser, which needs no network: tables, search, who refers to whom, bytes. It has all objects, \
    or it could not say who refers to whom: --class and --columns are refused.

    Only one segment of the archive is in memory at a time. A file or folder has its name when all is in it, and the \
    whole archive was checked; with --class or --columns, what they ask for was.

    Exit codes: 0, 1 no such class or property, 64 wrong usage, 65 and 66 as for other commands, 74 output \
    failed.
    """
}
