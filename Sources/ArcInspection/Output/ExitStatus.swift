/// The exit codes of arcdump. The codes from 64 are codes of `sysexits.h`.
enum ExitStatus: Int32 {
  case ok = 0
  /// The command is complete and its result is negative. For example, no object was found, two files differ,
  /// a recovery lost objects, or a program with the schema of `schema --against` cannot read the file.
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
