import ArcFormat
import ArcRuntime

/// A row that somebody fills, and what the program's types say of its columns.
package struct RowColumns {
  /// The row.
  package let row: FilledRow
  /// What checks raw values, by node.
  package let rawValueChecks: [Int: Check]
  /// The nodes of references that can be nil.
  package let nodesThatTakeNil: Set<Int>
  /// The nodes of references that keep nothing alive, or are followed on demand: no object is made for them.
  private let detachedNodes: Set<Int>
  /// The classes that declarations name.
  private let classes: [ExactName: any Archivable.Type]

  /// Throws for a raw value that is none of the program's, the next one of a column.
  package typealias Check = (ColumnReader) throws -> Void

  /// The columns of a class.
  init(of programClass: ProgramClass, context: OpaqueHandle) {
    let slots = programClass.slots
    self.init(
      FilledRow(
        programClass.layout,
        locations: ClassReader.locations(of: programClass, named: programClass.schema.name), context: context),
      types: slots.map { ($0.root, $0.property.valueType) }, detachedNodes: slots.flatMap(\.detachedNodes),
      programClass.reachedClasses)
  }

  /// The column of values of a type.
  init(of type: any ArchivableValue.Type, context: OpaqueHandle) throws {
    let types = TypeEncodingContext()
    let layout = try ColumnLayout(of: types.encoding(of: type))
    self.init(
      FilledRow(layout, locations: [ColumnLocation(className: "", key: "")], context: context),
      types: [(0, type)], detachedNodes: types.detachedNodes(of: layout, from: 0, since: 0), types.classes)
  }

  private init(
    _ row: FilledRow, types: [(root: Int, type: any ArchivableValue.Type)], detachedNodes: [Int],
    _ classes: [any Archivable.Type]
  ) {
    self.row = row
    self.detachedNodes = Set(detachedNodes)
    var checks: [Int: Check] = [:]
    var nilable: Set<Int> = []
    for (root, type) in types {
      for (node, mark) in ColumnMarks.of(type) {
        switch mark {
        case .check(let check): checks[root + node] = check
        case .takesNil: nilable.insert(root + node)
        case .takesNoLoss: break
        }
      }
    }
    rawValueChecks = checks
    nodesThatTakeNil = nilable
    var named: [ExactName: any Archivable.Type] = [:]
    for type in classes { named[ExactName(type.archiveSchema.name)] = type }
    self.classes = named
  }

  /// The class of the objects that are made for the references of a node; nil if none are, or if no
  /// declaration names it.
  package func reachedClass(ofNode node: Int) -> (any Archivable.Type)? {
    guard !detachedNodes.contains(node), let name = row.layout.nodes[node].name else { return nil }
    return classes[ExactName(name)]
  }
}
