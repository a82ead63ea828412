import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump encoding [STRING…]`: explains type encodings, method types and property attributes. Reads no
/// archive.
///
/// JSON: `{"encodings":[{"kind":"type","normalized":"i",…},{"error":…}]}`. With `--json-lines`, each element
/// is a line.
struct EncodingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encoding",
    abstract: "Explain Objective-C type encodings, method types and property attributes.",
    discussion: """
      For example:
        arcdump encoding 'T@"NSString",R,C,N,V_name'

      Without STRING, each line of standard input is a string. An empty line is the encoding of a type for \
      which clang has no code. Sizes are sizes on the target platform. The 'size' of a method is the size of \
      its argument frame.

      Exit codes:
        0   all strings are well-formed
        65  a string is malformed
      """)

  @Argument(help: "The strings; put '--' before a string that begins with a hyphen.")
  var strings: [String] = []

  @Option(help: "The kind of all strings. (default: the kind of each string is recognized)")
  var kind: EncodingKindChoice?

  @Option(help: "The target platform, as a triple such as arm64-apple-macosx.")
  var target = "x86_64-apple-macosx"

  @Flag(help: "Print the results and the errors as JSON.")
  var json = false

  @Flag(help: "Print one JSON object per line, errors included.")
  var jsonLines = false

  @Option(help: "When to use colour. 'auto': on a terminal, unless NO_COLOR is set or TERM is 'dumb'.")
  var color = ColorChoice.auto

  func validate() throws {
    if json, jsonLines { throw ValidationError("--json and --json-lines cannot be combined.") }
    guard TargetABI(triple: target) != nil else {
      throw ValidationError("Arc does not know the target '\(target)'.")
    }
  }

  func run() throws {
    let status = explain(with: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Explains all strings. Returns the exit code.
  func explain(with console: Console) -> ExitStatus {
    let lines: [EncodingLine]
    do {
      lines =
        try strings.isEmpty
        ? EncodingLine.all(in: console.read("-", 1 << 30))
        : strings.map { EncodingLine(bytes: Array($0.utf8)) }
    } catch {
      return console.run { () throws(OutputFailure) in
        if json || jsonLines {
          try JSONOutput(output: console.output, byteLimit: .max).finish(
            with: InspectionFailure(error, hasMoreTrust: false))
        } else {
          try console.errors.line("arcdump: \(error)")
        }
        return .noInput
      }
    }
    return console.run { () throws(OutputFailure) in
      try json || jsonLines ? writeJSON(of: lines, to: console) : writeText(of: lines, to: console)
    }
  }

  private func writeJSON(
    of lines: [EncodingLine], to console: Console
  ) throws(OutputFailure) -> ExitStatus {
    let members = EncodingMembers(target: abi)
    var status = ExitStatus.ok
    let report = Report(for: .program) {
      $0.list("encodings", lines) { line, entry in
        switch line.parsed(as: kind?.kind) {
        case .success(let parsed): members.add(parsed, to: &entry)
        case .failure(let error):
          status = .dataError
          members.add(error, to: &entry)
        }
      }
    }
    try console.write(report, as: jsonLines ? .jsonLines : .json)
    return status
  }

  private func writeText(
    of lines: [EncodingLine], to console: Console
  ) throws(OutputFailure) -> ExitStatus {
    let style = color.style(for: console)
    let page = Page(
      output: console.output, style: style, isOnTerminal: console.isTerminal, progress: console.progress)
    let tree = EncodingTree(page: page, target: abi)
    var status = ExitStatus.ok
    for line in lines {
      switch line.parsed(as: kind?.kind) {
      case .success(let parsed): try tree.write(parsed)
      case .failure(let error):
        status = .dataError
        try console.output.flush()
        let parts = error.description.split(separator: "\n", omittingEmptySubsequences: false)
        for (position, part) in parts.enumerated() {
          try console.errors.line((position == 0 ? "arcdump: " : "") + printable(String(part)))
        }
        try console.errors.flush()
      }
    }
    return status
  }

  private var abi: TargetABI { TargetABI(triple: target) ?? .lp64 }
}

/// The values of the option `--kind`, which states the kind of all strings to explain.
enum EncodingKindChoice: String, CaseIterable, ExpressibleByArgument {
  case type, method, property

  var kind: ObjectiveCEncoding.Kind {
    switch self {
    case .type: .type
    case .method: .method
    case .property: .property
    }
  }
}
