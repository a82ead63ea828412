import ArcFormat

/// Whether two graphs have the same shape with the same values.
///
///     XCTAssertTrue(try isIsomorphic(document, deepCopy(document)))
///
/// Compared is what would be archived: as many objects of the same classes, which refer to each other in the
/// same way, so that what is one object in one graph is one in the other; weak and unowned references
/// included. Arrays are compared in order, sets and dictionaries by what they contain, also where objects are
/// elements or keys. Floating-point numbers are the same if their bits are: NaN is itself, and -0 is not 0.
/// Strings are the same if their UTF-8 is.
///
/// Hooks that are called before an object is archived are called, unless a difference was found before.
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
public func isIsomorphic<Value: ArchivableValue>(
  _ first: Value, _ second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> Bool {
  try MemoryComparison.areEqual(first, second) ?? ComparedGraphs(first, second, userInfo).areEqual
}

/// A place where two graphs differ, one of those that are nearest to the root; nil if they are isomorphic, as
/// ``isIsomorphic(_:_:userInfo:)`` says.
///
///     if let difference = try firstDifference(between: saved, and: document) { print(difference) }
///     // root.pages[2].title: "Arc" in the first graph, "Ark" in the second
///
/// Of sharing it says which object of the graph a reference leads to in one of them: `the same object as
/// root.pages[0]`, and in the other `another object`. Sets differ as a whole, by elements that only one of
/// them has; but a single object in them that differs is compared with its counterpart.
///
/// - Parameters:
///   - first: a value with all that it reaches.
///   - second: another one.
///   - userInfo: what the program's own code gets.
/// - Returns: the difference.
/// - Throws: as ``isIsomorphic(_:_:userInfo:)`` does; `limitExceeded` if graphs differ that have values that
///   nest more deeply than `ArchiveLimits.nesting` allows by default.
/// - Complexity: that of archiving both in canonical form and, if they differ, of reading what is behind the
///   first difference, or all if sets or keys have objects in them; in constant stack.
public func firstDifference<Value: ArchivableValue>(
  between first: Value, and second: Value, userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> GraphDifference? {
  try differences(between: first, and: second, limit: 1, userInfo: userInfo).first
}

/// Lists where two graphs differ.
///
///     for difference in try differences(between: saved, and: document) { print(difference) }
///     // root.title: "Draft" in the first graph, "Final" in the second
///     // root.pages[2].text: "Arc" in the first graph, "Ark" in the second
///
/// The list has one difference for each pair of objects, those nearest to the root first: the first property
/// whose values differ. Objects that only one graph has are described by the reference to them.
///
/// - Parameters:
///   - first: a value with everything it reaches.
///   - second: another value of the same type.
///   - limit: the maximum number of differences.
///   - userInfo: data for the program's own code.
/// - Returns: the differences; an empty array if the graphs are isomorphic.
/// - Throws: as ``firstDifference(between:and:userInfo:)`` does.
/// - Complexity: that of archiving both graphs in canonical form and of reading both archives; in constant
///   stack.
public func differences<Value: ArchivableValue>(
  between first: Value, and second: Value, limit: Int = 100,
  userInfo: [CodingUserInfoKey: any Sendable] = [:]
) throws -> [GraphDifference] {
  if try limit <= 0 || MemoryComparison.areEqual(first, second) == true { return [] }
  let graphs = try ComparedGraphs(first, second, userInfo)
  return graphs.areEqual ? [] : try graphs.differences(atMost: limit)
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
