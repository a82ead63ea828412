import ArcArchive
import ArcFormat
import ArgumentParser

/// `arcdump get FILE PATH…`: prints objects and values by their paths.
///
/// JSON: `{"values":[{"path":"root.name","value":"Ada"},{"path":"#2","object":{"id":2,"class":…}}]}`. Values
/// have the form of `tree --json`.
struct GetCommand: InspectionCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print objects and values by their paths.",
    discussion: """
      For example:
        arcdump get FILE 'root.people[3].address' 'Person#17'
        arcdump get FILE 'root.image' --raw > image.png


      """ + QueryHelp.paths + "\n\n" + """
        For conditions see 'arcdump help find'. get reads and checks only the segments that the path needs; \
        'arcdump verify' checks the whole file.

        Exit codes:
          0   a value was found
          1   no value was found
          64  the path is malformed
        Other codes: see 'arcdump help'.
        """)

  @OptionGroup var options: InspectionOptions

  @OptionGroup var lines: LineOptions

  @Argument(help: "The paths of objects or values. (default: all roots)")
  var paths: [String] = []

  @Option(parsing: .unconditional, help: "The number of levels of nested objects to print.")
  var depth = 1

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The maximum number of values to print, also of elements per collection. (default: 1,000 on a "
        + "terminal, otherwise all)"))
  var limit: Int?

  @Flag(
    help: "Print strings and data without quotes; in a pipe, also without escapes.")
  var raw = false

  @Flag(help: "Do not truncate long strings and data.")
  var full = false

  var format: OutputFormat { lines.format(with: options) }

  func validate() throws {
    try lines.validate(with: options)
    if depth < 0 { throw ValidationError("--depth must not be negative.") }
    if let limit, limit < 0 { throw ValidationError("--limit must not be negative.") }
    if raw, format != .text { throw ValidationError("--raw cannot be combined with JSON.") }
    for path in paths { try asValidation { () throws(QueryError) in _ = try QueryParser.path(path) } }
  }

  func read(with console: Console) throws -> QueriedFile { try QueriedFile(openFile(with: console)) }

  func status(of input: QueriedFile) -> ExitStatus { input.count > 0 ? .ok : .incomplete }

  func write(_ input: QueriedFile, to page: Page) throws {
    let bounds = TreePrinter.Bounds(depth: depth, count: limit ?? (page.isOnTerminal ? 1000 : .max))
    var printer = TreePrinter(input.catalog, to: page, bounds: bounds, isWhole: full)
    try forEachValue(input, atMost: bounds.count) { value, path in
      if raw {
        try RawOutput(page: page).write(value.value, path)
      } else if case .reference(let id?) = value.value {
        // The printer does not follow weak references. The target of the path is printed even if its
        // reference is weak.
        try printer.print(TypedValue(.reference(id)), named: path)
      } else {
        try printer.print(value, named: path)
      }
    } onMore: {
      try page.line(page.style(.mark, "… more (--limit \(bounds.count))"))
    }
  }

  func write(_ input: QueriedFile, to json: JSONOutput) throws {
    try json.member("format", "arc")
    var isCut = false
    try json.member("values") {
      try json.array(isPretty: true) {
        isCut = try writeValues(of: input, to: json)
      }
    }
    if isCut { try json.member("isCut") { try json.bool(true) } }
  }

  func writeLines(_ input: QueriedFile, to json: JSONOutput) throws {
    if try writeValues(of: input, to: json) {
      try json.object { try json.member("isCut") { try json.bool(true) } }
    }
  }

  /// Writes a JSON object for each value. Returns whether values were omitted because of the limit.
  private func writeValues(of input: QueriedFile, to json: JSONOutput) throws -> Bool {
    var isCut = false
    try forEachValue(input, atMost: limit ?? .max) { value, path in
      try json.checkLimit()
      try json.object {
        try json.member("path", path)
        if case .reference(let id?) = value.value {
          try json.member("object") { try json.object(id, input.catalog) }
        } else {
          try json.member("value") { try json.value(value.value) }
        }
      }
    } onMore: {
      isCut = true
    }
    return isCut
  }

  /// Calls `body` with each value that the paths reach, at most `limit` times. Then calls `onMore` if there
  /// are more values.
  private func forEachValue(
    _ input: QueriedFile, atMost limit: Int, _ body: (TypedValue, String) throws -> Void,
    onMore: () throws -> Void
  ) throws {
    let runner = QueryRunner(input.catalog)
    let parsed =
      try paths.isEmpty
      ? input.catalog.roots().properties.map {
        QueryPath(start: .name, steps: [.step(.name($0.key))])
      } : paths.map { path throws(QueryError) in try QueryParser.path(path) }
    for path in parsed {
      var isFull = false
      try runner.forEachValue(of: path) { value, text in
        isFull = input.count >= limit
        guard !isFull else { return false }
        input.count += 1
        try body(value, text?.text ?? "?")
        return true
      }
      if isFull { return try onMore() }
    }
  }
}

/// A file that a command reads, and the number of objects or values that the command found in it.
final class QueriedFile {
  let catalog: ObjectCatalog
  var count = 0

  init(_ file: ArchiveFile) { catalog = ObjectCatalog(file) }
}

/// Calls `body`, which parses or evaluates an expression. Rethrows an error of `body` as an error in the
/// command line.
func asValidation(_ body: () throws(QueryError) -> Void) throws {
  do throws(QueryError) { try body() } catch { throw ValidationError("\(error)") }
}

/// Writes values for other programs, if the option `--raw` is set.
private struct RawOutput {
  let page: Page

  /// Writes data unchanged, and any other value as a line of text. On a terminal, escapes the text and
  /// refuses data, because bytes of the file could control the terminal.
  func write(_ value: ArchiveValue, _ path: String) throws {
    if case .data(let bytes) = value {
      guard !page.isOnTerminal else {
        throw QueryError(
          .typeMismatch, found: "data at '\(path)'", expected: "a value that a terminal can show",
          remedy: "redirect the output to a file with > FILE")
      }
      return try page.output.write(bytes)
    }
    guard let text = Self.text(value) else {
      throw QueryError(
        .typeMismatch, found: "a value with several parts at '\(path)'",
        expected: "a single value, such as a string, a number, a date, data or a reference",
        remedy: "pass --json instead of --raw")
    }
    try page.output.line(page.isOnTerminal ? printable(text) : text)
  }

  private static func text(_ value: ArchiveValue) -> String? {
    switch value {
    case .null, .nestedNull, .reference(nil): ""
    case .date(let seconds): calendarText(secondsSince2001: seconds) ?? "\(seconds)"
    case .reference(let id?): "\(id)"
    case .enumeration(_, let name, nil): name
    default: ValueScalar(value)?.plainText
    }
  }
}
