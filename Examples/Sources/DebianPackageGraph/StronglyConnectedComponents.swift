/// The strongly connected components of a directed graph: sets of vertices that all reach each other.
///
/// This is Tarjan's algorithm ("Depth-first search and linear graph algorithms", 1972) with its own stack
/// instead of recursion, so that a long chain of dependencies does not overflow the stack of the thread.
///
/// - Complexity: O(vertices + edges).
struct StronglyConnectedComponents {
  /// The components. Each comes after all components that it reaches, and has its vertices in ascending
  /// order.
  private(set) var components: [[Int]] = []

  private let successors: [[Int]]
  /// The order of discovery of each vertex. Nil if the vertex has not been discovered.
  private var discovery: [Int?]
  /// The earliest discovery that a vertex reaches through its subtree and one back edge.
  private var lowest: [Int]
  private var isOpen: [Bool]
  /// The discovered vertices that have no component yet.
  private var open: [Int] = []
  private var discoveryCount = 0

  /// Computes the components.
  ///
  /// - Parameter successors: the targets of each vertex's edges. Targets out of range are ignored.
  init(successors: [[Int]]) {
    self.successors = successors
    discovery = Array(repeating: nil, count: successors.count)
    lowest = Array(repeating: 0, count: successors.count)
    isOpen = Array(repeating: false, count: successors.count)
    for root in successors.indices where discovery[root] == nil {
      visit(from: root)
    }
  }

  /// The components in which a vertex reaches itself: several vertices, or one vertex with an edge to itself.
  var cycles: [[Int]] {
    components.filter { component in
      component.count > 1 || component.contains { successors[$0].contains($0) }
    }
  }

  private mutating func visit(from root: Int) {
    var path: [(vertex: Int, nextEdge: Int)] = [(root, 0)]
    discover(root)
    while let (vertex, nextEdge) = path.last {
      guard nextEdge < successors[vertex].count else {
        path.removeLast()
        if let parent = path.last?.vertex { lowest[parent] = min(lowest[parent], lowest[vertex]) }
        if lowest[vertex] == discovery[vertex] { closeComponent(of: vertex) }
        continue
      }
      path[path.count - 1].nextEdge += 1
      let target = successors[vertex][nextEdge]
      guard successors.indices.contains(target) else { continue }
      if let known = discovery[target] {
        if isOpen[target] { lowest[vertex] = min(lowest[vertex], known) }
      } else {
        discover(target)
        path.append((target, 0))
      }
    }
  }

  private mutating func discover(_ vertex: Int) {
    discovery[vertex] = discoveryCount
    lowest[vertex] = discoveryCount
    discoveryCount += 1
    open.append(vertex)
    isOpen[vertex] = true
  }

  private mutating func closeComponent(of root: Int) {
    var component: [Int] = []
    while let vertex = open.popLast() {
      isOpen[vertex] = false
      component.append(vertex)
      if vertex == root { break }
    }
    components.append(component.sorted())
  }
}

extension PackageDatabase {
  /// Returns the groups of packages that require each other by `Depends` and `Pre-Depends`, largest first,
  /// then by name.
  func dependencyCycles() -> [[Package]] {
    let packages = orderedPackages
    let indices = Dictionary(
      packages.enumerated().map { (ObjectIdentifier($1), $0) }, uniquingKeysWith: { first, _ in first })
    let successors = packages.map { package in
      package.dependencies.filter(\.kind.isRequired).flatMap { dependency in
        dependency.alternatives.compactMap { indices[ObjectIdentifier($0.package)] }
      }
    }
    return StronglyConnectedComponents(successors: successors).cycles
      .map { cycle in cycle.map { packages[$0] } }
      .sorted { ($1.count, $0[0].name) < ($0.count, $1[0].name) }
  }
}
