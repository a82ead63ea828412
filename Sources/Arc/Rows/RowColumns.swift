import ArcFormat
import ArcRuntime

/// A row that a reader of another format fills, and the program's descriptions of the row's columns. Each
/// node is given by its number in the layout of the row.
package struct RowColumns {
  /// The row to fill.
  package let row: InputRow
  /// The checks of raw values, by node.
  package let rawValueChecks: [Int: TypeNotes.Check]
  /// For each node with raw values, a function that describes the valid raw values, for errors.
  package let rawValueWords: [Int: () -> String]
  /// Whether the values belong to an actor. If so, each caller must be checked to run on the actor.
  package let isIsolated: Bool
  /// The nodes of the references that may be nil.
  package let nodesThatTakeNil: Set<Int>
  /// The nodes of the references that do not retain their targets. A reader does not build an object only
  /// because such a reference refers to it.
  private let detachedNodes: Set<Int>
  /// The types of the columns, each with its first node.
  private let types: [(root: Int, type: any ArchivableValue.Type)]
  /// The classes that the types declare for their references, by coded name.
  private let classes: [ExactName: any Archivable.Type]

  /// Creates the columns of a class, one for each property.
  init(of programClass: ProgramClass, context: OpaqueHandle) {
    let slots = programClass.slots
    self.init(
      InputRow(
        programClass.layout,
        locations: ClassReader.locations(of: programClass, named: programClass.schema.name), context: context),
      types: slots.map { ($0.root, $0.property.valueType) }, detachedNodes: slots.flatMap(\.detachedNodes),
      programClass.reachedClasses, isIsolated: programClass.isolation.mainActorType != nil)
  }

  /// Creates the single column of a type whose values are not objects. The decoder reads the column.
  ///
  /// - Throws: `ArchiveError` for a type that belongs to another actor than the caller's.
  package init(of type: any ArchivableValue.Type, for decoder: GraphDecoder) throws {
    let types = __TypeEncodingContext()
    let layout = try ColumnLayout(of: types.encoding(of: type))
    let isolation = ActorIsolation(mainActorType: types.mainActorType)
    try isolation.check()
    self.init(
      InputRow(
        layout, locations: [ColumnLocation(className: "", key: "")], context: decoder.references.opaque),
      types: [(0, type)], detachedNodes: types.detachedNodes(of: layout, from: 0, since: 0), types.classes,
      isIsolated: types.mainActorType != nil)
  }

  private init(
    _ row: InputRow, types: [(root: Int, type: any ArchivableValue.Type)], detachedNodes: [Int],
    _ classes: [any Archivable.Type], isIsolated: Bool
  ) {
    self.row = row
    self.isIsolated = isIsolated
    self.types = types
    self.detachedNodes =
      detachedNodes.isEmpty
      ? [] : Set(detachedNodes).subtracting(TypeNotes(of: types, in: row.layout).lazyNodes)
    var checks: [Int: TypeNotes.Check] = [:]
    var words: [Int: () -> String] = [:]
    var nilable: Set<Int> = []
    for (root, type) in types {
      for (node, mark) in ColumnMarks.of(type) {
        switch mark {
        case .check(let check, let wanted):
          checks[root + node] = check
          words[root + node] = wanted
        case .takesNil: nilable.insert(root + node)
        case .requiresAllParts: break
        }
      }
    }
    rawValueChecks = checks
    rawValueWords = words
    nodesThatTakeNil = nilable
    var named: [ExactName: any Archivable.Type] = [:]
    for type in classes { named[ExactName(type.archiveSchema.name)] = type }
    self.classes = named
  }

  /// Whether no reference is weak, unowned or lazy, and the types declare a class for each reference.
  var reachesOnlyDeclaredClasses: Bool {
    row.layout.nodes.enumerated().allSatisfy { index, node in
      node.kind != .weak && (node.kind != .reference || reachedClass(ofNode: index) != nil)
    }
  }

  /// The notes of the types: the descriptions of the structures and enumerations in the columns. Empty if the
  /// columns contain neither structures nor enumerations.
  package var notesOfRecords: TypeNotes { TypeNotes(of: types, in: row.layout, recordsOnly: true) }

  /// The notes of the types: the descriptions of all values in the columns.
  package var notes: TypeNotes { TypeNotes(of: types, in: row.layout) }

  /// Returns the class of the objects that are built for the references of a node. Nil if no objects are
  /// built for these references, or if no declaration names the class.
  package func reachedClass(ofNode node: Int) -> (any Archivable.Type)? {
    guard !detachedNodes.contains(node), let name = row.layout.nodes[node].name else { return nil }
    return classes[ExactName(name)]
  }
}
