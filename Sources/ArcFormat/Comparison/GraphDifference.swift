/// A difference between two graphs: a path, and the values at this path in both graphs.
public struct GraphDifference: Hashable, Sendable {
  /// The path from the root to the difference, such as `root.children[3].style`.
  ///
  /// Elements of sets are numbered in the order of the archive. The middle of a long path is omitted.
  public let path: String
  /// A description of the first graph at this path: a value, `nil`, `nothing`, or the target of a reference.
  public let first: String
  /// A description of the second graph at this path: a value, `nil`, `nothing`, or the target of a reference.
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
