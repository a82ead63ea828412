import ArcArchive
import ArcFormat
import ArcRuntime

/// Assigns rows to objects after those that they cannot be built without. Spec: 05-graph, rule G4.
///
/// It asks an object what it needs by encoding it to columns of its own, which list the targets of
/// construction references that have no row yet. Depth first, with an explicit stack.
final class ConstructionOrder: ReferenceSink {
  /// Owns this object, and so outlives it.
  private unowned(unsafe) let graph: GraphEncoder
  private let context: Handle<ObjectNumbering>
  /// What the current object needs, as far as it was encoded.
  private var targets: [Target] = []
  /// The class of the object that is asked now, which the graph's encoder keeps.
  private unowned(unsafe) var askedWriter: ClassWriter?

  /// The order for what an encoder writes.
  init(of graph: GraphEncoder) {
    unsafe self.graph = graph
    context = Handle(ObjectNumbering())
    context.value.lead(to: self)
  }

  deinit {
    context.value.free()
    context.free()
  }

  /// An object that another cannot be built without.
  private struct Target {
    var object: AnyObject
    /// The property that refers to it.
    let slot: Int
    let isUnowned: Bool
  }

  /// Assigns a row to an object that has none, after all that it needs; returns the row. Throws
  /// `constructionCycle` for an object that needs itself. Spec: 05-graph, rules G4 and W1.
  func number(_ object: AnyObject, isUnique: Bool) throws -> UInt32 {
    let targets = try targets(of: object)
    if targets.isEmpty { return unsafe graph.assignRow(to: object, isUnique: isUnique) }
    var order = DependencyOrder(
      Target(object: object, slot: 0, isUnowned: false), needs: targets.makeIterator())
    var waiting: Set<ObjectIdentifier> = [ObjectIdentifier(object)]
    while let step = order.next() {
      switch step {
      case .need(var target):
        // Hooks are not called while objects are found: they may have objects entered into the table.
        target.object = unsafe try graph.archived(target.object)
        guard unsafe graph.row(of: target.object) == 0 else { continue }
        guard waiting.insert(ObjectIdentifier(target.object)).inserted else {
          throw cycle(order.cycle { $0.object === target.object }, closedBy: target)
        }
        order.begin(target, needs: try self.targets(of: target.object).makeIterator())
      case .ready(let target):
        waiting.remove(ObjectIdentifier(target.object))
        let row = unsafe graph.assignRow(to: target.object)
        if target.isUnowned, let owner = order.last { try noteUnowned(row, target, by: owner.object) }
      }
    }
    return unsafe graph.row(of: object)
  }

  /// Has the encoder check that something retains an object that only an unowned reference needed.
  private func noteUnowned(_ row: UInt32, _ target: Target, by owner: AnyObject) throws {
    if unsafe graph.isShared(target.object) { return }
    let writer = unsafe try graph.writer(of: owner)
    unsafe graph.noteUnowned(
      row, by: Referrer(className: writer.name, key: writer.columnDescriptions[target.slot].key))
  }

  /// What an object needs for construction and has no row yet.
  private func targets(of object: AnyObject) throws -> [Target] {
    if unsafe graph.isShared(object) { return [] }
    let writer = unsafe try graph.writer(of: object)
    guard writer.hasConstructionReferences else { return [] }
    let columns = writer.constructionColumns ?? makeColumns(of: writer)
    // Inlined code passes over objects that have a row.
    unsafe askedWriter = writer
    defer { unsafe askedWriter = nil }
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

  /// The error with the object that was asked, and the way from there to the property: which of its values it
  /// is cannot be told, since columns of targets keep none.
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
    let left = unsafe graph.keysLeftOut(of: writer.shape)
    let columns = ScratchColumns(of: writer, context: context) { key, flags in
      flags.contains(.construction) && !left.contains(ExactName(key))
    }
    writer.constructionColumns = columns
    return columns
  }

  /// The error for a cycle of objects: each needs the next object, and the last needs `target`, which is the
  /// first. Spec: 05-graph, rule W1.
  private func cycle(_ cycle: [Target], closedBy target: Target) -> ArchiveError {
    let slots = cycle.dropFirst().map { Optional($0.slot) } + [target.slot, nil]
    return ArchiveError.constructionCycle(
      Array(zip((cycle + [target]).map(\.object), slots)),
      expected: "a property in the cycle that can be set after initialization"
    ) { object, slot in
      // The error of the cycle is thrown, with fewer names.
      let slots = unsafe (try? graph.writer(of: object))?.shape.slots ?? []
      guard let slot, slots.indices.contains(slot) else { return "\(type(of: object))" }
      return "\(type(of: object)).\(slots[slot].property.name)"
    }
  }

  // MARK: References

  /// Lists the target of a construction reference.
  func write(_ object: AnyObject?, isUnique: Bool, to column: ColumnWriter) throws {
    guard let object, !column.isWeak, unsafe graph.row(of: object) == 0 else { return }
    targets.append(
      Target(object: object, slot: column.slot, isUnowned: context.value.isUnowned))
  }

  /// Does nothing: weak references are never needed for construction.
  func writeWeak(_ object: AnyObject?, to column: ColumnWriter) {}

  /// Does nothing: keys are checked when they are written.
  func checkDistinct<Key: Hashable & ArchivableValue>(_ keys: some Collection<Key>, of column: ColumnWriter) {
  }

  /// The order of the archive: rows are assigned in it.
  var keyOrder: (any KeyOrder)? { unsafe graph.keyOrder }

  func noteReading() { unsafe graph.noteReading() }

  var archiveContext: ArchiveContext { unsafe graph.archiveContext }

  func boxes() -> ValueBoxes { unsafe graph.boxes() }

  func located(_ error: ArchiveError, in column: ColumnWriter) -> ArchiveError {
    guard let writer = unsafe askedWriter, writer.columnDescriptions.indices.contains(column.slot) else {
      return error
    }
    return error.located(className: writer.name, key: writer.columnDescriptions[column.slot].key)
  }
}
