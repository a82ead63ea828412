#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A program such as `less`, which shows long output on a terminal one page at a time.
///
/// The pager starts at the first output. Before it starts, an interrupt ends the command.
final class Pager {
  /// The shell command that starts the pager.
  private let command: String
  private var stream: Handle?

  @safe private struct Handle {
    let file: UnsafeMutablePointer<FILE>
    let descriptor: Int32
  }

  /// Creates a pager that runs `command` at the first output.
  init(_ command: String) { self.command = command }

  /// Returns the command of the pager: the variable `ARCDUMP_PAGER`, otherwise `PAGER`, otherwise `less
  /// -FRX`. Nil if no pager is to be used: the variable is empty, the program is `cat`, or `hasProgram`
  /// returns false for the program.
  static func command(
    environment: (String) -> String?, hasProgram: (String) -> Bool
  ) -> String? {
    let command = environment("ARCDUMP_PAGER") ?? environment("PAGER") ?? "less -FRX"
    guard let program = command.split(separator: " ").first, program != "cat" else { return nil }
    // If the name contains characters that the shell interprets, only the shell can find the program.
    let isPlain = program.utf8.allSatisfy { !"$`'\"\\|&;<>(){}*?[]~=".utf8.contains($0) }
    return isPlain && !hasProgram(String(program)) ? nil : command
  }

  /// Whether a program exists in a folder of `PATH`, or at its path if the name contains `/`.
  static func hasProgram(_ name: String) -> Bool {
    if name.contains("/") { return unsafe access(name, X_OK) == 0 }
    guard let path = unsafe getenv("PATH") else { return false }
    return unsafe String(cString: path).split(separator: ":").contains { folder in
      unsafe access(folder + "/" + name, X_OK) == 0
    }
  }

  /// Returns the file descriptor of the pager's input. Starts the pager if it is not running. Nil if the
  /// pager cannot be started.
  func descriptor() -> Int32? {
    if let stream { return stream.descriptor }
    // These are the options that git sets: less ends at once if the text fits the screen, shows colours, and
    // does not clear the screen.
    unsafe setenv("LESS", "FRX", 0)
    // The pager inherits the ignored signals, but must end if the program that reads its output ends.
    signal(SIGPIPE, SIG_DFL)
    defer { signal(SIGPIPE, SIG_IGN) }
    guard let file = unsafe popen(command, "w") else { return nil }
    // The pager handles interrupts. If an interrupt ended this process, the pager and the shell would both
    // read from the terminal.
    signal(SIGINT, SIG_IGN)
    let handle = unsafe Handle(file: file, descriptor: fileno(file))
    stream = handle
    return handle.descriptor
  }

  /// Ends the pager's input, and waits until the user quits the pager.
  func finish() {
    guard let stream else { return }
    self.stream = nil
    unsafe pclose(stream.file)
    signal(SIGINT, SIG_DFL)
  }
}
