/// The objects of a graph by row while it is rebuilt; keeps every one alive until all is done.
///
/// Invariant: rows 1 to `count - 1` are initialised with a retained object; row 0 is never used. `append` keeps
/// `count` within the capacity that `init` allocated.
@usableFromInline @safe struct ObjectTable {
  @usableFromInline let base: UnsafeMutablePointer<Unmanaged<AnyObject>>
  private var capacity: Int
  /// Takes what was loaded ahead, so that the compiler does not leave the loads out.
  private let lookedAt: UnsafeMutablePointer<UInt>
  /// Rows built so far, row 0 included.
  @usableFromInline private(set) var count = 1

  /// Room for `rowCount` rows, row 0 included.
  init(rowCount: Int) {
    capacity = rowCount
    unsafe base = .allocate(capacity: max(rowCount, 1))
    unsafe lookedAt = .allocate(capacity: 1)
  }

  /// Takes fewer rows than there is room for, while there are no objects.
  mutating func limit(to rowCount: Int) { capacity = min(capacity, rowCount) }

  /// Adds the next row's object. Throws when there are more objects than rows.
  mutating func append(_ object: consuming AnyObject) throws {
    guard count < capacity else {
      throw ArchiveError(.malformedSegment, found: "more objects than rows", expected: "\(capacity)")
    }
    unsafe base.advanced(by: count).initialize(to: .passRetained(object))
    count += 1
  }

  /// The object of a row, if it is built.
  @inlinable subscript(row: Int) -> AnyObject? {
    guard row > 0, row < count else { return nil }
    return unsafe base[row].takeUnretainedValue()
  }

  /// Lets go of one object, so that it lives only if others refer to it; the row holds an empty one instead.
  mutating func release(row: Int) {
    guard row > 0, row < count else { return }
    let object = unsafe base[row]
    unsafe base[row] = .passRetained(Vacancy())
    unsafe object.release()
  }

  private final class Vacancy {}

  /// Lets go of the objects, the last first: an object may hold earlier rows for good, but later ones only by
  /// links. So where links were cut, no release frees more than one object, however long a chain they form.
  mutating func releaseAll() {
    while count > 1 {
      let first = max(1, count - 32)
      lookAhead(first..<count) { $0 }
      while count > first {
        count -= 1
        unsafe base[count].release()
      }
    }
  }

  /// Looks at the objects that a column refers to next: they lie anywhere in memory, and are about to be retained.
  func lookAhead(_ column: ColumnReader, _ count: Int) {
    lookAhead(0..<count) { Int(truncatingIfNeeded: column.__upcoming($0)) }
  }

  /// Looks at objects that are about to be retained or released; passes over rows that have none.
  ///
  /// Each of those operations waits until the object is there; loads alone wait for all of them at once.
  @inline(__always) private func lookAhead(_ places: Range<Int>, _ rowAt: (Int) -> Int) {
    var bits: UInt = 0
    for place in places {
      let row = rowAt(place)
      guard row > 0, row < count else { continue }
      unsafe bits |= base[row].toOpaque().load(as: UInt.self)
    }
    unsafe lookedAt.pointee = bits
  }

  func free() {
    unsafe base.deallocate()
    unsafe lookedAt.deallocate()
  }
}
