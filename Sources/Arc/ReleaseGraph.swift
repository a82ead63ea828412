import ArcFormat

/// Releases a graph without recursion: undoes every link in it, and releases its objects one by one.
///
/// Swift frees an object that held the last reference to another by a nested call; a chain of a million
/// objects can exhaust the stack that way. Afterwards each property that can be set and holds objects is nil
/// or empty, or has the initial value of its declaration, in every object of the graph, also in those that
/// the program still holds; no observer is called. Objects coded by hand undo what their `link(from:)` sets
/// to an optional or a collection.
///
///     let list = try Unarchiver().read(List.self, from: url)
///     defer { try? releaseGraph(list) }
///
/// - Throws: what an `encode(to:)` throws, since the graph is walked as if it were archived.
/// - Complexity: O(objects).
public func releaseGraph(_ root: some ArchivableValue) throws {
  // In the order of rows, releasing the last object first frees one object at a time (`ObjectTable`).
  let encoder = GraphEncoder(options: ArchiveOptions())
  encoder.hooks.areCalled = false
  var objects: ContiguousArray<any Archivable>
  do { objects = try encoder.walk([root]) } catch let error as ArchiveError {
    throw encoder.located(error, roots: [root])
  }
  try GraphUnlinker().unlink(objects)
  while objects.popLast() != nil {}
}

/// Undoes the links of objects that were not read from an archive.
private final class GraphUnlinker {
  private var unlinker = ObjectUnlinker()
  private var readers: [ObjectIdentifier: ClassReader] = [:]

  func unlink(_ objects: ContiguousArray<any Archivable>) throws {
    for object in objects {
      let reader = try reader(for: type(of: object))
      unlinker.unlink(object, of: reader.programClass)
      // What has no empty value stays, since there is nothing else to set it to.
      if reader.programClass.isKeyed {
        try? object.link(from: ObjectDecoder(reader, slot: 0, phase: .unlinking))
      }
    }
  }

  private func reader(for type: any Archivable.Type) throws -> ClassReader {
    if let reader = readers[ObjectIdentifier(type)] { return reader }
    let reader = try ClassReader(ofNothing: ProgramClass.of(type))
    readers[ObjectIdentifier(type)] = reader
    return reader
  }
}
