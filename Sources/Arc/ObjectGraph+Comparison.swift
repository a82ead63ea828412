public import ArcArchive
import ArcFormat

extension ObjectGraph {
  /// Returns whether two graphs are equal except for the identity of their objects.
  ///
  ///     XCTAssertTrue(try ObjectGraph.isIsomorphic(document, ObjectGraph.copy(document)))
  ///
  /// The function compares what would be archived. The graphs must have the same number of objects, with the
  /// same classes. Each strong, weak or unowned reference must refer to corresponding objects in both graphs,
  /// so an object that is shared in one graph is shared in the other. Arrays are compared in order. Sets and
  /// dictionaries are compared without an order, even if their elements or keys contain objects.
  /// Floating-point numbers are equal if their bits are equal: NaN equals itself, and -0 differs from 0.
  /// Strings are equal if their UTF-8 is equal.
  ///
  /// The function calls the hooks that archiving calls, unless it finds a difference before the first hook.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare with `first`, with everything that it reaches.
  ///   - userInfo: the values that hooks and hand-written classes can access.
  /// - Returns: whether the graphs differ only in the identity of their objects.
  /// - Throws: `ArchiveError` if a graph cannot be archived in canonical form, see ``Archiver/isCanonical``;
  ///   or an error of an `encode(to:)` or a hook. The function does not throw if it finds a difference before
  ///   it archives the graphs.
  /// - Complexity: O(values of both graphs) if the values to compare are objects or arrays of objects.
  ///   Otherwise, the time of archiving both graphs in canonical form. The function also needs this time if a
  ///   class has hooks, a hand-written coder, or properties with sets, dictionaries, values of protocol
  ///   types, or weak or unowned references. The stack depth is constant.
  public static func isIsomorphic<Value: ArchivableValue>(
    _ first: Value, _ second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> Bool {
    let context = userInfo.isEmpty ? nil : ArchiveContext(userInfo: userInfo)
    return try ObjectComparison.areEqual(first, second, in: context)
      ?? ComparedGraphs(first, second, userInfo).areEqual
  }

  /// Returns whether two objects are equal, as `isIsomorphic(_:_:userInfo:)` does. This function is faster,
  /// because the values are known to be objects.
  package static func areIsomorphic<Object: Archivable>(_ first: Object, _ second: Object) throws -> Bool {
    let (one, other) = (first as AnyObject, second as AnyObject)
    return try ObjectComparison.areEqual(one, other) ?? ComparedGraphs(first, second, [:]).areEqual
  }

  /// Finds a difference between two graphs, as near to the root as possible. Returns the difference.
  ///
  ///     if let difference = try ObjectGraph.difference(between: saved, and: document) { print(difference) }
  ///     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///
  /// If an object is shared in one graph and not in the other, the difference describes the target of the
  /// reference in each graph: `the same object as root.pages[0]`, and `another object`. If two sets differ,
  /// the difference lists the elements that only one set contains. If each set has one such element, and both
  /// are objects of the same class, the difference is a property in which the two objects differ.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare with `first`, with everything that it reaches.
  ///   - userInfo: the values that hooks and hand-written classes can access.
  /// - Returns: the difference. Nil if the graphs are isomorphic, see
  ///   ``ObjectGraph/isIsomorphic(_:_:userInfo:)``.
  /// - Throws: an error of ``ObjectGraph/isIsomorphic(_:_:userInfo:)``, or `ArchiveError` with code
  ///   `limitExceeded` if the graphs differ and values are nested more deeply than the default of
  ///   `ArchiveLimits.nesting`.
  /// - Complexity: the time of archiving both graphs in canonical form. If the graphs differ, also the time
  ///   of reading both archives from the first difference on, or from the start if sets or keys contain
  ///   objects. The stack depth is constant.
  public static func difference<Value: ArchivableValue>(
    between first: Value, and second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> GraphDifference? {
    try differences(between: first, and: second, limit: 1, userInfo: userInfo).first
  }

  /// Finds the differences between two graphs. Returns the differences, nearest to the root first.
  ///
  ///     for difference in try ObjectGraph.differences(between: saved, and: document) {
  ///       print(difference)     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
  ///     }
  ///
  /// The result has at most one difference for each pair of objects.
  ///
  /// - Parameters:
  ///   - first: a value with everything that it reaches.
  ///   - second: the value to compare with `first`, with everything that it reaches.
  ///   - limit: the maximum number of differences to find.
  ///   - userInfo: the values that hooks and hand-written classes can access.
  /// - Returns: the differences; empty if the graphs are isomorphic.
  /// - Throws: the errors of ``difference(between:and:userInfo:)``.
  /// - Complexity: the time of ``difference(between:and:userInfo:)``. If the graphs differ, also O(objects +
  ///   values of both graphs).
  public static func differences<Value: ArchivableValue>(
    between first: Value, and second: Value, limit: Int = 100,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> [GraphDifference] {
    let context = userInfo.isEmpty ? nil : ArchiveContext(userInfo: userInfo)
    if try limit <= 0 || ObjectComparison.areEqual(first, second, in: context) == true { return [] }
    let graphs = try ComparedGraphs(first, second, userInfo)
    return graphs.areEqual ? [] : try graphs.differences(atMost: limit)
  }
}

/// The archives of two graphs in canonical form. The graphs are equal if and only if the bytes are equal.
/// Spec: 05-graph, section 8.
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
