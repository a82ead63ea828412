/// A column to which values are appended: by generated code, for one property.
///
/// A handle that does not own the column; the `ColumnWriterSet` that made it does, and outlives it. Values of
/// one row are appended in the order in which they are read.
///
/// Spec: 04-columns.
@safe @frozen public struct ColumnWriter {
  @usableFromInline let node: Handle<ColumnWriterNode>

  @usableFromInline init(_ node: Handle<ColumnWriterNode>) { self.node = node }

  /// Appends a value of fixed size, as wide as the column's kind.
  @inlinable @inline(__always)
  package func append<T: BitwiseCopyable>(_ value: T) {
    node.value.values.append(value)
  }

  /// Appends numbers of fixed size, as wide as the column's kind. A large array is not copied but retained
  /// until the chunk is written.
  @inlinable package func append<T>(contentsOf values: [T]) {
    if values.count &* MemoryLayout<T>.stride < BorrowedValues.minimumByteCount {
      unsafe values.withUnsafeBytes { unsafe node.value.values.append(contentsOf: $0) }
    } else {
      node.value.borrow(values)
    }
  }

  /// Appends the ids of strings that are in the cache, up to the first that is not; returns how many.
  @inlinable @inline(__always)
  package func appendKnown(_ strings: UnsafeBufferPointer<String>) -> Int {
    guard node.value.usesStringTable else { return 0 }
    var count = 0
    while count < strings.count {
      let id = unsafe node.value.stringCache.value.id(
        at: UnsafeRawPointer(strings.baseAddress.unsafelyUnwrapped + count))
      if id == StringCache.none { break }
      append(id)
      count &+= 1
    }
    node.value.knownStringCount &+= count
    return count
  }

  /// Appends a reference to the object at an address, whose row is known when everything is written.
  package func appendUnsettled(_ address: UInt) {
    node.value.unsettled.append((node.value.values.count / MemoryLayout<UInt32>.size, address))
    append(0 as UInt32)
  }

  /// Appends a bit, which is a byte until the chunk is written.
  @inlinable @inline(__always)
  package func append(bit: Bool) { append(bit ? 1 as UInt8 : 0) }

  /// Appends the UTF-8 of a string, not normalised.
  @inlinable @inline(__always)
  package func append(text: String) {
    if !append(knownID: knownID(of: text)) { append(unknown: text) }
  }

  /// The id of a string if it is in the cache, for `append(knownID:)`.
  @inlinable @inline(__always)
  package func knownID(of text: String) -> UInt32 { node.value.stringCache.value.id(of: text) }

  /// Appends the id of a string; returns false if it is none, or the column does not use the string table.
  @inlinable @inline(__always)
  package func append(knownID id: UInt32) -> Bool {
    guard id != StringCache.none, node.value.usesStringTable else { return false }
    append(id)
    node.value.knownStringCount &+= 1
    return true
  }

  /// Slow path of `append(text:)`: a string that is not in the cache.
  @inline(never)
  @usableFromInline package func append(unknown text: String) {
    if node.value.usesStringTable {
      let (id, isNew) = node.value.strings.value.id(of: text)
      append(id)
      if isNew {
        node.value.newStringCount += 1
      } else {
        node.value.knownStringCount += 1
      }
    } else {
      unsafe text.withUTF8Bytes { unsafe append(bytes: $0) }
    }
  }

  /// Appends a byte string.
  @usableFromInline package func append(bytes: UnsafeRawBufferPointer) {
    unsafe node.value.extra.append(contentsOf: bytes)
    append(UInt64(bytes.count))
  }

  /// The nested column at an index that the type determines: 0 for elements, or the number of a field or
  /// payload.
  @inlinable package func child(_ index: Int) -> ColumnWriter {
    // A program with two types of one name could ask for a child too many; what it writes is then refused.
    guard index < node.value.children.count else { return self }
    return ColumnWriter(node.value.children[index])
  }

  /// The column of the payload of the enumeration's case `index`; this column if the case has none.
  @usableFromInline package func payload(_ index: Int) -> ColumnWriter {
    node.value.payload(index).map { child($0) } ?? self
  }

  /// What the archiver set for its own use.
  @inlinable package var context: OpaqueHandle? { node.value.context }

  /// Whether a value of the column can contain a value of the same column.
  @inlinable package var isRecursive: Bool { node.value.isRecursive }

  /// Whether the row of any object can be appended to the column.
  @inlinable package var takesAnyRow: Bool { node.value.takesAnyRow }

  /// Whether a reference to a row can be appended: any, or in a construction column one to a row before the
  /// one that is written. Spec: 05-graph, rule G4.
  @inlinable @inline(__always)
  package func takes(row: UInt32, before currentRow: UInt32) -> Bool {
    node.value.takesAnyRow
      || (node.value.isConstruction && node.value.kind == .reference && row < currentRow)
  }

  /// Whether the values of the column are strong or unowned references.
  package var isReference: Bool { node.value.kind == .reference }

  /// Whether references in the column lead to rows before the one that contains them.
  /// Spec: 05-graph, rule G4.
  package var isConstruction: Bool { node.value.isConstruction }

  /// How the keys of the set or dictionary in the column are checked.
  package var keyCheck: KeyCheck {
    get { node.value.keyCheck }
    nonmutating set { node.value.keyCheck = newValue }
  }

  /// Whether the column contains weak references, whose rows are set when everything is written.
  @inlinable package var isWeak: Bool { node.value.kind == .weak }

  /// Whether to test references for uniqueness before appending them.
  @inlinable @inline(__always)
  package var expectsUniqueReferences: Bool { node.value.uniqueReferenceCredit > 0 }

  /// Counts the result of such a test: a column that mostly refers to shared objects stops testing.
  @inlinable @inline(__always)
  package func note(isUnique: Bool) {
    node.value.uniqueReferenceCredit &+= isUnique ? 1 : -1
  }

  /// Whether the column contains a property as it is stored, not what a getter returns.
  @inlinable @inline(__always)
  package var isStored: Bool { node.value.isStored }

  /// Marks the column as one of a stored property: reading it again returns the same object, which the
  /// property keeps alive meanwhile.
  package func markAsStored() { node.value.isStored = true }

  /// Marks the column as one in which each reference is the whole of one stored property.
  package func expectUniqueReferences() {
    node.value.initialUniqueReferenceCredit = 32
    node.value.uniqueReferenceCredit = 32
  }

  /// Whether a case of an enumeration whose raw values are in the column was found to make the value again.
  /// Only the first 64 cases are remembered.
  @inlinable @inline(__always)
  package func isReadable(_ caseIndex: UInt8) -> Bool {
    caseIndex < 64 && node.value.readableCases >> UInt64(caseIndex) & 1 == 1
  }

  /// Remembers that the raw value of a case makes the value again.
  @inlinable @inline(__always)
  package func noteReadable(_ caseIndex: UInt8) {
    if caseIndex < 64 { node.value.readableCases |= 1 << UInt64(caseIndex) }
  }

  /// The index in the class of the property that the column belongs to.
  @usableFromInline package var slot: Int { node.value.slot }
}

/// Whether keys of a type may be distinct when they are written and equal when they are read again.
package enum KeyCheck {
  case undecided
  /// They are read as they were: no check.
  case notNeeded
  /// They contain references to objects, by which they can have become equal.
  case ofReferences
  /// What distinguishes them may not be archived.
  case ofValues
}

/// The memory of one column, accessed by `ColumnWriter` and `ColumnWriterSet` only.
@usableFromInline @safe struct ColumnWriterNode {
  /// Values of fixed size, lengths, bits as bytes, or string ids, by `kind.storage`, at full width.
  @usableFromInline var values = GrowableBuffer()
  @usableFromInline var kind: ColumnKind
  @usableFromInline var isRecursive: Bool
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

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Bytes of one value in `values`.
  var valueByteCount: Int {
    switch kind.storage {
    case .none, .bits: 1
    case .integers(let width, _), .fixed(let width): width
    case .text: usesStringTable ? 4 : 8
    }
  }

  /// The number of values so far.
  var count: Int { (values.count + borrowed.reduce(0) { $0 + $1.byteCount }) / valueByteCount }

  /// The number of bytes collected so far.
  var byteCount: Int { values.count + extra.count + borrowed.reduce(0) { $0 + $1.byteCount } }

  @usableFromInline mutating func borrow<T>(_ array: [T]) {
    unsafe borrowed.append(
      BorrowedValues(position: values.count, byteCount: array.count * MemoryLayout<T>.stride) { body in
        unsafe array.withUnsafeBytes { unsafe body($0) }
      })
  }

  /// Calls `body` with the values in order, piece by piece.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
    let bytes = unsafe values.bytes
    var start = 0
    for piece in borrowed {
      if piece.position > start {
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<piece.position]))
      }
      start = piece.position
      unsafe piece.withBytes(body)
    }
    if start < bytes.count { unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start...])) }
  }

  /// Decides whether the next segment uses ids: they pay while at least every second string is known. A few
  /// hundred strings show only whether any repeat at all, a few thousand how often. Spec: 05-graph, rule F4.
  mutating func decideOnStringTable() {
    let asked = knownStringCount + newStringCount
    if asked >= 4096 {
      usesStringTable = newStringCount * 2 < asked
      (knownStringCount, newStringCount) = (0, 0)
    } else if asked >= 256 {
      usesStringTable = knownStringCount * 20 >= asked
    }
  }

  /// Removes all values.
  mutating func reset() {
    values.reset()
    extra.reset()
    if !borrowed.isEmpty { borrowed = [] }
    if !unsettled.isEmpty { unsettled = [] }
  }
}

/// A weak column of one class in one segment, whose rows are known when everything is written.
struct WeakColumn {
  var rows: [UInt32]
  let unsettled: [(position: Int, address: UInt)]
  /// The approximate maximum size of its chunk.
  var maximumByteCount: Int { rows.count * MemoryLayout<UInt32>.size + 16 }
}

/// An array of numbers that a column retains instead of copying it.
@usableFromInline @safe struct BorrowedValues {
  /// The minimum size; smaller arrays are copied.
  @usableFromInline static let minimumByteCount = 1 << 16

  /// Bytes of the column's own values before the array.
  let position: Int
  let byteCount: Int
  let withBytes: ((UnsafeRawBufferPointer) -> Void) -> Void
}
