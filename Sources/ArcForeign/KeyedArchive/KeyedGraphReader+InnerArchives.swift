import ArcFormat

// Archives that a file contains as data. They are opened if a property declares the type of their root.

extension KeyedGraphReader {
  /// Returns the root of the archive or property list in data. Nil if the data is neither.
  ///
  /// Objects of the archive become objects of the graph. Each data is opened once, so values that share it
  /// share its objects.
  mutating func innerRoot(ofData node: Int) throws(ImportError) -> ImportedValue? {
    if let known = innerRoots[node] { return known }
    guard let bytes = graph.list.data(node),
      bytes.starts(with: BinaryPropertyListReader.magic) || bytes.starts(with: "<?xml".utf8)
    else {
      innerRoots[node] = .some(nil)
      return nil
    }
    // Charged before each copy, because archives can contain archives.
    try budget.charge(bytes: bytes.count, at: graph.list.byteOffsets[node])
    let list = try PropertyList(parsing: Array(bytes), limits: budget.limits)
    try charge(elements: list.nodes.count, at: node)
    let root = try add(list, at: graph.list.byteOffsets[node])
    let value = try value(ofNode: root)
    innerRoots[node] = value
    return value
  }

  /// Adds the values of a property list to the graph. If the list is a keyed archive, also adds the objects
  /// of this archive. Returns the node of the list's root.
  private mutating func add(_ list: PropertyList, at offset: Int) throws(ImportError) -> Int {
    let (firstNode, firstReference) = (graph.list.nodes.count, graph.list.references.count)
    var root = list.top
    var innerObjects: [UInt32] = []
    if KeyedArchive.isKeyed(list) {
      var table = KeyTable(nodeCount: list.nodes.count)
      let archive = try KeyedArchive(list, &table)
      innerObjects = Array(archive.objects)
      let named = archive.top.items.first { table.keys[$0.key] == "root" }
      guard let item = named ?? (archive.top.items.count == 1 ? archive.top.items.first : nil) else {
        throw ImportError(
          .missingRoot, found: "\(plural(archive.top.items.count, "root")) in an archive inside data",
          expected: "a root with the name 'root', or a single root", byteOffset: offset)
      }
      root = item.node
    }
    graph.list.append(list, at: offset, firstUID: UInt64(objects.count), uidCount: innerObjects.count)
    if !innerObjects.isEmpty { firstUIDs.append(objects.count) }
    objects += innerObjects.map { $0 &+ UInt32(truncatingIfNeeded: firstNode) }
    prepare(firstReference: firstReference)
    return firstNode + root
  }
}
