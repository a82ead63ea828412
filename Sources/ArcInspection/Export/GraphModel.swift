import ArcArchive
import ArcFormat
import ArcRuntime

/// The objects of an archive as a graph. The exports to DOT, GraphML and Neo4j share this model.
///
/// Each object is a node, and the named roots are node 0. Each reference in an object is an edge. A property
/// without references is an attribute of the node: a single value, or JSON as `arcdump --json` writes it. A
/// property that is a reference, or a collection of only references, becomes only edges. A property that
/// contains both references and other values becomes edges and an attribute. If a class is not exported,
/// edges to its objects are omitted.
struct GraphModel {
  /// A property that is an attribute of the nodes of a class.
  struct Attribute {
    /// The index of the property among the exported properties of the class.
    let position: Int
    let name: String
    let kind: Kind
  }

  /// The kind of the values of an attribute.
  enum Kind {
    case boolean
    /// A signed integer of at most 64 bits.
    case integer
    case real
    /// Any other value, as `CellText` writes it.
    case text

    /// The name of the kind in GraphML and Neo4j, which is the name of a Java type.
    var javaName: String {
      switch self {
      case .boolean: "boolean"
      case .integer: "long"
      case .real: "double"
      case .text: "string"
      }
    }
  }

  let objects: ExportedObjects
  /// The maximum number of scalars of a string. The format shows only the beginning of longer strings.
  private let scalarLimit: Int
  /// The attributes of each class, by class index.
  private(set) var attributes: [[Attribute]]
  /// Whether each exported property contains references, by class index and by the position of the property.
  private var hasEdges: [[Bool]]

  init(_ objects: ExportedObjects, scalarLimit: Int = .max) {
    self.objects = objects
    self.scalarLimit = scalarLimit
    let file = objects.catalog.file
    attributes = Array(repeating: [], count: file.classes.count)
    hasEdges = Array(repeating: [], count: file.classes.count)
    for index in objects.classes {
      let layout = file.layouts[index]
      let names = objects.catalog.names(ofClass: index)
      for (position, column) in (objects.columns[index] ?? []).enumerated() {
        let root = layout.roots[column]
        hasEdges[index].append(layout.containsAnyReference(root))
        guard !Self.isOnlyReferences(root, in: layout) else { continue }
        attributes[index].append(
          Attribute(position: position, name: names[column], kind: Self.kind(of: root, in: layout)))
      }
    }
  }

  /// Whether each value of the node is a reference, or a collection of only references. Such values need no
  /// attribute, because the edges of the graph represent them completely.
  private static func isOnlyReferences(_ node: Int, in layout: ColumnLayout) -> Bool {
    func unwrapped(_ index: Int) -> ColumnLayout.Node {
      var node = layout.nodes[index]
      while node.kind == .optional { node = layout.nodes[node.children[0]] }
      return node
    }
    func isReference(_ index: Int) -> Bool { [.reference, .weak].contains(unwrapped(index).kind) }
    let value = unwrapped(node)
    switch value.kind {
    case .reference, .weak: return true
    case .array, .set: return isReference(value.children[0])
    case .dictionary:
      return isReference(value.children[1]) && layout.nodes[value.children[0]].children.isEmpty
        && !isReference(value.children[0])
    default: return false
    }
  }

  private static func kind(of node: Int, in layout: ColumnLayout) -> Kind {
    switch layout.nodes[node].kind {
    case .optional: kind(of: layout.nodes[node].children[0], in: layout)
    case .bool: .boolean
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
    case .float16, .float32, .float64: .real
    default: .text
    }
  }

  /// Returns the text of each attribute of an object. `index` is the index of the attribute in its class.
  /// Attributes that are nil are omitted.
  func attributes(of row: ExportedRow) throws -> [(attribute: Attribute, index: Int, text: String)] {
    try attributes[row.classIndex].enumerated().compactMap { index, attribute in
      guard let value = row.values[attribute.position],
        let text = try CellText.text(value, scalarLimit: scalarLimit)
      else { return nil }
      return (attribute, index, text)
    }
  }
}

/// A reference from an object to another object, an edge of the graph.
struct GraphEdge {
  let target: ObjectID
  /// The name of the property, followed by the path to the reference in nested structures: `home.owner`.
  let property: String
  /// The position of the element in the array or set, or of the entry in the dictionary. Nil if the reference
  /// is not in a collection.
  let position: Int?
  /// The text of the dictionary's key. Nil if the reference is not in a dictionary.
  let key: String?
  let isWeak: Bool
}

// MARK: Edges

extension GraphModel {
  /// Calls `body` with each reference from an object to an exported object.
  func forEachEdge(of row: ExportedRow, _ body: @escaping (GraphEdge) throws -> Void) throws {
    let catalog = objects.catalog
    let layout = catalog.file.layouts[row.classIndex]
    let names = catalog.names(ofClass: row.classIndex)
    let columns = objects.columns[row.classIndex] ?? []
    for (position, column) in columns.enumerated() where hasEdges[row.classIndex][position] {
      guard let value = row.values[position] else { continue }
      let walk = EdgeWalk(isExported: objects.isExported, scalarLimit: scalarLimit, body: body)
      try walk.visit(
        TypedValue(value, layout: layout, node: layout.roots[column]),
        EdgeWalk.EdgePath(property: names[column]))
    }
  }
}

/// Finds the references in a value.
private struct EdgeWalk {
  /// The path to a value from its object.
  struct EdgePath {
    var property: String
    var position: Int?
    var key: String?

    /// Returns the path extended by a field or case. Long paths are truncated.
    func field(_ name: String) -> EdgePath {
      var path = self
      if path.property.utf8.count < 400 { path.property += "." + name.cut(toScalars: 100).start }
      return path
    }

    /// Returns the path extended by an element. If collections are nested, the path has the position and the
    /// key of the outermost element.
    func element(_ index: Int, key: String? = nil) -> EdgePath {
      var path = self
      if path.position == nil { (path.position, path.key) = (index, key) }
      return path
    }
  }

  let isExported: (ObjectID) throws -> Bool
  let scalarLimit: Int
  let body: (GraphEdge) throws -> Void

  /// Calls `body` with each reference in a value. Recursive over the value, whose nesting is at most
  /// `ArchiveLimits.nesting`, but not over objects.
  func visit(_ value: TypedValue, _ path: EdgePath) throws {
    if case .reference(let id?) = value.value {
      guard try isExported(id) else { return }
      try body(
        GraphEdge(
          target: id, property: path.property, position: path.position, key: path.key, isWeak: value.isWeak))
    }
    for (step, child) in value.children { try visit(child, self.path(path, step)) }
  }

  /// Returns the path extended by a step.
  private func path(_ path: EdgePath, _ step: ValueStep) throws -> EdgePath {
    switch step {
    case .element(let index): path.element(index)
    case .key(let index): path.field("keys").element(index)
    case .value(let index, let key):
      path.element(
        index, key: path.position == nil ? try CellText.text(key, scalarLimit: scalarLimit) : nil)
    case .field(let index, let name): path.field(name.isEmpty ? String(index) : name)
    case .onlyField: path.field("0")
    case .payload(let name): path.field(name)
    }
  }
}
