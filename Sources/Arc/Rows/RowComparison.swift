import ArcFormat
import ArcMemory
import ArcRuntime

/// Compares the values of two objects that memory does not show: both objects write these values as a row.
/// The rows have the same bytes if the values are the same.
///
/// It remembers the classes of the objects that it compared. Only one comparison at a time uses it.
final class RowComparison: @unchecked Sendable {  // Whoever took it out of the pool owns it.
  private let first = RowEncoder(userInfo: [:])
  private let second = RowEncoder(userInfo: [:])
  private var writersByClass: [ObjectIdentifier: Writers] = [:]
  /// The writers of the class that was compared last.
  private var recent: (type: ObjectIdentifier, writers: Writers)?
  private var hasUserInfo = false
  private var hasFailed = false
  private var pairCount = 0
  /// The maximum number of pairs in a comparison. An archive compares more pairs in less time.
  private static let maximumCount = 32
  private static let pool = IdlePool<RowComparison>()

  /// The writers of a class's objects, for each of both graphs.
  private struct Writers {
    let first: RowWriter
    let second: RowWriter
  }

  private init() {}

  /// Begins a comparison, in which the program's own code can access `context`.
  static func begin(in context: ArchiveContext?) -> RowComparison {
    let comparison = pool.take { _ in true } ?? RowComparison()
    if let context { comparison.setUserInfo(context.userInfo) }
    return comparison
  }

  /// Ends the comparison.
  func end() {
    if hasUserInfo { setUserInfo([:]) }
    pairCount = 0
    // An error may leave a row behind.
    if !hasFailed { Self.pool.put(self) }
  }

  private func setUserInfo(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    hasUserInfo = !userInfo.isEmpty
    first.setUserInfo(userInfo)
    second.setUserInfo(userInfo)
  }

  /// Whether two objects of a class have the same values in rows, and `canStand` returns true for each pair
  /// of objects that these refer to. Nil if the values cannot be written, and if there are too many pairs.
  func areEqual(
    _ one: AnyObject, _ other: AnyObject, _ comparison: ClassComparison,
    where canStand: (UInt, UInt) -> Bool
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
      // Rows with the same bytes have references with the same numbers, whose objects the encoders retain.
      return (0..<first.objectCount).allSatisfy { index in
        first.withObject(index + 1) { one in
          second.withObject(index + 1) { other in
            guard let one, let other else { return false }
            return unsafe canStand(
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
