import ArcFormat

/// Finds objects by row: those built so far, with what is known of who holds them.
///
/// Generated code uses it without a call of the graph decoder. It is in memory of the decoder, which outlives
/// every column that refers to it.
@usableFromInline @safe struct ObjectLookup {
  /// Objects by row.
  @usableFromInline var objects: ObjectTable
  /// The row whose references are being read; 0 for the roots.
  @usableFromInline var currentRow = 0
  /// Which objects were seen to be held.
  @usableFromInline var holders = HolderTable()
  /// Whether the decoder is asked for each reference, because every one is logged.
  @usableFromInline private(set) var isLogging = false
  /// For each row whether an unowned reference was seen to lead to it; nil while there is none.
  @usableFromInline private(set) var isUnownedTarget: HandleBuffer<Bool>?
  /// For each row whether another object took the place of the one that was read; nil while none did.
  private var replaced: HandleBuffer<Bool>?
  /// Pairs of an object's class and a type that casts succeeded for, by some bits of both.
  @usableFromInline let castCache: HandleBuffer<CastCacheEntry>
  private(set) var rowCount = 0
  /// The objects of the rows below 0: row -1 is the first one. They belong to one value or object that is
  /// read.
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

  /// Starts an archive with a number of rows; releases what is left of an earlier one.
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

  /// Starts again with the rows that a revision of the archive has.
  mutating func begin(rowCount: Int) {
    if let source { begin(rowCount: rowCount, isLogging: isLogging, source: source) }
  }

  /// Has the decoder asked for each reference from now on.
  mutating func noteAllReferences() { isLogging = true }

  /// Has the decoder asked only for references of which it must know more than their holder.
  mutating func noteOnlyHolders() { isLogging = false }

  /// Releases what is left of an archive.
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

  /// Sets another object in place of the one that was read.
  mutating func replaceObject(ofRow row: Int, with object: AnyObject) {
    if replaced == nil { replaced = HandleBuffer(repeating: false, count: rowCount) }
    guard row < rowCount else { return }
    replaced?[row] = true
    objects.replaceObject(ofRow: row, with: object)
  }

  /// Whether some object took the place of one that was read.
  var hasReplacements: Bool { replaced != nil }

  /// Whether another object took the place of the one that was read.
  func isReplaced(_ row: Int) -> Bool {
    guard let replaced, row < rowCount else { return false }
    return replaced[row]
  }

  /// Notes that an unowned reference leads to a row; says whether it is the first one.
  mutating func noteUnownedTarget(_ row: Int) -> Bool {
    if isUnownedTarget == nil { isUnownedTarget = HandleBuffer(repeating: false, count: rowCount) }
    guard row < rowCount, let marks = isUnownedTarget, !marks[row] else { return false }
    marks[row] = true
    return true
  }

  /// The lookup that a column of an archive leads to.
  @inlinable @inline(__always)
  static func of(_ column: ColumnReader) -> Handle<ObjectLookup> {
    guard let context = column.context else { preconditionFailure("a column outside an archive") }
    return context.assuming(ObjectLookup.self)
  }

  /// Fast path: the object in `row` if it is built, its class passed this cast before, and nothing but its
  /// holder is to be noted; nil means take the slow path.
  ///
  /// A static function, because a method would work on a copy of the lookup.
  @inlinable @inline(__always)
  static func object<Object>(_ row: Int, as type: Object.Type, for column: ColumnReader)
    -> Object?
  {
    let reader = of(column)
    // A negative row is above all others.
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
    // It is an `Object`, or one of the same class was.
    return unsafe _unsafeReferenceCast(held.takeUnretainedValue(), to: Object.self)
  }

  /// Prefetches the objects that a column refers to next.
  @usableFromInline func prefetch(_ column: ColumnReader) { objects.prefetch(column) }

  /// Whether an object of one class was seen to be of a type. Each pair has two entries, so that few pairs
  /// displace each other.
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

  /// An object as one of a type; nil if it is none. Asked once for each pair of classes: a cast to a type
  /// that only the caller knows takes long.
  func cast<Object>(_ object: AnyObject, to type: Object.Type) -> Object? {
    let (own, wanted) = (ObjectIdentifier(Swift.type(of: object)), ObjectIdentifier(type))
    if own != wanted, !Self.isKnownCast(own, wanted, castCache) {
      guard object is Object else { return nil }
      rememberCast(own, wanted)
    }
    // It is an `Object`, or one of the same class was.
    return unsafe _unsafeReferenceCast(object, to: Object.self)
  }

  /// Notes that objects of a class are of a type.
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
