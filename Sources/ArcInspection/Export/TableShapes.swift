import ArcFormat
import ArcRuntime

/// Derives the columns of a class's table, and of the tables of its collections, from the layout of the
/// class.
struct TableShapes {
  /// The columns of a table that has no name yet.
  struct Draft {
    /// For the table of a collection, the index of the column in the class's table that contains the number
    /// of elements. Nil if this is the class's table itself.
    var countColumn: Int?
    var columns: [ExportTable.Column] = []
  }

  /// The maximum number of columns of a table. If it is exceeded, structures and associated values are one
  /// JSON cell each.
  static let maximumColumnCount = 1000

  private let layout: ColumnLayout
  private let classIndices: [ExactName: Int]
  private let isFlat: Bool
  /// The table of the class, then the tables of its collections.
  private(set) var drafts = [Draft(columns: [ExportTable.Column(name: "row", kind: .integer)])]
  /// The cells that represent a value of each property.
  private(set) var shapes: [CellShape] = []
  /// The columns of each property in the table of the class.
  private(set) var columnRanges: [Range<Int>] = []

  /// Returns the tables for `properties`. Each property consists of a column index and a name. If a table
  /// would have more than `maximumColumnCount` columns, structures become JSON cells.
  static func of(
    _ layout: ColumnLayout, properties: [(column: Int, name: String)], classIndices: [ExactName: Int]
  ) -> TableShapes {
    let shapes = TableShapes(layout, properties, classIndices, isFlat: false)
    guard shapes.drafts.contains(where: { $0.columns.count > maximumColumnCount }) else { return shapes }
    return TableShapes(layout, properties, classIndices, isFlat: true)
  }

  private init(
    _ layout: ColumnLayout, _ properties: [(column: Int, name: String)], _ classIndices: [ExactName: Int],
    isFlat: Bool
  ) {
    self.layout = layout
    self.classIndices = classIndices
    self.isFlat = isFlat
    for property in properties {
      let start = drafts[0].columns.count
      shapes.append(shape(of: layout.roots[property.column], named: property.name, in: 0))
      columnRanges.append(start..<drafts[0].columns.count)
    }
  }

  /// Adds the columns of the node at `index` to a draft. Returns the cells that represent the node's values.
  /// Recursive over the type. A type that contains itself is one cell with JSON.
  private mutating func shape(of index: Int, named name: String, in draft: Int) -> CellShape {
    let node = layout.nodes[index]
    guard !node.isRecursive, !node.canContainItself else { return json(name, in: draft) }
    switch node.kind {
    case .optional: return shape(of: node.children[0], named: name, in: draft)
    case .structure:
      guard !isFlat, hasCells(node) else { return json(name, in: draft) }
      return .fields(
        node.labels.indices.map { position in
          shape(of: node.children[position], named: Self.join(name, node.labels, position), in: draft)
        })
    case .enumeration:
      if isFlat, !node.children.isEmpty { return json(name, in: draft) }
      add(name, .text, to: draft)
      return .cases(
        node.labels.indices.map { position in
          let payload = node.payloads[position].map { node.children[$0] }
          return (
            node.labels[position],
            payload.map { payload in
              shape(of: payload, named: Self.join(name, node.labels, position), in: draft)
            }
          )
        })
    case .array, .set, .dictionary:
      // Elements refer to the row of their object, and an element of a collection is not an object with a row
      // of its own. So a nested collection is JSON.
      guard draft == 0 else { return json(name, in: draft) }
      return collection(node, named: name)
    default:
      add(name, kind(of: node), to: draft)
      return .value
    }
  }

  private mutating func collection(_ node: ColumnLayout.Node, named name: String) -> CellShape {
    let table = drafts.count
    drafts.append(Draft(countColumn: drafts[0].columns.count))
    add(name, .integer, to: 0)
    add("row", .integer, to: table)
    add("position", .integer, to: table)
    let names = node.kind == .dictionary ? ["key", "value"] : ["value"]
    let parts = zip(node.children, names).map { shape(of: $0, named: $1, in: table) }
    return .rows(table: table, parts: parts)
  }

  /// Whether a structure has at least one cell. Without cells, a value of an optional structure could not be
  /// distinguished from nil.
  private func hasCells(_ node: ColumnLayout.Node) -> Bool {
    node.children.contains { child in
      layout.nodes[child].kind != .structure || hasCells(layout.nodes[child])
    }
  }

  private mutating func json(_ name: String, in draft: Int) -> CellShape {
    add(name, .json, to: draft)
    return .json
  }

  private mutating func add(_ name: String, _ kind: ExportTable.Kind, to draft: Int) {
    drafts[draft].columns.append(ExportTable.Column(name: name, kind: kind))
  }

  /// Returns the column name of a field or an associated value, for example `home_street`. A field without a
  /// label is named by its position.
  private static func join(_ name: String, _ labels: [String], _ position: Int) -> String {
    // The name is truncated, because names that grow with each level would need quadratic memory.
    name.cut(toScalars: 100).start + "_" + (labels[position].isEmpty ? String(position) : labels[position])
  }

  private func kind(of node: ColumnLayout.Node) -> ExportTable.Kind {
    switch node.kind {
    case .bool: .boolean
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
    case .uint64, .int128, .uint128: .wideInteger
    case .float16, .float32, .float64: .real
    case .string, .date, .uuid, .decimal, .url: .text
    case .data: .bytes
    case .reference, .weak: .reference(classIndex: node.name.flatMap { classIndices[ExactName($0)] })
    case .optional, .array, .set, .dictionary, .structure, .enumeration: .json
    }
  }
}
