/// The superclasses of imported classes, by class index. The index of a superclass is less than the indices
/// of its subclasses.
struct ImportedHierarchy {
  private(set) var parents: [Int?] = []
  private var depths: [Int] = []

  /// The maximum number of steps to the common superclass of two classes.
  ///
  /// Classes that are further apart are treated as unrelated, so that a crafted file with a deep hierarchy
  /// costs at most its size.
  private static let maximumStepCount = 64

  /// Adds a class. `parent` is the index of the superclass, which was added before. Nil for a class without a
  /// superclass.
  mutating func add(parent: Int?) {
    parents.append(parent)
    depths.append(parent.map { depths[$0] + 1 } ?? 0)
  }

  /// Returns the nearest common class of the objects of two targets.
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
