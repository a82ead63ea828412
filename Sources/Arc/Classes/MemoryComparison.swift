/// Compares small graphs of objects of which memory tells all.
@safe struct MemoryComparison {
  /// The objects that stand for each other. The graphs keep them alive: nothing changes these in between.
  private var pairs: [(one: Unmanaged<AnyObject>, other: Unmanaged<AnyObject>)] = unsafe []
  private let check = ExclusivityCheck.now()
  /// How many objects a graph has at most: each is looked for among all.
  private let maximumCount: Int

  init(maximumCount: Int) {
    self.maximumCount = maximumCount
    unsafe pairs.reserveCapacity(4)
  }

  /// Whether two objects, with all that they lead to, are the same but for the identity of the objects;
  /// nil if their memory does not say it.
  ///
  /// - Complexity: O(values of both), without recursion.
  mutating func areEqual(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    guard canStand(one, for: other) else { return false }
    var index = 0
    while unsafe index < pairs.count {
      let one = unsafe pairs[index].one.takeUnretainedValue()
      let other = unsafe pairs[index].other.takeUnretainedValue()
      guard unsafe pairs.count <= maximumCount, let fields = try ObjectFields.of(one),
        let areSame = try fields.haveSameValues(one, other, check)
      else { return nil }
      guard areSame, fields.allReferences(of: one, other, check, satisfy: { canStand($0, for: $1) }) else {
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
    let pair = unsafe (one: Unmanaged.passUnretained(one), other: Unmanaged.passUnretained(other))
    let (address, otherAddress) = unsafe (pair.one.address, pair.other.address)
    for index in unsafe pairs.indices {
      let known = unsafe pairs[index]
      let areKnown = unsafe (known.one.address == address, known.other.address == otherAddress)
      if areKnown.0 || areKnown.1 { return areKnown.0 && areKnown.1 }
    }
    guard type(of: one) == type(of: other) else { return false }
    unsafe pairs.append(pair)
    return true
  }
}
