/// A difference between two graphs: a path, and the values at this path in both graphs.
public struct GraphDifference: Hashable, Sendable {
  /// The path from the root to the difference, such as `root.children[3].style`.
  ///
  /// The number of an element of a set is its position in the archive. The middle of a long path is omitted.
  public let path: String
  /// A description of the value in the first graph: a value, `nil`, or the object to which a reference
  /// refers. `nothing` if only the second graph has an element, an entry or a field at the path.
  public let first: String
  /// A description of the value in the second graph, in the format of ``first``.
  public let second: String

  package init(path: String, first: String, second: String) {
    self.path = path
    self.first = first
    self.second = second
  }
}

extension GraphDifference: CustomStringConvertible {
  /// The path, and the values of both graphs at the path, on one line.
  public var description: String { "\(path): \(first) in the first graph, \(second) in the second" }
}
