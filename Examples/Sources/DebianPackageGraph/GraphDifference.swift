/// The first difference between two package graphs, and its path.
///
///     packages["libc6"].dependencies[2].kind: value: depends in the original, suggests in the copy
struct GraphDifference: Error, Hashable, CustomStringConvertible {
  /// A kind of difference.
  enum Code: String, CaseIterable {
    /// Two values differ, or the number of elements of two collections.
    case value
    /// Two objects have different classes.
    case dynamicClass
    /// A reference is nil in only one graph.
    case presence
    /// One object in one graph corresponds to two objects in the other graph.
    case identity
  }

  let code: Code
  /// The path from the database to the difference, in Swift's notation.
  let path: String
  let original: String
  let copy: String

  var description: String {
    "\(path): \(code.rawValue): \(original) in the original, \(copy) in the copy"
  }
}
