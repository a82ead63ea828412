import ArcFormat
import ArcRuntime

/// A row that somebody fills, and what the program's types say of its columns.
package struct RowColumns {
  /// The row.
  package let row: InputRow
  /// What checks raw values, by node.
  package let rawValueChecks: [Int: TypeNotes.Check]
  /// What says in words which raw values there are, by node.
  package let rawValueWords: [Int: () -> String]
  /// Whether the values belong to an actor: then each caller must be on the actor.
  package let isIsolated: Bool
  /// The nodes of references that can be nil.
  package let nodesThatTakeNil: Set<Int>
  /// The nodes of references that keep nothing alive: no object is made for them.
  private let detachedNodes: Set<Int>
  /// The types of the values, by the first of their nodes.
  private let types: [(root: Int, type: any ArchivableValue.Type)]
  /// The classes that declarations name.
  private let classes: [ExactName: any Archivable.Type]

  /// The columns of a class.
  init(of programClass: ProgramClass, context: OpaqueHandle) {
    let slots = programClass.slots
    self.init(
      InputRow(
        programClass.layout,
        locations: ClassReader.locations(of: programClass, named: programClass.schema.name), context: context),
      types: slots.map { ($0.root, $0.property.valueType) }, detachedNodes: slots.flatMap(\.detachedNodes),
      programClass.reachedClasses, isIsolated: programClass.isolation.mainActorType != nil)
  }

  /// The column of values of a type that are not objects of their own, which a decoder reads.
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
        case .takesNoLoss: break
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

  /// Whether all references keep their targets, which are objects of classes that declarations name.
  var leadsToKnownClassesOnly: Bool {
    row.layout.nodes.enumerated().allSatisfy { index, node in
      node.kind != .weak && (node.kind != .reference || reachedClass(ofNode: index) != nil)
    }
  }

  /// What the types say of structures and enumerations in the columns; nothing where there are none.
  package var notesOfRecords: TypeNotes { TypeNotes(of: types, in: row.layout, recordsOnly: true) }

  /// What the types say of all values.
  package var notes: TypeNotes { TypeNotes(of: types, in: row.layout) }

  /// The class of the objects that are made for the references of a node; nil if none are, or if no
  /// declaration names it.
  package func reachedClass(ofNode node: Int) -> (any Archivable.Type)? {
    guard !detachedNodes.contains(node), let name = row.layout.nodes[node].name else { return nil }
    return classes[ExactName(name)]
  }
}
