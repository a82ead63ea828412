/// A column that takes values: what generated code appends a property to.
///
/// A handle that does not own the column; the `ColumnWriterSet` that made it does, and outlives it. Values of one
/// row are appended in the order in which they are read again. Spec: 04-columns.
@safe @frozen public struct ColumnWriter {
  @usableFromInline let node: UnsafeMutablePointer<ColumnWriterNode>

  @usableFromInline init(_ node: UnsafeMutablePointer<ColumnWriterNode>) { unsafe self.node = unsafe node }

  /// Appends a value of fixed size, as wide as the column's kind says.
  @inlinable @inline(__always)
  public func __append<T: BitwiseCopyable>(_ value: T) {
    unsafe node.pointee.values.append(value)
  }

  /// Appends numbers of fixed size, as wide as the column's kind says. Many of them are not copied but kept until
  /// the chunk is written.
  @inlinable public func __append<T>(contentsOf values: [T]) {
    if values.count &* MemoryLayout<T>.stride < BorrowedValues.leastByteCount {
      unsafe values.withUnsafeBytes { unsafe node.pointee.values.append(contentsOf: $0) }
    } else {
      unsafe node.pointee.borrow(values)
    }
  }

  /// Appends the ids of strings that are known by their bits, until one is not; returns how many there were.
  @inlinable @inline(__always)
  public func __appendKnown(_ strings: UnsafeBufferPointer<String>) -> Int {
    guard unsafe node.pointee.usesStringTable else { return 0 }
    var count = 0
    while count < strings.count {
      let id = unsafe node.pointee.stringCache.pointee.id(
        at: UnsafeRawPointer(strings.baseAddress.unsafelyUnwrapped + count))
      if id == StringCache.none { break }
      __append(id)
      count &+= 1
    }
    unsafe node.pointee.knownStringCount &+= count
    return count
  }

  /// Appends a reference to an object at an address, whose row is known when everything is written.
  package func appendUnsettled(_ address: UInt) {
    unsafe node.pointee.unsettled.append((node.pointee.values.count / MemoryLayout<UInt32>.size, address))
    __append(0 as UInt32)
  }

  /// Appends a bit; stored as a byte until the chunk is written.
  @inlinable @inline(__always)
  public func __append(bit: Bool) { __append(bit ? 1 as UInt8 : 0) }

  /// Appends a string's UTF-8 as it is: no normalisation.
  @inlinable @inline(__always)
  public func __append(text: String) {
    if !__append(knownID: __knownID(of: text)) { __append(unknown: text) }
  }

  /// The id of a string that is known by its bits, for `__append(knownID:)`.
  @inlinable @inline(__always)
  public func __knownID(of text: String) -> UInt32 { unsafe node.pointee.stringCache.pointee.id(of: text) }

  /// Appends the id of a string that is known by its bits; returns whether it is.
  @inlinable @inline(__always)
  public func __append(knownID id: UInt32) -> Bool {
    guard id != StringCache.none, unsafe node.pointee.usesStringTable else { return false }
    __append(id)
    unsafe node.pointee.knownStringCount &+= 1
    return true
  }

  /// Appends a string that is not known by its bits.
  @inline(never)
  public func __append(unknown text: String) {
    if unsafe node.pointee.usesStringTable {
      let (id, isNew) = unsafe node.pointee.strings.pointee.id(of: text)
      __append(id)
      if isNew {
        unsafe node.pointee.newStringCount += 1
      } else {
        unsafe node.pointee.knownStringCount += 1
      }
    } else {
      unsafe text.withUTF8Bytes { unsafe __append(bytes: $0) }
    }
  }

  /// Appends a byte string.
  public func __append(bytes: UnsafeRawBufferPointer) {
    unsafe node.pointee.extra.append(contentsOf: bytes)
    __append(UInt64(bytes.count))
  }

  /// The column inside at a position that the type fixes: 0 for elements, the number of a field, a payload.
  @inlinable public func __child(_ index: Int) -> ColumnWriter {
    // A program with two types of one name could ask for more than there is; what it writes is then refused.
    guard unsafe index < node.pointee.childCount else { return self }
    return unsafe ColumnWriter(node.pointee.children[index])
  }

  /// The column of the payload of enumeration case `index`; the column itself where the case has none.
  public func __payload(_ index: Int) -> ColumnWriter {
    unsafe node.pointee.payload(index).map { __child($0) } ?? self
  }

  /// What the archiver left for itself.
  @inlinable public var __context: UnsafeMutableRawPointer? { unsafe node.pointee.context }

  /// Whether a value of the column can contain a value of the same column.
  @inlinable public var __isRecursive: Bool { unsafe node.pointee.isRecursive }

  /// Whether the row of any object can be appended to the column.
  @inlinable public var __takesAnyRow: Bool { unsafe node.pointee.takesAnyRow }

  /// Whether a reference to a row can be appended as it is: any, or in a construction column one before the row that is
  /// written. Spec: 05-graph, rule G4.
  @inlinable @inline(__always)
  public func __takes(row: UInt32, before currentRow: UInt32) -> Bool {
    unsafe node.pointee.takesAnyRow
      || (node.pointee.isConstruction && node.pointee.kind == .reference && row < currentRow)
  }

  /// Whether a value of the column is a reference.
  package var isReference: Bool { unsafe node.pointee.kind == .reference }

  /// Whether references in the column lead to rows before the one that holds them. Spec: 05-graph, rule G4.
  package var isConstruction: Bool { unsafe node.pointee.isConstruction }

  /// What is known of the keys of the set or dictionary in the column.
  package var keyCheck: KeyCheck {
    get { unsafe node.pointee.keyCheck }
    nonmutating set { unsafe node.pointee.keyCheck = newValue }
  }

  /// Whether the column takes an object that is settled when everything is written.
  @inlinable public var __isWeak: Bool { unsafe node.pointee.kind == .weak }

  /// Whether it is worth looking whether a reference that is appended is the only one to its object.
  @inlinable @inline(__always)
  public var __expectsSoleReferences: Bool { unsafe node.pointee.soleReferenceCredit > 0 }

  /// Notes what a look was worth: a column that mostly refers to shared objects stops looking.
  @inlinable @inline(__always)
  public func __note(soleReference isSole: Bool) {
    unsafe node.pointee.soleReferenceCredit &+= isSole ? 1 : -1
  }

  /// Says that each reference in the column stands for the whole of one stored property.
  package func expectSoleReferences() {
    unsafe node.pointee.firstSoleReferenceCredit = 32
    unsafe node.pointee.soleReferenceCredit = 32
  }

  /// Whether a case of the enumeration whose raw values the column takes was seen to be read again as itself. Only the
  /// first 64 are remembered.
  @inlinable @inline(__always)
  public func __isReadable(_ caseIndex: UInt8) -> Bool {
    unsafe caseIndex < 64 && node.pointee.readableCases >> UInt64(caseIndex) & 1 == 1
  }

  /// Notes that a case was seen to be read again.
  @inlinable @inline(__always)
  public func __noteReadable(_ caseIndex: UInt8) {
    if caseIndex < 64 { unsafe node.pointee.readableCases |= 1 << UInt64(caseIndex) }
  }

  /// The position in the class of the property that the column belongs to.
  public var __slot: Int { unsafe node.pointee.slot }
}

/// Whether keys of one type may be distinct when they are written and not when they are read again.
package enum KeyCheck {
  case undecided
  /// They are what they are written as.
  case notNeeded
  /// They refer to objects, by which they can have become equal.
  case ofReferences
  /// What tells them apart may be left out.
  case ofValues
}

/// The memory of one column; reached through `ColumnWriter` only.
@usableFromInline @safe struct ColumnWriterNode {
  /// Values of fixed size, lengths, bits as bytes, string ids: what `kind.storage` says, at full width.
  @usableFromInline var values = GrowableBuffer()
  @usableFromInline var kind: ColumnKind
  @usableFromInline var isRecursive: Bool
  /// Whether it is a column of references that may lead anywhere.
  @usableFromInline var takesAnyRow: Bool
  @usableFromInline var isConstruction = false {
    didSet { takesAnyRow = kind == .reference && !isConstruction }
  }
  var keyCheck = KeyCheck.undecided
  /// One bit for each of the first cases of an enumeration.
  @usableFromInline var readableCases: UInt64 = 0
  /// Whether strings go through the string table; decided anew for each segment.
  @usableFromInline var usesStringTable: Bool
  @usableFromInline var context: UnsafeMutableRawPointer?
  /// Room for `childCount` pointers to nodes of the same set.
  @usableFromInline var children: UnsafeMutablePointer<UnsafeMutablePointer<ColumnWriterNode>>
  @usableFromInline var childCount: Int
  @usableFromInline var stringCache: UnsafeMutablePointer<StringCache>
  /// How many references to shared objects it takes until the column no longer expects sole ones.
  @usableFromInline var soleReferenceCredit: Int32 = 0
  /// The credit of a new archive; 0 for a column whose references tell nothing about who else refers to an object.
  var firstSoleReferenceCredit: Int32 = 0
  /// Strings since the last decision that the table knew already, and that it did not.
  @usableFromInline var knownStringCount = 0
  var newStringCount = 0
  var strings: UnsafeMutablePointer<StringTableWriter.Table>
  /// The bytes of byte strings.
  @usableFromInline var extra = GrowableBuffer()
  /// Arrays that stand among the values but were not copied.
  var borrowed: [BorrowedValues] = []
  /// Weak references without a row so far: which value, and the address of the target.
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

  /// Values so far.
  var count: Int { (values.count + borrowed.reduce(0) { $0 + $1.byteCount }) / valueByteCount }

  /// Bytes collected so far.
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

  /// Ids pay while at least every second string is known: a column of distinct strings goes plain from the next
  /// segment on. A few hundred strings tell only whether any repeat at all, a few thousand how often.
  mutating func decideOnStringTable() {
    let asked = knownStringCount + newStringCount
    if asked >= 4096 {
      usesStringTable = newStringCount * 2 < asked
      (knownStringCount, newStringCount) = (0, 0)
    } else if asked >= 256 {
      usesStringTable = knownStringCount * 20 >= asked
    }
  }

  /// Forgets all values.
  mutating func reset() {
    values.reset()
    extra.reset()
    if !borrowed.isEmpty { borrowed = [] }
    if !unsettled.isEmpty { unsettled = [] }
  }
}

/// A weak column of one class in one segment. What its references lead to is known when everything is written.
struct WeakColumn {
  var rows: [UInt32]
  let unsettled: [(position: Int, address: UInt)]
  /// Bytes that its chunk takes at most, about.
  var greatestByteCount: Int { rows.count * MemoryLayout<UInt32>.size + 16 }
}

/// An array of numbers that a column holds instead of a copy of it.
@usableFromInline @safe struct BorrowedValues {
  /// Smaller arrays are copied.
  @usableFromInline static let leastByteCount = 1 << 16

  /// Bytes of the column's own values that stand before it.
  let position: Int
  let byteCount: Int
  let withBytes: ((UnsafeRawBufferPointer) -> Void) -> Void
}
