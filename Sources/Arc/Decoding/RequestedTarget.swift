import ArcFormat

/// The kind of value that a caller requests from a file. Errors describe the value by its kind and its name.
enum RequestedTarget: String {
  /// A root. Its name is the name of the root.
  case root
  /// An object. Its name is its number, such as `#17`.
  case object
  /// A value at a path. Its name is the path.
  case value

  /// Returns a description of the value with a name.
  func description(_ name: String) -> String {
    switch self {
    case .root: "the root '\(name)'"
    case .object: "object \(name)"
    case .value: "the value at '\(name)'"
    }
  }

  /// Returns the path of the value with a name.
  func path(_ name: String) -> String {
    self == .root ? ValuePath.Start.root(ValuePath.Name(name)).shortText : name
  }
}
