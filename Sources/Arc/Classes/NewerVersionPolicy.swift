/// The reaction to objects whose class has a newer version in the file than in the program.
///
///     let unarchiver = Unarchiver(newerVersions: .allow)
///
/// A class increases its `archiveVersion` when the meaning of its values changes. For example, an older
/// program would read 30 points as 30 tenths of a point.
public enum NewerVersionPolicy: Sendable {
  /// Reading throws `newerVersion` before any object is built. This is the default, even if unknown content
  /// is preserved.
  case refuse
  /// The values are read as values of the program's version.
  case allow
}
