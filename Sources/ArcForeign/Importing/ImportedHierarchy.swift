/// The superclasses of imported classes, by class index. The index of a superclass is less than the indices
/// of its subclasses.
struct ImportedHierarchy {
  private(set) var parents: [Int?] = []
  private var depths: [Int] = []

  /// The maximum number of steps to the common superclass of two classes.
  ///
  /// Classes that are further apart are treated as unrelated. So the time for a crafted file with a deep
  /// hierarchy is proportional to the size of the file.
  private static let maximumStepCount = 64

  /// Adds a class. `parent` is the index of the superclass, which must be added first. `parent` is nil if the
  /// class has no superclass.
  mutating func add(parent: Int?) {
    parents.append(parent)
    depths.append(parent.map { depths[$0] + 1 } ?? 0)
  }

  /// Returns the nearest class to which the objects of both targets belong. `any` if there is no such class.
  func common(_ one: ImportedType.Target, _ other: ImportedType.Target) -> ImportedType.Target {
    switch (one, other) {
    case (.none, let target), (let target, .none): return target
    case (.any, _), (_, .any): return .any
    case (.classIndex(var left), .classIndex(var right)):
      for _ in 0...Self.maximumStepCount {
        if left == right { return .classIndex(left) }
        let isLeftDeeper = depths[left] >= depths[right]
        guard let parent = parents[isLeftDeeper ? left : right] else { return .any }
        if isLeftDeeper { left = parent } else { right = parent }
      }
      return .any
    }
  }
}
