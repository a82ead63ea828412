import ArcArchive
import ArcFormat
import ArgumentParser

/// A command that reads a file and reports what it finds to people and to programs.
protocol InspectionCommand: ParsableCommand {
  /// What is read: mostly an archive.
  associatedtype Input = ArchiveFile
  /// The arguments that all commands understand.
  var options: InspectionOptions { get }
  /// Writes the findings for people.
  func write(_ input: Input, to page: Page) throws
  /// Writes the findings as the members of one JSON object, which is open.
  func write(_ input: Input, to json: JSONOutput) throws
  /// What the findings are written as.
  var format: OutputFormat { get }
  /// Writes the findings as JSON objects, one after the other; called for `OutputFormat.jsonLines` only.
  func writeLines(_ input: Input, to json: JSONOutput) throws
  /// Reads what the command is about.
  func read(with console: Console) throws -> Input
  /// The exit code when all was written.
  func status(of input: Input) -> ExitStatus
}

/// A command whose findings are a report: the same for people and for programs.
protocol ReportingCommand: InspectionCommand {
  /// Adds the findings to a report. If an error ends the command, what was added before is printed.
  func fill(_ report: inout Report, from input: Input) throws
}

extension ReportingCommand {
  func write(_ input: Input, to page: Page) throws {
    try page.write(Report(for: page.reader) { try fill(&$0, from: input) })
  }

  func write(_ input: Input, to json: JSONOutput) throws {
    try json.write(Report(for: .program) { try fill(&$0, from: input) })
  }
}

/// The arguments that all commands understand.
struct InspectionOptions: ParsableArguments {
  @Argument(help: "The archive; '-' for standard input.", completion: .file())
  var file: String

  @Flag(help: "Print the result, or the error, as JSON.")
  var json = false

  @Option(help: "When to use colour. 'auto': on a terminal, unless NO_COLOR is set or TERM is 'dumb'.")
  var color = ColorChoice.auto

  @Flag(
    help: "Print without a pager. (default: on a terminal, the pager in ARCDUMP_PAGER or PAGER, or 'less')")
  var noPager = false

  @Flag(
    help: """
      Trust the file: raise the limits to gigabytes and millions of objects, and use the index in the file \
      (its chunk directory) without checking it.
      """)
  var trust = false
}

extension ColorChoice: ExpressibleByArgument {}

/// The argument of commands whose findings are a list, which may be long.
struct LineOptions: ParsableArguments {
  @Flag(help: "Print the results, and any error, as one JSON object per line.")
  var jsonLines = false

  /// The format that a command line asks for. Throws if it asks for two.
  func validate(with options: InspectionOptions) throws {
    if jsonLines, options.json { throw ValidationError("--json and --json-lines cannot be combined.") }
  }

  /// The format that a valid command line asks for.
  func format(with options: InspectionOptions) -> OutputFormat { jsonLines ? .jsonLines : options.format }
}

extension InspectionOptions {
  /// The maximum that reading a file may cost.
  var limits: ArchiveLimits { trust ? .default : .untrusted }
  /// The maximum of bytes to write, besides lines for people: a file can mention one long string a
  /// million times.
  var outputByteLimit: Int { trust ? .max : 1 << 30 }
  /// The format that a command without lines has.
  var format: OutputFormat { json ? .json : .text }
}

extension InspectionCommand {
  /// Opens the archive: mapped if it is a file, for nothing of it is read that is not needed.
  func openFile(with console: Console) throws -> ArchiveFile {
    let file =
      if let mapped = try console.map(options.file, options.limits) {
        mapped
      } else {
        try ArchiveFile(
          bytes: console.read(options.file, options.limits.fileBytes), limits: options.limits)
      }
    // A wrong directory can hide rows: that of a stranger counts only once the whole file was verified, which
    // takes longer than doing without.
    file.trustsChunkDirectory = options.trust
    return file
  }
}

extension InspectionCommand where Input == ArchiveFile {
  func read(with console: Console) throws -> ArchiveFile { try openFile(with: console) }

  func status(of file: ArchiveFile) -> ExitStatus { .ok }
}

extension InspectionCommand {
  var format: OutputFormat { options.format }

  func writeLines(_ input: Input, to json: JSONOutput) throws {
    try json.object { try write(input, to: json) }
  }

  func run() throws {
    let status = inspect(with: .standard(isPaged: !options.noPager))
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Reads the file and writes the report; returns the exit code.
  func inspect(with console: Console) -> ExitStatus {
    console.run { () throws(OutputFailure) in
      switch format {
      case .text: try inspectAsText(with: console)
      case .json:
        try inspectAsJSON(with: console) { input, json in
          try json.object(isPretty: true) { try write(input, to: json) }
        }
      case .jsonLines: try inspectAsJSON(with: console, writeLines)
      }
    }
  }

  private func inspectAsText(with console: Console) throws(OutputFailure) -> ExitStatus {
    let style = options.color.style(for: console)
    let page = Page(
      output: console.output, style: style, isOnTerminal: console.isTerminal, progress: console.progress)
    return try guarded {
      let input = try read(with: console)
      try write(input, to: page)
      return status(of: input)
    } onFailure: { failure throws(OutputFailure) in
      try console.output.flush()
      let path = failure.path ?? options.file
      try console.errors.line("arcdump: \(shownPath(path)): \(printable(failure.message))")
    }
  }

  /// What was written before an error stays JSON: the error is the last member of the document that is
  /// open, or one of its own.
  private func inspectAsJSON(
    with console: Console, _ write: (Input, JSONOutput) throws -> Void
  ) throws(OutputFailure) -> ExitStatus {
    let json = JSONOutput(
      output: console.output, byteLimit: options.outputByteLimit, progress: console.progress)
    return try guarded {
      let input = try read(with: console)
      try write(input, json)
      return status(of: input)
    } onFailure: { failure throws(OutputFailure) in
      try json.finish(with: failure)
    }
  }

  private func guarded(
    _ body: () throws -> ExitStatus, onFailure: (InspectionFailure) throws(OutputFailure) -> Void
  ) throws(OutputFailure) -> ExitStatus {
    do {
      return try body()
    } catch let failure as OutputFailure {
      throw failure
    } catch {
      let failure = InspectionFailure(error, hasMoreTrust: !options.trust)
      try onFailure(failure)
      return failure.status
    }
  }
}
