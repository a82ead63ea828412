import CArc

/// The objects of a graph by row while it is rebuilt; keeps every one alive until all is done.
///
/// Invariant: rows 1 to `count - 1` are initialised, each with a retained object or nil; those below `builtCount` have
/// an object. Row 0 is never used. `open` keeps `count` within the capacity that `init` allocated.
@usableFromInline @safe struct ObjectTable {
  @usableFromInline let base: UnsafeMutablePointer<Unmanaged<AnyObject>?>
  private var capacity: Int
  /// Takes what was loaded ahead, so that the compiler does not leave the loads out.
  private let lookedAt: UnsafeMutablePointer<UInt>
  /// Rows that may have an object, row 0 included.
  private(set) var count = 1
  /// Rows that references may lead to now, row 0 included: all of them are built.
  @usableFromInline var builtCount = 1

  /// Room for `rowCount` rows, row 0 included.
  init(rowCount: Int) {
    capacity = rowCount
    unsafe base = .allocate(capacity: max(rowCount, 1))
    unsafe lookedAt = .allocate(capacity: 1)
  }

  /// Takes fewer rows than there is room for, while there are no objects.
  mutating func limit(to rowCount: Int) { capacity = min(capacity, rowCount) }

  /// Takes in the rows up to `end`, which get their objects in any order. Throws when there are more than expected.
  mutating func open(upTo end: Int) throws {
    guard end <= capacity else {
      throw ArchiveError(.malformedSegment, found: "more objects than rows", expected: "\(capacity)")
    }
    builtCount = count
    guard end > count else { return }
    unsafe (base + count).initialize(repeating: nil, count: end - count)
    count = end
  }

  /// Says that all rows that were opened have their objects.
  mutating func close() { builtCount = count }

  /// Gives an open row its object.
  mutating func place(_ object: consuming AnyObject, at row: Int) {
    precondition(row > 0 && row < count)
    unsafe base[row] = unsafe .passRetained(object)
  }

  /// The object of a row that references may lead to.
  subscript(row: Int) -> AnyObject? {
    guard row > 0, row < builtCount else { return nil }
    return unsafe base[row]?.takeUnretainedValue()
  }

  /// Whether nothing but the table holds the object of a row.
  mutating func isOnlyHolder(ofRow row: Int) -> Bool {
    guard row > 0, row < count, let held = unsafe base[row] else { return false }
    #if canImport(ObjectiveC)
      // An object whose class descends from one of Objective-C's does not tell; so we see whether it lives without us.
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

  /// Lets go of the objects but those of rows for which `isKept` says so.
  mutating func releaseAll(but isKept: (Int) -> Bool) {
    for row in 1..<max(count, 1) where !isKept(row) {
      let object = unsafe base[row]
      unsafe base[row] = nil
      unsafe object?.release()
    }
  }

  /// Lets go of the objects, the last first: an object may hold earlier rows for good, but later ones only by
  /// links. So where links were cut, no release frees more than one object, however long a chain they form.
  mutating func releaseAll() {
    builtCount = 1
    while count > 1 {
      lookAhead(count - 16, lineCount: 1)
      count -= 1
      unsafe base[count]?.release()
    }
  }

  /// Asks for the memory of the objects that a column refers to next: they lie anywhere, and are about to be retained.
  /// For weak references, loads their counts too: these stand elsewhere as soon as a weak reference leads to an object.
  func lookAhead(_ column: ColumnReader) {
    guard column.__isWeak else {
      return column.__lookAhead(far: { lookAhead($0, lineCount: 1) }, near: { _ in })
    }
    var bits: UInt = 0
    column.__lookAhead(far: { lookAhead($0, lineCount: 1) }, near: { bits |= look(atCountsOf: $0) })
    unsafe lookedAt.pointee = bits
  }

  /// Asks for the first cache lines of the object of a row, if it has one.
  @inline(__always) func lookAhead(_ row: Int, lineCount: Int) {
    guard row > 0, row < count, let object = unsafe base[row] else { return }
    var address = unsafe UInt(bitPattern: object.toOpaque())
    for _ in 0..<lineCount {
      arc_prefetch(address)
      address &+= 64
    }
  }

  /// Loads the counts of references to the object of a row, if it has one. One retain after the other would wait for
  /// them; loads alone wait for all at once.
  @inline(__always) private func look(atCountsOf row: Int) -> UInt {
    guard row > 0, row < count else { return 0 }
    return unsafe (base + row).withMemoryRebound(to: AnyObject?.self, capacity: 1) {
      unsafe isKnownUniquelyReferenced(&$0.pointee) ? 1 : 0
    }
  }

  func free() {
    unsafe base.deallocate()
    unsafe lookedAt.deallocate()
  }
}
