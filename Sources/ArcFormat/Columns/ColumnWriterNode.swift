/// The memory of one column, accessed by `ColumnWriter` and `ColumnWriterSet` only.
@usableFromInline @safe struct ColumnWriterNode {
  /// Values of fixed size, lengths, bits as bytes, or string ids, by `kind.storage`, at full width.
  @usableFromInline var values = GrowableBuffer()
  @usableFromInline var kind: ColumnKind
  @usableFromInline var isRecursive: Bool
  /// The class that references in the column are declared to lead to; nil if any, or if there are none.
  let declaredClass: String?
  /// Whether it is a column of references that may lead to any row.
  @usableFromInline var takesAnyRow: Bool
  @usableFromInline var isConstruction = false {
    didSet { takesAnyRow = kind == .reference && !isConstruction }
  }
  var keyCheck = KeyCheck.undecided
  /// One bit for each of the first cases of an enumeration.
  @usableFromInline var readableCases: UInt64 = 0
  /// Whether strings are in the string table; decided anew for each segment.
  @usableFromInline var usesStringTable: Bool
  @usableFromInline var context: OpaqueHandle?
  /// Nodes of the same set.
  @usableFromInline var children: HandleBuffer<Handle<ColumnWriterNode>>
  @usableFromInline var stringCache: Handle<StringCache>
  @usableFromInline var isStored = false
  /// How many references to shared objects are appended before the column no longer expects unique ones.
  @usableFromInline var uniqueReferenceCredit: Int32 = 0
  /// The initial credit; 0 if references in the column do not show whether others refer to an object.
  var initialUniqueReferenceCredit: Int32 = 0
  /// Strings since the last decision: those that the table contained already, and the others.
  @usableFromInline var knownStringCount = 0
  var newStringCount = 0
  var strings: Handle<StringTableWriter.Table>
  /// The bytes of byte strings.
  @usableFromInline var extra = GrowableBuffer()
  /// Arrays among the values that were not copied.
  var borrowed: [BorrowedValues] = []
  /// Weak references whose row is not known yet: the index of the value, and the address of the target.
  var unsettled: [(position: Int, address: UInt)] = []
  var payloads: [Int?]
  var slot: Int
  /// The index of the node in its set.
  var index: Int

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Bytes of one value in `values`.
  var valueByteCount: Int {
    switch kind.storage {
    case .none, .bits: 1
    case .integers(let width, _), .fixed(let width): width
    case .text: usesStringTable ? 4 : 8
    }
  }

  /// The values so far; lengths and ids where they are text.
  var collected: CollectedValues { CollectedValues(bytes: values.bytes, borrowed: borrowed) }

  /// The number of values so far.
  var count: Int { collected.byteCount / valueByteCount }

  /// The number of bytes collected so far.
  var byteCount: Int { collected.byteCount + extra.count }

  @usableFromInline mutating func borrow<T>(_ array: [T]) {
    borrowed.append(BorrowedValues(array, at: values.count))
  }

  /// The values so far, as their chunk is written; valid until the column changes. Inlined, so that nothing
  /// of it is retained.
  @inline(__always) var filled: UnpackedColumn {
    UnpackedColumn(
      storage: kind.storage, usesStringTable: usesStringTable, values: values, borrowed: borrowed,
      extra: extra)
  }

  /// Moves the values so far into memory of their own. If another segment follows, the column has capacity
  /// for as many again.
  mutating func takeFilled(isLast: Bool) -> UnpackedColumn {
    UnpackedColumn(
      storage: kind.storage, usesStringTable: usesStringTable,
      values: values.take(reserving: isLast ? 0 : values.count), borrowed: borrowed,
      extra: extra.take(reserving: isLast ? 0 : extra.count))
  }

  /// Whether there are so many values, none of which leads to others in further columns, or is text, which
  /// each segment stores in its own way.
  func hasOneValueEach(_ rowCount: Int) -> Bool {
    switch kind.storage {
    case .none, .text: return false
    case .bits, .fixed, .integers: break
    }
    return children.count == 0 && kind != .weak && borrowed.isEmpty && count == rowCount
  }

  /// How many more bits each reference takes since the last one is not as far from the one before as the
  /// others are, which have distances of their own; 0 where that is not so.
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

  /// Removes the last value, of one or more.
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

  /// Decides whether the next segment uses ids: they pay while at least every second string is known. A few
  /// hundred strings show only whether any repeat at all, a few thousand how often. Spec: 05-graph, rule F4.
  private mutating func decideOnStringTable() {
    let asked = knownStringCount + newStringCount
    if asked >= 4096 {
      usesStringTable = newStringCount * 2 < asked
      (knownStringCount, newStringCount) = (0, 0)
    } else if asked >= 256 {
      usesStringTable = knownStringCount * 20 >= asked
    }
  }

  /// The minimum size of arrays that are kept; smaller ones are copied.
  @usableFromInline static var minimumBorrowedByteCount: Int { 1 << 16 }

  /// Removes all values.
  mutating func removeAll() {
    values.removeAll()
    extra.removeAll()
    if !borrowed.isEmpty { borrowed = [] }
    if !unsettled.isEmpty { unsettled = [] }
  }
}
