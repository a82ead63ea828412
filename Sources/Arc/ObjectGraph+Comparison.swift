public import ArcFormat

extension ObjectGraph {
  /// Returns whether two graphs have the same shape and equal values.
  ///
  ///     XCTAssertTrue(try ObjectGraph.isIsomorphic(document, ObjectGraph.copy(document)))
  ///
  /// The archived contents are compared: the graphs must have as many objects, with the same classes.
  /// References must be equal in both graphs, including weak and unowned references, so an object that is
  /// shared in one graph is shared in the other. Arrays are compared in order. Sets and dictionaries are
  /// compared by their elements and entries, even if these contain objects. Floating-point numbers are equal
  /// if their bits are equal: NaN equals itself, and -0 differs from 0. Strings are equal if their UTF-8 is
  /// equal.
  ///
  /// The hooks that are called before archiving are called, unless a difference was found before.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare it with.
  ///   - userInfo: the values that the program's own code receives.
  /// - Returns: whether the graphs differ only in the identity of their objects.
  /// - Throws: `ArchiveError` if a graph cannot be archived in canonical form, see ``Archiver/isCanonical``;
  ///   or what an `encode(to:)` or a hook throws. Does not throw if a difference was found before.
  /// - Complexity: O(values of both) for objects with plain properties and references, otherwise the time of
  ///   archiving both graphs in canonical form. In constant stack.
  public static func isIsomorphic<Value: ArchivableValue>(
    _ first: Value, _ second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Bool {
    try MemoryComparison.areEqual(first, second) ?? ComparedGraphs(first, second, userInfo).areEqual
  }

  /// Finds a difference between two graphs that is nearest to the root. Returns the difference.
  ///
  ///     if let difference = try ObjectGraph.difference(between: saved, and: document) { print(difference) }
  ///     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///
  /// If sharing differs, the difference describes the target of the reference in both graphs: `the same
  /// object as root.pages[0]`, and `another object`. If sets differ, it lists the elements that only one of
  /// them has. If one object in a set differs, it is compared with its counterpart in the other set.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare it with.
  ///   - userInfo: the values that the program's own code receives.
  /// - Returns: the difference. Nil if the graphs are isomorphic, see
  ///   ``ObjectGraph/isIsomorphic(_:_:userInfo:)``.
  /// - Throws: as ``ObjectGraph/isIsomorphic(_:_:userInfo:)`` does; `limitExceeded` if the graphs differ and
  ///   values are nested more deeply than the default of `ArchiveLimits.nesting`.
  /// - Complexity: the time of archiving both graphs in canonical form. If they differ, also the time of
  ///   reading the rest after the first difference, or all if sets or keys contain objects. In constant
  ///   stack.
  public static func difference<Value: ArchivableValue>(
    between first: Value, and second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> GraphDifference? {
    try differences(between: first, and: second, limit: 1, userInfo: userInfo).first
  }

  /// Finds the differences between two graphs, nearest to the root first. Returns the differences.
  ///
  ///     for difference in try ObjectGraph.differences(between: saved, and: document) {
  ///       print(difference)     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///     }
  ///
  /// The result has at most one difference for each pair of objects.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare it with.
  ///   - limit: the maximum number of differences.
  ///   - userInfo: the values that the program's own code receives.
  /// - Returns: the differences; empty if the graphs are isomorphic.
  /// - Throws: as ``difference(between:and:userInfo:)`` does.
  /// - Complexity: the time of ``difference(between:and:userInfo:)``, and O(objects + values) if the graphs
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
