import ArcFormat

extension ObjectGraph {
  /// Releases a graph without recursion: removes all its references, and releases its objects one by one.
  ///
  ///     let list = try Unarchiver().read(List.self, from: url)
  ///     defer { try? ObjectGraph.release(list) }
  ///
  /// When Swift releases an object, it also releases the objects that only this object retains, in nested
  /// calls. For a chain of a million objects, the nested calls can exhaust the stack. This function first
  /// resets the strong references of each object of the graph, even of objects that the program still
  /// retains. Each `var` property with strong references is set to nil, to an empty collection, or to its
  /// initial value. If the property can have none of these values, it is unchanged. No observer is called.
  /// For a hand-written class, the function resets the optionals and collections that `link(from:)` sets.
  ///
  /// - Parameter root: a value with everything that it reaches. Do not use its objects afterwards.
  /// - Throws: `ArchiveError` if a value cannot be archived, or an error of an `encode(to:)`, because the
  ///   function finds the objects as archiving does.
  /// - Complexity: O(objects + references).
  public static func release(_ root: some ArchivableValue) throws {
    // The objects are in the order of rows. Releasing the last object first frees one object at a time. See
    // `ObjectTable.releaseAll()`.
    var objects = try GraphEncoder.objects(reachedFrom: root)
    try GraphUnlinker().unlink(objects)
    while objects.popLast() != nil {}
  }
}

/// Resets the references of objects that were not read from an archive.
private final class GraphUnlinker {
  private var unlinker = ObjectUnlinker()
  private var readers: [ObjectIdentifier: ClassReader] = [:]

  func unlink(_ objects: ContiguousArray<any Archivable>) throws {
    for object in objects {
      unlinker.unlink(object, try reader(for: type(of: object)))
    }
  }

  private func reader(for type: any Archivable.Type) throws -> ClassReader {
    if let reader = readers[ObjectIdentifier(type)] { return reader }
    let reader = try ClassReader(withoutFile: ProgramClass.of(type))
    readers[ObjectIdentifier(type)] = reader
    return reader
  }
}
