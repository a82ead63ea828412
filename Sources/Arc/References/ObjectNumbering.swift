import ArcFormat
import ArcMemory

/// Assigns row numbers to objects and finds them by address.
///
/// Generated code uses it without asking the graph encoder. It is in memory of its graph encoder, which
/// outlives every column that leads here.
@usableFromInline @safe struct ObjectNumbering {
  @usableFromInline var identities = IdentityTable()
  /// Whether a reference to an object that has a row is written as that row, and nothing else needs to be
  /// noted.
  @usableFromInline var isDirect = true
  /// Whether references encoded now do not keep their targets.
  @usableFromInline var isUnowned = false
  /// The row that is being written, if its class has construction references.
  @usableFromInline var currentRow: UInt32 = 0
  /// Row r is `objects[r - 1]`. Keeping them alive keeps addresses from being used again.
  var objects = ObjectList()
  /// The word of an object's header if it has one reference; see `UniqueReference`.
  @usableFromInline let uniqueWord = UniqueReference.word
  /// The word of the header of an array's storage if one array has it; see `UniqueReference`.
  @usableFromInline let uniqueStorageWord = UniqueReference.storageWord
  /// Whether objects with one reference are in the table as well.
  private var listsAll = false
  /// Classes whose objects are numbered as they are found, by a few bits of their address; 0 where there is
  /// none.
  private var plainClasses = [UInt](repeating: 0, count: RecentClasses.count)
  private var hasPlainClasses = false
  var instanceSizes = InstanceSizes()
  /// Sink for prefetch loads; keeps the optimizer from removing them.
  private var prefetchSink: UInt = 0
  /// Where the last value was that has a box, in the object that is encoded.
  var location = ValueBoxes.Location()
  /// The pass that the columns belong to. It owns the numbering, and so outlives it.
  private unowned(unsafe) var pass: (any ReferenceSink)?
  var sink: any ReferenceSink {
    guard let pass = unsafe pass else { preconditionFailure("a column outside an archive") }
    return pass
  }

  /// A numbering for the columns of one pass. If it is not direct, the pass is asked for each reference.
  init(isDirect: Bool = true) {
    self.isDirect = isDirect
    unsafe pass = nil
  }

  /// Has `body` find the objects that another numbering, which does not go on meanwhile, has given rows so
  /// far.
  static func finding(
    objectsOf other: Handle<ObjectNumbering>, in context: Handle<ObjectNumbering>, _ body: () throws -> Void
  ) rethrows {
    let own = context.value.identities
    context.value.identities = other.value.identities
    defer { context.value.identities = own }
    try body()
  }

  /// Sets the pass that the columns belong to.
  mutating func lead(to pass: any ReferenceSink) { unsafe self.pass = pass }

  /// The numbering that a column leads to: the context of every column that Arc writes to is one.
  @inlinable @inline(__always)
  static func of(_ column: ColumnWriter) -> Handle<ObjectNumbering> {
    guard let context = column.context else { preconditionFailure("a column outside an archive") }
    return context.assuming(ObjectNumbering.self)
  }

  /// The row to append for an object at an address, which is assigned one if it is new and no other object
  /// has to come before it; 0 means take the slow path.
  @inlinable @inline(__always)
  mutating func directRow(at address: UInt) -> UInt32 {
    guard isDirect else { return 0 }
    let row = identities.row(of: address)
    return row != 0 ? row : discover(address)
  }

  /// Loads what is needed to write references to objects at these addresses into the cache.
  ///
  /// Their slots in the table, and new objects themselves, lie anywhere in memory. One look-up after another
  /// waits for each of them; loads alone wait for all at once.
  @inline(never)
  mutating func prefetch(_ addresses: Span<UInt>) {
    var bits: UInt = 0
    for index in addresses.indices {
      let address = addresses[index]
      let entry = identities.firstEntry(of: address)
      bits |= UInt(truncatingIfNeeded: entry)
      if entry == 0 { bits |= unsafe ObjectMemory.word(at: 0, ofObjectAt: address) }
    }
    prefetchSink = bits
  }

  /// Loads the objects at these addresses into the cache.
  @inline(never)
  mutating func prefetchObjects(_ addresses: Span<UInt>) {
    var bits: UInt = 0
    for index in addresses.indices { bits |= unsafe ObjectMemory.word(at: 0, ofObjectAt: addresses[index]) }
    prefetchSink = bits
  }

  /// Assigns a row to a new object, if no other object has to come before it; otherwise 0.
  @usableFromInline @inline(never)
  mutating func discover(_ address: UInt) -> UInt32 {
    guard let object = unsafe ObjectMemory.object(at: address) else { return 0 }
    return unsafe isNumberedAtOnce(object) ? number(object) : 0
  }

  /// Assigns the next row to an object that nothing else refers to: no other reference will ask for it, so it
  /// is not entered in the table. 0 means take the slow path.
  @usableFromInline @inline(never)
  mutating func numberUnique(_ address: UInt) -> UInt32 {
    guard let object = unsafe ObjectMemory.object(at: address) else { return 0 }
    return unsafe isNumberedAtOnce(object) ? number(object, isUnique: true) : 0
  }

  /// Whether an object can be numbered now: none has to come before it.
  private func isNumberedAtOnce(_ object: Unmanaged<AnyObject>) -> Bool {
    let type = unsafe object._withUnsafeGuaranteedRef {
      UInt(bitPattern: ObjectIdentifier(Swift.type(of: $0)))
    }
    return isDirect && !isUnowned && plainClasses[RecentClasses.index(of: type)] == type
  }

  /// Enters all objects into the table, and from now on each as it is numbered: a getter or a coder by hand
  /// may reach an object by other ways than the reference that holds it.
  mutating func listAll() {
    guard !listsAll else { return }
    listsAll = true
    for index in 0..<objects.count {
      let address = unsafe objects[index].address
      if identities.row(of: address) == 0 {
        identities.insert(address, row: UInt32(truncatingIfNeeded: index + 1))
      }
    }
  }

  /// Assigns the next row to an object. Spec: 05-graph, rule F1.
  ///
  /// With `isUnique` it is not entered in the table, since nothing will look it up, unless all objects are.
  mutating func number(_ object: Unmanaged<AnyObject>, isUnique: Bool = false) -> UInt32 {
    unsafe objects.append(object)
    let row = UInt32(truncatingIfNeeded: objects.count)
    if !isUnique || listsAll { unsafe identities.insert(object.address, row: row) }
    return row
  }

  /// Notes that objects of a class are numbered as they are found.
  mutating func addPlainClass(_ type: AnyClass) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    plainClasses[RecentClasses.index(of: type)] = type
    hasPlainClasses = true
  }

  /// Forgets all objects; keeps a small capacity.
  mutating func prepareForReuse() {
    identities.removeAll()
    if hasPlainClasses {
      hasPlainClasses = false
      for index in plainClasses.indices { plainClasses[index] = 0 }
    }
    (isDirect, isUnowned, listsAll) = (true, false, false)
    objects.removeAll()
  }

  func free() {
    identities.free()
    var objects = objects
    objects.free()
  }
}
