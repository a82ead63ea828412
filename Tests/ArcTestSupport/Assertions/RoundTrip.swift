package import Arc
package import ArcArchive
package import ArcFormat

/// Archives a graph, verifies the archive, and reads it. Returns the graph that was read. Throws an error if
/// a snapshot has other bytes.
package func roundTrip<Root: ArchivableValue>(
  _ root: Root, _ archiver: Archiver = Archiver(), classes: [any Archivable.Type] = []
) throws -> Root {
  let bytes = try archiver.archive(root)
  try ArchiveFile(bytes: bytes).verify()
  guard try archiver.snapshot(of: root).archive() == bytes else { throw OtherBytes() }
  return try Unarchiver(classes: ClassTable(registering: classes)).unarchive(Root.self, from: bytes)
}

/// Archives a root and reads it as another type. Returns the value that was read.
package func reread<Value: ArchivableValue>(
  _ root: some ArchivableValue, as type: Value.Type, classes: ClassTable = .shared
) throws -> Value {
  try Unarchiver(classes: classes).unarchive(type, from: Archiver().archive(root))
}

/// Thrown if a snapshot has other bytes than `archive(_:)`.
private struct OtherBytes: Error {}

extension ClassTable {
  /// Creates a table that contains only these types and the types that they declare.
  package convenience init(declaring types: any ArchivableValue.Type...) throws {
    try self.init(declaring: types)
  }

  /// Creates a table that contains only these types and the types that they declare.
  package convenience init(declaring types: [any ArchivableValue.Type]) throws {
    self.init(scope: .declared)
    for type in types { try register(all: type) }
  }

  /// Creates a table with registered classes.
  package convenience init(registering classes: [any Archivable.Type]) throws {
    self.init()
    for type in classes { try register(type) }
  }
}

extension ArchiveFile {
  /// Opens an archive and verifies it.
  package convenience init(verifying bytes: some Collection<UInt8>, limits: ArchiveLimits = .default) throws {
    try self.init(bytes: bytes, limits: limits)
    try verify()
  }
}
