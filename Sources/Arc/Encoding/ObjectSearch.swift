import ArcFormat

/// Finds the path from the roots to an object that could not be archived.
///
/// The search encodes objects again to its own columns, in the order in which they are reached, until an
/// object refers to the target, which is the object to find. Getters and `encode(to:)` are called again for
/// these objects, but not for the target. Paths contain strong and unowned references, but not weak
/// references.
final class ObjectSearch: ReferenceSink {
  /// The encoder whose archive failed. It outlives the search.
  private unowned let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  private var columns: [ObjectIdentifier: ScratchColumns] = [:]
  /// The reached objects, in the order in which the search found them. `owner` is the index of the object
  /// through which an object was found. `owner` is nil if the object was found through a root.
  private var reached: [(object: AnyObject, owner: Int?)] = []
  private var known: Set<ObjectIdentifier> = []
  /// The index of the object whose references are recorded; nil for the roots.
  private var owner: Int?
  /// The address of the object to find. Nil before the search.
  private var target: UInt?
  /// The first reference from the object at `owner` to the target. `slot` is the index of the property, and
  /// `location` is the location of the reference in it. Nil if no such reference was found yet.
  private var found: (slot: Int, location: ValueLocation?)?

  /// Creates a search in the graph that an encoder began to write.
  init(in graph: GraphEncoder) {
    self.graph = graph
    context = Handle(ObjectNumbering(isDirect: false))
    context.value.setSink(self)
  }

  deinit {
    columns = [:]
    context.value.free()
    context.free()
  }

  /// Returns a shortest path from a root to the object at an address. Nil if the object is not reached, or if
  /// an object on the path cannot be encoded. The function does not throw. It is called to add the path to
  /// the message of another error, and an error of its own would hide that error.
  ///
  /// - Complexity: O(objects that the search reaches before the object), without recursion over objects.
  func path(to address: UInt, from roots: [any ArchivableValue]) -> ObjectPath? {
    target = address
    guard (try? search(from: roots)) != nil, found != nil else { return nil }
    var owners: [Int?] = [owner]
    while let last = owners.last, let index = last { owners.append(reached[index].owner) }
    owners.reverse()
    return try? path(owners, from: roots)
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

  /// Returns the path to the target through the objects at the indices `owners`. A nil index represents the
  /// roots.
  private func path(_ owners: [Int?], from roots: [any ArchivableValue]) throws -> ObjectPath? {
    let target = target
    return try ObjectPath(objectCount: owners.count) { position in
      self.target =
        position + 1 < owners.count
        ? owners[position + 1].map { Self.address(of: reached[$0].object) } : target
      (owner, found) = (owners[position], nil)
      return try owner.map { try encode(reached[$0].object) } ?? encodeRoots(roots)
    }
  }

  /// Encodes the roots. Returns the steps from the roots to the target. Nil if no root refers to it.
  private func encodeRoots(_ roots: [any ArchivableValue]) throws -> [ValuePath.Step]? {
    let set = ColumnWriterSet(strings: nil, context: context.opaque)
    set.extend(to: graph.rootLayout)
    context.value.location = ValueBoxes.Location()
    for (index, root) in roots.enumerated() { try root.__write(to: set.column(index)) }
    return found.flatMap { found in
      graph.rootName(found.slot).map {
        [.name($0)] + (found.location.map(set.steps(toValueAt:)) ?? [])
      }
    }
  }

  /// Encodes an object, which records its references. Returns the steps from the object to the target of the
  /// search. Nil if the object does not refer to the target.
  private func encode(_ object: AnyObject) throws -> [ValuePath.Step]? {
    let type = ObjectIdentifier(Swift.type(of: object))
    let columns = try columns[type] ?? ScratchColumns(of: graph.writer(of: object), context: context)
    self.columns[type] = columns
    columns.removeAll()
    try columns.encode(object)
    return found.flatMap { columns.steps(toSlot: $0.slot, $0.location) }
  }

  private static func address(of object: AnyObject) -> UInt { UInt(bitPattern: ObjectIdentifier(object)) }

  // MARK: References

  /// Records the target of a reference.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    if let object, !column.isWeak { note(graph.archivedSoFar(for: object), column) }
    column.append(0 as UInt32)
  }

  private func note(_ object: AnyObject, _ column: ColumnWriter) {
    if Self.address(of: object) == target, found == nil { found = (column.slot, column.nextLocation) }
    if known.insert(ObjectIdentifier(object)).inserted { reached.append((object, owner)) }
  }

  /// Appends 0 (nil) for any object. The search does not follow weak references, because paths do not contain
  /// them.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) { column.append(0 as UInt32) }

  /// Does nothing. The encoder of the archive checks whether keys are distinct.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// Nil, because a search may encode the keys of sets and dictionaries in any order.
  var keyOrder: (any KeyOrder)? { nil }

  var archiveContext: ArchiveContext { graph.archiveContext }

  /// Returns the boxes of the archive, so that the search reaches the same objects as the encoder that writes
  /// the archive.
  func boxes() -> ValueBoxes { graph.boxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError { error }
}
