package import ArgumentParser
import Foundation

/// The command `package-graph`, which archives Debian's package database as an object graph.
package struct PackageGraph: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "package-graph",
    abstract: "Archive Debian's package database, read the archive, and compare both graphs.",
    discussion: """
      Exit codes:
       0  The copy is isomorphic to the original.
       1  The copy differs, or the archive could not be written or read.
      65  INPUT contains no packages.
      66  INPUT cannot be read.
      """)

  @Argument(
    help: ArgumentHelp(
      "A list of packages in Debian's control format, or - for standard input.",
      discussion: "(default: /var/lib/dpkg/status if readable, otherwise the excerpt in Fixtures/)"))
  var input: String?

  @Argument(help: "The archive to write.")
  var output = "packages.arc"

  package init() {}

  package func run() throws {
    var progress = ProgressLine()
    let start = ContinuousClock.now
    let file = try readInput()
    let (database, notes) = build(from: file, &progress)
    let built = ContinuousClock.now
    guard !database.packages.isEmpty else {
      throw fail("\(file.name) has no packages; expected paragraphs as in /var/lib/dpkg/status", code: 65)
    }
    let cycles = database.dependencyCycles()
    let found = ContinuousClock.now
    progress.clear()

    var report = GraphReport()
    report.describe(file, notes)
    report.describe(GraphStatistics(of: database))
    report.describe(cycles: cycles)
    report.print()

    let trip: RoundTrip
    do {
      trip = try RoundTrip(of: database, through: URL(fileURLWithPath: output), progress: progress)
    } catch let difference as GraphDifference {
      throw fail("not isomorphic: \(difference)", code: 1)
    } catch {
      // Only this property of Foundation's errors describes the failure. Arc's errors have a description.
      throw fail("\(output): \((error as? CocoaError)?.localizedDescription ?? "\(error)")", code: 1)
    }
    report = GraphReport()
    report.describe(trip, preceding: [("build", built - start), ("cycles", found - built)])
    report.print()
    print("isomorphic")
    database.dismantle()
  }

  private func readInput() throws -> InputFile {
    guard let path = input ?? InputFile.defaultPath else {
      throw fail("no /var/lib/dpkg/status, no Fixtures/dpkg-status-excerpt.txt: name an INPUT", code: 66)
    }
    do {
      return try InputFile(path: path)
    } catch {
      throw fail("cannot read \(path): \(error.localizedDescription)", code: 66)
    }
  }

  private func build(
    from input: InputFile, _ progress: inout ProgressLine
  ) -> (PackageDatabase, notes: [String]) {
    var file = ControlFile(input.bytes)
    var builder = PackageGraphBuilder(source: input.name, modified: input.modified)
    // When a file is read with repairs, no errors are thrown.
    while let paragraph = try? file.nextParagraph() {
      builder.add(paragraph)
      progress.show("reading: \(file.byteOffset * 100 / max(file.byteCount, 1)) %")
    }
    let omissions = builder.omissions
    var notes = ControlFileError.Code.allCases.compactMap { code in
      file.repairs[code].map { "\(code.rawValue) \($0)" }
    }
    for (count, name) in [
      (omissions.namelessParagraphs, "paragraphs without a name"),
      (omissions.repeatedParagraphs, "repeated paragraphs"),
      (omissions.brokenRelationFields, "broken relation fields"),
    ] where count > 0 {
      notes.append("\(name) \(count)")
    }
    return (builder.finish(), notes)
  }

  /// Prints a message on standard error. Returns the exit code, for the caller to throw.
  private func fail(_ message: String, code: Int32) -> ExitCode {
    FileHandle.standardError.write(Data("package-graph: \(message)\n".utf8))
    return ExitCode(code)
  }
}
