/// A division of the vertices of a graph into cells. Vertices of different cells are known to differ.
///
/// The order of the cells depends only on the graph. The order of the vertices in a cell has no meaning.
/// Invariant: `vertices` contains the cells one after another, and the number of a cell is the position of
/// its first vertex.
struct Colouring {
  private(set) var vertices: [Int]
  /// The position of each vertex in `vertices`.
  private var positions: [Int]
  /// The cell of each vertex.
  private var cells: [Int]
  /// The number of vertices of each cell.
  private var counts: [Int]
  private var cellCount = 0
  /// The changed cells with which the other cells were not compared yet, in the order of the changes.
  private var pending: [Int] = []
  private var isPending: [Bool]

  /// Divides the vertices of a graph by their colours.
  init(_ graph: LabelledGraph) {
    let colours = graph.colours
    vertices = colours.indices.sorted { colours[$0] < colours[$1] }
    positions = Array(repeating: 0, count: colours.count)
    cells = positions
    counts = positions
    isPending = Array(repeating: false, count: colours.count)
    var start = 0
    for (position, vertex) in vertices.enumerated() {
      if colours[vertex] != colours[vertices[start]] { start = position }
      if start == position { cellCount += 1 }
      positions[vertex] = position
      cells[vertex] = start
      counts[start] += 1
    }
  }

  /// Whether each vertex has a cell of its own.
  var isDiscrete: Bool { cellCount == vertices.count }

  /// Returns the cell of a vertex.
  func cell(of vertex: Int) -> Int { cells[vertex] }

  /// Returns the number of vertices of a cell.
  func count(ofCell cell: Int) -> Int { counts[cell] }

  /// Whether the cell of a vertex contains other vertices.
  func isShared(_ vertex: Int) -> Bool { counts[cells[vertex]] > 1 }

  /// Returns the vertices of the smallest cell with several vertices. If there are several such cells, the
  /// first is used. Nil if there is none.
  func smallestSharedCell() -> [Int]? {
    var smallest: Int?
    var start = 0
    while start < vertices.count {
      if counts[start] > 1, smallest.map({ counts[start] < counts[$0] }) ?? true { smallest = start }
      start += counts[start]
    }
    return smallest.map { Array(vertices[$0..<$0 + counts[$0]]) }
  }

  // MARK: Refinement

  /// Splits cells until the colouring is stable: all vertices of a cell have equally many edges of each label
  /// to each cell, and from each cell. Call this function before any other comparison.
  ///
  /// - Complexity: O(edges · log vertices), times the cost of sorting.
  mutating func refine(_ graph: LabelledGraph) {
    var start = 0
    while start < vertices.count {
      append(pending: start)
      start += counts[start]
    }
    comparePending(graph)
  }

  /// Moves a vertex from its cell to a new cell, which directly precedes the old cell. Then refines all cells
  /// until the colouring is stable again.
  mutating func separate(_ vertex: Int, _ graph: LabelledGraph) {
    let start = cells[vertex]
    guard counts[start] > 1 else { return }
    move(vertex, to: start)
    divide(start, at: [start + 1])
    for cell in pending { isPending[cell] = false }
    pending = []
    append(pending: start)
    comparePending(graph)
  }

  private mutating func comparePending(_ graph: LabelledGraph) {
    var next = 0
    var ends: [UInt64] = []
    while next < pending.count {
      let start = pending[next]
      next += 1
      isPending[start] = false
      if isDiscrete { continue }
      ends.removeAll(keepingCapacity: true)
      for vertex in vertices[start..<start + counts[start]] {
        for edge in graph.edges(to: vertex) where isShared(edge.vertex) {
          ends.append(UInt64(edge.label) << 32 | UInt64(UInt32(truncatingIfNeeded: edge.vertex)))
        }
        for edge in graph.edges(from: vertex) where isShared(edge.vertex) {
          ends.append(1 << 63 | UInt64(edge.label) << 32 | UInt64(UInt32(truncatingIfNeeded: edge.vertex)))
        }
      }
      if ends.count > 1 { ends.sort() }
      divide(byEnds: ends)
    }
    pending.removeAll()
  }

  /// A vertex, its cell, and the number of edges between the vertex and the cell with which the other cells
  /// are compared.
  private struct End {
    let cell: Int
    let edgeCount: Int
    let vertex: Int
  }

  /// Splits each cell: two vertices remain in one cell only if they have equally many of the edges `ends` for
  /// each direction and label. The upper half of each element of `ends` is the direction and the label, and
  /// the lower half is the vertex.
  private mutating func divide(byEnds ends: [UInt64]) {
    var next = 0
    var group: [End] = []
    while next < ends.count {
      let label = ends[next] >> 32
      group.removeAll(keepingCapacity: true)
      while next < ends.count, ends[next] >> 32 == label {
        let end = ends[next]
        let first = next
        while next < ends.count, ends[next] == end { next += 1 }
        let vertex = Int(UInt32(truncatingIfNeeded: end))
        if isShared(vertex) {
          group.append(End(cell: cells[vertex], edgeCount: next - first, vertex: vertex))
        }
      }
      if group.count > 1 { group.sort { ($0.cell, $0.edgeCount) < ($1.cell, $1.edgeCount) } }
      var first = 0
      while first < group.count {
        let cell = group[first].cell
        let last = group[first...].firstIndex { $0.cell != cell } ?? group.count
        divide(cell, group[first..<last])
        first = last
      }
    }
  }

  /// Splits a cell so that only vertices with equal edge counts remain together. `ends` contains the edge
  /// counts of the cell's vertices in ascending order, without the vertices that have no edges.
  private mutating func divide(_ cell: Int, _ ends: ArraySlice<End>) {
    guard let first = ends.first, let last = ends.last else { return }
    if ends.count == counts[cell], first.edgeCount == last.edgeCount { return }
    var position = cell + counts[cell]
    var starts: [Int] = []
    var following: Int?
    for end in ends.reversed() {
      if let following, following != end.edgeCount { starts.append(position) }
      following = end.edgeCount
      position -= 1
      move(end.vertex, to: position)
    }
    if position > cell { starts.append(position) }
    divide(cell, at: starts.reversed())
  }

  /// Exchanges a vertex with another vertex of its cell. `position` is the position of the other vertex.
  private mutating func move(_ vertex: Int, to position: Int) {
    let (other, old) = (vertices[position], positions[vertex])
    vertices.swapAt(position, old)
    positions[other] = old
    positions[vertex] = position
  }

  /// Splits a cell at `starts`, the positions at which its new parts begin. Schedules a comparison of other
  /// cells with each part except the largest part. The largest part can be omitted, because the other parts
  /// determine how many edges of a vertex are edges to the largest part.
  private mutating func divide(_ cell: Int, at starts: [Int]) {
    guard let first = starts.first else { return }
    let end = cell + counts[cell]
    counts[cell] = first - cell
    for (index, start) in starts.enumerated() {
      let next = index + 1 < starts.count ? starts[index + 1] : end
      counts[start] = next - start
      for position in start..<next { cells[vertices[position]] = start }
    }
    cellCount += starts.count
    let parts = [cell] + starts
    let largest = isPending[cell] ? cell : parts.max { (counts[$0], $1) < (counts[$1], $0) }
    for part in parts where part != largest { append(pending: part) }
  }

  private mutating func append(pending cell: Int) {
    guard !isPending[cell] else { return }
    isPending[cell] = true
    pending.append(cell)
  }
}
