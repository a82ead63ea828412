import ArcFormat

/// Collects what objects are compared by, while they are encoded one after another: a vertex for each object,
/// with its values; an edge for each reference, with its position as the label.
///
/// What has no order in the graph has none here. References that are elements of one set share one position.
/// Other elements that refer to objects, and entries of dictionaries that do, are vertices of their own.
struct LabelledGraphBuilder {
  /// What a vertex is made of.
  enum Kind: Int {
    case roots
    case object
    case element
    case entry
  }

  /// An object, or a part of one, that is not complete yet.
  private struct Vertex {
    let kind: Kind
    /// The class of an object.
    let name: String
    var values = ComparableValues()
    /// The positions of references to itself.
    var loops: [Int] = []

    static func < (left: Vertex, right: Vertex) -> Bool {
      if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
      if left.name != right.name { return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) }
      if left.values != right.values { return left.values < right.values }
      return left.loops.lexicographicallyPrecedes(right.loops)
    }
  }

  /// A reference that was encoded, or an element or entry of a collection.
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
  /// The position of the next reference of that vertex.
  private(set) var nextPosition = 0

  /// A graph of the roots, and of objects with these class names in the rows from 1 on.
  init(classNames: [String]) {
    vertices = [Vertex(kind: .roots, name: "")] + classNames.map { Vertex(kind: .object, name: $0) }
  }

  /// Begins the roots, which are row 0, or an object.
  mutating func begin(row: Int) { (current, nextPosition) = (row, 0) }

  /// Sets the values of the vertex that was begun last, in which references count as 1.
  mutating func set(_ values: ComparableValues) { vertices[current].values = values }

  /// Adds a reference to the object in a row.
  mutating func add(referenceToRow row: UInt32) {
    references.append(Reference(source: current, position: nextPosition, target: Int(row)))
    nextPosition += 1
  }

  /// Goes on with a position for the next reference: back to one for the next of several without an order.
  mutating func move(to position: Int) { nextPosition = position }

  /// Where a vertex was left for one in it.
  struct Outer {
    fileprivate let vertex: Int
    fileprivate let position: Int
  }

  /// Begins an element or an entry of a collection of the present vertex.
  mutating func enter(_ kind: Kind) -> Outer {
    let outer = Outer(vertex: current, position: nextPosition)
    references.append(Reference(source: current, position: nextPosition, target: vertices.count))
    begin(row: vertices.count)
    vertices.append(Vertex(kind: kind, name: ""))
    return outer
  }

  /// Goes on with the vertex that was left for this one.
  mutating func leave(to outer: Outer) { (current, nextPosition) = (outer.vertex, outer.position) }

  /// The finished graph. The first vertices are the rows; their colours are in the order of their contents.
  ///
  /// - Complexity: O(values · log vertices).
  func graph() -> LabelledGraph {
    var vertices = vertices
    let positionCount = (references.lazy.map(\.position).max() ?? 0) + 1
    var labels: [Int] = []
    var previous: (reference: Reference, count: Int)?
    let sorted = references.sorted()
    var kept: [(reference: Reference, label: Int)] = []
    for reference in sorted {
      if reference.source == reference.target {
        vertices[reference.source].loops.append(reference.position)
        continue
      }
      // Only a set that became inconsistent has one object twice.
      let count = previous.map { $0.reference == reference ? $0.count + 1 : 0 } ?? 0
      previous = (reference, count)
      let label = count * positionCount + reference.position
      kept.append((reference, label))
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
      links: kept.map {
        LabelledGraph.Link(
          source: $0.reference.source, label: numbers[$0.label, default: 0], target: $0.reference.target)
      })
  }
}
