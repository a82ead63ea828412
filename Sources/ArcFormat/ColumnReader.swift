/// A column that gives its values back, in the order in which they were written.
///
/// A handle that does not own the column; the `ColumnReaderSet` that made it does, and outlives it. Every read
/// compares the position with the count of the bound chunk, whose size `ChunkView` has checked.
@safe @frozen public struct ColumnReader {
  @usableFromInline let node: UnsafeMutablePointer<ColumnReaderNode>

  @usableFromInline init(_ node: UnsafeMutablePointer<ColumnReaderNode>) { unsafe self.node = unsafe node }

  /// Whether the file has no such column: the property takes its default.
  @inlinable public var __isMissing: Bool { unsafe node.pointee.isMissing }

  /// When the value is set: what `__Phase` of the unarchiver says.
  @inlinable public var __phase: UInt8 { unsafe node.pointee.phase }

  /// What the unarchiver left for itself.
  @inlinable public var __context: UnsafeMutableRawPointer? { unsafe node.pointee.context }

  /// The column inside at a position that the program's type fixes.
  @inlinable public func __child(_ index: Int) -> ColumnReader {
    // A program with two types of one name could ask for more than there is: reading itself then gives an error.
    guard unsafe index < node.pointee.childCount else { return self }
    return unsafe ColumnReader(node.pointee.children[index])
  }

  /// Takes the next position, or throws at the end of the column.
  @inlinable @inline(__always)
  func next() throws -> Int {
    let position = unsafe node.pointee.position
    guard unsafe position < node.pointee.count else { throw endOfColumn() }
    unsafe node.pointee.position = position &+ 1
    return position
  }

  /// The next value of fixed size: a floating-point number or 16 bytes.
  @inlinable @inline(__always)
  public func __fixed<T: BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = try next()
    guard unsafe node.pointee.width == MemoryLayout<T>.size else { throw wrongWidth() }
    return unsafe node.pointee.values.loadUnaligned(
      fromByteOffset: position &* MemoryLayout<T>.size, as: T.self)
  }

  /// The next bit; where the program has an optional and the file a plain column, always true.
  @inlinable @inline(__always)
  public func __bit() throws -> Bool {
    if unsafe node.pointee.isAlwaysPresent { return true }
    let position = try next()
    let byte = unsafe node.pointee.values.load(fromByteOffset: position >> 3, as: UInt8.self)
    return byte >> UInt8(truncatingIfNeeded: position & 7) & 1 == 1
  }

  /// The next integer of whatever width the file has; throws `valueOutOfRange` if `T` cannot hold it.
  @inlinable @inline(__always)
  public func __integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = try next()
    let values = unsafe node.pointee.values
    let width = unsafe node.pointee.width
    if T.bitWidth == 128, width == 16 { return try wide(position) }
    let bits = unsafe ChunkView.unsigned(values, index: position, width: width)
    let value: T?
    if unsafe node.pointee.isSigned {
      let unusedBits = Int64(64 &- 8 &* width)
      value = T(exactly: (Int64(bitPattern: bits) &<< unusedBits) &>> unusedBits)
    } else {
      value = T(exactly: bits)
    }
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  @usableFromInline @inline(never)
  func wide<T: FixedWidthInteger>(_ position: Int) throws -> T {
    let value: T? =
      if unsafe node.pointee.isSigned {
        unsafe T(exactly: node.pointee.values.loadUnaligned(fromByteOffset: position * 16, as: Int128.self))
      } else {
        unsafe T(exactly: node.pointee.values.loadUnaligned(fromByteOffset: position * 16, as: UInt128.self))
      }
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  /// The row that the next reference leads to, 0 for nil.
  @inlinable @inline(__always)
  public func __row() throws -> Int {
    let position = try next()
    // Rows have 32 bits at most, and no sign: nothing can be lost.
    return unsafe Int(
      truncatingIfNeeded: ChunkView.unsigned(node.pointee.values, index: position, width: node.pointee.width))
  }

  /// Whether it is time to call `__lookAhead`: before the first reference, and then before each 16th.
  @inlinable @inline(__always)
  public var __isLookAheadDue: Bool { unsafe node.pointee.position >= node.pointee.lookAheadPosition }

  /// Calls `far` with the rows that references from 16 to 31 places ahead lead to, before the first reference also with
  /// those of nearer ones, and `near` with the rows that the next 16 references lead to.
  @inlinable @inline(__always)
  package func __lookAhead(far: (Int) -> Void, near: (Int) -> Void) {
    let position = unsafe node.pointee.position
    let count = unsafe node.pointee.count
    let values = unsafe node.pointee.values
    let width = unsafe node.pointee.width
    unsafe node.pointee.lookAheadPosition = position &+ 16
    let middle = min(count, position &+ 16)
    for index in (position == 0 ? 0 : middle)..<min(count, position &+ 32) {
      far(unsafe Int(truncatingIfNeeded: ChunkView.unsigned(values, index: index, width: width)))
    }
    for index in position..<max(position, middle) {
      near(unsafe Int(truncatingIfNeeded: ChunkView.unsigned(values, index: index, width: width)))
    }
  }

  /// Throws unless the column has so many values left.
  @inlinable public func __require(_ count: Int) throws {
    guard count >= 0, unsafe count <= node.pointee.count &- node.pointee.position else { throw endOfColumn() }
  }

  /// The next integers, of whatever width the file has.
  @inlinable public func __integers<T: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, into memory: UnsafeMutablePointer<T>
  ) throws {
    try __require(count)
    if unsafe node.pointee.width == MemoryLayout<T>.size, unsafe node.pointee.isSigned == T.isSigned {
      return unsafe try __fixed(count, into: memory)
    }
    for index in 0..<count { unsafe (memory + index).initialize(to: try __integer()) }
  }

  /// The next values of fixed size.
  @inlinable public func __fixed<T: BitwiseCopyable>(_ count: Int, into memory: UnsafeMutablePointer<T>)
    throws
  {
    try __require(count)
    guard unsafe node.pointee.width == MemoryLayout<T>.size else {
      throw wrongWidth()
    }
    let position = unsafe node.pointee.position
    unsafe UnsafeMutableRawPointer(memory).copyMemory(
      from: node.pointee.values + position * MemoryLayout<T>.size, byteCount: count * MemoryLayout<T>.size)
    unsafe node.pointee.position = position + count
  }

  /// The next floating-point numbers as `Double`.
  @inlinable public func __doubles(_ count: Int, into memory: UnsafeMutablePointer<Double>) throws {
    if unsafe node.pointee.width == MemoryLayout<Double>.size {
      return unsafe try __fixed(count, into: memory)
    }
    try __require(count)
    for index in 0..<count { unsafe (memory + index).initialize(to: try __double()) }
  }

  /// The next floating-point number as a `Double`; a `Float` in the file is widened.
  @inlinable public func __double() throws -> Double {
    switch unsafe node.pointee.width {
    case 4: Double(try __fixed(Float.self))
    default: try __fixed(Double.self)
    }
  }

  /// The next string; throws if its bytes are not UTF-8.
  @inlinable @inline(__always)
  public func __text() throws -> String {
    if unsafe node.pointee.usesStringTable, unsafe node.pointee.position < node.pointee.count {
      let id = unsafe ChunkView.unsigned(
        node.pointee.values, index: node.pointee.position, width: node.pointee.width)
      if let text = unsafe node.pointee.builtStrings.pointee.string(id) {
        unsafe node.pointee.position &+= 1
        return text
      }
    }
    return try newText()
  }

  /// The next string, which is not yet built.
  @usableFromInline @inline(never)
  func newText() throws -> String {
    if unsafe node.pointee.usesStringTable {
      let position = try next()
      let id = unsafe ChunkView.unsigned(
        node.pointee.values, index: position, width: node.pointee.width)
      do throws(ArchiveError) {
        return try unsafe node.pointee.strings.takeUnretainedValue().string(id)
      } catch {
        throw located(error)
      }
    }
    guard let text = unsafe String(checkedUTF8: try __bytes()) else {
      throw __error(.invalidString, found: "bytes that are not UTF-8")
    }
    return text
  }

  /// The next byte string, valid while the unarchiver's call lasts.
  public func __bytes() throws -> UnsafeRawBufferPointer {
    let position = try next()
    let length = unsafe Int(
      truncatingIfNeeded: ChunkView.unsigned(node.pointee.values, index: position, width: node.pointee.width))
    let start = unsafe node.pointee.textPosition
    guard length >= 0, unsafe length <= node.pointee.text.count - start else { throw endOfColumn() }
    unsafe node.pointee.textPosition = start + length
    return unsafe UnsafeRawBufferPointer(rebasing: node.pointee.text[start..<start + length])
  }

  /// The case of the next enumeration value, as the program numbers cases.
  public func __case() throws -> Int {
    let stored = try __integer(Int.self)
    guard unsafe node.pointee.cases.indices.contains(stored), let known = unsafe node.pointee.cases[stored]
    else {
      throw __error(
        .unknownCase, found: "case \(stored)", expected: "a case that the program knows",
        remedy: "the file was written by a program with more cases")
    }
    return known
  }

  /// The column of the payload of the program's case `index`; the column itself where it has none.
  public func __payload(_ index: Int) -> ColumnReader {
    guard let child = unsafe node.pointee.payload(index) else { return self }
    return __child(child)
  }

  /// Room to reserve for `count` elements: no more than a column can hold, whatever a length claims.
  @inlinable public func __capacity(_ count: Int) -> Int {
    unsafe min(max(count, 0), max(node.pointee.count, 4096))
  }

  /// Whether a value of the column can contain a value of the same column.
  @inlinable public var __isRecursive: Bool { unsafe node.pointee.isRecursive }

  /// Begins to read the fields of a structure or of a payload; whether a value of the same type is being read around it,
  /// which then is one level deeper. `leaveValue` ends it. Spec: 07-limits, rule A8.
  package func enterValue() -> Bool {
    guard let head = unsafe node.pointee.head else { return false }
    unsafe head.pointee.openCount += 1
    return unsafe head.pointee.openCount > 1
  }

  /// Ends what `enterValue` began.
  package func leaveValue() { unsafe node.pointee.head?.pointee.openCount -= 1 }

  /// Whether the column is a set or dictionary with objects in its keys.
  @inlinable public var __hashesReferences: Bool { unsafe node.pointee.hashesReferences }

  /// Whether the column holds references that do not keep their targets.
  @inlinable public var __isUnowned: Bool { unsafe node.pointee.isUnowned }

  /// Whether the column holds weak references.
  @inlinable public var __isWeak: Bool { unsafe node.pointee.isWeak }

  /// Whether the column holds references, and what they refer to is held by them.
  @inlinable public var __isStrongReference: Bool { unsafe node.pointee.isStrongReference }

  /// An error that names the class and key of the column.
  public func __error(
    _ code: ArchiveError.Code, found: String, expected: String? = nil, remedy: String? = nil
  ) -> ArchiveError {
    located(ArchiveError(code, found: found, expected: expected, remedy: remedy))
  }

  private func located(_ error: ArchiveError) -> ArchiveError {
    unsafe error.located(className: node.pointee.place?.className, key: node.pointee.place?.key)
  }

  @usableFromInline @inline(never)
  func endOfColumn() -> ArchiveError {
    unsafe __error(
      .malformedColumn, found: "the end of the column after \(plural(node.pointee.count, "value"))")
  }

  package func nestedTooDeeply(_ limit: Int) -> ArchiveError {
    __error(
      .limitExceeded, found: "values nested more than \(limit) deep",
      remedy: "raise Limits.nesting if you trust the file")
  }

  @usableFromInline @inline(never)
  func wrongWidth() -> ArchiveError {
    unsafe __error(.typeMismatch, found: "values of \(node.pointee.width) bytes")
  }

  @usableFromInline @inline(never)
  func outOfRange(_ type: Any.Type) -> ArchiveError {
    __error(.valueOutOfRange, found: "a number that \(type) cannot hold", expected: "a \(type)")
  }
}

/// The memory of one column; reached through `ColumnReader` and bound by `ColumnReaderSet` only.
@usableFromInline @safe struct ColumnReaderNode {
  /// The bound chunk; `count` is 0 while there is none.
  @usableFromInline var values: UnsafeRawPointer
  @usableFromInline var count = 0
  /// The next value.
  @usableFromInline var position = 0
  /// Where to look ahead next; behind the last value in columns that are not looked ahead in.
  @usableFromInline var lookAheadPosition = Int.max
  @usableFromInline var width = 0
  @usableFromInline var phase: UInt8 = 0
  @usableFromInline var isSigned = false
  @usableFromInline var isMissing = false
  @usableFromInline var isAlwaysPresent = false
  @usableFromInline var isRecursive = false
  /// The node, itself or the enumeration that it is a payload of, to which a mention inside of it leads.
  var head: UnsafeMutablePointer<ColumnReaderNode>?
  /// Values of the node that are being read.
  var openCount = 0
  @usableFromInline var hashesReferences = false
  @usableFromInline var isUnowned = false { didSet { updateReferenceKind() } }
  @usableFromInline var isWeak = false
  @usableFromInline var usesStringTable = false
  @usableFromInline var isStrongReference = false
  @usableFromInline var context: UnsafeMutableRawPointer?
  @usableFromInline var children: UnsafeMutablePointer<UnsafeMutablePointer<ColumnReaderNode>>
  @usableFromInline var childCount = 0
  @usableFromInline var builtStrings: UnsafeMutablePointer<BuiltStrings>
  /// The values of the bound chunk where it is not plain.
  var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  var text: UnsafeRawBufferPointer
  /// The next byte of `text`.
  var textPosition = 0
  var kind: ColumnKind
  /// Whether it has strings, or other values that are bytes.
  let isText: Bool
  var strings: Unmanaged<StringTable>
  /// The node of the file's layout whose chunks are bound; nil if the file has none.
  var source: Int?
  /// The file's cases as the program numbers them, and for the program's cases the child with the payload.
  var cases: [Int?] = []
  var payloads: [Int?] = []
  var place: ColumnPlace?

  mutating func updateReferenceKind() { isStrongReference = kind == .reference && !isUnowned && !isWeak }

  /// Where to look ahead first in the bound chunk: at once, if it is long enough to be worth it.
  var firstLookAhead: Int { (kind == .reference || kind == .weak) && count > 8 ? 0 : .max }

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Stands at the beginning of a chunk.
  @inline(__always) mutating func bind(_ chunk: ChunkView) {
    position = 0
    textPosition = 0
    count = chunk.count
    lookAheadPosition = firstLookAhead
    width = chunk.width
    usesStringTable = chunk.usesStringTable
    unsafe text = unsafe chunk.text
    if chunk.form == .plain, let start = unsafe chunk.values.baseAddress {
      unsafe values = unsafe start
    } else {
      unsafe values = unsafe expanded(chunk)
    }
  }

  /// Has no values.
  mutating func unbind() {
    position = 0
    textPosition = 0
    lookAheadPosition = .max
    count = 0
    width = 0
    usesStringTable = false
    unsafe text = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe values = UnsafeRawPointer(children)
  }

  /// The values of a chunk as plain ones, until the next chunk is bound.
  @inline(never) private mutating func expanded(_ chunk: ChunkView) -> UnsafeRawPointer {
    let byteCount = max(chunk.plainByteCount, 1)
    if unsafe room.count < byteCount {
      unsafe room.deallocate()
      unsafe room = .allocate(byteCount: byteCount, alignment: 16)
    }
    unsafe chunk.expand(into: room)
    return unsafe UnsafeRawPointer(room.baseAddress ?? UnsafeMutableRawPointer(children))
  }

  private static var greatestKeptByteCount: Int { 1 << 12 }

  /// Lets go of memory for values, if it is much.
  mutating func forgetRoom() {
    guard unsafe room.count > Self.greatestKeptByteCount else { return }
    unsafe room.deallocate()
    unsafe room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}

/// Where a column belongs, for errors.
package final class ColumnPlace: Sendable {
  package let className: String
  package let key: String
  package init(className: String, key: String) {
    self.className = className
    self.key = key
  }
}
