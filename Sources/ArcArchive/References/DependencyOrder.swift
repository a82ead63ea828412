package import ArcFormat

/// An order in which each node comes after the nodes that it needs, found depth first and without recursion.
///
/// The caller decides what a need means: it begins a node that is new, ignores a finished one, and reports a
/// cycle if the needed node is on `path`. A need can be any value that names a node, such as a property.
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
/// Takes memory only for the nodes of `path`.
package struct DependencyOrder<Node, Needs: IteratorProtocol> {
  /// What the caller does next.
  package enum Step {
    /// The last node of `path` needs a node.
    case need(Needs.Element)
    /// All needs of a node were returned, and the node is no longer on `path`. If it needs further nodes, the
    /// caller begins it again.
    case ready(Node)
  }

  /// Nodes with the needs that were not returned yet: each but the first is needed by the one before it.
  @usableFromInline var entries: ContiguousArray<(node: Node, needs: Needs)>

  /// Begins with a node.
  @inlinable package init(_ node: Node, needs: Needs) { entries = [(node, needs)] }

  /// The nodes that are not ready: each but the first is needed by the one before it.
  ///
  /// - Complexity: O(*n*) in their number.
  @inlinable package var path: [Node] { entries.map(\.node) }

  /// The last node of `path`, which has the need that `next` returned. Nil if all nodes are ready.
  @inlinable package var last: Node? { entries.last?.node }

  /// Adds a node to the path, which is ready after all its needs were returned.
  @inlinable package mutating func begin(_ node: Node, needs: Needs) { entries.append((node, needs)) }

  /// The next step. Nil if all nodes are ready.
  @inlinable package mutating func next() -> Step? {
    let index = entries.count - 1
    guard index >= 0 else { return nil }
    if let need = entries[index].needs.next() { return .need(need) }
    return .ready(entries.removeLast().node)
  }

  /// The nodes of a cycle, from a node of the path to the last one, which needs it.
  @inlinable package func cycle(from isFirst: (Node) -> Bool) -> [Node] { Array(path.drop { !isFirst($0) }) }
}

extension ArchiveError {
  /// The number of objects of a cycle up to which a text shows all of them.
  private static let longestCycle = 12

  /// The text for objects whose initializers need each other, `objects` from one of them back to itself. It
  /// shows only the first and last objects of a long cycle.
  package static func textOfCycle<Object>(_ objects: [Object], name: (Object) -> String) -> String {
    let isLong = objects.count > longestCycle
    let names =
      isLong
      ? objects.prefix(longestCycle / 2).map(name) + ["…"] + objects.suffix(longestCycle / 2 - 1).map(name)
      : objects.map(name)
    return "objects whose initializers need each other: " + names.joined(separator: " → ")
  }

  /// The error for objects that need each other, so that none can be built first. Spec: 05-graph, rules G4
  /// and W1.
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
