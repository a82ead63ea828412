import ArcFormat
import ArcMemory
import ArcRuntime

/// Compares values that cannot be compared in memory. Two objects each write their values to a row. The rows
/// have equal bytes if the values are equal.
///
/// Only one comparison at a time uses an instance, which caches the writers of the compared classes.
final class RowComparison: @unchecked Sendable {  // The code that took it from the pool owns it.
  private let first = RowEncoder(userInfo: [:])
  private let second = RowEncoder(userInfo: [:])
  private var writersByClass: [ObjectIdentifier: Writers] = [:]
  /// The writers of the class whose objects were compared last. Nil before the first comparison.
  private var recent: (type: ObjectIdentifier, writers: Writers)?
  private var hasUserInfo = false
  private var hasFailed = false
  private var pairCount = 0
  /// The maximum number of pairs in a comparison. For more pairs, a comparison of archives takes less time.
  private static let maximumCount = 32
  private static let pool = IdlePool<RowComparison>()

  /// The two row writers for objects of a class: one writer for each of the compared graphs.
  private struct Writers {
    let first: RowWriter
    let second: RowWriter
  }

  private init() {}

  /// Returns a row comparison from the pool, or a new one. The program's own code can access `context`.
  static func begin(in context: ArchiveContext?) -> RowComparison {
    let comparison = pool.take { _ in true } ?? RowComparison()
    if let context { comparison.setUserInfo(context.userInfo) }
    return comparison
  }

  /// Ends a comparison. Returns this instance to the pool, unless writing a row failed.
  func end() {
    if hasUserInfo { setUserInfo([:]) }
    pairCount = 0
    // After an error, the columns may contain an incomplete row.
    if !hasFailed { Self.pool.put(self) }
  }

  private func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    hasUserInfo = !userInfo.isEmpty
    first.setUserInfo(userInfo)
    second.setUserInfo(userInfo)
  }

  /// Returns whether two objects of a class are equal in the values that are not compared in memory. Each
  /// object writes these values to a row. The objects are equal if the rows have equal bytes, and if
  /// corresponding references in the rows refer to corresponding objects. `mayCorrespond` receives the
  /// addresses of two objects and returns whether they may correspond. Nil if the values cannot be written,
  /// or if there are too many pairs.
  func areEqual(
    _ one: AnyObject, _ other: AnyObject, _ comparison: ClassComparison,
    where mayCorrespond: (UInt, UInt) -> Bool
  ) -> Bool? {
    pairCount += 1
    guard pairCount <= Self.maximumCount else { return nil }
    do {
      let writers = try writers(of: one, comparison)
      defer {
        writers.first.rows.removeAll()
        writers.second.rows.removeAll()
        first.forgetObjects(after: 0)
        second.forgetObjects(after: 0)
      }
      try writers.first.begin(one)
      guard pairCount + first.objectCount <= Self.maximumCount else { return nil }
      try writers.second.begin(other)
      guard writers.first.rows.hasSameBytes(as: writers.second.rows) else { return false }
      // Rows with the same bytes contain the same reference numbers. The encoders retain the objects with
      // these numbers.
      return (0..<first.objectCount).allSatisfy { index in
        first.withObject(index + 1) { one in
          second.withObject(index + 1) { other in
            guard let one, let other else { return false }
            return unsafe mayCorrespond(
              Unmanaged.passUnretained(one).address, Unmanaged.passUnretained(other).address)
          }
        }
      }
    } catch {
      hasFailed = true
      return nil
    }
  }

  private func writers(of object: AnyObject, _ comparison: ClassComparison) throws -> Writers {
    let type = ObjectIdentifier(type(of: object))
    if let recent, recent.type == type { return recent.writers }
    let writers = try writersByClass[type] ?? makeWriters(of: object, comparison)
    writersByClass[type] = writers
    recent = (type, writers)
    return writers
  }

  private func makeWriters(of object: AnyObject, _ comparison: ClassComparison) throws -> Writers {
    let isCompared = { (slot: RowWriter.Slot) in comparison.rowRoots.contains(slot.node) }
    return Writers(
      first: try first.writer(of: object, where: isCompared),
      second: try second.writer(of: object, where: isCompared))
  }
}
