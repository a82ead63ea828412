import ArgumentParser

extension Arcdump {
  /// Runs the command of a command line. Returns the exit code of the process.
  ///
  /// This function replaces `main()` of ArgumentParser, which reports success if help could not be written,
  /// and does not support `--json`.
  package static func launch(_ arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return ExitStatus.ok.rawValue
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      return answer(error, to: arguments, with: .standard).rawValue
    }
  }

  /// Writes the result that ArgumentParser throws instead of returning a command. Help, the version and
  /// completions are written to standard output. A usage error is written to standard error. If the command
  /// line contains `--json` or `--json-lines`, the usage error is written to standard output, as JSON.
  static func answer(_ error: any Error, to arguments: [String], with console: Console) -> ExitStatus {
    let error = unknownCommand(in: arguments, error) ?? error
    return console.run { () throws(OutputFailure) in
      guard !exitCode(for: error).isSuccess else {
        try console.output.line(fullMessage(for: error))
        return .ok
      }
      if arguments.prefix(while: { $0 != "--" }).contains(where: { ["--json", "--json-lines"].contains($0) })
      {
        let failure = InspectionFailure(UsageError(description: message(for: error)), hasMoreTrust: false)
        try JSONOutput(output: console.output, byteLimit: .max).finish(with: failure)
      } else {
        try console.errors.line(fullMessage(for: error))
      }
      return .usage
    }
  }
}

extension Arcdump {
  /// Returns an error that names the unknown command of a command line. Nil if the command line has another
  /// error.
  ///
  /// ArgumentParser treats an unknown command as the FILE argument of `tree`. The error of ArgumentParser
  /// would only report the later arguments as unexpected.
  private static func unknownCommand(in arguments: [String], _ error: any Error) -> ValidationError? {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard !exitCode(for: error).isSuccess, let word = arguments.first, word != "help", !names.contains(word),
      !word.isEmpty, word.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
      arguments.dropFirst().contains(where: { !$0.hasPrefix("-") || $0 == "-" })
    else { return nil }
    return ValidationError(
      "There is no command '\(word)'. The commands are \(names.joined(separator: ", ")). To show a file '\(word)', "
        + "run arcdump tree \(word).")
  }
}

/// A command line that is not valid. `--json` prints this error.
private struct UsageError: InspectionError, CustomStringConvertible {
  let description: String
  let codeName = "usage"
  let status = ExitStatus.usage
}
