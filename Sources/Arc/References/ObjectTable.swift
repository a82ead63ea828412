import ArcFormat
import ArcMemory
import CArc

/// The objects of a graph by row, while the graph is rebuilt. The table retains all objects until the graph
/// is complete.
///
/// Invariant: rows 1 to `count - 1` are set, each to a retained object or to nil. Rows below `builtCount`
/// have an object. Row 0 is never used. `open` ensures that `count` does not exceed the capacity that `init`
/// allocated.
@usableFromInline @safe struct ObjectTable {
  @usableFromInline let base: HandleBuffer<Unmanaged<AnyObject>?>
  private var capacity: Int
  /// Stores the result of prefetch loads, so that the optimizer does not remove the loads.
  private let prefetchSink = Handle<UInt>(0)
  /// The number of added rows, including row 0. Only an added row can have an object.
  private(set) var count = 1
  /// The rows whose objects were built before their turn, in the order of construction.
  private var rowsBuiltByNeed: [UInt32] = []
  /// The number of rows to which references may refer now, including row 0. The objects of these rows are
  /// built.
  @usableFromInline var builtCount = 1

  /// Creates a table with a capacity of `rowCount` rows, row 0 included.
  init(rowCount: Int) {
    capacity = rowCount
    unsafe base = HandleBuffer(uninitializedCount: rowCount)
  }

  /// Lowers the capacity. The table must be empty.
  mutating func limit(to rowCount: Int) { capacity = min(capacity, rowCount) }

  /// Adds the rows up to `end`. Their objects may be set in any order. Throws an error if the capacity is
  /// exceeded.
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

  /// Allows references to all added rows. Called when every added row has its object.
  mutating func close() { builtCount = count }

  /// Sets the object of an added row.
  mutating func setObject(_ object: consuming AnyObject, at row: Int) {
    precondition(row > 0 && row < count)
    unsafe base[row] = unsafe .passRetained(object)
  }

  /// Releases the object of an added row.
  mutating func remove(_ row: Int) {
    precondition(row > 0 && row < count)
    let discarded = unsafe base[row]
    unsafe base[row] = nil
    unsafe discarded?.release()
  }

  /// Records that the object of a row was not built in the order of rows. Such an object may retain objects
  /// of later rows, which were built before it, because its initializer needed them.
  mutating func noteBuiltByNeed(_ row: Int) { rowsBuiltByNeed.append(UInt32(truncatingIfNeeded: row)) }

  /// Whether the object of a row was set, even if references to the row are not allowed yet.
  func hasObject(at row: Int) -> Bool {
    guard row > 0, row < count else { return false }
    return unsafe base[row] != nil
  }

  /// Returns the object of an added row. Nil if the row has no object yet. Unlike a reference, this function
  /// can also access a row before `close()` is called.
  func object(at row: Int) -> AnyObject? {
    guard row > 0, row < count else { return nil }
    return unsafe base[row]?.takeUnretainedValue()
  }

  /// Replaces the object of a row with another object.
  mutating func replaceObject(ofRow row: Int, with object: consuming AnyObject) {
    precondition(row > 0 && row < count)
    let discarded = unsafe base[row]
    unsafe base[row] = unsafe .passRetained(object)
    unsafe discarded?.release()
  }

  /// If one object is in several of the rows `rows`, removes it from all these rows except the first, and
  /// releases it once per removed row.
  mutating func releaseDuplicates(in rows: [Int]) {
    var known: Set<UInt> = []
    for row in rows {
      guard let object = unsafe base[row], unsafe !known.insert(object.address).inserted else { continue }
      unsafe base[row] = nil
      unsafe object.release()
    }
  }

  /// Returns the object of a row. Nil if references to the row are not allowed yet.
  subscript(row: Int) -> AnyObject? {
    guard row > 0, row < builtCount else { return nil }
    return unsafe base[row]?.takeUnretainedValue()
  }

  /// Whether this table is the only owner of the object of a row.
  mutating func isOnlyHolder(ofRow row: Int) -> Bool {
    guard row > 0, row < count, let held = unsafe base[row] else { return false }
    #if canImport(ObjectiveC)
      // If the class inherits from an Objective-C class, the reference count cannot be read. The object is
      // released, and a weak reference shows whether it still exists.
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

  /// Releases the objects of the rows for which `isRetained` returns false.
  mutating func releaseAll(except isRetained: (Int) -> Bool) {
    for row in 1..<max(count, 1) where !isRetained(row) {
      let object = unsafe base[row]
      unsafe base[row] = nil
      unsafe object?.release()
    }
  }

  /// Releases all objects, from the last row to the first.
  ///
  /// An object retains objects of earlier rows if its initializer sets references to them. It retains objects
  /// of later rows only if a link, which is set after all initializers, refers to them. Therefore, after the
  /// links were removed, no release frees more than one object, even for a long chain. Some objects were
  /// built before their turn, because other objects needed them. They are released before all other objects,
  /// in reverse order of their construction.
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

  /// Prefetches the objects to which a column refers next. The objects are about to be retained, and can be
  /// anywhere in memory. If the references are weak, also loads the reference counts: the runtime stores the
  /// reference counts of an object with weak references outside the object.
  func prefetch(_ column: ColumnReader) {
    guard column.isWeak else {
      return column.prefetch(far: { prefetch($0, lineCount: 1) }, near: { _ in })
    }
    var bits: UInt = 0
    column.prefetch(far: { prefetch($0, lineCount: 1) }, near: { bits |= loadCounts(of: $0) })
    prefetchSink.value = bits
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

  /// Loads the reference counts of the object of a row, if it has one. The objects are about to be retained.
  /// Without these loads, each retain would wait for its own memory access; the loads access the memory of
  /// several objects at the same time.
  @inline(__always) private func loadCounts(of row: Int) -> UInt {
    guard row > 0, row < count else { return 0 }
    return unsafe ObjectMemory.isOnlyReference(&base[row]) ? 1 : 0
  }

  func free() {
    unsafe base.free()
    prefetchSink.free()
  }
}
