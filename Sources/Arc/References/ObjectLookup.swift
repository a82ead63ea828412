import ArcFormat

/// Finds objects by row, among the objects that were built so far, and records which objects are retained by
/// other objects.
///
/// Generated code uses the lookup without calling the graph decoder. The decoder owns the memory of the
/// lookup and outlives every column that refers to it.
@usableFromInline @safe struct ObjectLookup {
  /// Objects by row.
  @usableFromInline var objects: ObjectTable
  /// The row whose references are being read; 0 for the roots.
  @usableFromInline var currentRow = 0
  /// A record of the objects that other objects retain.
  @usableFromInline var holders = HolderTable()
  /// Whether every reference is logged. The decoder logs the references, so it is called for each reference.
  @usableFromInline private(set) var isLogging = false
  /// For each row, whether an unowned reference to it was read; nil if there is no such reference.
  @usableFromInline private(set) var isUnownedTarget: HandleBuffer<Bool>?
  /// For each row, whether another object replaced the object that was read; nil if no object was replaced.
  private var replaced: HandleBuffer<Bool>?
  /// A cache of casts that have succeeded. Each entry is a pair of an object's class and a type. The index of
  /// an entry consists of bits of the class and of the type.
  @usableFromInline let castCache: HandleBuffer<CastCacheEntry>
  private(set) var rowCount = 0
  /// The existing objects to which the value or object that is being read may refer. Row -1 has the first of
  /// these objects, row -2 the second.
  var handedOver: [AnyObject] = []
  /// The decoder that builds the objects; nil between two graphs.
  private unowned(unsafe) var unownedSource: (any ReferenceSource)?
  var source: (any ReferenceSource)? { unsafe unownedSource }

  @usableFromInline struct CastCacheEntry {
    @usableFromInline var object: ObjectIdentifier
    @usableFromInline var type: ObjectIdentifier
  }

  @inlinable static var castCacheCount: Int { 256 }

  init() {
    objects = ObjectTable(rowCount: 0)
    unsafe unownedSource = nil
    let nothing = ObjectIdentifier(Never.self)
    castCache = HandleBuffer(
      repeating: CastCacheEntry(object: nothing, type: nothing), count: Self.castCacheCount)
  }

  /// Prepares for an archive with a number of rows. Releases the objects of an earlier archive.
  mutating func begin(rowCount: Int, isLogging: Bool, source: any ReferenceSource) {
    objects.releaseAll()
    removeMarks()
    if rowCount > self.rowCount {
      objects.free()
      objects = ObjectTable(rowCount: rowCount)
    } else {
      objects.limit(to: rowCount)
    }
    holders.begin(rowCount: rowCount)
    self.rowCount = rowCount
    self.isLogging = isLogging
    currentRow = 0
    unsafe unownedSource = source
  }

  /// Prepares for another number of rows in the archive that is read, for example after a migration added
  /// rows.
  mutating func begin(rowCount: Int) {
    if let source { begin(rowCount: rowCount, isLogging: isLogging, source: source) }
  }

  /// Starts logging: from now on, the decoder is called for each reference.
  mutating func beginLogging() { isLogging = true }

  /// Stops logging. From now on, generated code itself records that one object retains another object. The
  /// decoder is called only for references that need more, such as unowned references.
  mutating func endLogging() { isLogging = false }

  /// Releases the objects of an archive.
  mutating func prepareForReuse() {
    objects.releaseAll()
    removeMarks()
    holders.removeFirstHolders()
    unsafe unownedSource = nil
  }

  private mutating func removeMarks() {
    isUnownedTarget?.free()
    isUnownedTarget = nil
    replaced?.free()
    replaced = nil
  }

  /// Replaces the object that was read with another object.
  mutating func replaceObject(ofRow row: Int, with object: AnyObject) {
    if replaced == nil { replaced = HandleBuffer(repeating: false, count: rowCount) }
    guard row < rowCount else { return }
    replaced?[row] = true
    objects.replaceObject(ofRow: row, with: object)
  }

  /// Whether another object replaced an object that was read.
  var hasReplacements: Bool { replaced != nil }

  /// Whether another object replaced the object of a row.
  func isReplaced(_ row: Int) -> Bool {
    guard let replaced, row < rowCount else { return false }
    return replaced[row]
  }

  /// Records that an unowned reference refers to a row. Returns whether it is the first such reference.
  mutating func recordUnownedTarget(_ row: Int) -> Bool {
    if isUnownedTarget == nil { isUnownedTarget = HandleBuffer(repeating: false, count: rowCount) }
    guard row < rowCount, let marks = isUnownedTarget, !marks[row] else { return false }
    marks[row] = true
    return true
  }

  /// Returns the lookup to which a column of an archive refers.
  @inlinable @inline(__always)
  static func of(_ column: ColumnReader) -> Handle<ObjectLookup> {
    guard let context = column.context else { preconditionFailure("a column outside an archive") }
    return context.assuming(ObjectLookup.self)
  }

  /// Returns the object in `row` as `type`, and records that the current object retains it. This is the fast
  /// path. Nil if the caller must use the slow path: the object is not built yet, the cache does not contain
  /// the cast to `type`, or the decoder must record more about the reference.
  ///
  /// This is a static function, because a method would use a copy of the lookup.
  @inlinable @inline(__always)
  static func object<Object>(_ row: Int, as type: Object.Type, for column: ColumnReader)
    -> Object?
  {
    let reader = of(column)
    // As an unsigned number, a negative row is above all other rows.
    guard UInt(bitPattern: row) < UInt(bitPattern: reader.value.objects.builtCount),
      !reader.value.isLogging, let held = unsafe reader.value.objects.base[row]
    else { return nil }
    let objectType = unsafe held._withUnsafeGuaranteedRef { ObjectIdentifier(Swift.type(of: $0)) }
    let type = ObjectIdentifier(type)
    guard objectType == type || isKnownCast(objectType, type, reader.value.castCache) else {
      return nil
    }
    if column.isStrongReference {
      reader.value.holders.note(row, by: reader.value.currentRow)
    } else if !column.isWeak {
      guard column.isUnowned, let marks = reader.value.isUnownedTarget, marks[row] else {
        return nil
      }
    }
    // The object is an `Object`, because a cast of an object of this class has succeeded before.
    return unsafe _unsafeReferenceCast(held.takeUnretainedValue(), to: Object.self)
  }

  /// Prefetches the objects that a column refers to next.
  @usableFromInline func prefetch(_ column: ColumnReader) { objects.prefetch(column) }

  /// Whether the cache contains a successful cast of an object of the class `object` to `type`. Each pair of
  /// a class and a type can be in one of two entries, so that pairs seldom displace each other.
  @inlinable @inline(__always)
  static func isKnownCast(
    _ object: ObjectIdentifier, _ type: ObjectIdentifier, _ castCache: HandleBuffer<CastCacheEntry>
  ) -> Bool {
    let index = castCacheIndex(object, type)
    let known = castCache[index]
    if known.object == object && known.type == type { return true }
    let other = castCache[index ^ 1]
    return other.object == object && other.type == type
  }

  /// Casts an object to a type. Nil if the object does not have the type. The cast runs once for each class
  /// of objects and each type, because a cast to a generic type takes long.
  func cast<Object>(_ object: AnyObject, to type: Object.Type) -> Object? {
    let (own, wanted) = (ObjectIdentifier(Swift.type(of: object)), ObjectIdentifier(type))
    if own != wanted, !Self.isKnownCast(own, wanted, castCache) {
      guard object is Object else { return nil }
      rememberCast(own, wanted)
    }
    // The object is an `Object`, because a cast of an object of this class has succeeded.
    return unsafe _unsafeReferenceCast(object, to: Object.self)
  }

  /// Adds a successful cast to the cache: objects of the class `object` can be cast to `type`.
  private func rememberCast(_ object: ObjectIdentifier, _ type: ObjectIdentifier) {
    let index = Self.castCacheIndex(object, type)
    let isFree = castCache[index].type == ObjectIdentifier(Never.self)
    castCache[isFree ? index : index ^ 1] = CastCacheEntry(object: object, type: type)
  }

  @inlinable @inline(__always)
  static func castCacheIndex(_ object: ObjectIdentifier, _ type: ObjectIdentifier) -> Int {
    let bits = UInt(bitPattern: object) >> 4 ^ UInt(bitPattern: type) >> 7
    return Int(truncatingIfNeeded: bits ^ bits >> 6) & (castCacheCount - 1)
  }

  func free() {
    objects.free()
    holders.free()
    isUnownedTarget?.free()
    replaced?.free()
    castCache.free()
  }
}
