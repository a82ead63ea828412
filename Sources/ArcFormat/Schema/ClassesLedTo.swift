/// The classes of a table that references lead to, each found once, however many references lead to it: a
/// hostile table has as many as it has classes, each to all of them.
struct ClassesLedTo {
  private let hierarchy: ClassHierarchy
  /// The class at each place in the pre-order of the hierarchy.
  private let classes: [Int]
  /// For each place one at or behind it, before which all are found: the next that is not found comes by
  /// following these, and they are shortened on the way.
  private var next: [Int]
  private var pending: [Int] = []

  /// None yet of a table whose first class, that of the roots, nothing leads to.
  init(_ schema: StoredSchema) {
    hierarchy = ClassHierarchy(schema.classes)
    classes = hierarchy.classesByPlace()
    next = Array(0...schema.classes.count)
    if !schema.classes.isEmpty { next[hierarchy.places(ofFamily: 0).lowerBound] += 1 }
  }

  /// Adds where references lead.
  ///
  /// - Complexity: O(targets + classes found), nearly.
  mutating func add(_ targets: [StoredSchema.Target]) {
    for target in targets {
      let places =
        switch target {
        case .anyObject: 0..<next.count - 1
        case .family(let index): hierarchy.places(ofFamily: index)
        }
      var place = firstMissing(from: places.lowerBound)
      while place < places.upperBound {
        pending.append(classes[place])
        next[place] = place + 1
        place = firstMissing(from: place + 1)
      }
    }
  }

  /// Takes a class that was found and not yet taken; nil if there is none.
  mutating func popFound() -> Int? { pending.popLast() }

  /// The first place from one on that is not found; behind the last if there is none.
  private mutating func firstMissing(from start: Int) -> Int {
    var end = start
    while next[end] != end { end = next[end] }
    var place = start
    while next[place] != place {
      let following = next[place]
      next[place] = end
      place = following
    }
    return end
  }
}
