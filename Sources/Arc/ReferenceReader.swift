/// What it takes to read most references: the objects built so far, and who is known to be held.
///
/// Generated code uses it without asking the graph decoder. Lives in memory of the decoder's tables, which outlive
/// every column that leads here.
@usableFromInline @safe struct ReferenceReader {
  /// Objects by row.
  @usableFromInline var objects: ObjectTable
  /// The row whose references are being read; 0 for the roots.
  @usableFromInline var currentRow = 0
  /// Who was seen to hold the objects.
  @usableFromInline var holders = HolderTable()
  /// Whether every reference is noted, because who holds whom is less simple.
  @usableFromInline private(set) var isLogging = false
  /// For each row whether an unowned reference was seen to lead to it; nil while there is none.
  @usableFromInline private(set) var isUnownedTarget: UnsafeMutablePointer<Bool>?
  /// Classes of objects that were seen to be of a type, by a few bits of both.
  @usableFromInline let fittings: UnsafeMutablePointer<Fitting>
  private(set) var rowCount = 0
  /// The decoder that reads an archive; nil between two archives.
  private(set) var graph: Unmanaged<GraphDecoder>?

  @usableFromInline struct Fitting {
    @usableFromInline var object: ObjectIdentifier
    @usableFromInline var type: ObjectIdentifier
  }

  @inlinable static var fittingCount: Int { 256 }

  init() {
    objects = ObjectTable(rowCount: 0)
    unsafe (graph, isUnownedTarget) = (nil, nil)
    unsafe fittings = .allocate(capacity: Self.fittingCount)
    let nothing = ObjectIdentifier(Never.self)
    unsafe fittings.initialize(repeating: Fitting(object: nothing, type: nothing), count: Self.fittingCount)
  }

  /// Starts with an archive of so many rows; no objects are left of an earlier one.
  mutating func start(rowCount: Int, isLogging: Bool, graph: Unmanaged<GraphDecoder>) {
    objects.releaseAll()
    forgetUnownedTargets()
    if rowCount > self.rowCount {
      objects.free()
      objects = ObjectTable(rowCount: rowCount)
    } else {
      objects.limit(to: rowCount)
    }
    holders.start(rowCount: rowCount)
    self.rowCount = rowCount
    self.isLogging = isLogging
    currentRow = 0
    unsafe self.graph = unsafe graph
  }

  /// Has the decoder asked for each reference from now on.
  mutating func noteAllReferences() { isLogging = true }

  /// Lets go of what is left of an archive.
  mutating func finish() {
    objects.releaseAll()
    forgetUnownedTargets()
    holders.keepNoHolders()
    unsafe graph = nil
  }

  private mutating func forgetUnownedTargets() {
    unsafe isUnownedTarget?.deallocate()
    unsafe isUnownedTarget = nil
  }

  /// Notes that an unowned reference leads to a row; says whether it is the first one.
  mutating func noteUnownedTarget(_ row: Int) -> Bool {
    if unsafe isUnownedTarget == nil {
      let marks = UnsafeMutablePointer<Bool>.allocate(capacity: rowCount)
      unsafe marks.initialize(repeating: false, count: rowCount)
      unsafe isUnownedTarget = unsafe marks
    }
    guard row < rowCount, let marks = unsafe isUnownedTarget, unsafe !marks[row] else { return false }
    unsafe marks[row] = true
    return true
  }

  /// Where the columns of an archive lead.
  @inlinable @inline(__always)
  static func of(_ column: ColumnReader) -> UnsafeMutablePointer<ReferenceReader> {
    guard let context = unsafe column.__context else { preconditionFailure("a column outside an archive") }
    return unsafe context.assumingMemoryBound(to: ReferenceReader.self)
  }

  /// The object of a row for a column, if nothing speaks against it: it is built, an object of its class was of this
  /// type before, and nothing new is to be noted but who holds it.
  ///
  /// A static function, because a method would work on a copy of the reader.
  @inlinable @inline(__always)
  static func object<Object: Archivable>(_ row: Int, as type: Object.Type, for column: ColumnReader)
    -> Object?
  {
    let reader = unsafe of(column)
    // A negative row is beyond all others.
    guard unsafe UInt(bitPattern: row) < UInt(bitPattern: reader.pointee.objects.builtCount),
      unsafe !reader.pointee.isLogging, let held = unsafe reader.pointee.objects.base[row]
    else { return nil }
    let objectType = unsafe held._withUnsafeGuaranteedRef { ObjectIdentifier(Swift.type(of: $0)) }
    let type = ObjectIdentifier(type)
    guard unsafe objectType == type || isFitting(objectType, type, reader.pointee.fittings) else {
      return nil
    }
    if column.__isStrongReference {
      unsafe reader.pointee.holders.note(row, by: reader.pointee.currentRow)
    } else if !column.__isWeak {
      guard column.__isUnowned, let marks = unsafe reader.pointee.isUnownedTarget, unsafe marks[row] else {
        return nil
      }
    }
    // It is an `Object`, or one of the same class was seen to be.
    return unsafe unsafeDowncast(held.takeUnretainedValue(), to: Object.self)
  }

  /// Looks at the objects that a column refers to next.
  @usableFromInline func lookAhead(_ column: ColumnReader) { objects.lookAhead(column) }

  /// Whether an object of one class was seen to be of a type. There are two places for each pair, so that few drive
  /// each other out.
  @inlinable @inline(__always)
  static func isFitting(
    _ object: ObjectIdentifier, _ type: ObjectIdentifier, _ fittings: UnsafeMutablePointer<Fitting>
  ) -> Bool {
    let place = place(object, type)
    let known = unsafe fittings[place]
    if known.object == object && known.type == type { return true }
    let other = unsafe fittings[place ^ 1]
    return other.object == object && other.type == type
  }

  /// Notes that objects of a class are of a type.
  func addFitting(_ object: ObjectIdentifier, _ type: ObjectIdentifier) {
    let place = Self.place(object, type)
    let isFree = unsafe fittings[place].type == ObjectIdentifier(Never.self)
    unsafe fittings[isFree ? place : place ^ 1] = Fitting(object: object, type: type)
  }

  @inlinable @inline(__always)
  static func place(_ object: ObjectIdentifier, _ type: ObjectIdentifier) -> Int {
    let bits = UInt(bitPattern: object) >> 4 ^ UInt(bitPattern: type) >> 7
    return Int(truncatingIfNeeded: bits ^ bits >> 6) & (fittingCount - 1)
  }

  func free() {
    objects.free()
    holders.free()
    unsafe isUnownedTarget?.deallocate()
    unsafe fittings.deallocate()
  }
}
