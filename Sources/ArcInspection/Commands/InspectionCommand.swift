import ArcArchive
import ArcFormat
import ArgumentParser

/// A command that reads a file and prints results as text or as JSON.
protocol InspectionCommand: ParsableCommand {
  /// The input that the command reads. Most commands read an archive.
  associatedtype Input = ArchiveFile
  /// The arguments that all commands accept.
  var options: InspectionOptions { get }
  /// Writes the results as text.
  func write(_ input: Input, to page: Page) throws
  /// Writes the results as members of the open JSON object.
  func write(_ input: Input, to json: JSONOutput) throws
  /// The format of the results.
  var format: OutputFormat { get }
  /// Writes the results as a sequence of JSON objects. Called only for `OutputFormat.jsonLines`.
  func writeLines(_ input: Input, to json: JSONOutput) throws
  /// Opens or reads the input.
  func read(with console: Console) throws -> Input
  /// Returns the exit code of the command after all results are written.
  func status(of input: Input) -> ExitStatus
}

/// A command that prints a report. The report contains both the text and the JSON members.
protocol ReportingCommand: InspectionCommand {
  /// Adds the results to a report. If this function throws, the parts added before the error are printed.
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

/// The arguments that all commands accept.
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

/// The option `--json-lines`, for commands that print a list of results.
struct LineOptions: ParsableArguments {
  @Flag(help: "Print the results, and any error, as one JSON object per line.")
  var jsonLines = false

  /// Throws if the command line contains both `--json` and `--json-lines`.
  func validate(with options: InspectionOptions) throws {
    if jsonLines, options.json { throw ValidationError("--json and --json-lines cannot be combined.") }
  }

  /// Returns the output format of a valid command line.
  func format(with options: InspectionOptions) -> OutputFormat { jsonLines ? .jsonLines : options.format }
}

extension InspectionOptions {
  /// The limits for reading a file.
  var limits: ArchiveLimits { trust ? .default : .untrusted }
  /// The maximum number of bytes of JSON, or of an export. A crafted file can refer to one long string a
  /// million times.
  var outputByteLimit: Int { trust ? .max : 1 << 30 }
  /// The output format of a command that does not support `--json-lines`.
  var format: OutputFormat { json ? .json : .text }
}

extension InspectionCommand {
  /// Opens the archive. Maps a file into memory, so that the command reads only the parts that it needs.
  func openFile(with console: Console) throws -> ArchiveFile {
    let file =
      if let mapped = try console.map(options.file, options.limits) {
        mapped
      } else {
        try ArchiveFile(
          bytes: console.read(options.file, options.limits.fileBytes), limits: options.limits)
      }
    // A wrong chunk directory can hide rows. For an untrusted file, the directory is not used: verifying it
    // requires verifying the whole file, which takes longer than a search without the directory.
    file.trustsChunkDirectory = options.trust
    warn(aboutDirectoryOf: file, path: options.file, console)
    return file
  }

  /// Prints one warning if the chunk directory of a file is wrong. If nothing else is wrong, commands still
  /// show the file. Only `verify` rejects it. Spec: 15-conformance, section 1.
  func warn(aboutDirectoryOf file: ArchiveFile, path: String, _ console: Console) {
    var isWarned = false
    file.wrongDirectoryHandler = { error in
      guard !isWarned else { return }
      isWarned = true
      // If standard error cannot be written, the results remain.
      try? console.errors.line(
        "arcdump: \(shownPath(path)): warning: the chunk directory is wrong, and is not used: "
          + printable("\(error)"))
    }
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

  /// Reads the input and writes the results. Returns the exit code.
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

  /// Writes the results as JSON. An error becomes the last member of the open document, or a document of its
  /// own, so that the output remains valid JSON.
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
