/// Exit codes, as in `sysexits.h`; ArgumentParser itself exits with 64 on wrong usage.
enum ExitStatus: Int32 {
  case ok = 0
  /// An archive was recovered, and something was lost.
  case partlyRecovered = 1
  /// The file is not an archive, or a damaged one.
  case dataError = 65
  /// The file could not be read.
  case noInput = 66
  /// The output could not be written.
  case outputError = 74
}
