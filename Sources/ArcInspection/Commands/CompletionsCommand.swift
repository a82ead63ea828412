import ArgumentParser

/// `arcdump completions SHELL`: what a shell needs to complete command lines of arcdump.
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

  @Argument(help: "The shell that reads the completions.")
  var shell: Shell

  func run() throws {
    let status = write(to: .standard)
    if status != .ok { throw ExitCode(status.rawValue) }
  }

  /// Writes the script; returns the exit code.
  func write(to console: Console) -> ExitStatus {
    console.run { () throws(OutputFailure) in
      let script = Arcdump.completionScript(for: shell.completionShell)
      try console.output.line(shell == .bash ? Self.withShortForm(script) : script)
      return .ok
    }
  }

  /// The script for bash, which knows that `arcdump FILE` is short for `arcdump tree FILE`: ArgumentParser's
  /// completes nothing behind a word that is no command.
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
    // Where no command begins so, the word is the name of a file.
    return script.replacing(words, with: shortForm)
      .replacing("complete -o filenames -F", with: "complete -o filenames -o default -F")
  }
}
