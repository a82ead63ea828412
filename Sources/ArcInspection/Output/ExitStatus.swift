/// Exit codes, as in `sysexits.h`.
enum ExitStatus: Int32 {
  case ok = 0
  /// All was done, and something is not as it should be: of a recovered archive something was lost, a file
  /// could not be read by a program with the schema that it was compared with, or nothing is what was asked
  /// for.
  case incomplete = 1
  /// The command line asks for nothing that there is.
  case usage = 64
  /// The file is not an archive, or a damaged one.
  case dataError = 65
  /// The file could not be read.
  case noInput = 66
  /// The output could not be written.
  case outputError = 74
}
