import ArcFormat

/// An order of the vertices of a graph that depends on nothing but the graph: isomorphic graphs are the same
/// when their vertices are numbered in it.
///
/// Vertices are told apart by colour refinement: those of one cell differ as soon as they have different
/// numbers of edges to another cell. What stays equal may still differ, or have no order of its own, as the
/// corners of a ring. So one vertex of the smallest cell is given a cell of its own, the others are refined
/// by that, and so on until all vertices differ; of all choices the one counts that makes the least form of
/// the graph (individualisation and refinement, as in McKay's *Practical graph isomorphism*, 1981, and his
/// program nauty). That would compare as many forms as the graph has symmetries, and more. Two things keep
/// their number small:
///
/// * What refinement leaves is divided into pieces that are independent of each other (see
///   `LabelledGraph.pieces`), and each is ordered by itself: a thousand equal objects are a thousand pieces
///   of one vertex, not 1000! orders.
/// * A piece that has a form in common with one that was ordered before is isomorphic to it, and is ordered
///   as it was, whatever vertex was chosen (pruning by automorphisms).
///
/// **Bound.** A piece is ordered anew if none before was isomorphic to it; that costs as many steps as the
/// vertices of its smallest cell, times the size of the piece. Which classes of isomorphic pieces come up
/// follows from the graph, so their sum does too, in whatever order vertices are tried. It is limited by
/// `maximumStepCount`: beyond that no order is given, in no run and for no isomorphic graph. That takes about
/// a second. A ring of 500 objects has an order, as have a torus of 20 times 20, a cube of 7 dimensions and a
/// random graph of 400 with three edges at each vertex; rings of 1,000 have none.
final class CanonicalLabelling {
  /// The most steps that are made: one for a vertex or an edge, once for each vertex that is tried.
  static let maximumStepCount = 1_000_000

  private let graph: LabelledGraph
  /// The cells that refinement alone finds.
  private var colouring: Colouring
  private var stepCount = 0
  /// The pieces that were ordered, by each of their forms.
  private var known: [[UInt32]: Solution] = [:]

  /// A canonical order by one that makes the same form.
  private struct Solution {
    let form: [UInt32]
    /// By the position in canonical order, that in the other order.
    let positions: [Int]
  }

  /// A canonical order, and the form that it makes.
  private struct Labelling {
    let order: [Int]
    let form: [UInt32]
  }

  init(_ graph: LabelledGraph) {
    self.graph = graph
    colouring = Colouring(graph)
    colouring.refine(graph)
  }

  /// The vertices in canonical order; nil if finding it takes more steps than allowed.
  ///
  /// - Throws: `limitExceeded` if there is no stack for pieces within pieces.
  func order() throws -> [Int]? { try order(of: graph, colouring) }

  /// The vertices that refinement alone does not tell from others of their piece.
  func lookAlikes() -> [Int] {
    graph.pieces(under: colouring).flatMap { piece in
      let cells = Colouring(piece.graph)
      return piece.graph.colours.indices.filter(cells.isShared).map { piece.vertices[$0] }
    }
  }

  /// The vertices of a graph in canonical order, that of their cells first.
  private func order(of graph: LabelledGraph, _ colouring: Colouring) throws -> [Int]? {
    if colouring.isDiscrete { return colouring.vertices }
    var pieces: [Labelling] = []
    for piece in graph.pieces(under: colouring) {
      guard let labelling = try labelling(of: piece.graph) else { return nil }
      pieces.append(Labelling(order: labelling.order.map { piece.vertices[$0] }, form: labelling.form))
    }
    // Pieces with equal forms can change places.
    pieces.sort { $0.form.lexicographicallyPrecedes($1.form) }
    var positions = [Int](repeating: 0, count: graph.colours.count)
    for (position, vertex) in pieces.lazy.flatMap(\.order).enumerated() { positions[vertex] = position }
    return colouring.vertices.sorted {
      (colouring.cell(of: $0), positions[$0]) < (colouring.cell(of: $1), positions[$1])
    }
  }

  /// The canonical order of a piece; nil beyond the bound.
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
