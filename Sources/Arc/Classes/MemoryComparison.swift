/// Compares small graphs of objects of which memory tells all.
struct MemoryComparison {
  /// The objects that stand for each other.
  private var pairs: [(one: AnyObject, other: AnyObject)] = []
  /// How many objects a graph has at most: each is looked for among all.
  private let maximumCount: Int

  init(maximumCount: Int) { self.maximumCount = maximumCount }

  /// Whether two objects, with all that they lead to, are the same but for the identity of the objects;
  /// nil if their memory does not say it.
  ///
  /// - Complexity: O(values of both), without recursion.
  mutating func areEqual(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    guard canStand(one, for: other) else { return false }
    var index = 0
    while index < pairs.count {
      let (one, other) = pairs[index]
      guard pairs.count <= maximumCount, let fields = try ObjectFields.of(one),
        let areSame = try fields.haveSameValues(one, other)
      else { return nil }
      guard areSame, fields.allReferences(of: one, other, satisfy: { canStand($0, for: $1) }) else {
        return false
      }
      index += 1
    }
    return true
  }

  /// Whether one object can stand for another: whether it does already, or is of the same class, and then
  /// it is compared later.
  private mutating func canStand(_ one: AnyObject?, for other: AnyObject?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    for known in pairs where known.one === one || known.other === other {
      return known.one === one && known.other === other
    }
    guard type(of: one) == type(of: other) else { return false }
    pairs.append((one, other))
    return true
  }
}
