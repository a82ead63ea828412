/// The superclasses of imported classes, by index. A superclass stands in front of its subclasses.
struct ImportedHierarchy {
  private(set) var parents: [Int?] = []
  private var depths: [Int] = []

  /// The most steps upwards for a class that two have in common; beyond it they count as unrelated, so that
  /// deep hierarchies of a hostile file cost no more than their size.
  private static let maximumStepCount = 64

  /// Adds a class, whose superclass was added before.
  mutating func add(parent: Int?) {
    parents.append(parent)
    depths.append(parent.map { depths[$0] + 1 } ?? 0)
  }

  /// The nearest class that objects of both have in common.
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
