import ArcFormat
import ArcRuntime

/// Compares small graphs: each object of one and its counterpart in the other write themselves as rows, which
/// have the same bytes where the objects have the same values.
///
/// It knows the classes of the objects that it compared; for one comparison at a time.
package final class RowComparer: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  private let first = RowEncoder(userInfo: [:])
  private let second = RowEncoder(userInfo: [:])
  private var ways: [ObjectIdentifier: Way?] = [:]
  /// The objects that stand for each other.
  private var pairs: [(one: ObjectIdentifier, other: ObjectIdentifier)] = []
  private static let pool = IdlePool<RowComparer>()
  /// How many objects a graph has at most: each is looked for among all.
  private static let maximumCount = 32

  /// What writes the objects of a class in each of the graphs.
  private struct Way {
    let first: RowWriter
    let second: RowWriter
  }

  private init() {}

  /// Whether two objects, with all that they lead to, are the same but for the identity of the objects; nil
  /// if rows do not say it: of large graphs, and of classes with more to them than properties, with values in
  /// no order, or with references that keep nothing or lead to what no class is declared for.
  ///
  /// - Throws: `ArchiveError` for what cannot be archived, or what the objects' own code throws.
  /// - Complexity: O(values of both), without recursion.
  package static func areEqual(_ one: any Archivable, _ other: any Archivable) throws -> Bool? {
    if let areEqual = try MemoryComparison.areEqual(one as AnyObject, other as AnyObject) { return areEqual }
    let comparer = pool.take { _ in true } ?? RowComparer()
    // What an error left behind is not used again.
    let areEqual = try comparer.areEqual(one, other)
    if !comparer.first.isIsolated { pool.put(comparer) }
    return areEqual
  }

  private func areEqual(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    defer {
      pairs.removeAll(keepingCapacity: true)
      first.forgetObjects(after: 0)
      second.forgetObjects(after: 0)
    }
    var areEqual = try comparePair(one, other)
    var number = 1
    // Where rows are equal they refer to objects of the same numbers.
    while areEqual == true, number <= first.objectCount {
      areEqual = try first.withObject(number) { one in
        try second.withObject(number) { other in
          guard let one, let other else { return false }
          return try comparePair(one, other)
        }
      }
      number += 1
    }
    return areEqual
  }

  /// Whether two objects can stand for each other: whether they do already, or have equal rows.
  private func comparePair(_ one: AnyObject, _ other: AnyObject) throws -> Bool? {
    let pair = (one: ObjectIdentifier(one), other: ObjectIdentifier(other))
    for known in pairs where known.one == pair.one || known.other == pair.other { return known == pair }
    guard type(of: one) == type(of: other) else { return false }
    guard pairs.count < Self.maximumCount, let way = try way(of: one) else { return nil }
    pairs.append(pair)
    try way.first.begin(one)
    try way.second.begin(other)
    defer {
      way.first.rows.removeAll()
      way.second.rows.removeAll()
    }
    return way.first.rows.hasSameBytes(as: way.second.rows)
  }

  private func way(of object: AnyObject) throws -> Way? {
    let type: AnyClass = type(of: object)
    if let known = ways[ObjectIdentifier(type)] { return known }
    let way = try makeWay(of: object, type)
    ways[ObjectIdentifier(type)] = .some(way)
    return way
  }

  private func makeWay(of object: AnyObject, _ type: AnyClass) throws -> Way? {
    guard !(type is any __ArchiveHook.Type) else { return nil }
    let way = Way(
      first: try first.writer(of: object) { _ in true }, second: try second.writer(of: object) { _ in true })
    return !way.first.isCodedByHand && way.first.sayAllOfObjects ? way : nil
  }
}
