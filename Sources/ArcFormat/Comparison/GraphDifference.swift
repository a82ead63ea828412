/// A difference between two graphs: a path, and the values at this path in both graphs.
public struct GraphDifference: Hashable, Sendable {
  /// The path from the root to the difference, such as `root.children[3].style`.
  ///
  /// Elements of sets are numbered in the order of the archive. The middle of a long path is omitted.
  public let path: String
  /// What the first graph has at this path: a value, `nil`, or the object that a reference leads to.
  /// `nothing` if only the second graph has an element, an entry or a field at this path.
  public let first: String
  /// What the second graph has at this path, in the same words.
  public let second: String

  package init(path: String, first: String, second: String) {
    self.path = path
    self.first = first
    self.second = second
  }
}

extension GraphDifference: CustomStringConvertible {
  /// The path and the descriptions of both graphs, on one line.
  public var description: String { "\(path): \(first) in the first graph, \(second) in the second" }
}
