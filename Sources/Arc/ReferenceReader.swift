/// What it takes to read most references: the objects built so far, and who is known to be held.
///
/// Generated code uses it without asking the graph decoder. Lives in memory of its graph decoder, which outlives
/// every column that leads here.
@usableFromInline @safe struct ReferenceReader {
  /// Objects by row.
  @usableFromInline var objects: ObjectTable
  /// The row whose references are being read; 0 for the roots.
  @usableFromInline var currentRow = 0
  /// For each row whether an earlier one was seen to hold it. If that is so for all, the roots hold all: each object
  /// is held by an earlier one, and so on down to row 0.
  @usableFromInline private(set) var isHeld: UnsafeMutablePointer<Bool>
  /// Whether every reference is noted, because who holds whom is less simple.
  @usableFromInline private(set) var isLogging = false
  /// Classes of objects that were seen to be of a type, by a few bits of both.
  private let fittings: UnsafeMutablePointer<Fitting>
  private(set) var rowCount = 0
  /// The decoder that reads an archive; nil between two archives.
  private(set) var graph: Unmanaged<GraphDecoder>?

  @usableFromInline struct Fitting {
    @usableFromInline var object: ObjectIdentifier
    @usableFromInline var type: ObjectIdentifier
  }

  private static let fittingCount = 64

  init() {
    objects = ObjectTable(rowCount: 0)
    unsafe isHeld = .allocate(capacity: 1)
    unsafe graph = nil
    unsafe fittings = .allocate(capacity: Self.fittingCount)
    let nothing = ObjectIdentifier(Never.self)
    unsafe fittings.initialize(repeating: Fitting(object: nothing, type: nothing), count: Self.fittingCount)
  }

  /// Starts with an archive of so many rows; no objects are left of an earlier one.
  mutating func start(rowCount: Int, isLogging: Bool, graph: Unmanaged<GraphDecoder>) {
    objects.releaseAll()
    if rowCount > self.rowCount {
      objects.free()
      objects = ObjectTable(rowCount: rowCount)
      unsafe isHeld.deallocate()
      unsafe isHeld = .allocate(capacity: rowCount)
    } else {
      objects.limit(to: rowCount)
    }
    unsafe isHeld.initialize(repeating: false, count: rowCount)
    self.rowCount = rowCount
    self.isLogging = isLogging
    currentRow = 0
    unsafe self.graph = unsafe graph
  }

  /// Where the columns of an archive lead; nil for columns that have no objects.
  @inlinable @inline(__always)
  static func of(_ column: ColumnReader) -> UnsafeMutablePointer<ReferenceReader> {
    guard let context = unsafe column.__context else { preconditionFailure("a column outside an archive") }
    return unsafe context.assumingMemoryBound(to: ReferenceReader.self)
  }

  /// The object of a row for a column whose references hold their targets, if nothing speaks against it: it is
  /// built, and an object of its class was of this type before.
  @inlinable @inline(__always)
  func object<Object: Archivable>(_ row: Int, as type: Object.Type) -> Object? {
    guard row < objects.count, !isLogging else { return nil }
    let object = unsafe objects.base[row].takeUnretainedValue()
    guard fits(ObjectIdentifier(Swift.type(of: object)), ObjectIdentifier(type)) else { return nil }
    if currentRow < row { unsafe isHeld[row] = true }
    // An object of the same class was seen to be an `Object`, so this one is.
    return unsafe unsafeDowncast(object, to: Object.self)
  }

  /// Looks at the objects that a column refers to next.
  ///
  /// They lie anywhere in memory, and retaining one waits until it is there; these loads wait for all of them at
  /// once. The result only keeps the compiler from leaving them out.
  func readAhead(_ column: ColumnReader, _ count: Int) -> UInt {
    var bits: UInt = 0
    for index in 0..<count {
      let row = Int(truncatingIfNeeded: column.__upcoming(index))
      guard row > 0, row < objects.count else { continue }
      unsafe bits |= objects.base[row].toOpaque().load(as: UInt.self)
    }
    return bits
  }

  @usableFromInline @inline(__always)
  func fits(_ object: ObjectIdentifier, _ type: ObjectIdentifier) -> Bool {
    let known = unsafe fittings[Self.place(object, type)]
    return known.object == object && known.type == type
  }

  /// Notes that objects of a class are of a type.
  func addFitting(_ object: ObjectIdentifier, _ type: ObjectIdentifier) {
    unsafe fittings[Self.place(object, type)] = Fitting(object: object, type: type)
  }

  @usableFromInline @inline(__always)
  static func place(_ object: ObjectIdentifier, _ type: ObjectIdentifier) -> Int {
    let bits = UInt(bitPattern: object) >> 4 ^ UInt(bitPattern: type) >> 7
    return Int(truncatingIfNeeded: bits ^ bits >> 6) & (fittingCount - 1)
  }

  /// Whether every row is known to be held. O(rows).
  var areAllHeld: Bool {
    for row in 1..<max(rowCount, 1) where unsafe !isHeld[row] { return false }
    return true
  }

  func free() {
    objects.free()
    unsafe isHeld.deallocate()
    unsafe fittings.deallocate()
  }
}
