import Arc

/// One side of a change: the release of the program that wrote a file, or the release that reads it.
///
/// Containers take a side in place of the value's type. Both sides have one coded name, so an instance of a
/// container for one side is the same class in files as the instance for the other side.
protocol Side: ArchivableValue {
  /// The type of the values in this release.
  associatedtype Value: ArchivableValue
  /// The version of classes that state one.
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
