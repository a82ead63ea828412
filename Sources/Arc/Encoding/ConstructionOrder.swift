import ArcArchive
import ArcFormat
import ArcRuntime

/// Assigns rows to objects, so that each object gets a row after the objects that its initializer needs.
/// Spec: 05-graph, rule G4.
///
/// To find the needs of an object, `ConstructionOrder` encodes the object to columns that are not written to
/// the file, and lists the targets of construction references that have no row. The search is depth first,
/// with an explicit stack.
final class ConstructionOrder: ReferenceSink {
  /// The encoder, which owns this object and so outlives it.
  private unowned(unsafe) let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  /// The objects found so far that the current object needs for construction.
  private var targets: [Target] = []
  /// The writer of the class of the object that is encoded now. The graph's encoder retains the writer. Nil
  /// while no object is encoded.
  private unowned(unsafe) var currentWriter: ClassWriter?

  /// Creates the construction order for the archive that `graph` encodes.
  init(of graph: GraphEncoder) {
    unsafe self.graph = graph
    context = Handle(ObjectNumbering())
    context.value.setSink(self)
  }

  deinit {
    context.value.free()
    context.free()
  }

  /// An object that the initializer of another object needs.
  private struct Target {
    var object: AnyObject
    /// The index of the property that refers to the object.
    let slot: Int
    let isUnowned: Bool
  }

  /// Assigns a row to an object that has none, after all objects that it needs. Returns the row. Throws
  /// `constructionCycle` if an object needs itself. Spec: 05-graph, rules G4 and W1.
  func number(_ object: AnyObject, isUnique: Bool) throws -> UInt32 {
    let targets = try targets(of: object)
    if targets.isEmpty { return unsafe graph.assignRow(to: object, isUnique: isUnique) }
    var order = DependencyOrder(
      Target(object: object, slot: 0, isUnowned: false), needs: targets.makeIterator())
    var pending: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    while let step = order.next() {
      switch step {
      case .need(var target):
        // Hooks are called here, and not while targets are collected, because a hook may change the table of
        // objects.
        target.object = unsafe try graph.archived(target.object)
        guard unsafe graph.row(of: target.object) == 0 else { continue }
        guard pending.insert(ObjectIdentifier(target.object)).inserted else {
          throw cycle(order.cycle { $0.object === target.object }, closedBy: target)
        }
        order.begin(target, needs: try self.targets(of: target.object).makeIterator())
      case .ready(let target):
        pending.remove(ObjectIdentifier(target.object))
        let row = unsafe graph.assignRow(to: target.object)
        if target.isUnowned, let owner = order.last { try recordUnowned(row, target, by: owner.object) }
      }
    }
    return unsafe graph.row(of: object)
  }

  /// Records an object that got its row because of an unowned reference. When everything is written, the
  /// encoder checks that the archive also contains a strong reference to the object.
  private func recordUnowned(_ row: UInt32, _ target: Target, by owner: AnyObject) throws {
    if unsafe graph.isShared(target.object) { return }
    let writer = unsafe try graph.writer(of: owner)
    unsafe graph.recordUnowned(
      row, by: Referrer(className: writer.name, key: writer.columnDescriptions[target.slot].key))
  }

  /// Returns the objects that an object needs for its construction, without the objects that already have a
  /// row.
  private func targets(of object: AnyObject) throws -> [Target] {
    if unsafe graph.isShared(object) { return [] }
    let writer = unsafe try graph.writer(of: object)
    guard writer.hasConstructionReferences else { return [] }
    let columns = writer.constructionColumns ?? makeColumns(of: writer)
    // Inlined code skips objects that have a row.
    unsafe currentWriter = writer
    defer { unsafe currentWriter = nil }
    do {
      try unsafe ObjectNumbering.finding(objectsOf: graph.references, in: context) {
        try columns.encode(object)
      }
    } catch let error as ArchiveError {
      throw located(error, in: object, writer)
    }
    columns.removeAllIfLarge()
    guard !targets.isEmpty else { return [] }
    defer { targets.removeAll(keepingCapacity: true) }
    return targets
  }

  /// Adds the encoded object to an error, and the steps from the object to the property. The error cannot
  /// show which value of the property failed, because this pass writes no values. Returns the error.
  private func located(_ error: ArchiveError, in object: AnyObject, _ writer: ClassWriter) -> ArchiveError {
    guard error.objectAddress == nil, error.objectID == nil else { return error }
    var located = error.located(className: writer.name)
    if let key = error.key {
      located = located.located(objectPath: writer.steps(toKey: key).shortText)
    }
    located.objectAddress = UInt(bitPattern: ObjectIdentifier(object))
    return located
  }

  private func makeColumns(of writer: ClassWriter) -> ScratchColumns {
    let omittedKeys = unsafe graph.keysLeftOut(of: writer.shape)
    let columns = ScratchColumns(of: writer, context: context) { key, flags in
      flags.contains(.construction) && !omittedKeys.contains(ExactName(key))
    }
    writer.constructionColumns = columns
    return columns
  }

  /// Returns the error for a cycle of objects that need each other for construction. Each object needs the
  /// next object; the last object needs `target`, which is the first object. Spec: 05-graph, rule W1.
  private func cycle(_ cycle: [Target], closedBy target: Target) -> ArchiveError {
    let slots = cycle.dropFirst().map { Optional($0.slot) } + [target.slot, nil]
    return ArchiveError.constructionCycle(
      Array(zip((cycle + [target]).map(\.object), slots)),
      expected: "a property in the cycle that can be set after initialization"
    ) { object, slot in
      // If the class cannot be found, the error of the cycle is thrown with fewer names.
      let slots = unsafe (try? graph.writer(of: object))?.shape.slots ?? []
      guard let slot, slots.indices.contains(slot) else { return "\(type(of: object))" }
      return "\(type(of: object)).\(slots[slot].property.name)"
    }
  }

  // MARK: References

  /// Adds the target of a construction reference to the list.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    guard let object, !column.isWeak, unsafe graph.row(of: object) == 0 else { return }
    targets.append(
      Target(object: object, slot: column.slot, isUnowned: context.value.isUnowned))
  }

  /// Does nothing, because weak references are never needed for construction.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) {}

  /// Does nothing. The encoder checks that keys are distinct when it writes them.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// The order in which the archive has its keys. This pass needs it, because it assigns rows to the objects
  /// in keys in this order.
  var keyOrder: (any KeyOrder)? { unsafe graph.keyOrder }

  func noteReading() { unsafe graph.noteReading() }

  var archiveContext: ArchiveContext { unsafe graph.archiveContext }

  func boxes() -> ValueBoxes { unsafe graph.boxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    guard let writer = unsafe currentWriter, writer.columnDescriptions.indices.contains(column.slot) else {
      return error
    }
    return error.located(className: writer.name, key: writer.columnDescriptions[column.slot].key)
  }
}
