import ArgumentParser

/// `arcdump completions SHELL`: prints the script with which a shell completes command lines of arcdump.
struct CompletionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions",
    abstract: "Print completions of arcdump for a shell.",
    discussion: """
      completions prints a script and installs nothing. To install the script:
        bash  cd ~/.local/share/bash-completion/completions
              arcdump completions bash > arcdump
        zsh   arcdump completions zsh > "${fpath[1]}/_arcdump"
        fish  arcdump completions fish > ~/.config/fish/completions/arcdump.fish
      """)

  /// A shell for which ArgumentParser generates a completion script.
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

  @Argument(help: "The shell that reads the completions.")
  var shell: Shell

  func run() throws {
    let status = write(to: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Writes the script. Returns the exit code.
  func write(to console: Console) -> ExitStatus {
    console.run { () throws(OutputFailure) in
      let script = Arcdump.completionScript(for: shell.completionShell)
      try console.output.line(shell == .bash ? Self.withShortForm(script) : script)
      return .ok
    }
  }

  /// Returns the script for bash, with a change: it completes `arcdump FILE` like `arcdump tree FILE`. The
  /// original script of ArgumentParser completes nothing after a word that is not a command.
  static func withShortForm(_ script: String) -> String {
    let names = Arcdump.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    let words = #"local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")"#
    let shortForm = """
      \(words)
          case "${unparsed_words[0]}" in
          -*|\(names.joined(separator: "|"))) ;;
          *)  [[ "${COMP_CWORD}" -gt 1 ]] && unparsed_words=(tree "${unparsed_words[@]}") ;;
          esac
      """
    // If no command begins with the word, bash completes it as the name of a file.
    return script.replacing(words, with: shortForm)
      .replacing("complete -o filenames -F", with: "complete -o filenames -o default -F")
  }
}
