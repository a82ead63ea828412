/// The memory of one column, accessed by `ColumnWriter` and `ColumnWriterSet` only.
@usableFromInline @safe struct ColumnWriterNode {
  /// The collected values at full width. Depending on `kind.storage`, these are values of fixed size,
  /// lengths, string ids, or bits in one byte each.
  @usableFromInline var values = GrowableBuffer()
  @usableFromInline var kind: ColumnKind
  @usableFromInline var isRecursive: Bool
  /// The declared class of references in the column. Nil if no class is declared, or if the column contains
  /// other values.
  let declaredClass: String?
  /// Whether the column contains references to any rows, not only to earlier rows.
  @usableFromInline var acceptsAnyRow: Bool
  @usableFromInline var isConstruction = false {
    didSet { acceptsAnyRow = kind == .reference && !isConstruction }
  }
  var keyCheck = KeyCheck.undecided
  /// For each of the first 64 cases of an enumeration, a bit: whether `ColumnWriter.noteReadable` was called
  /// for the case.
  @usableFromInline var readableCases: UInt64 = 0
  /// Whether strings are stored in the string table. Determined for each segment.
  @usableFromInline var usesStringTable: Bool
  @usableFromInline var context: OpaqueHandle?
  /// The nodes of nested columns, which belong to the same set.
  @usableFromInline var children: HandleBuffer<Handle<ColumnWriterNode>>
  @usableFromInline var stringCache: Handle<StringCache>
  @usableFromInline var isStored = false
  /// The credit for testing whether a reference is the only reference to its object. The archiver makes this
  /// test while the credit is positive. Each unique reference adds 1, and each shared reference subtracts 1.
  @usableFromInline var uniqueReferenceCredit: Int32 = 0
  /// The value of `uniqueReferenceCredit` at the beginning of a file. 0 if the reference count of an object
  /// cannot show that the column has the only reference to the object.
  var initialUniqueReferenceCredit: Int32 = 0
  // The number of strings since the last decision that the table contained already, and the number of others.
  @usableFromInline var knownStringCount = 0
  var newStringCount = 0
  var strings: Handle<StringTableWriter.Table>
  /// The bytes of byte strings.
  @usableFromInline var extra = GrowableBuffer()
  /// Arrays that the column retains. Their values are written from the arrays, and are not copied to
  /// `values`.
  var borrowed: [BorrowedValues] = []
  /// Weak references to targets without a known row: the index of the reference in the column, and the
  /// address of the target.
  var unsettled: [(position: Int, address: UInt)] = []
  var payloads: [Int?]
  var slot: Int
  /// The index of the node in its `ColumnWriterSet`.
  var index: Int

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// The number of bytes that one value takes in `values`.
  var valueByteCount: Int {
    switch kind.storage {
    case .none, .bits: 1
    case .integers(let width, _), .fixed(let width): width
    case .text: usesStringTable ? 4 : 8
    }
  }

  /// The values so far. For strings, their lengths or ids.
  var collected: CollectedValues { CollectedValues(bytes: values.bytes, borrowed: borrowed) }

  /// The number of values so far.
  var count: Int { collected.byteCount / valueByteCount }

  /// The number of bytes collected so far.
  var byteCount: Int { collected.byteCount + extra.count }

  @usableFromInline mutating func borrow<T>(_ array: [T]) {
    borrowed.append(BorrowedValues(array, at: values.count))
  }

  /// The values so far, for writing their chunk. Valid until the column changes. The property is inlined so
  /// that no array in it is retained.
  @inline(__always) var filled: UnpackedColumn {
    UnpackedColumn(
      storage: kind.storage, usesStringTable: usesStringTable, values: values, borrowed: borrowed,
      extra: extra)
  }

  /// Moves all values out of the column. If another segment follows, the column reserves capacity for an
  /// equal number of values.
  mutating func takeFilled(isLast: Bool) -> UnpackedColumn {
    UnpackedColumn(
      storage: kind.storage, usesStringTable: usesStringTable,
      values: values.take(reserving: isLast ? 0 : values.count), borrowed: borrowed,
      extra: extra.take(reserving: isLast ? 0 : extra.count))
  }

  /// Whether the column has exactly `rowCount` values of fixed size, and no nested columns. False for
  /// strings, because a separate segment could store them differently.
  func hasOneValueEach(_ rowCount: Int) -> Bool {
    switch kind.storage {
    case .none, .text: return false
    case .bits, .fixed, .integers: break
    }
    return children.count == 0 && kind != .weak && borrowed.isEmpty && count == rowCount
  }

  /// The number of bits per reference that are saved if the last reference is written separately. The
  /// differences between the other references are then equal and need no bits. 0 if these differences are not
  /// equal.
  var bitsForEndOfChain: Int {
    let rows = values.bytes
    func row(_ index: Int) -> Int64 {
      Int64(rows.load(at: index * MemoryLayout<UInt32>.size, as: UInt32.self))
    }
    let last = values.count / MemoryLayout<UInt32>.size - 1
    guard last > 1 else { return 0 }
    let step = row(1) - row(0)
    guard step != 0, (1..<last).allSatisfy({ row($0) - row($0 - 1) == step }) else { return 0 }
    let difference = abs(row(last) - row(last - 1) - step)
    return Int64.bitWidth - difference.leadingZeroBitCount
  }

  /// Removes the last value, and returns its bytes. Returns no bytes if the column has no value.
  mutating func takeLastValue() -> [UInt8] {
    let end = values.count - valueByteCount
    guard end >= 0, !kind.storage.isNone else { return [] }
    let value = Array(values.bytes[end..<values.count])
    values.truncate(to: end)
    return value
  }

  /// Begins the next segment, without values.
  mutating func beginSegment() {
    if usesStringTable { decideOnStringTable() }
    removeAll()
  }

  /// Determines whether the next segment stores strings as ids. Ids save bytes if at least every second
  /// string is known. A few hundred strings show only whether strings repeat; a few thousand show how often.
  /// Spec: 05-graph, rule F4.
  private mutating func decideOnStringTable() {
    let stringCount = knownStringCount + newStringCount
    if stringCount >= 4096 {
      usesStringTable = newStringCount * 2 < stringCount
      (knownStringCount, newStringCount) = (0, 0)
    } else if stringCount >= 256 {
      usesStringTable = knownStringCount * 20 >= stringCount
    }
  }

  /// The minimum size of arrays that are retained instead of copied, in bytes.
  @usableFromInline static var minimumBorrowedByteCount: Int { 1 << 16 }

  /// Removes all values.
  mutating func removeAll() {
    values.removeAll()
    extra.removeAll()
    if !borrowed.isEmpty { borrowed = [] }
    if !unsettled.isEmpty { unsettled = [] }
  }
}
