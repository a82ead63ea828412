import ArcFormat
import ArgumentParser

/// `arcdump export FILE --format F -o OUT`: the objects in a format that other programs read.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the objects as a page to look at in a browser.",
    discussion: """
      html: one page, which needs no network: tables, search, who refers to whom, bytes.

      Exit codes: 0, 65 not an archive or a damaged one, 66 no such file, 74 output failed.
      """)

  @Argument(help: "The archive; '-' reads standard input.")
  var file: String

  @Option(help: "What to write: html.")
  var format: ExportFormat

  @Option(name: [.short, .long], help: "The file to write; there must be no such file yet.")
  var output: String

  @Flag(help: "Allow what a file from a stranger may not ask for: gigabytes, millions of objects.")
  var trust = false

  func run() throws {
    let status = export(with: .standard) { path in
      guard !Console.fileExists(path) else {
        throw ArchiveError(
          .fileSystem, found: "a file '\(path)'", expected: "none", remedy: "choose another name")
      }
      return try AtomicFile(replacing: path)
    }
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Writes the objects into the file that `create` gives for the path; returns the exit code.
  func export(with console: Console, create: (String) throws -> AtomicFile) -> ExitStatus {
    let limits: Limits = trust ? .default : .untrusted
    var writeError: ArchiveError?
    do {
      let target: AtomicFile
      do {
        target = try create(output)
      } catch {
        try console.errors.line("arcdump: \(printable("\(error)"))")
        try console.errors.flush()
        return .outputError
      }
      let sink = Output { bytes throws(OutputFailure) in
        do throws(ArchiveError) {
          try target.write(bytes)
        } catch {
          writeError = error
          throw OutputFailure(number: 0)
        }
      }
      do {
        let archive =
          try console.map(file, limits)
          ?? ArchiveFile(bytes: console.read(file, limits.fileBytes), limits: limits)
        let title = file.split(separator: "/").last.map(String.init) ?? file
        let page = HTMLExport(ObjectCatalog(archive), title: title, byteLimit: trust ? .max : 1 << 30)
        try page.write(to: sink)
      } catch let error where !(error is OutputFailure) {
        let failure = InspectionFailure(error, hasMoreTrust: !trust)
        try console.errors.line("arcdump: \(printable(file)): \(printable(failure.message))")
        try console.errors.flush()
        return failure.status
      }
      try sink.flush()
      try target.commit()
      return .ok
    } catch {
      try? console.errors.line("arcdump: \(printable("\(writeError ?? error)"))")
      try? console.errors.flush()
      return .outputError
    }
  }
}

/// What to write.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  case html
}
