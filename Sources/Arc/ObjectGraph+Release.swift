import ArcFormat

extension ObjectGraph {
  /// Releases a graph without recursion: removes all its references, and releases its objects one by one.
  ///
  ///     let list = try Unarchiver().read(List.self, from: url)
  ///     defer { try? ObjectGraph.release(list) }
  ///
  /// When Swift releases an object, it releases the objects that only this object retains, by nested calls. A
  /// chain of a million objects can exhaust the stack in this manner. After this function, in all objects of
  /// the graph, each property that can be set and contains objects is nil, empty, or has its initial value.
  /// This includes objects that the program still retains. No observer is called. For a hand-written class,
  /// the optionals and collections that its `link(from:)` sets are reset.
  ///
  /// - Parameter root: a value with everything that it reaches. Do not use its objects afterwards.
  /// - Throws: what an `encode(to:)` throws, because the graph is walked as in archiving.
  /// - Complexity: O(objects).
  public static func release(_ root: some ArchivableValue) throws {
    // In the order of rows, releasing the last object first frees one object at a time (`ObjectTable`).
    var objects = try GraphEncoder.objects(reachedFrom: root)
    try GraphUnlinker().unlink(objects)
    while objects.popLast() != nil {}
  }
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
