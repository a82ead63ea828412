extension Archiver {
  /// Lets go of a graph without recursion: cuts every link in it, and releases its objects one by one.
  ///
  /// Swift frees an object that held the last reference to another by a nested call; a chain of a million objects
  /// can exhaust the stack that way. Afterwards all optional, weak and collection properties that hold objects are
  /// empty in every object of the graph, also in those that the program still holds. O(objects).
  ///
  ///     let list = try Unarchiver().read(List.self, from: url)
  ///     defer { try? Archiver.dismantle(list) }
  public static func dismantle(_ root: some ArchivableValue) throws {
    // Rows stand in an order in which releasing the last one first frees one object at a time (`ObjectTable`).
    var objects = try GraphEncoder(options: Options()).walk(root)
    try GraphCutter().cut(objects)
    while objects.popLast() != nil {}
  }
}

/// Sets the links of objects to their empty values.
private final class GraphCutter {
  private var readers: [ObjectIdentifier: ClassReader] = [:]
  private let strings = StringTable()

  func cut(_ objects: ContiguousArray<any Archivable>) throws {
    for object in objects {
      let reader = try reader(for: type(of: object))
      try object.link(from: ObjectDecoder(reader, slot: 0, phase: .cut))
    }
  }

  private func reader(for type: any Archivable.Type) throws -> ClassReader {
    if let reader = readers[ObjectIdentifier(type)] { return reader }
    let reader = unsafe try ClassReader(
      ClassShape.of(type), classIndex: 0, plan: nil, references: nil, strings: strings)
    reader.cutPhases = [.link, .observedLink, .hash]
    readers[ObjectIdentifier(type)] = reader
    return reader
  }
}
