extension Archiver {
  /// Lets go of a graph without recursion: cuts every link in it, and releases its objects one by one.
  ///
  /// Swift frees an object that held the last reference to another by a nested call; a chain of a million objects
  /// can exhaust the stack that way. Afterwards each property that can be set and holds objects is nil or empty, or has
  /// the initial value of its declaration, in every object of the graph, also in those that the program still holds; no
  /// observer is called. Objects coded by hand cut what their `link(from:)` sets to an optional or a collection.
  /// O(objects).
  ///
  ///     let list = try Unarchiver().read(List.self, from: url)
  ///     defer { try? Archiver.dismantle(list) }
  public static func dismantle(_ root: some ArchivableValue) throws {
    // Rows stand in an order in which releasing the last one first frees one object at a time (`ObjectTable`).
    var objects = try GraphEncoder(options: Options()).walk([root])
    try GraphCutter().cut(objects)
    while objects.popLast() != nil {}
  }
}

/// Cuts links without an archive to read them from.
private final class GraphCutter {
  private var cutter = LinkCutter()
  private var readers: [ObjectIdentifier: ClassReader] = [:]

  func cut(_ objects: ContiguousArray<any Archivable>) throws {
    for object in objects {
      let reader = try reader(for: type(of: object))
      cutter.cut(object, of: reader.shape)
      // What has no empty value stays, since there is nothing else to give.
      if reader.shape.isKeyed { try? object.link(from: ObjectDecoder(reader, slot: 0, phase: .cut)) }
    }
  }

  private func reader(for type: any Archivable.Type) throws -> ClassReader {
    if let reader = readers[ObjectIdentifier(type)] { return reader }
    let reader = try ClassReader(ofNothing: ClassShape.of(type))
    readers[ObjectIdentifier(type)] = reader
    return reader
  }
}
