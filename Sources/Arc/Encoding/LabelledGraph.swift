/// A directed graph of numbered vertices with colours, and of edges with labels. Canonical archives compare
/// objects by such a graph.
///
/// Invariant: no edge connects a vertex with itself, and no two edges with the same label have the same
/// source and the same target.
struct LabelledGraph {
  /// An edge as seen from one of its vertices: its label and the other vertex.
  struct Edge {
    let label: UInt32
    /// The vertex at the other end.
    let vertex: Int
  }

  /// An edge with its source and its target.
  struct Link {
    let source: Int
    let label: UInt32
    let target: Int
  }

  /// The colours of the vertices. Vertices of different colours cannot be exchanged.
  let colours: [Int]
  private let outgoing: EdgeLists
  private let incoming: EdgeLists

  /// Creates a graph with one vertex for each element of `colours`.
  init(colours: [Int], links: [Link]) {
    self.colours = colours
    outgoing = EdgeLists(
      colours.count, links.lazy.map { ($0.source, Edge(label: $0.label, vertex: $0.target)) })
    incoming = EdgeLists(
      colours.count, links.lazy.map { ($0.target, Edge(label: $0.label, vertex: $0.source)) })
  }

  /// The number of vertices and edges.
  var size: Int { colours.count + outgoing.count }

  /// Returns the edges that begin at a vertex.
  func edges(from vertex: Int) -> ArraySlice<Edge> { outgoing[vertex] }

  /// Returns the edges that end at a vertex.
  func edges(to vertex: Int) -> ArraySlice<Edge> { incoming[vertex] }

  /// Returns a description of the whole graph as numbers. The vertices have the order `order`. Two graphs are
  /// isomorphic if and only if each has an order such that their forms are equal. Vertices at equal positions
  /// in the two orders then correspond to each other.
  func form(inOrder order: [Int]) -> [UInt32] {
    var positions = [Int](repeating: 0, count: order.count)
    for (position, vertex) in order.enumerated() { positions[vertex] = position }
    var form = [UInt32(truncatingIfNeeded: order.count)]
    form.reserveCapacity(1 + 2 * size)
    for vertex in order {
      form.append(UInt32(truncatingIfNeeded: colours[vertex]))
      form.append(UInt32(truncatingIfNeeded: edges(from: vertex).count))
      let ends = edges(from: vertex).map { ($0.label, positions[$0.vertex]) }
      for (label, position) in ends.sorted(by: <) {
        form.append(label)
        form.append(UInt32(truncatingIfNeeded: position))
      }
    }
    return form
  }

  /// A part of a graph whose vertices can be ordered without the rest of the graph, because no edge to the
  /// rest distinguishes its vertices.
  struct Piece {
    /// For each vertex of the piece, the vertex of the whole graph.
    let vertices: [Int]
    /// The graph of the piece. Its colours are the cells of the colouring.
    let graph: LabelledGraph
  }

  /// Divides the vertices that are not in a cell of their own into independent pieces. The pieces are
  /// independent because each isomorphism of two pieces, or of a piece with itself, extends to the whole
  /// graph. The colouring must be stable.
  ///
  /// If edges with one label connect all vertices of a cell with all vertices of another cell, they
  /// distinguish no vertices, and do not connect pieces. Edges to a cell of one vertex are such edges. The
  /// order of the pieces has no meaning.
  ///
  /// - Complexity: O(vertices + edges).
  func pieces(under colouring: Colouring) -> [Piece] {
    var counts: [Bundle: Int] = [:]
    forEachOpenLink(under: colouring) { counts[Bundle($0, colouring), default: 0] += 1 }
    var roots = Array(colours.indices)
    func root(of vertex: Int) -> Int {
      var vertex = vertex
      while roots[vertex] != vertex {
        roots[vertex] = roots[roots[vertex]]
        vertex = roots[vertex]
      }
      return vertex
    }
    var connectingLinks: [Link] = []
    forEachOpenLink(under: colouring) { link in
      let bundle = Bundle(link, colouring)
      if bundle.isComplete(counts[bundle, default: 0], colouring) { return }
      connectingLinks.append(link)
      roots[root(of: link.source)] = root(of: link.target)
    }
    // The number of the piece by its root vertex, and the number of each vertex in its piece.
    var numbers = [Int](repeating: -1, count: colours.count)
    var own = numbers
    var members: [[Int]] = []
    for vertex in colours.indices where colouring.isShared(vertex) {
      let root = root(of: vertex)
      if numbers[root] < 0 {
        numbers[root] = members.count
        members.append([])
      }
      own[vertex] = members[numbers[root]].count
      members[numbers[root]].append(vertex)
    }
    var links = [[Link]](repeating: [], count: members.count)
    for link in connectingLinks {
      links[numbers[root(of: link.source)]].append(
        Link(source: own[link.source], label: link.label, target: own[link.target]))
    }
    return zip(members, links).map { vertices, links in
      Piece(
        vertices: vertices, graph: LabelledGraph(colours: vertices.map(colouring.cell(of:)), links: links))
    }
  }

  /// Calls `body` with each edge between two vertices that are not in a cell of their own: each of the two
  /// cells contains further vertices.
  private func forEachOpenLink(under colouring: Colouring, _ body: (Link) -> Void) {
    for vertex in colours.indices where colouring.isShared(vertex) {
      for edge in edges(from: vertex) where colouring.isShared(edge.vertex) {
        body(Link(source: vertex, label: edge.label, target: edge.vertex))
      }
    }
  }

  /// All edges that have the same label, the same source cell and the same target cell.
  private struct Bundle: Hashable {
    let source: Int
    let label: UInt32
    let target: Int

    init(_ link: Link, _ colouring: Colouring) {
      source = colouring.cell(of: link.source)
      label = link.label
      target = colouring.cell(of: link.target)
    }

    /// Whether `count` is the number of edges that connect each vertex of the source cell with each vertex of
    /// the target cell. If the source cell is the target cell, no edge connects a vertex with itself.
    func isComplete(_ count: Int, _ colouring: Colouring) -> Bool {
      let (sources, targets) = (colouring.count(ofCell: source), colouring.count(ofCell: target))
      return count % sources == 0 && count / sources == (source == target ? targets - 1 : targets)
    }
  }

  /// The edges at each vertex, in one array.
  private struct EdgeLists {
    /// The index of the first edge of each vertex. The last element is the number of all edges.
    private var starts: [Int]
    private var edges: [Edge] = []
    var count: Int { edges.count }

    init(_ vertexCount: Int, _ ends: some Collection<(Int, Edge)>) {
      starts = Array(repeating: 0, count: vertexCount + 1)
      guard let any = ends.first?.1 else { return }
      for (vertex, _) in ends { starts[vertex + 1] += 1 }
      for vertex in 0..<vertexCount { starts[vertex + 1] += starts[vertex] }
      var next = starts
      edges = Array(repeating: any, count: ends.count)
      for (vertex, edge) in ends {
        edges[next[vertex]] = edge
        next[vertex] += 1
      }
    }

    subscript(vertex: Int) -> ArraySlice<Edge> { edges[starts[vertex]..<starts[vertex + 1]] }
  }
}
