/// What an unarchiver does with objects of a class whose version in the file is newer than the program's.
///
///     let unarchiver = Unarchiver(newerVersions: .allow)
///
/// A class states a new version (`archiveVersion`) when its values mean something else than before: an older
/// program would take 30 points for 30 tenths of a point.
public enum NewerVersionPolicy: Sendable {
  /// Reading fails with code `newerVersion`, before any object is built. This is the default, also where the
  /// program preserves what it does not know.
  case refuse
  /// The values are read as those of the program's version.
  case allow
}
