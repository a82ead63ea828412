/// The classes of the objects in a copy, by index in the class table. A copied object has the class of its
/// original, so no class is looked up by name.
struct LiveClasses: Equatable {
  /// The classes by index. Nil for a class without objects, and for a class whose objects the copy shares
  /// with the original graph.
  let types: [(any Archivable.Type)?]

  /// Whether the copy builds objects of the class at `index`.
  func areBuilt(_ index: Int) -> Bool { types.indices.contains(index) && types[index] != nil }

  static func == (left: LiveClasses, right: LiveClasses) -> Bool {
    left.types.count == right.types.count
      && left.types.indices.allSatisfy { left.types[$0] == right.types[$0] }
  }
}

/// An object that a copy shares with the original graph.
struct SharedObject {
  let row: Int
  let object: AnyObject
}
