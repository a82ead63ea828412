public import ArcFormat

extension ObjectGraph {
  /// Whether two graphs have the same shape with the same values.
  ///
  ///     XCTAssertTrue(try ObjectGraph.isIsomorphic(document, ObjectGraph.copy(document)))
  ///
  /// Compared is what would be archived: as many objects of the same classes, which refer to each other in
  /// the same way, weak and unowned references included. What is one object in one graph must be one object
  /// in the other. Arrays are compared in order; sets and dictionaries by what they contain, also where
  /// objects are elements or keys. Floating-point numbers are equal if their bits are equal: NaN equals
  /// itself, and -0 differs from 0. Strings are equal if their UTF-8 is equal.
  ///
  /// Hooks that run before an object is archived are called, unless a difference was found before.
  ///
  /// - Parameters:
  ///   - first: a value with all that it reaches.
  ///   - second: another one.
  ///   - userInfo: what the program's own code gets.
  /// - Returns: whether nothing but the identity of the objects differs.
  /// - Throws: `ArchiveError` for what cannot be archived in canonical form, see ``Archiver/isCanonical``, or
  ///   what an `encode(to:)` or a hook throws; not if a difference was found before.
  /// - Complexity: O(values of both) where objects consist of plain properties and references; else that of
  ///   archiving both in canonical form. In constant stack.
  public static func isIsomorphic<Value: ArchivableValue>(
    _ first: Value, _ second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Bool {
    try MemoryComparison.areEqual(first, second) ?? ComparedGraphs(first, second, userInfo).areEqual
  }

  /// Finds a difference of two graphs that is nearest to the root.
  ///
  ///     if let difference = try ObjectGraph.difference(between: saved, and: document) { print(difference) }
  ///     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///
  /// If one object is shared in only one of the graphs, the difference names the object that a reference
  /// reaches there, `the same object as root.pages[0]`, and `another object` for the other graph. A set
  /// differs as a whole, by elements that only one of the sets has; but a single object in it that differs is
  /// compared with its counterpart.
  ///
  /// - Parameters:
  ///   - first: a value with all that it reaches.
  ///   - second: another one.
  ///   - userInfo: what the program's own code gets.
  /// - Returns: the difference. Nil if the graphs are isomorphic, as
  ///   ``ObjectGraph/isIsomorphic(_:_:userInfo:)`` says.
  /// - Throws: as ``ObjectGraph/isIsomorphic(_:_:userInfo:)`` does; `limitExceeded` if the graphs differ and
  ///   have values that are nested more deeply than `ArchiveLimits.nesting` allows by default.
  /// - Complexity: that of archiving both in canonical form and, if they differ, of reading what follows the
  ///   first difference, or all if sets or keys contain objects; in constant stack.
  public static func difference<Value: ArchivableValue>(
    between first: Value, and second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> GraphDifference? {
    try differences(between: first, and: second, limit: 1, userInfo: userInfo).first
  }

  /// Finds the differences of two graphs: at most one for each pair of objects, those near to the root first.
  ///
  ///     for difference in try ObjectGraph.differences(between: saved, and: document) {
  ///       print(difference)     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///     }
  ///
  /// - Parameters:
  ///   - first: a value with all that it reaches.
  ///   - second: another one.
  ///   - limit: the maximum number of differences.
  ///   - userInfo: what the program's own code gets.
  /// - Returns: the differences; empty if the graphs are isomorphic.
  /// - Throws: as ``difference(between:and:userInfo:)`` does.
  /// - Complexity: that of ``difference(between:and:userInfo:)``, and O(objects + values) if the graphs
  ///   differ.
  public static func differences<Value: ArchivableValue>(
    between first: Value, and second: Value, limit: Int = 100,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> [GraphDifference] {
    if try limit <= 0 || MemoryComparison.areEqual(first, second) == true { return [] }
    let graphs = try ComparedGraphs(first, second, userInfo)
    return graphs.areEqual ? [] : try graphs.differences(atMost: limit)
  }
}

/// The archives of two graphs in canonical form: equal graphs give equal bytes, and others do not. Spec:
/// 05-graph, section 8.
private struct ComparedGraphs {
  private let first: [UInt8]
  private let second: [UInt8]
  private let classes: LiveClasses

  init<Value: ArchivableValue>(
    _ first: Value, _ second: Value, _ userInfo: [CodingUserInfoKey: any Sendable]
  ) throws {
    let options = ArchiveOptions(isCanonical: true)
    let context = ArchiveContext(userInfo: userInfo)
    var calls = ArchivingHooks.Calls()
    (self.first, classes) = try EncoderPool.archiveWithClasses(
      [(ArchiveFile.defaultRoot, first)], options: options, in: context, after: &calls)
    (self.second, _) = try EncoderPool.archiveWithClasses(
      [(ArchiveFile.defaultRoot, second)], options: options, in: context, after: &calls)
  }

  var areEqual: Bool { first == second }

  func differences(atMost limit: Int) throws -> [GraphDifference] {
    var limits = GraphCopying.limits
    limits.nesting = ArchiveLimits.default.nesting
    let isBox = { (index: Int) in classes.types[index] is any AnyValueBox.Type }
    return try first.withByteView { first in
      try second.withByteView { second in
        try GraphComparison(
          ArchiveFile(store: ByteStore(borrowing: first), limits: limits),
          ArchiveFile(store: ByteStore(borrowing: second), limits: limits), isBox: isBox
        ).differences(atMost: limit)
      }
    }
  }
}
