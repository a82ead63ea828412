import ArcFormat
import ArcMemory
import CArc

/// The objects of a graph by row while it is rebuilt; keeps every one alive until all is done.
///
/// Invariant: rows 1 to `count - 1` are set, each to a retained object or nil; those below `builtCount` have
/// an object. Row 0 is never used. `open` keeps `count` within the capacity that `init` allocated.
@usableFromInline @safe struct ObjectTable {
  @usableFromInline let base: HandleBuffer<Unmanaged<AnyObject>?>
  private var capacity: Int
  /// Sink for prefetch loads; keeps the optimizer from removing them.
  private let lookedAt = Handle<UInt>(0)
  /// Number of rows that may have an object, row 0 included.
  private(set) var count = 1
  /// The rows whose objects were built in another order than that of rows, in that order.
  private var rowsBuiltByNeed: [UInt32] = []
  /// Number of rows that references may lead to now, row 0 included: all of them are built.
  @usableFromInline var builtCount = 1

  /// Creates a table with a capacity of `rowCount` rows, row 0 included.
  init(rowCount: Int) {
    capacity = rowCount
    unsafe base = HandleBuffer(uninitializedCount: rowCount)
  }

  /// Lowers the capacity, while there are no objects.
  mutating func limit(to rowCount: Int) { capacity = min(capacity, rowCount) }

  /// Adds the rows up to `end`, which get their objects in any order. Throws if that exceeds the capacity.
  mutating func open(upTo end: Int) throws {
    guard end <= capacity else {
      throw ArchiveError(
        .malformedSegment, found: "more objects than rows in the file",
        expected: "at most \(plural(capacity, "object"))")
    }
    builtCount = count
    guard end > count else { return }
    for row in count..<end { unsafe base[row] = nil }
    count = end
  }

  /// Says that all rows that were added have their objects.
  mutating func close() { builtCount = count }

  /// Sets the object of a row that was added.
  mutating func place(_ object: consuming AnyObject, at row: Int) {
    precondition(row > 0 && row < count)
    unsafe base[row] = unsafe .passRetained(object)
  }

  /// Releases the object of a row that was added.
  mutating func remove(_ row: Int) {
    precondition(row > 0 && row < count)
    let discarded = unsafe base[row]
    unsafe base[row] = nil
    unsafe discarded?.release()
  }

  /// Notes that the object of a row may hold later ones for good, all of which are built.
  mutating func noteBuiltByNeed(_ row: Int) { rowsBuiltByNeed.append(UInt32(truncatingIfNeeded: row)) }

  /// Whether the object of a row was set, whether references may lead to it yet or not.
  func hasObject(at row: Int) -> Bool {
    guard row > 0, row < count else { return false }
    return unsafe base[row] != nil
  }

  /// The object that was set in a row that was added, whether references may lead to it yet or not.
  func placed(at row: Int) -> AnyObject? {
    guard row > 0, row < count else { return nil }
    return unsafe base[row]?.takeUnretainedValue()
  }

  /// Sets another object in place of that of a row.
  mutating func replaceObject(ofRow row: Int, with object: consuming AnyObject) {
    precondition(row > 0 && row < count)
    let discarded = unsafe base[row]
    unsafe base[row] = unsafe .passRetained(object)
    unsafe discarded?.release()
  }

  /// Releases the objects of rows that an earlier one of these rows has as well.
  mutating func releaseDuplicates(in rows: [Int]) {
    var known: Set<UInt> = []
    for row in rows {
      guard let object = unsafe base[row], unsafe !known.insert(object.address).inserted else { continue }
      unsafe base[row] = nil
      unsafe object.release()
    }
  }

  /// The object of a row; nil for one that references may not lead to yet.
  subscript(row: Int) -> AnyObject? {
    guard row > 0, row < builtCount else { return nil }
    return unsafe base[row]?.takeUnretainedValue()
  }

  /// Whether nothing but the table holds the object of a row.
  mutating func isOnlyHolder(ofRow row: Int) -> Bool {
    guard row > 0, row < count, let held = unsafe base[row] else { return false }
    #if canImport(ObjectiveC)
      // An object whose class descends from one of Objective-C's does not tell, so release it and see whether
      // it lives on.
      weak let object = unsafe held.takeUnretainedValue()
      unsafe base[row] = nil
      unsafe held.release()
      guard let object else { return true }
      unsafe base[row] = unsafe .passRetained(object)
      return false
    #else
      var object = unsafe held.takeRetainedValue()
      defer { unsafe base[row] = unsafe .passRetained(object) }
      return isKnownUniquelyReferenced(&object)
    #endif
  }

  /// Releases the objects, except those of rows for which `isKept` returns true.
  mutating func releaseAll(but isKept: (Int) -> Bool) {
    for row in 1..<max(count, 1) where !isKept(row) {
      let object = unsafe base[row]
      unsafe base[row] = nil
      unsafe object?.release()
    }
  }

  /// Releases the objects, the last first: an object may hold earlier rows for good, but later ones only by
  /// links. So where links were undone, no release frees more than one object, however long a chain they
  /// form. Those that were built by need are released first, in the same way.
  mutating func releaseAll() {
    builtCount = 1
    while let row = rowsBuiltByNeed.popLast() {
      let object = unsafe base[Int(row)]
      unsafe base[Int(row)] = nil
      unsafe object?.release()
    }
    while count > 1 {
      prefetch(count - 16, lineCount: 1)
      count -= 1
      unsafe base[count]?.release()
    }
  }

  /// Prefetches the objects that a column refers to next: they lie anywhere, and are about to be retained.
  /// For weak references, loads their counts too, which are in a side table once a weak reference leads to an
  /// object.
  func prefetch(_ column: ColumnReader) {
    guard column.isWeak else {
      return column.prefetch(far: { prefetch($0, lineCount: 1) }, near: { _ in })
    }
    var bits: UInt = 0
    column.prefetch(far: { prefetch($0, lineCount: 1) }, near: { bits |= look(atCountsOf: $0) })
    lookedAt.value = bits
  }

  /// Prefetches the first cache lines of the object of a row, if it has one.
  @inline(__always) func prefetch(_ row: Int, lineCount: Int) {
    guard row > 0, row < count, let object = unsafe base[row] else { return }
    var address = unsafe object.address
    for _ in 0..<lineCount {
      arc_prefetch(address)
      address &+= 64
    }
  }

  /// Loads the reference counts of the object of a row, if it has one. One retain after another would wait
  /// for them; loads alone wait for all at once.
  @inline(__always) private func look(atCountsOf row: Int) -> UInt {
    guard row > 0, row < count else { return 0 }
    return unsafe ObjectMemory.isOnlyReference(&base[row]) ? 1 : 0
  }

  func free() {
    unsafe base.free()
    lookedAt.free()
  }
}
