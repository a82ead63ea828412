import ArgumentParser

/// `arcdump man`: prints the manual page, built from the help of all commands.
struct ManCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "man",
    abstract: "Print the manual page of arcdump in roff format.",
    discussion: """
      To read the page:
        arcdump man | man -l -
      To install it for 'man arcdump':
        arcdump man > ~/.local/share/man/man1/arcdump.1
      """)

  func run() throws {
    let status = write(to: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Writes the page. Returns the exit code.
  func write(to console: Console) -> ExitStatus {
    console.run { () throws(OutputFailure) in
      try console.output.write(ManualPage.text)
      return .ok
    }
  }
}
