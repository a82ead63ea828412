import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump export FILE --format F [--class C]… [--columns a,b] [-o OUT]`: converts objects to another
/// format.
///
/// JSON, for a file or folder: `{"format":"arc","exported":"jsonl","output":"out.jsonl","objects":514112}`.
struct ExportCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export the objects to another format.",
    discussion: ExportHelp.text)

  @OptionGroup var options: InspectionOptions

  @Option(help: "The format to write.")
  var format: ExportFormat

  @Option(
    name: .customLong("class"), help: "A class to export, with its subclasses; repeatable. (default: all)")
  var classes: [String] = []

  @Option(help: "The properties to export, separated by commas. (default: all)")
  var columns: [String] = []

  @Option(
    name: [.short, .long],
    help: "The file or folder to create; it must not exist. (default: standard output)"
  )
  var output: String?

  /// The path of the output file or folder. Nil if the output is standard output.
  private var path: String? { output == "-" ? nil : output }

  func validate() throws {
    if format == .sqlite { try SQLiteExport.checkIsAvailable() }
    if let output { try checkIsNamed(output) }
    if path == nil, format.product != .text {
      throw ValidationError("Name the output with -o OUT: the format \(format.rawValue) is not text.")
    }
    if format == .html, !(classes.isEmpty && columns.isEmpty) {
      throw ValidationError(
        "--class and --columns cannot be combined with a page, which contains all objects.")
    }
    if path == nil, options.json {
      throw ValidationError("Name the output with -o OUT: --json reports what was exported.")
    }
  }

  func read(with console: Console) throws -> QueriedFile { try QueriedFile(openFile(with: console)) }

  func status(of input: QueriedFile) -> ExitStatus { .ok }

  func write(_ input: QueriedFile, to page: Page) throws {
    try export(input, orTo: page.output)
    guard let path else { return }
    try page.line("exported: \(counted(input.count, "object")) to \(printable(path))")
  }

  func write(_ input: QueriedFile, to json: JSONOutput) throws {
    guard let path else { return }
    try export(input, orTo: nil)
    try json.member("format", "arc")
    try json.member("exported", format.rawValue)
    try json.member("output", path)
    try json.member("objects", input.count)
  }

  /// Exports the objects to `path`, or to `stream` if there is no path. Adds the number of exported objects
  /// to `input.count`.
  private func export(_ input: QueriedFile, orTo stream: Output?) throws {
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
    // The rows of a complete export do not show all damage of the file. Therefore, the file is verified.
    if classes.isEmpty, columns.isEmpty { try input.catalog.file.verify() }
    try target.commit()
  }

  /// Exports all objects as an HTML page.
  private func exportPage(_ input: QueriedFile, to target: any ExportTarget) throws {
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
  /// The names of all formats, separated by commas.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// The discussion in `arcdump help export`.
enum ExportHelp {
  static let text = """
    For example:
      arcdump export FILE --format sql | sqlite3 out.db
      arcdump export FILE --format csv --class Person -o people

    Formats:
      jsonl      one JSON object per line
      sql        SQL statements for SQLite
      sqlite     an SQLite database, if arcdump was built with --traits SQLite
      csv        a folder with one table per class
      dot        a graph for Graphviz
      graphml    a graph in XML
      neo4j-csv  a folder of nodes and relationships for Neo4j
      html       one page for a browser

    jsonl: each line is {"class":…,"id":…,"values":{…}}. Values have the form of --json, references the form \
    {"$ref":ID}.

    sql and sqlite: each class has a table with its own and inherited properties. Column 'row' is the number \
    of the object; references are such numbers. A structure has one column per field; values nested more \
    deeply are JSON. A collection is a table CLASS_KEY(row, position, value), with a column 'key' for \
    dictionaries; the table of the class stores the number of elements. NaN becomes NULL, integers beyond \
    64 bits become text. There are also
      objects             a view of the class of each object
      CLASS_all           a view of a class, subclasses included
      CLASS_KEY_followed  a view of the objects that a collection refers to
      arc_tables          a table of the class and property of each table

    csv: the tables of sql as files (RFC 4180). An empty field is nil, "" is an empty string, data is base64. \
    If a spreadsheet could read a string as a formula, an apostrophe precedes it. This includes the text \
    after a semicolon, tab or line break, where some programs split a line.

    dot, graphml and neo4j-csv: nodes are objects. Edges are references; each has the name of its property, \
    and its index in a collection. Weak references are marked. Other properties are attributes; dot shows \
    eight of them, or those that --columns names. To import neo4j-csv:
      cd OUT && neo4j-admin database import full @arguments.txt

    html: tables, search, references and byte sizes; the page needs no network. It contains all objects, \
    because it shows references, so it cannot be combined with --class or --columns.

    export holds one segment of the archive in memory at a time. The output gets its final name only when \
    it is complete and the archive has been verified. With --class or --columns, only the exported part is \
    verified.

    Exit codes:
      0   the objects were exported
      1   no such class or property
    Other codes: see 'arcdump help'.
    """
}
