/// The first difference found between two package graphs, and the path on which it lies.
///
///     packages["libc6"].dependencies[2].kind: value: depends in the original, suggests in the copy
struct GraphDifference: Error, Hashable, CustomStringConvertible {
  /// The ways in which a copy can differ.
  enum Code: String, CaseIterable {
    /// A value, or the number of elements of a collection.
    case value
    /// The dynamic class of an object.
    case dynamicClass
    /// An object in one graph, nil in the other.
    case presence
    /// An object that is shared in one graph, and is two in the other.
    case identity
  }

  let code: Code
  /// From the database to the place, as Swift would write it.
  let path: String
  let original: String
  let copy: String

  var description: String {
    "\(path): \(code.rawValue): \(original) in the original, \(copy) in the copy"
  }
}
