/// A column to which generated code appends the values of one property.
///
/// The writer is a handle that does not own the column. The `ColumnWriterSet` that created the writer owns
/// the column and must outlive the writer. The values of one row must be appended in the order in which they
/// are read.
///
/// Spec: 04-columns.
@_documentation(visibility: internal)
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
    if values.count &* MemoryLayout<T>.stride < ColumnWriterNode.minimumBorrowedByteCount {
      unsafe values.withUnsafeBytes { node.value.values.append(contentsOf: unsafe ByteView($0)) }
    } else {
      node.value.borrow(values)
    }
  }

  /// Appends values of fixed size from memory, where they are as wide as the column's kind.
  func append(plain values: ByteView) { node.value.values.append(contentsOf: values) }

  /// Appends the ids of strings, beginning with the string at an index. Stops at the first string that is not
  /// in the cache, and returns its index.
  @inlinable @inline(__always)
  package func appendKnown(_ strings: Span<String>, from start: Int) -> Int {
    guard node.value.usesStringTable else { return start }
    var index = start
    while index < strings.count {
      let id = node.value.stringCache.value.id(of: strings[index])
      if id == StringCache.none { break }
      append(id)
      index &+= 1
    }
    node.value.knownStringCount &+= index &- start
    return index
  }

  /// Appends a reference to the object at an address. The row number of the object is set when all objects
  /// have row numbers.
  package func appendUnsettled(_ address: UInt) {
    node.value.unsettled.append((node.value.values.count / MemoryLayout<UInt32>.size, address))
    append(0 as UInt32)
  }

  /// Appends a bit. The bit takes a byte of memory until the chunk is written.
  @inlinable @inline(__always)
  package func append(bit: Bool) { append(bit ? 1 as UInt8 : 0) }

  /// Appends the UTF-8 bytes of a string, without normalization.
  @inlinable @inline(__always)
  package func append(text: String) {
    if !append(knownID: knownID(of: text)) { append(unknown: text) }
  }

  /// Returns the id of a string if it is in the cache, for `append(knownID:)`.
  @inlinable @inline(__always)
  package func knownID(of text: String) -> UInt32 { node.value.stringCache.value.id(of: text) }

  /// Appends the id of a string. Returns false if `id` is not an id of a string, or if the column does not
  /// use the string table.
  @inlinable @inline(__always)
  package func append(knownID id: UInt32) -> Bool {
    guard id != StringCache.none, node.value.usesStringTable else { return false }
    append(id)
    node.value.knownStringCount &+= 1
    return true
  }

  /// Appends a string that is not in the cache: the slow path of `append(text:)`.
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
      text.withUTF8Bytes { append(bytes: $0) }
    }
  }

  /// Appends a byte string.
  @usableFromInline package func append(bytes: ByteView) {
    node.value.extra.append(contentsOf: bytes)
    append(UInt64(bytes.count))
  }

  /// Returns the nested column at an index that the type determines: 0 for elements, or the number of a field
  /// or payload.
  @inlinable package func child(_ index: Int) -> ColumnWriter {
    // If a program has two types with one name, it may request a child that does not exist. The archiver then
    // refuses the values.
    guard index < node.value.children.count else { return self }
    return ColumnWriter(node.value.children[index])
  }

  /// Returns the column of a case's payload, by the index of the case. Returns this column if the case has no
  /// payload.
  @usableFromInline package func payload(_ index: Int) -> ColumnWriter {
    node.value.payload(index).map { child($0) } ?? self
  }

  /// The value that the archiver set for its own use.
  @inlinable package var context: OpaqueHandle? { node.value.context }

  /// Whether a value of the column can contain another value of this column, because its type is recursive.
  @inlinable package var isRecursive: Bool { node.value.isRecursive }

  /// Whether the column accepts references to any row. If false, it is a construction column, which accepts
  /// only references to earlier rows.
  @inlinable package var acceptsAnyRow: Bool { node.value.acceptsAnyRow }

  /// Whether a reference to a row can be appended. A construction column accepts only references to rows
  /// before `currentRow`. Spec: 05-graph, rule G4.
  @inlinable @inline(__always)
  package func takes(row: UInt32, before currentRow: UInt32) -> Bool {
    node.value.acceptsAnyRow
      || (node.value.isConstruction && node.value.kind == .reference && row < currentRow)
  }

  /// Whether the values of the column are strong or unowned references.
  package var isReference: Bool { node.value.kind == .reference }

  /// The declared class of references in the column. Nil if no class is declared, or if the column contains
  /// other values.
  package var declaredClass: String? { node.value.declaredClass }

  /// Whether all references in the column must refer to rows before the row that contains them. Spec:
  /// 05-graph, rule G4.
  package var isConstruction: Bool { node.value.isConstruction }

  /// How the keys of the set or dictionary in the column are checked.
  package var keyCheck: KeyCheck {
    get { node.value.keyCheck }
    nonmutating set { node.value.keyCheck = newValue }
  }

  /// Whether the column contains weak references. Their rows are set when all objects have rows.
  @inlinable package var isWeak: Bool { node.value.kind == .weak }

  /// Whether references in the column are likely to be the only references to their objects. If true, the
  /// archiver tests each reference before it appends the reference.
  @inlinable @inline(__always)
  package var expectsUniqueReferences: Bool { node.value.uniqueReferenceCredit > 0 }

  /// Counts the result of a test whether a reference is the only reference to its object (`isUnique`). If
  /// most results are false, the column stops expecting unique references.
  @inlinable @inline(__always)
  package func note(isUnique: Bool) {
    node.value.uniqueReferenceCredit &+= isUnique ? 1 : -1
  }

  /// Whether the column contains the values of a stored property instead of the results of a getter.
  @inlinable @inline(__always)
  package var isStored: Bool { node.value.isStored }

  /// Marks the column as the column of a stored property. A stored property retains its object, so a second
  /// read of the property returns the identical object.
  package func markAsStored() { node.value.isStored = true }

  /// Marks the column as a column in which each reference is the whole value of a stored property. Such a
  /// reference may be the only reference to its object.
  package func expectUniqueReferences() {
    node.value.initialUniqueReferenceCredit = 32
    node.value.uniqueReferenceCredit = 32
  }

  /// Whether an enumeration case is known to be readable: the case can be created again from the raw value
  /// that the column stores for it. Only the first 64 cases can be recorded.
  @inlinable @inline(__always)
  package func isReadable(_ caseIndex: UInt8) -> Bool {
    caseIndex < 64 && node.value.readableCases >> UInt64(caseIndex) & 1 == 1
  }

  /// Records that the raw value of a case creates the case again, so that the case is readable.
  @inlinable @inline(__always)
  package func noteReadable(_ caseIndex: UInt8) {
    if caseIndex < 64 { node.value.readableCases |= 1 << UInt64(caseIndex) }
  }

  /// The index, in its class, of the property to which the column belongs.
  @usableFromInline package var slot: Int { node.value.slot }
}

/// The reason why keys that are distinct when they are written may be equal after reading. The reason
/// determines how the keys are checked.
package enum KeyCheck {
  /// It is not determined yet whether the keys may become equal.
  case undecided
  /// The keys cannot be equal, because they are read unchanged. There is no check.
  case notNeeded
  /// The keys contain references to objects, which may become equal after reading.
  case ofReferences
  /// The keys may differ only in parts that the archive does not store.
  case ofValues
}
