import ArcMemory

/// Compares graphs of objects of which memory tells all.
///
/// Objects are addresses, so that no reference is counted: the graphs keep them alive, and nothing changes
/// these in between. No code of the program runs meanwhile: where that is needed to know a class, comparing
/// begins again after it.
@safe struct MemoryComparison: ~Copyable {
  /// Two objects, by their addresses.
  fileprivate typealias Pair = (one: UInt, other: UInt)

  /// Pairs that are still to be compared: the first of them in memory of the caller's stack.
  private let firstPending: UnsafeMutableBufferPointer<Pair>
  private var otherPending: [Pair] = []
  private var pendingCount = 0
  /// Pairs of objects to which more may refer than was seen: as many as are looked for one after another, or
  /// all of them in tables.
  private let firstKnown: UnsafeMutableBufferPointer<Pair>
  private var knownCount = 0
  private var tables: PairTables?
  /// How many pairs there are at least.
  private var expectedCount = 0
  private let check = ExclusivityCheck.now()
  /// The class of an object that ended the comparison, since its fields are not known yet.
  private var unresolved: AnyClass?
  /// See `UniqueReference`.
  private let uniqueWord = UniqueReference.word

  /// How many pairs are in memory of the stack.
  private static let maximumCount = 16

  private init(_ memory: UnsafeMutableBufferPointer<Pair>) {
    unsafe firstPending = unsafe .init(rebasing: memory[..<Self.maximumCount])
    unsafe firstKnown = unsafe .init(rebasing: memory[Self.maximumCount...])
  }

  private static func comparing(_ body: (inout MemoryComparison) throws -> Bool?) throws -> Bool? {
    while true {
      var unresolved: AnyClass?
      let areEqual = try unsafe withUnsafeTemporaryAllocation(of: Pair.self, capacity: 2 * maximumCount) {
        var comparison = unsafe MemoryComparison($0)
        let areEqual = try body(&comparison)
        unresolved = comparison.unresolved
        return areEqual
      }
      guard let unresolved else { return areEqual }
      try ObjectFields.resolve(unresolved)
    }
  }

  /// Whether two objects, with all that they lead to, are the same but for their identity; nil if memory does
  /// not say it.
  ///
  /// - Complexity: O(values of both), without recursion.
  static func areEqual(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    try withExtendedLifetime((one, other)) {
      try comparing { comparison in
        let pair = unsafe (Unmanaged.passUnretained(one).address, Unmanaged.passUnretained(other).address)
        return comparison.canStand(pair.0, for: pair.1, areUnshared: false)
          ? try comparison.areRestEqual() : false
      }
    }
  }

  /// Whether two values are so; nil also for others than objects and arrays of such.
  static func areEqual<Value: ArchivableValue>(_ one: Value, _ other: Value) throws -> Bool? {
    if Value.self is AnyClass { return try areEqual(one as AnyObject, other as AnyObject) }
    guard Value.self is any ListOfReferences.Type else { return nil }
    let ones = unsafe ObjectArray.objects(of: one)
    let others = unsafe ObjectArray.objects(of: other)
    return try comparing { comparison in
      comparison.expectedCount = ones.count
      let areEqual = ObjectFields.allElements(of: ones, others) {
        comparison.canStand($0, for: $1, areUnshared: false)
      }
      return areEqual ? try comparison.areRestEqual() : false
    }
  }

  /// Compares the objects of all pairs, also of those that are found meanwhile.
  private mutating func areRestEqual() throws -> Bool? {
    while let pair = nextPair() {
      guard let one = unsafe ObjectMemory.object(at: pair.one),
        let other = unsafe ObjectMemory.object(at: pair.other)
      else { return false }
      let areEqual = try unsafe one._withUnsafeGuaranteedRef { one in
        try unsafe other._withUnsafeGuaranteedRef { other in try arePairEqual(one, other) }
      }
      guard areEqual == true else { return tables?.isFull == true ? nil : areEqual }
    }
    return true
  }

  private mutating func arePairEqual(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    guard type(of: one) == type(of: other) else { return false }
    // Not a member of what the closure changes.
    var unresolved: AnyClass?
    defer { self.unresolved = unresolved }
    return try ObjectFields.withKnownFields(of: one, orSet: &unresolved) { fields in
      guard let areSame = try fields.haveSameValues(one, other, check) else { return nil }
      return areSame
        && fields.allReferences(of: one, other, check) {
          canStand($0, for: $1, areUnshared: $2)
        }
    }
  }

  /// Whether one object can stand for another: whether it does already, or neither does for any, and then
  /// they are compared later. 0 is for no object.
  ///
  /// `areUnshared` says that nothing shares the variables or arrays that the references were read from:
  /// only then does a count of one mean that an object is met once.
  @inline(__always) private mutating func canStand(
    _ one: UInt, for other: UInt, areUnshared: Bool
  ) -> Bool {
    guard one != 0, other != 0 else { return one == other }
    let isUnique =
      areUnshared && uniqueWord != 0
      && UniqueReference.isUnique(one, uniqueWord) && UniqueReference.isUnique(other, uniqueWord)
    // Nothing else will ask for these.
    if !isUnique {
      guard let isKnown = isKnown((one, other)) else { return false }
      if isKnown { return true }
    }
    append((one, other))
    return true
  }

  /// Whether two objects stand for each other already; then they do. Nil if one of them stands for another.
  private mutating func isKnown(_ pair: Pair) -> Bool? {
    if tables == nil {
      for index in 0..<knownCount {
        let known = unsafe firstKnown[index]
        if known.one == pair.one || known.other == pair.other { return known == pair ? true : nil }
      }
      if knownCount < Self.maximumCount {
        unsafe firstKnown.initializeElement(at: knownCount, to: pair)
        knownCount += 1
        return false
      }
      tables = unsafe PairTables(firstKnown, expectedCount: expectedCount)
    }
    return tables?.isKnown(pair)
  }

  private mutating func append(_ pair: Pair) {
    if pendingCount < Self.maximumCount {
      unsafe firstPending.initializeElement(at: pendingCount, to: pair)
    } else {
      otherPending.append(pair)
    }
    pendingCount += 1
  }

  private mutating func nextPair() -> Pair? {
    guard pendingCount > 0 else { return nil }
    pendingCount -= 1
    return pendingCount < Self.maximumCount ? unsafe firstPending[pendingCount] : otherPending.popLast()
  }
}

/// Pairs of objects, each found by both of its objects; of no use once two of them were no pair.
///
/// Objects of two graphs that are the same are found in the same order: so two of them are a pair if both
/// have the same number in the order of their graphs.
private final class PairTables {
  private var ones: IdentityTable
  private var others: IdentityTable
  private var count: UInt32 = 0

  init(_ pairs: UnsafeMutableBufferPointer<MemoryComparison.Pair>, expectedCount: Int) {
    ones = IdentityTable(expectedCount: expectedCount)
    others = IdentityTable(expectedCount: expectedCount)
    for index in pairs.indices { _ = unsafe isKnown(pairs[index]) }
  }

  deinit {
    ones.free()
    others.free()
  }

  /// Whether there are more than can be numbered.
  var isFull: Bool { count == .max }

  /// As `MemoryComparison` has it.
  func isKnown(_ pair: MemoryComparison.Pair) -> Bool? {
    guard !isFull else { return nil }
    let next = count + 1
    let row = ones.row(of: pair.one, orAssign: next)
    guard others.row(of: pair.other, orAssign: next) == row else { return nil }
    if row != next { return true }
    count = next
    return false
  }
}
