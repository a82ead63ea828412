/// A place where two graphs differ.
public struct GraphDifference: Hashable, Sendable {
  /// The way from the root to the place, as Swift would write it: `root.children[3].style`.
  ///
  /// Elements of sets are numbered in the order of the archive. Of a long way only the ends are shown.
  public let path: String
  /// What the first graph has there, in words: a value, `nil`, `nothing`, or which object a reference leads
  /// to.
  public let first: String
  /// What the second graph has there.
  public let second: String

  package init(path: String, first: String, second: String) {
    self.path = path
    self.first = first
    self.second = second
  }
}

extension GraphDifference: CustomStringConvertible {
  /// The place and what both graphs have there, in one line.
  public var description: String { "\(path): \(first) in the first graph, \(second) in the second" }
}
