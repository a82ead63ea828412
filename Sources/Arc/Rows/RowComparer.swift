import ArcFormat
import ArcRuntime

/// Compares small graphs: each object of one and its counterpart in the other write themselves as rows, which
/// have the same bytes where the objects have the same values.
///
/// It knows the classes of the objects that it compared; for one comparison at a time.
package final class RowComparer: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  private let first = RowEncoder(userInfo: [:])
  private let second = RowEncoder(userInfo: [:])
  private var codersByClass: [ObjectIdentifier: Coders?] = [:]
  /// The objects that stand for each other.
  private var pairs: [(one: ObjectIdentifier, other: ObjectIdentifier)] = []
  private static let pool = IdlePool<RowComparer>()
  /// How many objects a graph has at most: each is looked for among all.
  private static let maximumCount = 32

  /// What writes the objects of a class in each of the graphs.
  private struct Coders {
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
    guard pairs.count < Self.maximumCount, let coders = try coders(of: one) else { return nil }
    pairs.append(pair)
    try coders.first.begin(one)
    try coders.second.begin(other)
    defer {
      coders.first.rows.removeAll()
      coders.second.rows.removeAll()
    }
    return coders.first.rows.hasSameBytes(as: coders.second.rows)
  }

  private func coders(of object: AnyObject) throws -> Coders? {
    let type: AnyClass = type(of: object)
    if let known = codersByClass[ObjectIdentifier(type)] { return known }
    let coders = try makeCoders(of: object, type)
    codersByClass[ObjectIdentifier(type)] = .some(coders)
    return coders
  }

  private func makeCoders(of object: AnyObject, _ type: AnyClass) throws -> Coders? {
    guard !(type is any __ArchiveHook.Type) else { return nil }
    let coders = Coders(
      first: try first.writer(of: object) { _ in true }, second: try second.writer(of: object) { _ in true })
    return !coders.first.isCodedByHand && coders.first.sayAllOfObjects ? coders : nil
  }
}
