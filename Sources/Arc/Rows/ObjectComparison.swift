import ArcFormat
import ArcMemory

/// Compares graphs of objects, pair by pair: values are compared in memory where memory shows them, and as
/// rows that both objects write otherwise.
///
/// Objects are addresses, so that no reference is counted: the graphs keep them alive, and nothing changes
/// these in between. If code of the program is needed to know a class, comparing begins again after it. Code
/// that writes rows may release objects, so pairs are retained from the first row on.
@safe struct ObjectComparison: ~Copyable {
  /// Two objects, by their addresses.
  typealias Pair = (one: UInt, other: UInt)

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
  /// Compares what memory does not show; nil until that is needed. Pairs are retained from then on.
  private var rows: RowComparison?
  private let context: ArchiveContext?
  /// See `UniqueReference`.
  private let uniqueWord = UniqueReference.word

  /// How many pairs are in memory of the stack.
  private static let maximumCount = 16

  private init(_ memory: UnsafeMutableBufferPointer<Pair>, _ context: ArchiveContext?) {
    unsafe firstPending = unsafe .init(rebasing: memory[..<Self.maximumCount])
    unsafe firstKnown = unsafe .init(rebasing: memory[Self.maximumCount...])
    self.context = context
  }

  private static func comparing(
    in context: ArchiveContext?, _ body: (inout ObjectComparison) throws -> Bool?
  ) throws -> Bool? {
    while true {
      var unresolved: AnyClass?
      let areEqual = try unsafe withUnsafeTemporaryAllocation(of: Pair.self, capacity: 2 * maximumCount) {
        var comparison = unsafe ObjectComparison($0, context)
        defer { comparison.releasePending() }
        let areEqual = try body(&comparison)
        comparison.rows?.end()
        unresolved = comparison.unresolved
        return areEqual
      }
      guard let unresolved else { return areEqual }
      try ObjectFields.resolve(unresolved)
    }
  }

  /// Whether two objects, with all that they reach, are equal except for their identity. Nil if only a
  /// canonical archive shows it. The program's own code can access `context`.
  ///
  /// - Complexity: O(values of both), without recursion.
  static func areEqual(
    _ one: AnyObject, _ other: AnyObject, in context: ArchiveContext? = nil
  ) throws -> Bool? {
    try withExtendedLifetime((one, other)) {
      try comparing(in: context) { comparison in
        let pair = unsafe (Unmanaged.passUnretained(one).address, Unmanaged.passUnretained(other).address)
        return comparison.canStand(pair.0, for: pair.1, areUnshared: false)
          ? try comparison.areRestEqual() : false
      }
    }
  }

  /// Whether two values are equal so. Nil also for values that are neither objects nor arrays of objects.
  static func areEqual<Value: ArchivableValue>(
    _ one: Value, _ other: Value, in context: ArchiveContext? = nil
  ) throws -> Bool? {
    if Value.self is AnyClass {
      // Not `as`, which takes longer than comparing two small objects.
      return unsafe try areEqual(
        unsafeBitCast(one, to: AnyObject.self), unsafeBitCast(other, to: AnyObject.self), in: context)
    }
    guard Value.self is any ListOfReferences.Type else { return nil }
    let ones = unsafe ObjectArray.objects(of: one)
    let others = unsafe ObjectArray.objects(of: other)
    return try comparing(in: context) { comparison in
      comparison.expectedCount = ones.count
      let areEqual = ClassComparison.allElements(of: ones, others) {
        comparison.canStand($0, for: $1, areUnshared: false)
      }
      return areEqual ? try comparison.areRestEqual() : false
    }
  }

  // MARK: Values

  /// Compares the objects of all pairs, also of those that are found meanwhile.
  private mutating func areRestEqual() throws -> Bool? {
    while let pair = nextPair() {
      guard let one = unsafe ObjectMemory.object(at: pair.one),
        let other = unsafe ObjectMemory.object(at: pair.other)
      else { return false }
      let isRetained = rows != nil
      defer { if isRetained { unsafe Self.release(pair) } }
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
      try fields.withComparison { comparison in
        try fields.isolation.check()
        guard comparison.areValuesSame(one, other, check),
          comparison.allReferences(
            of: one, other, check, satisfy: { canStand($0, for: $1, areUnshared: $2) })
        else { return false }
        return comparison.rowRoots.isEmpty ? true : areRowsEqual(one, other, comparison)
      }
    }
  }

  /// Compares the values of two objects that memory does not show. Nil if they cannot be written: the archive
  /// then says why not.
  @inline(never)
  private mutating func areRowsEqual(
    _ one: AnyObject, _ other: AnyObject, _ comparison: ClassComparison
  ) -> Bool? {
    if rows == nil {
      rows = RowComparison.begin(in: context)
      forEachPending { unsafe Self.retain($0) }
    }
    guard let rows else { return nil }
    return withExtendedLifetime((one, other)) {
      rows.areEqual(one, other, comparison) { canStand($0, for: $1, areUnshared: false) }
    }
  }

  // MARK: Pairs

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
      let tables = PairTables(expectedCount: expectedCount)
      for index in 0..<knownCount { _ = unsafe tables.isKnown(firstKnown[index]) }
      self.tables = tables
    }
    return tables?.isKnown(pair)
  }

  private mutating func append(_ pair: Pair) {
    if rows != nil { unsafe Self.retain(pair) }
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

  private func forEachPending(_ body: (Pair) -> Void) {
    for index in 0..<min(pendingCount, Self.maximumCount) { unsafe body(firstPending[index]) }
    for pair in otherPending { body(pair) }
  }

  private func releasePending() {
    if rows != nil { forEachPending { unsafe Self.release($0) } }
  }

  /// Retains both objects, which are alive.
  @unsafe private static func retain(_ pair: Pair) {
    _ = unsafe (ObjectMemory.object(at: pair.one)?.retain(), ObjectMemory.object(at: pair.other)?.retain())
  }

  @unsafe private static func release(_ pair: Pair) {
    unsafe ObjectMemory.object(at: pair.one)?.release()
    unsafe ObjectMemory.object(at: pair.other)?.release()
  }
}
