/// The classes of a copy's objects, by index in the class table: they need not be looked for, since the
/// objects that are copied are there.
struct LiveClasses: Equatable {
  /// Nil for a class without objects, and for one whose objects stay shared.
  let types: [(any Archivable.Type)?]

  /// Whether objects of the class at an index are built.
  func areBuilt(_ index: Int) -> Bool { types.indices.contains(index) && types[index] != nil }

  static func == (left: LiveClasses, right: LiveClasses) -> Bool {
    left.types.count == right.types.count
      && left.types.indices.allSatisfy { left.types[$0] == right.types[$0] }
  }
}

/// An object that a copy shares with the graph that is copied.
struct SharedObject {
  let row: Int
  let object: AnyObject
}
