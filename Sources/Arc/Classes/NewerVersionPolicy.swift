/// The treatment of objects whose class has a newer version in the file than in the program.
///
///     let unarchiver = Unarchiver(newerVersions: .allow)
///
/// A class increases its `archiveVersion` when the meaning of its values changes, for example when a width in
/// tenths of a point becomes a width in points. A program with the older class would misread the newer
/// values.
public enum NewerVersionPolicy: Sendable {
  /// Reading throws `newerVersion` before any object is built. This is the default, even if unknown content
  /// is preserved.
  case refuse
  /// The values are read as values of the program's version.
  case allow
}
