package import Arc
package import ArcArchive
package import ArcFormat

/// What comes back of a graph, through bytes that pass verification and are those of a snapshot too.
package func roundTrip<Root: ArchivableValue>(
  _ root: Root, _ archiver: Archiver = Archiver(), classes: [any Archivable.Type] = []
) throws -> Root {
  let bytes = try archiver.archive(root)
  try ArchiveFile(bytes: bytes).verify()
  guard try archiver.snapshot(of: root).archive() == bytes else { throw OtherBytes() }
  return try Unarchiver(classes: ClassTable(registering: classes)).unarchive(Root.self, from: bytes)
}

/// What another type reads of the archive of a root.
package func reread<Value: ArchivableValue>(
  _ root: some ArchivableValue, as type: Value.Type, classes: ClassTable = .shared
) throws -> Value {
  try Unarchiver(classes: classes).unarchive(type, from: Archiver().archive(root))
}

/// Thrown where a snapshot gives other bytes than `archive(_:)`.
private struct OtherBytes: Error {}

extension ClassTable {
  /// A table of the declared types and of some more.
  package convenience init(declaring types: any ArchivableValue.Type...) throws {
    try self.init(declaring: types)
  }

  /// A table of the declared types and of some more.
  package convenience init(declaring types: [any ArchivableValue.Type]) throws {
    self.init(scope: .declared)
    for type in types { try register(all: type) }
  }

  /// A table that knows some classes.
  package convenience init(registering classes: [any Archivable.Type]) throws {
    self.init()
    for type in classes { try register(type) }
  }
}

extension ArchiveFile {
  /// Opens an archive, and verifies all of it.
  package convenience init(verifying bytes: some Collection<UInt8>, limits: ArchiveLimits = .default) throws {
    try self.init(bytes: bytes, limits: limits)
    try verify()
  }
}
