package import Arc
import ArcFormat

/// What comes back of a graph, through bytes that pass verification and are those of a snapshot too.
package func roundTrip<Root: ArchivableValue>(
  _ root: Root, _ archiver: Archiver = Archiver(), classes: [any Archivable.Type] = []
) throws -> Root {
  let bytes = try archiver.archive(root)
  try ArchiveFile(bytes: bytes).verify()
  guard try archiver.snapshot(of: root).archive() == bytes else { throw OtherBytes() }
  return try Unarchiver(classes: ClassTable(registering: classes)).unarchive(Root.self, from: bytes)
}

/// Thrown where a snapshot gives other bytes than `archive(_:)`.
private struct OtherBytes: Error {}

extension ClassTable {
  /// A table that knows some classes.
  package convenience init(registering classes: [any Archivable.Type]) throws {
    self.init()
    for type in classes { try register(type) }
  }
}
