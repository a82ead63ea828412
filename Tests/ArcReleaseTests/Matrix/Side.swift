import Arc

/// One side of a change: the release of the program that wrote a file, or the release that reads it.
///
/// Containers have a side as their generic parameter instead of the type of the values. Both sides have the
/// same coded name. Therefore, the containers of both sides have the same class in files.
protocol Side: ArchivableValue {
  /// The type of the values in this release.
  associatedtype Value: ArchivableValue
  /// The version of the classes that have a version.
  static var version: Int { get }
}

/// The release that wrote the file.
@Archivable("Side") struct Before<Old: ArchivableValue, New: ArchivableValue>: Side {
  typealias Value = Old
  static var version: Int { 0 }
}

/// The release that reads the file.
@Archivable("Side") struct After<Old: ArchivableValue, New: ArchivableValue>: Side {
  typealias Value = New
  static var version: Int { 1 }
}

/// The first of three releases.
@Archivable("Turn") struct First<A: ArchivableValue, B: ArchivableValue, C: ArchivableValue>: Side {
  typealias Value = A
  static var version: Int { 0 }
}

/// The second of three releases.
@Archivable("Turn") struct Second<A: ArchivableValue, B: ArchivableValue, C: ArchivableValue>: Side {
  typealias Value = B
  static var version: Int { 0 }
}

/// The third of three releases.
@Archivable("Turn") struct Third<A: ArchivableValue, B: ArchivableValue, C: ArchivableValue>: Side {
  typealias Value = C
  static var version: Int { 0 }
}
