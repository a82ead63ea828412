import ArgumentParser

/// `arcdump completions SHELL`: what a shell needs to complete command lines of arcdump.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print the completions of arcdump for a shell.",
    discussion: """
      Nothing is installed. For all shells to come:
        bash   arcdump completions bash > ~/.local/share/bash-completion/completions/arcdump
        zsh    arcdump completions zsh > "${fpath[1]}/_arcdump"
        fish   arcdump completions fish > ~/.config/fish/completions/arcdump.fish
      """)

  /// The shells.
  enum Shell: String, CaseIterable, ExpressibleByArgument {
    case bash, zsh, fish

    fileprivate var completionShell: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell: bash, zsh or fish.")
  var shell: Shell

  func run() throws {
    let status = write(to: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Writes the script; returns the exit code.
  func write(to console: Console) -> ExitStatus {
    console.run { () throws(OutputFailure) in
      try console.output.line(Arcdump.completionScript(for: shell.completionShell))
      return .ok
    }
  }
}
