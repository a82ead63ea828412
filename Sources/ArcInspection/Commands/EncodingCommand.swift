import ArcFormat
import ArcRuntime
import ArgumentParser

/// `arcdump encoding [STRING…]`: what type encodings, method types and property attributes mean. Needs no
/// file.
///
/// JSON: `{"encodings":[{"kind":"type","normalized":"i",…},{"error":…}]}`, or the elements as lines.
struct EncodingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encoding",
    abstract: "Explain Objective-C type encodings, method types and property attributes.",
    discussion: """
      Without STRING every line of standard input is one; an empty one is the type without a code. Sizes are those \
      of the target, 'size' of a method is that of its frame. Exit code 65 if one cannot be read.
      """)

  @Argument(help: "The strings; put '--' before one that begins with a hyphen.")
  var strings: [String] = []

  @Option(help: "What the strings are: type, method or property. Recognised where it is not said.")
  var kind: EncodingKindChoice?

  @Option(help: "The triple of the target whose sizes count, such as arm64-apple-macosx.")
  var target = "x86_64-apple-macosx"

  @Flag(help: "Print JSON, also for errors.")
  var json = false

  @Flag(help: "Print a JSON object a line, also for errors.")
  var jsonLines = false

  @Option(help: "Whether to use colour: auto, always or never.")
  var color = ColorChoice.auto

  func validate() throws {
    if json, jsonLines { throw ValidationError("Only one of --json and --json-lines can be.") }
    guard TargetABI(triple: target) != nil else {
      throw ValidationError("Arc does not know the target '\(target)'.")
    }
  }

  func run() throws {
    let status = explain(with: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Explains all strings; returns the exit code.
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
    let output = JSONOutput(output: console.output, byteLimit: .max)
    let json = EncodingJSON(json: output, target: abi)
    if !jsonLines {
      try output.begin(isPretty: true)
      try output.beginArray("encodings", isPretty: true)
    }
    var status = ExitStatus.ok
    for line in lines {
      switch line.parsed(as: kind?.kind) {
      case .success(let parsed): try json.write(parsed)
      case .failure(let error):
        status = .dataError
        try json.write(error)
      }
    }
    if !jsonLines {
      try output.end()
      try output.end()
    }
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

/// What the user said that the strings are.
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
