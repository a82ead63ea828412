/// A column from which generated code reads values, in the order in which they were written.
///
/// The reader is a handle that does not own the column. The `ColumnReaderSet` that created the reader owns
/// the column and must outlive the reader. Every read compares the position with the number of values in the
/// bound chunk, whose size `Chunk` has checked.
@_documentation(visibility: internal)
@safe @frozen public struct ColumnReader {
  @usableFromInline let node: Handle<ColumnReaderNode>

  @usableFromInline init(_ node: Handle<ColumnReaderNode>) { self.node = node }

  /// Whether the file does not have the column. If so, the property gets its default value.
  @inlinable package var isMissing: Bool { node.value.isMissing }

  /// Whether structures may lack the field whose values the column contains. For each structure,
  /// `fieldIfPresent` determines whether the structure has the field.
  @inlinable package var mayBeMissing: Bool { node.value.mayBeMissing }

  /// The phase of unarchiving in which the value is set, as a number that module Arc defines.
  /// Spec: 05-graph, section 3.
  @inlinable package var phase: UInt8 { node.value.phase }

  /// Whether the file stores data that the program reads as an array of bytes.
  @inlinable package var isBytes: Bool { node.value.isBytes }

  /// The value that the unarchiver set for its own use.
  @inlinable package var context: OpaqueHandle? { node.value.context }

  /// Returns the nested column at an index. The program's type determines the index.
  @inlinable package func child(_ index: Int) -> ColumnReader {
    // If a program has two types with one name, it may request a child that does not exist. Reading this
    // column instead throws an error.
    guard index < node.value.children.count else { return self }
    return ColumnReader(node.value.children[index])
  }

  /// Moves past the next value, and returns the index of this value. Throws at the end of the column.
  @inlinable @inline(__always)
  func next() throws -> Int {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    return position
  }

  /// Reads the next value of fixed size: a floating-point number or 16 bytes.
  @inlinable @inline(__always)
  package func fixed<T: BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    guard node.value.width == MemoryLayout<T>.size else { throw wrongWidth() }
    return node.value.values.load(at: position &* MemoryLayout<T>.size, as: T.self)
  }

  /// Reads the next bit. If the program has an optional where the file has a type without nil, returns true
  /// and reads nothing.
  @inlinable @inline(__always)
  package func bit() throws -> Bool {
    if node.value.isAlwaysPresent { return true }
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    return node.value.values.bit(position)
  }

  /// Reads the next integer, which may be narrower or wider in the file. Spec: 06-evolution, rule M5.
  ///
  /// - Throws: `valueOutOfRange` if `T` cannot represent the integer.
  @inlinable @inline(__always)
  package func integer<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) throws -> T {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    let width = node.value.width
    if T.bitWidth == 128, width == 16 { return try wide(position) }
    let value =
      node.value.isSigned
      ? T(exactly: node.value.values.signed(position, width: width))
      : T(exactly: node.value.values.unsigned(position, width: width))
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  /// Reads the integer of 128 bits at `position`. Spec: 06-evolution, rule M5.
  @usableFromInline @inline(never)
  func wide<T: FixedWidthInteger>(_ position: Int) throws -> T {
    let bits: UInt128 = node.value.values.integer(at: position * 16)
    let value = node.value.isSigned ? T(exactly: Int128(truncatingIfNeeded: bits)) : T(exactly: bits)
    guard let value else { throw outOfRange(T.self) }
    return value
  }

  /// Reads the next reference. Returns the row to which it refers, or 0 for nil.
  @inlinable @inline(__always)
  package func row() throws -> Int {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    node.value.position = position &+ 1
    // Rows have at most 32 bits, and no sign: no bits are lost.
    return Int(truncatingIfNeeded: node.value.values.unsigned(position, width: node.value.width))
  }

  /// Moves past the next reference if it is nil. Returns whether it is nil.
  @inlinable @inline(__always)
  package func takeNilReference() -> Bool {
    let position = node.value.position
    guard position < node.value.count else { return false }
    guard node.value.values.unsigned(position, width: node.value.width) == 0 else { return false }
    node.value.position = position &+ 1
    return true
  }

  /// The row to which the next reference refers. 0 if the reference is nil, or at the end of the column. The
  /// column does not move.
  package var nextRow: Int {
    let position = node.value.position
    guard position < node.value.count else { return 0 }
    return Int(truncatingIfNeeded: node.value.values.unsigned(position, width: node.value.width))
  }

  /// Whether `prefetch` must be called now: before the first reference, and then before every 16th reference.
  @inlinable @inline(__always)
  package var isPrefetchDue: Bool { node.value.position >= node.value.prefetchPosition }

  /// Passes the targets of the next references to the caller, which can load them into the processor's cache.
  /// Calls `near` with the rows of the next 16 references, and `far` with the rows of the following 16
  /// references. Before the first reference is read, calls `far` with the rows of all 32 references.
  @inlinable @inline(__always)
  package func prefetch(far: (Int) -> Void, near: (Int) -> Void) {
    let position = node.value.position
    let count = node.value.count
    let values = node.value.values
    let width = node.value.width
    node.value.prefetchPosition = position &+ 16
    let middle = min(count, position &+ 16)
    for index in (position == 0 ? 0 : middle)..<min(count, position &+ 32) {
      far(Int(truncatingIfNeeded: values.unsigned(index, width: width)))
    }
    for index in position..<max(position, middle) {
      near(Int(truncatingIfNeeded: values.unsigned(index, width: width)))
    }
  }

  /// Reads the next floating-point number as `Double`. Widens a narrower number of the file.
  @inlinable package func double() throws -> Double {
    let position = node.value.position
    guard position < node.value.count else { throw endOfColumn() }
    switch node.value.width {
    case 8:
      node.value.position = position &+ 1
      return node.value.values.load(at: position &* 8, as: Double.self)
    case 2, 4: return Double(try float())
    default: throw wrongWidth()
    }
  }

  /// Reads the next floating-point number as `Float`. Widens a number of 16 bits in the file.
  @inlinable package func float() throws -> Float {
    switch node.value.width {
    case 2: Float(half: try fixed(UInt16.self))
    default: try fixed(Float.self)
    }
  }

  /// Calls `read` `count` times, and returns the results. Each call reads the next value.
  @inlinable @inline(__always)
  package func array<Value>(_ count: Int, _ read: () throws -> Value) rethrows -> [Value] {
    var values: [Value] = []
    // A file can claim any number of values that take no bytes.
    values.reserveCapacity(capacity(count))
    for _ in 0..<count { values.append(try read()) }
    return values
  }

  /// Throws an error unless the column has `count` more values.
  @inlinable package func require(_ count: Int) throws {
    guard count >= 0, count <= node.value.count &- node.value.position else { throw endOfColumn() }
  }

  /// Reads the next string.
  ///
  /// - Throws: `invalidString` if its bytes are not UTF-8.
  @inlinable @inline(__always)
  package func text() throws -> String {
    if node.value.usesStringTable, node.value.position < node.value.count {
      let id = node.value.values.unsigned(node.value.position, width: node.value.width)
      if let text = node.value.builtStrings.value.string(id) {
        node.value.position &+= 1
        return text
      }
    }
    return try newText()
  }

  /// Reads the next string, for which no `String` was created yet. `text` calls this slow path.
  @usableFromInline @inline(never)
  func newText() throws -> String {
    if node.value.usesStringTable {
      let position = try next()
      let id = node.value.values.unsigned(position, width: node.value.width)
      do throws(ArchiveError) {
        return try unsafe node.value.strings.takeUnretainedValue().string(id)
      } catch {
        throw located(error)
      }
    }
    guard let text = String(checkedUTF8: try bytes()) else {
      throw error(.invalidString, found: "a string whose bytes are not UTF-8")
    }
    return text
  }

  /// Reads the next byte string. The bytes are valid until the unarchiver's call ends.
  @usableFromInline package func bytes() throws -> ByteView {
    let position = try next()
    let length = Int(truncatingIfNeeded: node.value.values.unsigned(position, width: node.value.width))
    let start = node.value.textPosition
    guard length >= 0, length <= node.value.text.count - start else { throw endOfColumn() }
    node.value.textPosition = start + length
    return node.value.text[start..<start + length]
  }

  /// Reads the next enumeration value. Returns the index of its case in the program's enumeration.
  ///
  /// Spec: 04-columns, rule V6; 06-evolution, rule M6.
  ///
  /// - Returns: the index of a case of the program's enumeration.
  /// - Throws: `unknownCase` if the program's enumeration does not have the case.
  public func readCase() throws -> Int {
    let stored = try integer(Int.self)
    guard node.value.cases.indices.contains(stored), let known = node.value.cases[stored]
    else { throw unknownCase(stored) }
    return known
  }

  /// Returns the column of the associated values of a case.
  ///
  /// - Parameter index: the index of the case in the program's enumeration.
  /// - Returns: the nested column with the associated values; this column if the case has no such values.
  public func payload(_ index: Int) -> ColumnReader {
    guard let child = node.value.payload(index) else { return self }
    return self.child(child)
  }

  /// Returns the capacity to reserve for `count` elements. The capacity is limited by the number of values in
  /// the column, because the file may contain a wrong length.
  @inlinable package func capacity(_ count: Int) -> Int {
    min(max(count, 0), max(node.value.count, 4096))
  }

  /// Whether a value of the column can contain another value of this column, because its type is recursive.
  @inlinable package var isRecursive: Bool { node.value.isRecursive }

  /// Begins to read the fields of a structure or of a payload. The caller must call `leaveValue` after
  /// reading them.
  ///
  /// Returns whether a value of the same type encloses this value, so that this value is one level deeper.
  /// Spec: 07-limits, rule A8.
  package func enterValue() -> Bool {
    guard let head = node.value.head else { return false }
    head.value.openCount += 1
    return head.value.openCount > 1
  }

  /// Ends the reading of a value that `enterValue` began.
  package func leaveValue() { node.value.head?.value.openCount -= 1 }

  /// Whether a value of the column can contain a reference that is not weak.
  @inlinable package var containsReferences: Bool { node.value.containsReferences }

  /// Whether a collection, if its elements cannot be nil, omits references to objects that a revision
  /// removed.
  package var omitsNilReferences: Bool { node.value.omitsNilReferences }

  /// Whether the program may omit parts of a set's elements or of a dictionary's keys, so that some of them
  /// may become equal. The first of several equal keys is used.
  package var mayHaveEqualKeys: Bool { node.value.mayHaveEqualKeys }

  /// Whether the column contains unowned references, which do not retain their targets.
  @inlinable package var isUnowned: Bool { node.value.isUnowned }

  /// Whether the column contains weak references.
  @inlinable package var isWeak: Bool { node.value.isWeak }

  /// Whether the column contains strong references, which retain their targets.
  @inlinable package var isStrongReference: Bool { node.value.isStrongReference }

  /// Creates an error with the class and key of the column and the location of the value that was read last.
  @usableFromInline package func error(
    _ code: ArchiveError.Code, found: String, expected: String? = nil, remedy: String? = nil
  ) -> ArchiveError {
    located(ArchiveError(code, found: found, expected: expected, remedy: remedy))
  }

  /// Adds the class and key of the column and the location of the value that was read last to an error.
  @usableFromInline @inline(never)
  package func located(_ error: ArchiveError) -> ArchiveError {
    var located = locatedInProperty(error)
    located.valueLocation = located.valueLocation ?? lastLocation
    return located
  }

  /// Adds the class and key of the column to an error, but no location of a value. Used for errors that are
  /// found after later values of the column were read.
  package func locatedInProperty(_ error: ArchiveError) -> ArchiveError {
    error.located(className: node.value.location?.className, key: node.value.location?.key)
  }

  /// The location of the value that was read last. A structure stores no value of its own, so the location is
  /// determined by the position of its first field. Nil if no value was read.
  private var lastLocation: ValueLocation? {
    var last = node
    while last.value.kind.storage.isNone || last.value.isAlwaysPresent {
      guard last.value.children.count > 0, last.value.children[0].value.index > last.value.index else {
        return nil
      }
      last = last.value.children[0]
    }
    return last.value.position > 0
      ? ValueLocation(node: node.value.index, index: last.value.position - 1) : nil
  }

  /// Creates the error for a case of the file that the program does not have. Spec: 06-evolution, rule M6.
  @usableFromInline @inline(never)
  func unknownCase(_ stored: Int) -> ArchiveError {
    let names = node.value.caseNames
    let known = node.value.labels.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    return error(
      .unknownCase,
      found: names.indices.contains(stored)
        ? "the case '\(names[stored])'" : "case number \(stored) of \(plural(names.count, "case"))",
      expected: "a case of the program's enumeration: \(known)\(node.value.labels.count > 10 ? ", …" : "")",
      remedy:
        "add the case to the enumeration; if the case was renamed, mark it with @Key(\"new\", \"old\")")
  }

  /// Returns the name of a field for errors, or the field's index if it has no name.
  @usableFromInline package func fieldName(_ index: Int) -> String {
    let labels = node.value.labels
    return labels.indices.contains(index) && !labels[index].isEmpty ? "'\(labels[index])'" : "\(index)"
  }

  @usableFromInline @inline(never)
  func endOfColumn() -> ArchiveError {
    if let refusal = node.value.converter?.refusal ?? node.value.refusal {
      var error = locatedInProperty(
        ArchiveError(
          .valueOutOfRange, found: refusal.found, expected: refusal.expected, remedy: refusal.remedy))
      error.valueLocation = ValueLocation(node: refusal.node ?? node.value.index, index: refusal.index)
      return error
    }
    return error(
      .malformedColumn, found: "a column that ends after \(plural(node.value.count, "value"))",
      expected: "values for all objects of the class")
  }

  package func nestedTooDeeply(_ limit: Int) -> ArchiveError {
    error(
      .limitExceeded, found: "values nested more than \(limit) levels deep",
      expected: "at most \(plural(limit, "level"))",
      remedy: limit == ArchiveLimits.maximumValueNesting
        ? "read the values as types of your program" : "raise ArchiveLimits.nesting if you trust the file")
  }

  @usableFromInline @inline(never)
  func wrongWidth() -> ArchiveError {
    error(
      .typeMismatch, found: "numbers of \(plural(node.value.width, "byte"))",
      expected: "numbers with the width of the program's type")
  }

  @usableFromInline @inline(never)
  func outOfRange(_ type: Any.Type) -> ArchiveError {
    let (last, width, values) = (node.value.position - 1, node.value.width, node.value.values)
    let number =
      switch width {
      case 16:
        node.value.isSigned
          ? "\(values.integer(at: last * 16, as: Int128.self))"
          : "\(values.integer(at: last * 16, as: UInt128.self))"
      default:
        node.value.isSigned
          ? "\(values.signed(last, width: width))" : "\(values.unsigned(last, width: width))"
      }
    return error(
      .valueOutOfRange, found: "the number \(number)", expected: "a number that type '\(type)' can hold")
  }
}
