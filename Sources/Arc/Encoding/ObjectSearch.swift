import ArcFormat

/// Finds by which way the roots reach an object of a graph that could not be archived.
///
/// It encodes objects again, to columns of its own, in the order in which they are reached, until one refers
/// to the object that is looked for. Their getters and `encode(to:)` are called again, but not those of the
/// object itself. References that do not keep their targets count if they are unowned.
final class ObjectSearch: ReferenceSink {
  /// The encoder whose archive failed. Outlives the search.
  private unowned let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  private var columns: [ObjectIdentifier: ScratchColumns] = [:]
  /// Objects in the order in which they were reached, each with the index of the one that referred to it
  /// first; nil stands for the roots.
  private var reached: [(object: AnyObject, owner: Int?)] = []
  private var known: Set<ObjectIdentifier> = []
  /// The index of the object whose references are noted.
  private var owner: Int?
  /// Its address.
  private var target: UInt?
  /// The first reference from `owner` to `target`: the number of the property, and the place in it.
  private var found: (slot: Int, place: ValueLocation?)?

  /// A search in what an encoder began to write.
  init(in graph: GraphEncoder) {
    self.graph = graph
    context = Handle(ObjectNumbering(isDirect: false))
    context.value.lead(to: self)
  }

  deinit {
    columns = [:]
    context.value.free()
    context.free()
  }

  /// A shortest way from a root to the object at an address; nil if it is not reached, or something on the
  /// way cannot be encoded: the error that asks for the way is worth more than one about the way.
  ///
  /// - Complexity: O(objects that are reached before it), without recursion over objects.
  func path(to address: UInt, from roots: [any ArchivableValue]) -> ObjectPath? {
    target = address
    guard (try? search(from: roots)) != nil, found != nil else { return nil }
    var way: [Int?] = [owner]
    while let last = way.last, let index = last { way.append(reached[index].owner) }
    way.reverse()
    return try? path(way, from: roots)
  }

  private func search(from roots: [any ArchivableValue]) throws {
    _ = try encodeRoots(roots)
    var next = 0
    while found == nil, next < reached.count {
      owner = next
      _ = try encode(reached[next].object)
      next += 1
    }
  }

  /// The way over the objects at some indices, the first of which stands for the roots, to the target.
  private func path(_ way: [Int?], from roots: [any ArchivableValue]) throws -> ObjectPath? {
    let target = target
    return try ObjectPath(objectCount: way.count) { position in
      self.target =
        position + 1 < way.count ? way[position + 1].map { Self.address(of: reached[$0].object) } : target
      (owner, found) = (way[position], nil)
      return try owner.map { try encode(reached[$0].object) } ?? encodeRoots(roots)
    }
  }

  /// Encodes the roots; returns the steps to the target if one of them refers to it.
  private func encodeRoots(_ roots: [any ArchivableValue]) throws -> [ValuePath.Step]? {
    let set = ColumnWriterSet(strings: nil, context: context.opaque)
    set.extend(to: graph.rootLayout)
    context.value.location = ValueBoxes.Location()
    for (index, root) in roots.enumerated() { try root.__write(to: set.column(index)) }
    return found.flatMap { found in
      graph.rootName(found.slot).map {
        [.name($0)] + (found.place.map(set.steps(toValueAt:)) ?? [])
      }
    }
  }

  /// Encodes an object; returns the steps to the target if it refers to it.
  private func encode(_ object: AnyObject) throws -> [ValuePath.Step]? {
    let type = ObjectIdentifier(Swift.type(of: object))
    let columns = try columns[type] ?? ScratchColumns(of: graph.writer(of: object), context: context)
    self.columns[type] = columns
    columns.removeAll()
    try columns.encode(object)
    return found.flatMap { columns.steps(toSlot: $0.slot, $0.place) }
  }

  private static func address(of object: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(object)) }

  // MARK: References

  /// Notes where a reference leads.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    if let object, !column.isWeak { note(graph.archivedSoFar(for: object), column) }
    column.append(0 as UInt32)
  }

  private func note(_ object: AnyObject, _ column: ColumnWriter) {
    if Self.address(of: object) == target, found == nil { found = (column.slot, column.nextPlace) }
    if known.insert(ObjectIdentifier(object)).inserted { reached.append((object, owner)) }
  }

  /// Appends nothing that counts: weak references are no way to an object.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) { column.append(0 as UInt32) }

  /// Does nothing: the archive's encoder checks keys.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Nil: any order will do.
  var keyOrder: (any KeyOrder)? { nil }

  var archiveContext: ArchiveContext { graph.archiveContext }

  /// The boxes of the archive, so that the objects are the same.
  func boxes() -> ValueBoxes { graph.boxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError { error }
}
