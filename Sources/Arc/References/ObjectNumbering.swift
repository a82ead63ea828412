import ArcFormat
import ArcMemory

/// Assigns rows to objects, and finds the rows by address.
///
/// Generated code uses the numbering without calling the graph encoder. The encoder owns the memory of the
/// numbering and outlives every column that refers to it.
@usableFromInline @safe struct ObjectNumbering {
  @usableFromInline var identities = IdentityTable()
  /// Whether a reference to an object that already has a row is written directly, as the number of the row.
  /// If false, the pass is called for each reference.
  @usableFromInline var isDirect = true
  /// Whether the references that are encoded now are unowned.
  @usableFromInline var isUnowned = false
  /// The row that is being written; only set if its class has construction references.
  @usableFromInline var currentRow: UInt32 = 0
  /// The objects. Row *r* is `objects[r - 1]`. The list retains the objects, so their addresses are not
  /// reused.
  var objects = ObjectList()
  /// The reference count word of an object with one reference. See `UniqueReference`.
  @usableFromInline let uniqueWord = UniqueReference.word
  /// The reference count word of the storage of an array that is not shared. See `UniqueReference`.
  @usableFromInline let uniqueStorageWord = UniqueReference.storageWord
  /// Whether the table also contains the objects to which only one reference refers. Without them, a look-up
  /// finds only objects with several references.
  private var listsAll = false
  /// The classes without hooks whose initializers need no other objects. Objects of these classes get a row
  /// as soon as they are found. The index of a class consists of some bits of its address. 0 marks a free
  /// element.
  private var plainClasses = [UInt](repeating: 0, count: RecentClasses.count)
  private var hasPlainClasses = false
  var instanceSizes = InstanceSizes()
  /// Stores the result of prefetch loads, so that the optimizer does not remove the loads.
  private var prefetchSink: UInt = 0
  /// The location of the last value with a box, in the object that is encoded.
  var location = ValueBoxes.Location()
  /// The pass to which the columns belong. It owns the numbering, and so outlives it.
  private unowned(unsafe) var pass: (any ReferenceSink)?
  var sink: any ReferenceSink {
    guard let pass = unsafe pass else { preconditionFailure("a column outside an archive") }
    return pass
  }

  /// Creates a numbering for the columns of one pass. If `isDirect` is false, the pass receives every
  /// reference, even if the referenced object already has a row.
  init(isDirect: Bool = true) {
    self.isDirect = isDirect
    unsafe pass = nil
  }

  /// Calls `body`. During the call, look-ups in `context` find the objects of `other`, with their rows in
  /// `other`. `other` must not assign rows during the call.
  static func finding(
    objectsOf other: Handle<ObjectNumbering>, in context: Handle<ObjectNumbering>, _ body: () throws -> Void
  ) rethrows {
    let own = context.value.identities
    context.value.identities = other.value.identities
    defer { context.value.identities = own }
    try body()
  }

  /// Sets the pass to which the columns belong.
  mutating func setSink(_ pass: any ReferenceSink) { unsafe self.pass = pass }

  /// Returns the numbering of a column. The context of every column that Arc writes is a numbering.
  @inlinable @inline(__always)
  static func of(_ column: ColumnWriter) -> Handle<ObjectNumbering> {
    guard let context = column.context else { preconditionFailure("a column outside an archive") }
    return context.assuming(ObjectNumbering.self)
  }

  /// Returns the row to append for an object at an address. Assigns a row if the object is new and can get a
  /// row immediately. Returns 0 if the caller must call the pass (the `sink`) to append the reference, which
  /// is slower.
  @inlinable @inline(__always)
  mutating func directRow(at address: UInt) -> UInt32 {
    guard isDirect else { return 0 }
    let row = identities.row(of: address)
    return row != 0 ? row : discover(address)
  }

  /// Prefetches the memory that is needed to write references to the objects at some addresses.
  ///
  /// The entries of the table of objects, and the objects that are not in the table yet, are anywhere in
  /// memory. Without prefetching, each look-up would wait for its own memory access. Prefetching makes all
  /// these accesses at the same time.
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

  /// Prefetches the objects at some addresses.
  @inline(never)
  mutating func prefetchObjects(_ addresses: Span<UInt>) {
    var bits: UInt = 0
    for index in addresses.indices { bits |= unsafe ObjectMemory.word(at: 0, ofObjectAt: addresses[index]) }
    prefetchSink = bits
  }

  /// Assigns a row to a new object that can get a row immediately, and returns the row. Otherwise returns 0:
  /// the caller must then call the pass (the `sink`), which is slower.
  @usableFromInline @inline(never)
  mutating func discover(_ address: UInt) -> UInt32 {
    guard let object = unsafe ObjectMemory.object(at: address) else { return 0 }
    return unsafe isNumberedAtOnce(object) ? number(object) : 0
  }

  /// Assigns the next row to an object with only one reference. The object is not added to the table, because
  /// no other reference needs its row. Returns 0 if the caller must call the pass (the `sink`) to assign a
  /// row, which is slower.
  @usableFromInline @inline(never)
  mutating func numberUnique(_ address: UInt) -> UInt32 {
    guard let object = unsafe ObjectMemory.object(at: address) else { return 0 }
    return unsafe isNumberedAtOnce(object) ? number(object, isUnique: true) : 0
  }

  /// Whether an object can get a row immediately: the reference is not unowned, and the object's class is
  /// known to have no hooks and no initializer that needs other objects.
  private func isNumberedAtOnce(_ object: Unmanaged<AnyObject>) -> Bool {
    let type = unsafe object._withUnsafeGuaranteedRef {
      UInt(bitPattern: ObjectIdentifier(Swift.type(of: $0)))
    }
    return isDirect && !isUnowned && plainClasses[RecentClasses.index(of: type)] == type
  }

  /// Adds all numbered objects to the table. From now on, each object that gets a row is also added. This is
  /// necessary if a getter or a hand-written coder may return an object to which, in memory, only one
  /// reference exists.
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
  /// If `isUnique` is true, the object is not added to the table, because no other reference will look up its
  /// row. After `listAll()`, every object is added.
  mutating func number(_ object: Unmanaged<AnyObject>, isUnique: Bool = false) -> UInt32 {
    unsafe objects.append(object)
    let row = UInt32(truncatingIfNeeded: objects.count)
    if !isUnique || listsAll { unsafe identities.insert(object.address, row: row) }
    return row
  }

  /// Records that a class has no hooks and no initializer that needs other objects, so that its objects get a
  /// row as soon as they are found.
  mutating func addPlainClass(_ type: AnyClass) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    plainClasses[RecentClasses.index(of: type)] = type
    hasPlainClasses = true
  }

  /// Forgets all objects. Preserves the memory for the next graph if its capacity is small.
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
