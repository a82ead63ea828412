import ArcFormat

/// Computes an order of the vertices of a graph that depends only on the graph. If the vertices of two
/// isomorphic graphs are numbered in this order, the graphs are equal.
///
/// Vertices are distinguished by colour refinement: two vertices of a cell are separated if they have
/// different numbers of edges to a cell. Vertices that remain in one cell may still differ, or may be
/// interchangeable, like the corners of a ring. Therefore, one vertex of the smallest cell with several
/// vertices gets a cell of its own, and the other cells are refined again. This is repeated until every cell
/// has one vertex. Of all choices of vertices, the choice that results in the smallest form of the graph is
/// used. The method is called individualisation and refinement, as in McKay's *Practical graph isomorphism*,
/// 1981, and his program nauty. Without further rules, the method would compare at least as many forms as the
/// graph has symmetries. Two rules keep the number small:
///
/// * After refinement, the remaining cells are divided into independent pieces (see `LabelledGraph.pieces`),
///   and each piece is ordered separately. For example, a thousand equal objects are a thousand pieces of one
///   vertex.
/// * If a piece has a form in common with an earlier piece, the two are isomorphic, and the piece gets the
///   order of the earlier piece, whichever vertex was chosen (pruning by automorphisms).
///
/// **Bound.** The number of steps for a piece is its size, multiplied by the number of vertices in its
/// smallest cell with several vertices. Pieces that are isomorphic to an earlier piece cost nothing. The
/// graph determines which classes of isomorphic pieces occur, so it also determines the sum of the steps,
/// independently of the order in which vertices are tried. If the sum exceeds `maximumStepCount`, there is no
/// order, in every run and for every isomorphic graph. The maximum takes about a second. A ring of 500
/// objects, a torus of 20 by 20, a cube of 7 dimensions and a random graph of 400 objects with three edges
/// each have orders. Rings of 1,000 objects have none.
final class CanonicalLabelling {
  /// The maximum number of steps. A step is one vertex or edge, for each vertex that is tried.
  static let maximumStepCount = 1_000_000

  private let graph: LabelledGraph
  /// The cells of the graph after refinement, before any vertex is tried.
  private var colouring: Colouring
  private var stepCount = 0
  /// The solutions of the pieces that were ordered, by form. A form describes a piece in one order of its
  /// vertices. The dictionary has an entry for each form that was computed, so a piece may have several
  /// entries.
  private var known: [[UInt32]: Solution] = [:]

  /// The canonical order of a piece, expressed by another order of the same piece. In `known`, the key of the
  /// solution is the form that the piece has in this other order.
  private struct Solution {
    let form: [UInt32]
    /// For each position in the canonical order, the position of its vertex in the other order.
    let positions: [Int]
  }

  /// The canonical order of a piece, and the form of the piece in this order.
  private struct Labelling {
    let order: [Int]
    let form: [UInt32]
  }

  init(_ graph: LabelledGraph) {
    self.graph = graph
    colouring = Colouring(graph)
    colouring.refine(graph)
  }

  /// Returns the vertices in canonical order. Nil if the order needs more steps than allowed.
  ///
  /// - Throws: `limitExceeded` if there is not enough stack for nested pieces.
  func order() throws -> [Int]? { try order(of: graph, colouring) }

  /// Returns the vertices that refinement alone cannot order: each is in a cell with other vertices of its
  /// piece.
  func indistinguishableVertices() -> [Int] {
    graph.pieces(under: colouring).flatMap { piece in
      let cells = Colouring(piece.graph)
      return piece.graph.colours.indices.filter(cells.isShared).map { piece.vertices[$0] }
    }
  }

  /// Returns the vertices of a graph in canonical order. In this order, the cells of the colouring remain in
  /// their order. Nil if finding the order takes more steps than the limit allows.
  private func order(of graph: LabelledGraph, _ colouring: Colouring) throws -> [Int]? {
    if colouring.isDiscrete { return colouring.vertices }
    var pieces: [Labelling] = []
    for piece in graph.pieces(under: colouring) {
      guard let labelling = try labelling(of: piece.graph) else { return nil }
      pieces.append(Labelling(order: labelling.order.map { piece.vertices[$0] }, form: labelling.form))
    }
    // Pieces with equal forms are interchangeable.
    pieces.sort { $0.form.lexicographicallyPrecedes($1.form) }
    var positions = [Int](repeating: 0, count: graph.colours.count)
    for (position, vertex) in pieces.lazy.flatMap(\.order).enumerated() { positions[vertex] = position }
    return colouring.vertices.sorted {
      (colouring.cell(of: $0), positions[$0]) < (colouring.cell(of: $1), positions[$1])
    }
  }

  /// Returns the canonical order of a piece. Nil if it needs more steps than allowed.
  private func labelling(of graph: LabelledGraph) throws -> Labelling? {
    let colouring = Colouring(graph)
    guard let choices = colouring.smallestSharedCell() else {
      return Labelling(order: colouring.vertices, form: graph.form(inOrder: colouring.vertices))
    }
    var orders: [[UInt32]: [Int]] = [:]
    for (index, vertex) in choices.enumerated() {
      guard let order = try StackExtension.call({ try order(of: graph, colouring, choosing: vertex) }) else {
        return nil
      }
      let form = graph.form(inOrder: order)
      if index == 0 {
        if let solution = known[form] {
          return Labelling(order: solution.positions.map { order[$0] }, form: solution.form)
        }
        let (steps, isTooLarge) = choices.count.multipliedReportingOverflow(by: graph.size)
        guard !isTooLarge, steps <= Self.maximumStepCount - stepCount else { return nil }
        stepCount += steps
      }
      orders[form] = order
    }
    guard let best = orders.min(by: { $0.key.lexicographicallyPrecedes($1.key) }) else { return nil }
    for (form, order) in orders {
      var positions = [Int](repeating: 0, count: order.count)
      for (position, vertex) in order.enumerated() { positions[vertex] = position }
      known[form] = Solution(form: best.key, positions: best.value.map { positions[$0] })
    }
    return Labelling(order: best.value, form: best.key)
  }

  private func order(
    of graph: LabelledGraph, _ colouring: Colouring, choosing vertex: Int
  ) throws -> [Int]? {
    var colouring = colouring
    colouring.separate(vertex, graph)
    return try order(of: graph, colouring)
  }
}
