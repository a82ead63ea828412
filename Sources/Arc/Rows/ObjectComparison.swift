import ArcFormat
import ArcMemory

/// Compares two graphs of objects, pair by pair. Two values are compared in memory if their bytes in memory
/// show whether they are equal. Otherwise, the objects write the values to rows, and the rows are compared.
///
/// Objects are represented by their addresses, so that no references are counted. The caller retains the
/// graphs, and nothing changes them during the comparison in memory. If code of the program must run to
/// describe a class, the comparison ends. After this code has run, the comparison begins again. Code that
/// writes rows may release objects, so pairs are retained from the first row on.
@safe struct ObjectComparison: ~Copyable {
  /// The addresses of two corresponding objects, one in each graph.
  typealias Pair = (one: UInt, other: UInt)

  /// The first pairs that have not been compared yet, in memory on the caller's stack. Further pairs are in
  /// `otherPending`.
  private let firstPending: UnsafeMutableBufferPointer<Pair>
  private var otherPending: [Pair] = []
  private var pendingCount = 0
  /// The known pairs of objects to which further references may refer, in memory on the caller's stack. The
  /// memory has space for a few pairs, and is searched linearly. When it is full, all pairs move to `tables`.
  private let firstKnown: UnsafeMutableBufferPointer<Pair>
  private var knownCount = 0
  private var tables: PairTables?
  /// A lower bound of the number of pairs, from which the tables get their initial capacity.
  private var expectedCount = 0
  private let check = ExclusivityCheck.now()
  /// The class that interrupted the comparison, because its fields in memory are not known yet. Nil if no
  /// class interrupted the comparison.
  private var unresolved: AnyClass?
  /// Compares values that cannot be compared in memory, by their rows. Nil until the first such value.
  /// Afterwards, the compared pairs of objects are retained.
  private var rows: RowComparison?
  private let context: ArchiveContext?
  /// The content of an object's second word in memory if only one reference to the object exists. 0 if the
  /// word does not show the number of references. See `UniqueReference`.
  private let uniqueWord = UniqueReference.word

  /// The number of pairs for which each of the two buffers on the stack has space.
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

  /// Whether two graphs are equal except for the identity of their objects. A graph consists of its root and
  /// all objects that the root reaches. Nil if only canonical archives show whether the graphs are equal. The
  /// program's own code can access `context`.
  ///
  /// - Complexity: O(values of both graphs), without recursion.
  static func areEqual(
    _ one: AnyObject, _ other: AnyObject, in context: ArchiveContext? = nil
  ) throws -> Bool? {
    try withExtendedLifetime((one, other)) {
      try comparing(in: context) { comparison in
        let pair = unsafe (Unmanaged.passUnretained(one).address, Unmanaged.passUnretained(other).address)
        return comparison.mayCorrespond(pair.0, to: pair.1, areUnshared: false)
          ? try comparison.areRestEqual() : false
      }
    }
  }

  /// Returns whether two objects, or two arrays of objects, are equal apart from the identity of the objects.
  /// Nil if the values have another type, or if only a comparison of canonical archives can decide.
  static func areEqual<Value: ArchivableValue>(
    _ one: Value, _ other: Value, in context: ArchiveContext? = nil
  ) throws -> Bool? {
    if Value.self is AnyClass {
      // `as` would take longer than the comparison of two small objects.
      return unsafe try areEqual(
        unsafeBitCast(one, to: AnyObject.self), unsafeBitCast(other, to: AnyObject.self), in: context)
    }
    guard Value.self is any ListOfReferences.Type else { return nil }
    let ones = unsafe ObjectArray.objects(of: one)
    let others = unsafe ObjectArray.objects(of: other)
    return try comparing(in: context) { comparison in
      comparison.expectedCount = ones.count
      let areEqual = ClassComparison.allElements(of: ones, others) {
        comparison.mayCorrespond($0, to: $1, areUnshared: false)
      }
      return areEqual ? try comparison.areRestEqual() : false
    }
  }

  // MARK: Values

  /// Returns whether the objects of all pending pairs are equal, including pairs that are found during the
  /// comparison. Nil if only canonical archives show whether the objects are equal.
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
    // A local variable, because the closure has exclusive access to `self`.
    var unresolved: AnyClass?
    defer { self.unresolved = unresolved }
    return try ObjectFields.withKnownFields(of: one, orSet: &unresolved) { fields in
      try fields.withComparison { comparison in
        try fields.isolation.check()
        guard comparison.areValuesSame(one, other, check),
          comparison.allReferences(
            of: one, other, check, satisfy: { mayCorrespond($0, to: $1, areUnshared: $2) })
        else { return false }
        return comparison.rowRoots.isEmpty ? true : areRowsEqual(one, other, comparison)
      }
    }
  }

  /// Returns whether two objects are equal in the values that are not compared in memory. The objects write
  /// these values to rows. Nil if a row cannot be written, or if there are too many pairs. The caller then
  /// compares archives of the graphs, which also reports errors.
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
      rows.areEqual(one, other, comparison) { mayCorrespond($0, to: $1, areUnshared: false) }
    }
  }

  // MARK: Pairs

  /// Whether the object `one` of the first graph may correspond to the object `other` of the second graph.
  /// True if the objects form a known pair. Also true if neither is in a known pair: they then become a pair,
  /// and are compared later. The address 0 is nil, which corresponds only to nil.
  ///
  /// `areUnshared` states that no other variable or array shares the storage from which the references were
  /// read. Only then does a reference count of 1 show that no other reference reaches the object.
  @inline(__always) private mutating func mayCorrespond(
    _ one: UInt, to other: UInt, areUnshared: Bool
  ) -> Bool {
    guard one != 0, other != 0 else { return one == other }
    let isUnique =
      areUnshared && uniqueWord != 0
      && UniqueReference.isUnique(one, uniqueWord) && UniqueReference.isUnique(other, uniqueWord)
    // No other reference reaches uniquely referenced objects, so their pair need not be recorded.
    if !isUnique {
      guard let isKnown = isKnown((one, other)) else { return false }
      if isKnown { return true }
    }
    append((one, other))
    return true
  }

  /// Whether `pair` is a known pair. If neither object is in a known pair, records the pair and returns
  /// false. Nil if one of the objects is in another pair.
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

  /// Retains both objects of a pair, which must not have been released.
  @unsafe private static func retain(_ pair: Pair) {
    _ = unsafe (ObjectMemory.object(at: pair.one)?.retain(), ObjectMemory.object(at: pair.other)?.retain())
  }

  @unsafe private static func release(_ pair: Pair) {
    unsafe ObjectMemory.object(at: pair.one)?.release()
    unsafe ObjectMemory.object(at: pair.other)?.release()
  }
}
