import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects of a file as they would be in a program's memory. Finds the references to each object, and the
/// objects that each object retains.
struct Heap {
  let catalog: ObjectCatalog
  private let reverse: RowReferences
  private let paths: ObjectPaths
  private let dominators: DominatorTree

  /// Verifies the file, and finds the references to each object and the retained objects.
  ///
  /// - Throws: An `ArchiveError` if the file is damaged, or `limitExceeded` if its graph is too large.
  /// - Complexity: O(values + references · log rows).
  init(_ catalog: ObjectCatalog) throws {
    self.catalog = catalog
    let references = try RowReferences(verifying: catalog.file)
    reverse = references.reversed()
    paths = ObjectPaths(catalog, ShortestPaths(in: references))
    dominators = DominatorTree(references, reversed: reverse, try RowSizes(of: catalog.file))
  }

  /// The number of objects that no root retains.
  var lostCount: Int { paths.shortest.unreachedCount }

  /// An object with the full name of its class. `className` is the printable form of this name.
  struct Named {
    let id: ObjectID
    let fullClassName: String
    var className: String { printableName(fullClassName) }
  }

  /// The description of an object for `arcdump holders`.
  struct Held {
    let id: ObjectID
    let className: String
    /// A path to the object from a root, or the object's number.
    let path: PathText
    /// The number of references on a shortest path from the roots. Nil if no root retains the object.
    let length: Int?
    let retained: (objectCount: Int, byteCount: Int)?
    /// The dominator of the object. Nil if several roots or independent paths retain the object.
    let dominator: Named?
    let holders: [Holder]
    /// The number of all references to the object, including the references in `holders`.
    let holderCount: Int
  }

  /// A reference to an object.
  @dynamicMemberLookup
  struct Holder {
    let owner: Named
    /// The path to the reference, from a root or from the owner.
    let path: String
    let strength: RowReferences.Strength

    subscript<Value>(dynamicMember member: KeyPath<Named, Value>) -> Value { owner[keyPath: member] }
  }

  /// Returns the description of an object. The description contains at most `limit` references to the object.
  ///
  /// - Complexity: O(values of the objects that refer to the object).
  func holding(_ id: ObjectID, atMost limit: Int) throws -> Held {
    let row = Int(id.rawValue)
    var holders: [Holder] = []
    var last: Int?
    for reference in reverse[row] where holders.count < limit {
      let owner = reverse.target(reference)
      // Several references from one owner are adjacent.
      guard owner != last else { continue }
      last = owner
      holders += try self.holders(of: id, in: owner)
    }
    let name = try catalog.className(of: id)
    return Held(
      id: id, className: name, path: try paths.path(to: id), length: paths.shortest.length(to: row),
      retained: dominators.retained(by: row),
      dominator: try dominators.dominator(of: row).flatMap { $0 == 0 ? nil : try named($0) },
      holders: Array(holders.prefix(limit)), holderCount: reverse[row].count)
  }

  private func holders(of id: ObjectID, in row: Int) throws -> [Holder] {
    let object = try catalog.file.object(ObjectID(rawValue: UInt32(row)))
    let owner = Named(id: object.id, fullClassName: object.className)
    let columns = catalog.file.classes[object.classIndex].columns
    return ReferenceSearch.references(in: object, catalog) { $0 == id }.map { reference in
      let isUnowned = row > 0 && columns[reference.column].isUnowned && columns[reference.column].isReference
      let path = row == 0 ? reference.step : reference.step.map { PathText(object.id).appending($0).text }
      return Holder(
        owner: owner, path: path ?? "\(object.id)",
        strength: reference.isWeak ? .weak : isUnowned ? .unowned : .strong)
    }
  }

  private func named(_ row: Int) throws -> Named {
    let id = ObjectID(rawValue: UInt32(row))
    return Named(id: id, fullClassName: try catalog.className(of: id))
  }

  /// An object in the list of objects with the largest retained sizes.
  @dynamicMemberLookup
  struct Entry {
    let object: Named
    let objectCount: Int
    let byteCount: Int
    let path: PathText

    subscript<Value>(dynamicMember member: KeyPath<Named, Value>) -> Value { object[keyPath: member] }
  }

  /// Returns at most `count` objects with the largest retained sizes, with their paths.
  func largest(_ count: Int) throws -> [Entry] {
    let rows = dominators.largest(count)
    var entries: [Entry] = []
    try paths.forEachPath(to: rows.map { ObjectID(rawValue: UInt32($0)) }) { id, path in
      guard let retained = dominators.retained(by: Int(id.rawValue)) else { return }
      entries.append(
        Entry(
          object: try named(Int(id.rawValue)), objectCount: retained.objectCount,
          byteCount: retained.byteCount,
          path: path))
    }
    return entries
  }
}

extension ColumnDescription {
  /// Whether the property is a reference, not a value that contains references.
  fileprivate var isReference: Bool {
    if case .object? = attributes.type { true } else { false }
  }
}
