import Arc
import ArcArchive
import ArcFormat

/// Claims that must hold for any bytes that are read as a graph of the fixtures' classes. A fuzzer checks
/// them, too.
package enum GraphClaims {
  private static let limits = ArchiveLimits(
    fileBytes: 1 << 24, rawBytes: 1 << 24, rows: 20_000, classes: 1000, classTableBytes: 1 << 16,
    columnsPerClass: 1000, elements: 100_000, nesting: 32)

  private static let classes = {
    let table = ClassTable()
    for type in [Truck.self, Knot.self, Box<String>.self, Note.self] as [any Archivable.Type] {
      // Registration fails only if the name belongs to another class.
      try? table.register(type)
    }
    return table
  }()

  /// Returns the first claim that does not hold. Nil if all hold.
  package static func violation(by bytes: [UInt8]) -> String? {
    guard let file = try? ArchiveFile(bytes: bytes, limits: limits) else {
      return violation([Knot].self, bytes)
    }
    // The classes of the file determine the requested type of the root, so that few files are refused only
    // because of their root.
    let names = Set(file.classes.map(\.name))
    if names.contains("Person") { return violation(Person.self, bytes) }
    if names.contains("Series") { return violation(Series.self, bytes) }
    if names.contains("Shelf") { return violation(Shelf.self, bytes) }
    if names.contains("Sample") { return violation(Sample.self, bytes) }
    if names.contains("Vehicle") { return violation([Vehicle].self, bytes) }
    if names.contains("Note") { return violation(Note.self, bytes) }
    if names.contains("Knot") { return violation(Knot.self, bytes) }
    return violation(Box<[Box<String>]>.self, bytes)
  }

  /// Checks that reading throws an `ArchiveError`, or returns a graph that can be written, verified and read
  /// again.
  private static func violation<Root: ArchivableValue>(_ type: Root.Type, _ bytes: [UInt8]) -> String? {
    let unarchiver = Unarchiver(classes: classes, limits: limits)
    let root: Root
    do {
      root = try unarchiver.unarchive(type, from: bytes)
    } catch {
      return error is ArchiveError ? nil : "an error that is no ArchiveError: \(error)"
    }
    do {
      let snapshot = try Archiver(isCanonical: true).snapshot(of: root)
      let once = try archive(root)
      guard try snapshot.archive() == once else { return "a snapshot gives other bytes" }
      try ArchiveFile(bytes: once, limits: limits).verify()
      let twice = try archive(unarchiver.unarchive(type, from: once))
      return once == twice ? nil : "written again, the bytes differ"
    } catch {
      return "not written or not read again: \(error)"
    }
  }

  /// Returns the archive of a graph, and releases the graph.
  private static func archive(_ root: some ArchivableValue) throws -> [UInt8] {
    let bytes = try Archiver(isCanonical: true).archive(root)
    try ObjectGraph.release(root)
    return bytes
  }
}
