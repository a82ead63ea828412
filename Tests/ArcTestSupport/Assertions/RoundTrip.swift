package import Arc
import ArcFormat

/// What comes back of a graph, through bytes that pass verification.
package func roundTrip<Root: ArchivableValue>(
  _ root: Root, _ archiver: Archiver = Archiver(), classes: [any Archivable.Type] = []
) throws -> Root {
  let bytes = try archiver.archive(root)
  try ArchiveFile(bytes: bytes).verify()
  return try Unarchiver(classes: ClassTable(registering: classes)).unarchive(Root.self, from: bytes)
}

extension ClassTable {
  /// A table that knows some classes.
  package convenience init(registering classes: [any Archivable.Type]) throws {
    self.init()
    for type in classes { try register(type) }
  }
}
