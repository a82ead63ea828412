/// A column from which values are read, in the order in which they were written.
///
/// A handle that does not own the column; the `ColumnReaderSet` that made it does, and outlives it. Every
/// read compares the position with the count of the bound chunk, whose size `Chunk` has checked.
@safe @frozen public struct ColumnReader {
  @usableFromInline let node: Handle<ColumnReaderNode>

  @usableFromInline init(_ node: Handle<ColumnReaderNode>) { self.node = node }

  /// Whether the file has no such column: the property gets its default.
  @inlinable package var isMissing: Bool { node.value.isMissing }

  /// The phase of unarchiving in which the value is set, a number that module Arc defines.
  /// Spec: 05-graph, section 3.
  @inlinable package var phase: UInt8 { node.value.phase }

  /// Whether the file has data where the program has an array of bytes.
  @inlinable package var isBytes: Bool { node.value.isBytes }

  /// What the unarchiver set for its own use.
  @inlinable package var context: OpaqueHandle? { node.value.context }

  /// The nested column at an index that the program's type determines.
  @inlinable package func child(_ index: Int) -> ColumnReader {
    // A program with two types of one name could ask for a child too many: reading this column instead gives
    // an error.
    guard index < node.value.children.count else { return self }
    return ColumnReader(node.value.children[index])
  }

  /// The index of the next value, which is taken; throws at the end of the column.
  @inlinable @inline(__always)
  func next() throws -> Int {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    return position
  }

  /// The next value of fixed size: a floating-point number or 16 bytes.
  @inlinable @inline(__always)
  package func fixed<T: BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = try next()
    guard node.value.width == MemoryLayout<T>.size else { throw wrongWidth() }
    return unsafe node.value.values.loadUnaligned(
      fromByteOffset: position &* MemoryLayout<T>.size, as: T.self)
  }

  /// The next bit; always true where the program has an optional and the file a value that is not.
  @inlinable @inline(__always)
  package func bit() throws -> Bool {
    if node.value.isAlwaysPresent { return true }
    let position = try next()
    let byte = unsafe node.value.values.load(fromByteOffset: position >> 3, as: UInt8.self)
    return byte >> UInt8(truncatingIfNeeded: position & 7) & 1 == 1
  }

  /// The next integer, of whatever width the file has. Spec: 06-evolution, rule M5.
  ///
  /// - Throws: `valueOutOfRange` if `T` cannot hold it.
  @inlinable @inline(__always)
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = try next()
    let values = unsafe node.value.values
    let width = node.value.width
    if T.bitWidth == 128, width == 16 { return try wide(position) }
    let bits = unsafe Chunk.unsigned(values, index: position, width: width)
    let value: T?
    if node.value.isSigned {
      let unusedBits = Int64(64 &- 8 &* width)
      value = T(exactly: (Int64(bitPattern: bits) &<< unusedBits) &>> unusedBits)
    } else {
      value = T(exactly: bits)
    }
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  /// The integer of 128 bits at `position`. Spec: 06-evolution, rule M5.
  @usableFromInline @inline(never)
  func wide<T: FixedWidthInteger>(_ position: Int) throws -> T {
    let value: T? =
      if node.value.isSigned {
        unsafe T(exactly: node.value.values.loadUnaligned(fromByteOffset: position * 16, as: Int128.self))
      } else {
        unsafe T(exactly: node.value.values.loadUnaligned(fromByteOffset: position * 16, as: UInt128.self))
      }
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  /// The row that the next reference leads to, 0 for nil.
  @inlinable @inline(__always)
  package func row() throws -> Int {
    let position = try next()
    // Rows have at most 32 bits, and no sign: no bits are lost.
    return unsafe Int(
      truncatingIfNeeded: Chunk.unsigned(node.value.values, index: position, width: node.value.width))
  }

  /// Takes the next reference if it is nil; returns whether it was.
  @inlinable @inline(__always)
  package func takeNilReference() -> Bool {
    let position = node.value.position
    guard position < node.value.count,
      unsafe Chunk.unsigned(node.value.values, index: position, width: node.value.width) == 0
    else { return false }
    node.value.position = position &+ 1
    return true
  }

  /// Whether `prefetch` should be called: before the first reference, and then before each 16th.
  @inlinable @inline(__always)
  package var isPrefetchDue: Bool { node.value.position >= node.value.prefetchPosition }

  /// Calls `near` with the rows of the next 16 references, and `far` with those of the 16 after them; before
  /// the first reference `far` gets all 32.
  @inlinable @inline(__always)
  package func prefetch(far: (Int) -> Void, near: (Int) -> Void) {
    let position = node.value.position
    let count = node.value.count
    let values = unsafe node.value.values
    let width = node.value.width
    node.value.prefetchPosition = position &+ 16
    let middle = min(count, position &+ 16)
    for index in (position == 0 ? 0 : middle)..<min(count, position &+ 32) {
      far(unsafe Int(truncatingIfNeeded: Chunk.unsigned(values, index: index, width: width)))
    }
    for index in position..<max(position, middle) {
      near(unsafe Int(truncatingIfNeeded: Chunk.unsigned(values, index: index, width: width)))
    }
  }

  /// Throws unless the column has `count` more values.
  @inlinable package func require(_ count: Int) throws {
    guard count >= 0, count <= node.value.count &- node.value.position else { throw endOfColumn() }
  }

  /// Reads the next integers, of whatever width the file has.
  @inlinable package func integers<T: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, into memory: UnsafeMutablePointer<T>
  ) throws {
    try require(count)
    if node.value.width == MemoryLayout<T>.size, node.value.isSigned == T.isSigned {
      return unsafe try fixed(count, into: memory)
    }
    for index in 0..<count { unsafe (memory + index).initialize(to: try integer()) }
  }

  /// Reads the next values of fixed size.
  @inlinable package func fixed<T: BitwiseCopyable>(_ count: Int, into memory: UnsafeMutablePointer<T>)
    throws
  {
    try require(count)
    guard node.value.width == MemoryLayout<T>.size else {
      throw wrongWidth()
    }
    let position = node.value.position
    unsafe UnsafeMutableRawPointer(memory).copyMemory(
      from: node.value.values + position * MemoryLayout<T>.size, byteCount: count * MemoryLayout<T>.size)
    node.value.position = position + count
  }

  /// Reads the next floating-point numbers as `Double`.
  @inlinable package func doubles(_ count: Int, into memory: UnsafeMutablePointer<Double>) throws {
    if node.value.width == MemoryLayout<Double>.size {
      return unsafe try fixed(count, into: memory)
    }
    try require(count)
    for index in 0..<count { unsafe (memory + index).initialize(to: try double()) }
  }

  /// The next floating-point number as `Double`; a narrower one in the file is widened.
  @inlinable package func double() throws -> Double {
    switch node.value.width {
    case 2, 4: Double(try float())
    default: try fixed(Double.self)
    }
  }

  /// The next floating-point number as `Float`; one of 16 bits in the file is widened.
  @inlinable package func float() throws -> Float {
    switch node.value.width {
    case 2: Float(half: try fixed(UInt16.self))
    default: try fixed(Float.self)
    }
  }

  /// Reads the next floating-point numbers as `Float`.
  @inlinable package func floats(_ count: Int, into memory: UnsafeMutablePointer<Float>) throws {
    if node.value.width == MemoryLayout<Float>.size {
      return unsafe try fixed(count, into: memory)
    }
    try require(count)
    for index in 0..<count { unsafe (memory + index).initialize(to: try float()) }
  }

  /// The next numbers, of a type with trait `bulk`, as an array.
  @inlinable package func numbers<Number>(_ count: Int) throws -> [Number] {
    try require(count)
    return unsafe try [Number](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      unsafe try copy(count, of: Number.self, to: UnsafeMutableRawPointer(start))
      initialized = count
    }
  }

  /// Reads the next numbers of a type with trait `bulk`.
  @inlinable @inline(__always)
  func copy<Number>(_ count: Int, of type: Number.Type, to memory: UnsafeMutableRawPointer) throws {
    // If the compiler knows the type, one line of these remains.
    if type == Int.self { return unsafe try copy(count, as: Int.self, to: memory) }
    if type == UInt8.self { return unsafe try copy(count, as: UInt8.self, to: memory) }
    if type == Double.self {
      return unsafe try doubles(count, into: memory.bindMemory(to: Double.self, capacity: count))
    }
    if type == Float.self {
      return unsafe try floats(count, into: memory.bindMemory(to: Float.self, capacity: count))
    }
    if type == Int8.self { return unsafe try copy(count, as: Int8.self, to: memory) }
    if type == Int16.self { return unsafe try copy(count, as: Int16.self, to: memory) }
    if type == Int32.self { return unsafe try copy(count, as: Int32.self, to: memory) }
    if type == Int64.self { return unsafe try copy(count, as: Int64.self, to: memory) }
    if type == Int128.self { return unsafe try copy(count, as: Int128.self, to: memory) }
    if type == UInt16.self { return unsafe try copy(count, as: UInt16.self, to: memory) }
    if type == UInt32.self { return unsafe try copy(count, as: UInt32.self, to: memory) }
    if type == UInt64.self { return unsafe try copy(count, as: UInt64.self, to: memory) }
    if type == UInt128.self { return unsafe try copy(count, as: UInt128.self, to: memory) }
    if type == UInt.self { return unsafe try copy(count, as: UInt.self, to: memory) }
    throw error(.typeMismatch, found: "an array of \(type)")
  }

  @inlinable @inline(__always)
  func copy<Number: FixedWidthInteger & BitwiseCopyable>(
    _ count: Int, as type: Number.Type, to memory: UnsafeMutableRawPointer
  ) throws {
    unsafe try integers(count, into: memory.bindMemory(to: Number.self, capacity: count))
  }

  /// The next string.
  ///
  /// - Throws: `invalidString` if its bytes are not UTF-8.
  @inlinable @inline(__always)
  package func text() throws -> String {
    if node.value.usesStringTable, node.value.position < node.value.count {
      let id = unsafe Chunk.unsigned(
        node.value.values, index: node.value.position, width: node.value.width)
      if let text = node.value.builtStrings.value.string(id) {
        node.value.position &+= 1
        return text
      }
    }
    return try newText()
  }

  /// Slow path of `text`: a string that is not built yet.
  @usableFromInline @inline(never)
  func newText() throws -> String {
    if node.value.usesStringTable {
      let position = try next()
      let id = unsafe Chunk.unsigned(
        node.value.values, index: position, width: node.value.width)
      do throws(ArchiveError) {
        return try unsafe node.value.strings.takeUnretainedValue().string(id)
      } catch {
        throw located(error)
      }
    }
    guard let text = unsafe String(checkedUTF8: try bytes()) else {
      throw error(.invalidString, found: "bytes that are not UTF-8")
    }
    return text
  }

  /// The next byte string, valid while the unarchiver's call lasts.
  @usableFromInline package func bytes() throws -> UnsafeRawBufferPointer {
    let position = try next()
    let length = unsafe Int(
      truncatingIfNeeded: Chunk.unsigned(node.value.values, index: position, width: node.value.width))
    let start = node.value.textPosition
    guard length >= 0, unsafe length <= node.value.text.count - start else { throw endOfColumn() }
    node.value.textPosition = start + length
    return unsafe UnsafeRawBufferPointer(rebasing: node.value.text[start..<start + length])
  }

  /// The case of the next enumeration value, as the program's index.
  ///
  /// Spec: 04-columns, rule V6; 06-evolution, rule M6.
  ///
  /// - Returns: the index of a case of the program's enumeration.
  /// - Throws: `unknownCase` if the program has no such case.
  public func readCase() throws -> Int {
    let stored = try integer(Int.self)
    guard node.value.cases.indices.contains(stored), let known = node.value.cases[stored]
    else {
      throw error(
        .unknownCase, found: "case \(stored)", expected: "a case that the program knows",
        remedy: "the file was written by a program with more cases")
    }
    return known
  }

  /// The column of the associated values of a case.
  ///
  /// - Parameter index: the program's index of the case.
  /// - Returns: the nested column; this column if the case has no associated values.
  public func payload(_ index: Int) -> ColumnReader {
    guard let child = node.value.payload(index) else { return self }
    return self.child(child)
  }

  /// The capacity to reserve for `count` elements: no more than a column can contain, whatever a length
  /// claims.
  @inlinable package func capacity(_ count: Int) -> Int {
    min(max(count, 0), max(node.value.count, 4096))
  }

  /// Whether a value of the column can contain a value of the same column.
  @inlinable package var isRecursive: Bool { node.value.isRecursive }

  /// Begins to read the fields of a structure or of a payload. Each call is followed by one of `leaveValue`.
  ///
  /// Returns whether it is inside a value of the same type, and so one level deeper.
  /// Spec: 07-limits, rule A8.
  package func enterValue() -> Bool {
    guard let head = node.value.head else { return false }
    head.value.openCount += 1
    return head.value.openCount > 1
  }

  /// Ends what `enterValue` began.
  package func leaveValue() { node.value.head?.value.openCount -= 1 }

  /// Whether the column is a set or dictionary with references in its keys.
  @inlinable package var hashesReferences: Bool { node.value.hashesReferences }

  /// Whether the column contains unowned references, which do not keep their targets alive.
  @inlinable package var isUnowned: Bool { node.value.isUnowned }

  /// Whether the column contains weak references.
  @inlinable package var isWeak: Bool { node.value.isWeak }

  /// Whether the column contains strong references, which keep their targets alive.
  @inlinable package var isStrongReference: Bool { node.value.isStrongReference }

  /// An error that names the class and key of the column.
  @usableFromInline package func error(
    _ code: ArchiveError.Code, found: String, expected: String? = nil, remedy: String? = nil
  ) -> ArchiveError {
    located(ArchiveError(code, found: found, expected: expected, remedy: remedy))
  }

  private func located(_ error: ArchiveError) -> ArchiveError {
    error.located(className: node.value.place?.className, key: node.value.place?.key)
  }

  @usableFromInline @inline(never)
  func endOfColumn() -> ArchiveError {
    error(
      .malformedColumn, found: "the end of the column after \(plural(node.value.count, "value"))")
  }

  package func nestedTooDeeply(_ limit: Int) -> ArchiveError {
    error(
      .limitExceeded, found: "values nested more than \(limit) deep",
      remedy: "raise Limits.nesting if you trust the file")
  }

  @usableFromInline @inline(never)
  func wrongWidth() -> ArchiveError {
    error(.typeMismatch, found: "values of \(node.value.width) bytes")
  }

  @usableFromInline @inline(never)
  func outOfRange(_ type: Any.Type) -> ArchiveError {
    error(.valueOutOfRange, found: "a number that \(type) cannot hold", expected: "a \(type)")
  }
}

/// The memory of one column, accessed by `ColumnReader` and `ColumnReaderSet` only.
@usableFromInline @safe struct ColumnReaderNode {
  /// The values of the bound chunk; `count` is 0 while there is none.
  @usableFromInline var values: UnsafeRawPointer
  @usableFromInline var count = 0
  /// The index of the next value.
  @usableFromInline var position = 0
  /// The position from which `isPrefetchDue` holds; the maximum in columns without prefetching.
  @usableFromInline var prefetchPosition = Int.max
  @usableFromInline var width = 0
  @usableFromInline var phase: UInt8 = 0
  @usableFromInline var isSigned = false
  @usableFromInline var isMissing = false
  @usableFromInline var isAlwaysPresent = false
  @usableFromInline var isBytes = false
  @usableFromInline var isRecursive = false
  /// The node to which a mention inside this one leads: itself, or the enumeration whose payload it is. Nil
  /// if there is none.
  var head: Handle<ColumnReaderNode>?
  /// The number of values of the node that are being read, one inside another.
  var openCount = 0
  @usableFromInline var hashesReferences = false
  @usableFromInline var isUnowned = false { didSet { updateReferenceKind() } }
  @usableFromInline var isWeak = false
  @usableFromInline var usesStringTable = false
  @usableFromInline var isStrongReference = false
  @usableFromInline var context: OpaqueHandle?
  @usableFromInline var children: HandleBuffer<Handle<ColumnReaderNode>>
  @usableFromInline var builtStrings: Handle<BuiltStrings>
  /// Memory for the plain form of the bound chunk if it is not plain.
  var room = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
  var text: UnsafeRawBufferPointer
  /// The offset in `text` of the next byte string.
  var textPosition = 0
  var kind: ColumnKind
  /// Whether the values are strings or other bytes.
  let isText: Bool
  var strings: Unmanaged<StringTable>
  /// The node of the file's layout whose chunks are bound; nil if the file has none.
  var source: Int?
  /// For each case of the file the program's index, nil if it has none; and for each case of the program the
  /// child with the payload.
  var cases: [Int?] = []
  var payloads: [Int?] = []
  var place: ColumnLocation?

  /// Memory for columns without values; never read, since their count is 0.
  nonisolated(unsafe) static let nothing = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

  mutating func updateReferenceKind() { isStrongReference = kind == .reference && !isUnowned && !isWeak }

  /// The initial `prefetchPosition` of the bound chunk: 0 if it is long enough to be worth prefetching.
  var firstPrefetch: Int { (kind == .reference || kind == .weak) && count > 8 ? 0 : .max }

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Moves the column to the beginning of a chunk.
  @inline(__always) mutating func bind(_ chunk: Chunk) {
    position = 0
    textPosition = 0
    count = chunk.count
    prefetchPosition = firstPrefetch
    width = chunk.width
    usesStringTable = chunk.usesStringTable
    unsafe text = unsafe chunk.text
    if chunk.form == .plain, let start = unsafe chunk.values.baseAddress {
      unsafe values = unsafe start
    } else {
      unsafe values = unsafe expanded(chunk)
    }
  }

  /// Leaves the column without values.
  mutating func unbind() {
    position = 0
    textPosition = 0
    prefetchPosition = .max
    count = 0
    width = 0
    usesStringTable = false
    unsafe text = UnsafeRawBufferPointer(start: nil, count: 0)
    unsafe values = Self.nothing
  }

  /// The plain form of a chunk, valid until the next chunk is bound.
  @inline(never) private mutating func expanded(_ chunk: Chunk) -> UnsafeRawPointer {
    let byteCount = max(chunk.plainByteCount, 1)
    if unsafe room.count < byteCount {
      unsafe room.deallocate()
      unsafe room = .allocate(byteCount: byteCount, alignment: 16)
    }
    unsafe chunk.expand(into: room)
    return unsafe (room.baseAddress.map { UnsafeRawPointer($0) } ?? Self.nothing)
  }

  private static var maximumKeptByteCount: Int { 1 << 12 }

  /// Frees the memory for values if it is large.
  mutating func giveBackMemory() {
    guard unsafe room.count > Self.maximumKeptByteCount else { return }
    unsafe room.deallocate()
    unsafe room = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }
}

/// The class and key of a column, for errors.
package final class ColumnLocation: Sendable {
  package let className: String
  package let key: String
  package init(className: String, key: String) {
    self.className = className
    self.key = key
  }
}
