/// The exit codes of arcdump. The codes from 64 are codes of `sysexits.h`.
enum ExitStatus: Int32 {
  case ok = 0
  /// The command is complete and its result is negative: nothing was found, two files differ, something was
  /// lost in a recovery, or a program with the schema of `schema --against` refuses the file.
  case incomplete = 1
  /// The command line is not valid.
  case usage = 64
  /// The file is damaged or not an archive.
  case dataError = 65
  /// The file could not be read.
  case noInput = 66
  /// The output could not be written.
  case outputError = 74
}
