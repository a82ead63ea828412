#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The program that shows long output on a terminal a page at a time, as `git` uses one.
///
/// It starts with the first output, so that a command that is still computing can be interrupted.
final class Pager {
  /// What the shell runs.
  private let command: String
  private var stream: Handle?

  @safe private struct Handle {
    let file: UnsafeMutablePointer<FILE>
    let descriptor: Int32
  }

  /// Runs `command` when there is output.
  init(_ command: String) { self.command = command }

  /// The command for a pager: `ARCDUMP_PAGER`, else `PAGER`, else `less` if `hasProgram` says that it is
  /// there. Nil for none: for an empty variable, `cat`, and a program that is not there.
  static func command(
    environment: (String) -> String?, hasProgram: (String) -> Bool
  ) -> String? {
    let command = environment("ARCDUMP_PAGER") ?? environment("PAGER") ?? "less -FRX"
    guard let program = command.split(separator: " ").first, program != "cat" else { return nil }
    // What the shell has to interpret first is left to it.
    let isPlain = program.utf8.allSatisfy { !"$`'\"\\|&;<>(){}*?[]~=".utf8.contains($0) }
    return isPlain && !hasProgram(String(program)) ? nil : command
  }

  /// Whether a program is in one of the folders of `PATH`, or is one by its path.
  static func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return unsafe access(name, X_OK) == 0 }
    guard let path = unsafe getenv("PATH") else { return false }
    return unsafe String(cString: path).split(separator: ":").contains { folder in
      unsafe access(folder + "/" + name, X_OK) == 0
    }
  }

  /// The descriptor of the pager's input, after it was started; nil if it cannot be.
  func descriptor() -> Int32? {
    if let stream { return stream.descriptor }
    // As git has it: to end if all fits a screen, to show colours, and to leave the screen as it is.
    unsafe setenv("LESS", "FRX", 0)
    // The pager inherits what is ignored, and must end when nobody reads what it writes.
    signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, SIG_IGN) }
    guard let file = unsafe popen(command, "w") else { return nil }
    // An interrupt is the pager's: without this, it would be left alone with the terminal.
    signal(SIGINT, SIG_IGN)
    let handle = unsafe Handle(file: file, descriptor: fileno(file))
    stream = handle
    return handle.descriptor
  }

  /// Ends the pager's input, and waits until the user has seen enough.
  func finish() {
    guard let stream else { return }
    self.stream = nil
    unsafe pclose(stream.file)
    signal(SIGINT, SIG_DFL)
  }
}
