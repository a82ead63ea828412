import ArcFormat

/// Collects the graph by which objects are compared, while the objects are encoded one after another. Each
/// object becomes a vertex with its values. Each reference becomes an edge, whose label is its position in
/// the object.
///
/// The graph does not contain the order of elements in sets and dictionaries. References that are elements of
/// one set share one position. Each other element or entry that contains references becomes a vertex of its
/// own.
struct LabelledGraphBuilder {
  /// The kind of content that a vertex represents.
  enum Kind: Int {
    case roots
    case object
    case element
    case entry
  }

  /// A vertex whose values may be incomplete.
  private struct Vertex {
    let kind: Kind
    /// The name of the object's class.
    let name: String
    var values = ComparableValues()
    /// The positions of references from the object to itself.
    var loops: [Int] = []

    static func < (left: Vertex, right: Vertex) -> Bool {
      if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
      if left.name != right.name { return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) }
      if left.values != right.values { return left.values < right.values }
      return left.loops.lexicographicallyPrecedes(right.loops)
    }
  }

  /// An edge: a reference that was encoded, or an element or entry of a collection.
  private struct Reference: Comparable {
    let source: Int
    let position: Int
    let target: Int

    static func < (left: Reference, right: Reference) -> Bool {
      (left.source, left.position, left.target) < (right.source, right.position, right.target)
    }
  }

  private var vertices: [Vertex]
  private var references: [Reference] = []
  /// The vertex whose values are encoded now.
  private var current = 0
  /// The position of the next reference in the current vertex.
  private(set) var nextPosition = 0

  /// Creates a graph of the roots, and of one object for each class name, in rows 1, 2, 3 and so on.
  init(classNames: [String]) {
    vertices = [Vertex(kind: .roots, name: "")] + classNames.map { Vertex(kind: .object, name: $0) }
  }

  /// Begins the values of a row. Row 0 contains the roots.
  mutating func begin(row: Int) { (current, nextPosition) = (row, 0) }

  /// Sets the values of the current vertex. In these values, each reference has the value 1, whatever its
  /// target is.
  mutating func set(_ values: ComparableValues) { vertices[current].values = values }

  /// Adds a reference to the object in a row.
  mutating func add(referenceToRow row: UInt32) {
    references.append(Reference(source: current, position: nextPosition, target: Int(row)))
    nextPosition += 1
  }

  /// Sets the position of the next reference. Elements without an order share one position.
  mutating func move(to position: Int) { nextPosition = position }

  /// A position in an outer vertex, at which the values continue after a nested vertex.
  struct Outer {
    fileprivate let vertex: Int
    fileprivate let position: Int
  }

  /// Begins a new vertex for an element or an entry of a collection. The vertex is nested in the current
  /// vertex. Returns the position in the outer vertex, for `leave(to:)`.
  mutating func enter(_ kind: Kind) -> Outer {
    let outer = Outer(vertex: current, position: nextPosition)
    references.append(Reference(source: current, position: nextPosition, target: vertices.count))
    begin(row: vertices.count)
    vertices.append(Vertex(kind: kind, name: ""))
    return outer
  }

  /// Continues the outer vertex after a nested vertex.
  mutating func leave(to outer: Outer) { (current, nextPosition) = (outer.vertex, outer.position) }

  /// Returns the finished graph. The first vertices represent the rows. The colours are ordered by the
  /// contents of the vertices.
  ///
  /// - Complexity: O(values · log vertices).
  func graph() -> LabelledGraph {
    var vertices = vertices
    let positionCount = (references.lazy.map(\.position).max() ?? 0) + 1
    var labels: [Int] = []
    var previous: (reference: Reference, count: Int)?
    let sorted = references.sorted()
    var labelled: [(reference: Reference, label: Int)] = []
    for reference in sorted {
      if reference.source == reference.target {
        vertices[reference.source].loops.append(reference.position)
        continue
      }
      // Only a set that became inconsistent contains one object twice.
      let count = previous.map { $0.reference == reference ? $0.count + 1 : 0 } ?? 0
      previous = (reference, count)
      let label = count * positionCount + reference.position
      labelled.append((reference, label))
      labels.append(label)
    }
    labels.sort()
    var numbers: [Int: UInt32] = [:]
    for label in labels where numbers[label] == nil {
      numbers[label] = UInt32(truncatingIfNeeded: numbers.count)
    }
    let order = vertices.indices.sorted { vertices[$0] < vertices[$1] }
    var colours = [Int](repeating: 0, count: vertices.count)
    for (vertex, previous) in zip(order.dropFirst(), order) {
      colours[vertex] = colours[previous] + (vertices[previous] < vertices[vertex] ? 1 : 0)
    }
    return LabelledGraph(
      colours: colours,
      links: labelled.map {
        LabelledGraph.Link(
          source: $0.reference.source, label: numbers[$0.label, default: 0], target: $0.reference.target)
      })
  }
}
