/// What it takes to write most references: the numbered objects, and their rows by address.
///
/// Generated code uses it without asking the graph encoder. Lives in memory of its graph encoder, which outlives
/// every column that leads here.
@usableFromInline @safe struct ReferenceWriter {
  @usableFromInline var identities = IdentityTable()
  /// Whether a reference to an object that has a row is that row, and nothing else needs to be noted.
  @usableFromInline var isDirect = true
  /// Whether an object without a row can be given one at once, if nothing has to come before it.
  var numbersObjects = true
  /// Whether references encoded now do not keep their targets.
  @usableFromInline var isUnowned = false
  /// The row that is written, if its class has construction references.
  @usableFromInline var currentRow: UInt32 = 0
  /// Row r is `objects[r - 1]`. Holding them keeps addresses from being used again.
  var objects = ObjectList()
  /// What the count of an object says that one reference holds.
  @usableFromInline let soleWord = SoleReference.word
  /// Whether objects that one reference holds stand in the table as well.
  private var listsAll = false
  /// Classes whose objects are numbered as they are found, by a few bits of their address; 0 where there is none.
  private var plainClasses = [UInt](repeating: 0, count: ClassWriterTable.recentCount)
  private var hasPlainClasses = false
  var instanceSizes = InstanceSizes()
  /// Takes what was loaded ahead, so that the compiler does not leave the loads out.
  private var lookedAt: UInt = 0
  let graph: Unmanaged<GraphEncoder>

  init(graph: Unmanaged<GraphEncoder>) { unsafe self.graph = unsafe graph }

  /// Where the columns of an archive lead. Every column that Arc writes to was made by an `ArchiveWriter` whose
  /// context is a reference writer.
  @inlinable @inline(__always)
  static func of(_ column: ColumnWriter) -> UnsafeMutablePointer<ReferenceWriter> {
    guard let context = unsafe column.__context else { preconditionFailure("a column outside an archive") }
    return unsafe context.assumingMemoryBound(to: ReferenceWriter.self)
  }

  /// The row to append for an object at an address, which is numbered if it is new and nothing has to be numbered
  /// before it; 0 where it takes more than that.
  @inlinable @inline(__always)
  mutating func directRow(at address: UInt) -> UInt32 {
    guard isDirect else { return 0 }
    let row = identities.row(of: address)
    return row != 0 ? row : discover(address)
  }

  /// Fetches into the cache what it takes to write references to objects at these addresses.
  ///
  /// Their places in the table, and new objects themselves, lie anywhere in memory. One look-up after the other waits
  /// for each of them; loads alone wait for all at once.
  @usableFromInline @inline(never)
  mutating func lookAhead(_ addresses: UnsafePointer<UInt>, _ count: Int) {
    var bits: UInt = 0
    for index in 0..<count {
      let address = unsafe addresses[index]
      let entry = identities.firstEntry(of: address)
      bits |= UInt(truncatingIfNeeded: entry)
      if entry == 0, let object = unsafe UnsafeRawPointer(bitPattern: address) {
        bits |= unsafe object.load(as: UInt.self)
      }
    }
    lookedAt = bits
  }

  /// Fetches the objects at these addresses into the cache.
  @usableFromInline @inline(never)
  mutating func lookAtObjects(_ addresses: UnsafePointer<UInt>, _ count: Int) {
    var bits: UInt = 0
    for index in 0..<count {
      if let object = unsafe UnsafeRawPointer(bitPattern: addresses[index]) {
        bits |= unsafe object.load(as: UInt.self)
      }
    }
    lookedAt = bits
  }

  @usableFromInline @inline(never)
  mutating func discover(_ address: UInt) -> UInt32 {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer)
    return unsafe isNumberedAtOnce(object) ? number(object) : 0
  }

  /// Gives the next row to an object that nothing else refers to: no other reference will ask for it, so it takes no
  /// place in the table. 0 where it takes more than that.
  @usableFromInline @inline(never)
  mutating func numberSole(_ address: UInt) -> UInt32 {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer)
    return unsafe isNumberedAtOnce(object) ? number(object, isSole: true) : 0
  }

  /// Whether nothing has to be numbered before an object.
  private func isNumberedAtOnce(_ object: Unmanaged<AnyObject>) -> Bool {
    let type = unsafe object._withUnsafeGuaranteedRef {
      UInt(bitPattern: ObjectIdentifier(Swift.type(of: $0)))
    }
    return numbersObjects && !isUnowned && plainClasses[ClassWriterTable.place(of: type)] == type
  }

  /// Enters all objects into the table, and from now on each as it is numbered: a getter or a coder by hand may come
  /// to an object by other ways than the reference that holds it.
  mutating func listAll() {
    guard !listsAll else { return }
    listsAll = true
    for index in 0..<objects.count {
      let address = unsafe UInt(bitPattern: objects[index].toOpaque())
      if identities.row(of: address) == 0 {
        identities.insert(address, row: UInt32(truncatingIfNeeded: index + 1))
      }
    }
  }

  /// Gives an object the next row. Nobody asks for that of an object with one reference.
  mutating func number(_ object: Unmanaged<AnyObject>, isSole: Bool = false) -> UInt32 {
    unsafe objects.append(object)
    let row = UInt32(truncatingIfNeeded: objects.count)
    if !isSole || listsAll { unsafe identities.insert(UInt(bitPattern: object.toOpaque()), row: row) }
    return row
  }

  /// Notes that objects of a class are numbered as they are found.
  mutating func addPlainClass(_ type: AnyClass) {
    let type = UInt(bitPattern: ObjectIdentifier(type))
    plainClasses[ClassWriterTable.place(of: type)] = type
    hasPlainClasses = true
  }

  /// Forgets all objects and keeps a little room.
  mutating func restart() {
    identities.reset()
    if hasPlainClasses {
      hasPlainClasses = false
      for place in plainClasses.indices { plainClasses[place] = 0 }
    }
    (isDirect, numbersObjects, isUnowned, listsAll) = (true, true, false, false)
    objects.reset()
  }

  func free() {
    identities.free()
    var objects = objects
    objects.removeAll()
  }
}
