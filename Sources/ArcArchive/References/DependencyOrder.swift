package import ArcFormat

/// Computes an order in which each node comes after the nodes that it needs. The search is depth first and
/// uses no recursion.
///
/// The caller decides which needs are followed: it begins a new node, ignores a finished node, and reports a
/// cycle if the needed node is on `path`. A need can be any value that identifies a node, such as a property.
///
///     var order = DependencyOrder(root, needs: needs[root].makeIterator())
///     while let step = order.next() {
///       switch step {
///       case .need(let node) where isNew(node): order.begin(node, needs: needs[node].makeIterator())
///       case .need: continue
///       case .ready(let node): build(node)
///       }
///     }
///
/// Uses memory only for the nodes of `path`.
package struct DependencyOrder<Node, Needs: IteratorProtocol> {
  /// The next action of the caller.
  package enum Step {
    /// The last node of `path` needs the associated node. The caller determines whether to begin this node.
    case need(Needs.Element)
    /// All needs of the associated node were returned, and the node is no longer on `path`. If the caller
    /// finds further needs of the node, it begins the node again.
    case ready(Node)
  }

  /// The nodes of `path`, each with the needs that were not returned yet.
  @usableFromInline var entries: ContiguousArray<(node: Node, needs: Needs)>

  /// Begins a search with a node.
  @inlinable package init(_ node: Node, needs: Needs) { entries = [(node, needs)] }

  /// The nodes that are not ready yet. Each node except the first is needed by the node before it.
  ///
  /// - Complexity: O(*n*) in the length of the path.
  @inlinable package var path: [Node] { entries.map(\.node) }

  /// The last node of `path`. If `next` returned a need, this node has the need. Nil if all nodes are ready.
  @inlinable package var last: Node? { entries.last?.node }

  /// Adds a node to the path. The node is ready after all its needs were returned.
  @inlinable package mutating func begin(_ node: Node, needs: Needs) { entries.append((node, needs)) }

  /// Returns the next step. Nil if all nodes are ready.
  @inlinable package mutating func next() -> Step? {
    let index = entries.count - 1
    guard index >= 0 else { return nil }
    if let need = entries[index].needs.next() { return .need(need) }
    return .ready(entries.removeLast().node)
  }

  /// Returns the nodes of a cycle: the part of the path that begins at the first node for which `isFirst`
  /// returns true. The caller knows that the last node of the path needs this first node.
  @inlinable package func cycle(from isFirst: (Node) -> Bool) -> [Node] { Array(path.drop { !isFirst($0) }) }
}

extension ArchiveError {
  /// The maximum number of objects of a cycle that an error message shows completely.
  private static let longestCycle = 12

  /// Returns the error message for objects whose initializers need each other. `objects` begins and ends with
  /// the same object. Only the first and last objects of a long cycle are shown.
  package static func textOfCycle<Object>(_ objects: [Object], name: (Object) -> String) -> String {
    let isLong = objects.count > longestCycle
    let names =
      isLong
      ? objects.prefix(longestCycle / 2).map(name) + ["…"] + objects.suffix(longestCycle / 2 - 1).map(name)
      : objects.map(name)
    return "objects whose initializers need each other: " + names.joined(separator: " → ")
  }

  /// Returns the error for objects that need each other, so that none can be built first. Spec: 05-graph,
  /// rules G4 and W1.
  package static func constructionCycle<Object>(
    _ objects: [Object], expected: String, className: String? = nil, objectID: ObjectID? = nil,
    name: (Object) -> String
  ) -> ArchiveError {
    ArchiveError(
      .constructionCycle, found: textOfCycle(objects, name: name), expected: expected,
      remedy:
        "declare one property of the cycle as 'var', with an optional type, a collection type or an initial value",
      className: className, objectID: objectID)
  }
}
