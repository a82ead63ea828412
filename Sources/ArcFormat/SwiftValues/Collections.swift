public import ArcRuntime

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// The type encoding of an optional: `$?` and the encoding of the wrapped type.
  ///
  /// An optional reference has the same type encoding as a reference that is not optional.
  public static var __columnType: TypeEncoding {
    Wrapped.__traits.contains(.reference) ? Wrapped.__columnType : .optional(Wrapped.__columnType)
  }
  /// Reads an optional from a column: a reference, which may be nil, or a presence bit and then the value.
  @inlinable @inline(__always)
  public static func __read(from column: ColumnReader) throws -> Wrapped? {
    if Wrapped.__traits.contains(.reference) {
      return column.takeNilReference() ? nil : try Wrapped.__read(from: column)
    }
    return try column.bit() ? Wrapped.__read(from: column.child(0)) : nil
  }
  /// Writes the optional to a column: a reference, where row 0 is nil, or a presence bit and then the value.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws {
    if Wrapped.__traits.contains(.reference) {
      return if let value = self { try value.__write(to: column) } else { column.append(0 as UInt32) }
    }
    column.append(bit: self != nil)
    if let value = self { try value.__write(to: column.child(0)) }
  }
  /// The trait `optional`, and the trait `erased` if the wrapped type has the trait `erased`.
  @inlinable public static var __traits: __ValueTraits {
    Wrapped.__traits.intersection(.erased).union(.optional)
  }
}

extension Array: ColumnValue where Element: ColumnValue {
  /// The trait `erased` if the element type has the trait `erased`; otherwise no traits.
  @inlinable public static var __traits: __ValueTraits { Element.__traits.intersection(.erased) }
  /// The type encoding of an array, `$[T]`.
  public static var __columnType: TypeEncoding { .list(Element.__columnType) }
  /// Reads an array from a column: the number of elements, then the elements.
  ///
  /// An array of `UInt8` can also be read from a column of data.
  @inlinable public static func __read(from column: ColumnReader) throws -> [Element] {
    if column.isBytes {
      guard let bytes = try [UInt8](column.bytes()) as? [Element] else {
        throw column.error(
          .typeMismatch, found: "data", expected: "an array", remedy: "read the column as '[UInt8]'")
      }
      return bytes
    }
    let count = try column.integer(Int.self)
    if count == 0 { return [] }
    return try column.child(0).values(count)
  }
  /// Writes the array to a column: the number of elements, then the elements.
  @inlinable public func __write(to column: ColumnWriter) throws {
    column.append(UInt64(truncatingIfNeeded: count))
    if isEmpty { return }
    let elements = column.child(0)
    if Element.__traits.contains(.bulk) { return elements.append(contentsOf: self) }
    unsafe try withUnsafeBytes { unsafe try Element.__write(elements: $0, to: elements) }
  }
}

extension ColumnReader {
  /// Reads the next `count` values as an array.
  @inlinable @inline(__always)
  package func values<Value: ColumnValue>(_ count: Int) throws -> [Value] {
    if Value.__traits.contains(.bulk) { return try numbers(count) }
    if Value.__traits.contains(.reference), node.value.omitsNilReferences { return try present(count) }
    return try array(count) { try Value.__read(from: self) }
  }
}

extension ColumnReader {
  /// Skips the next reference if a revision of the archive has removed its target, and if the collection that
  /// contains the reference omits removed targets. Returns whether the reference was skipped.
  @inlinable @inline(__always)
  package func skipsRemovedReference<Value: ColumnValue>(_ type: Value.Type) -> Bool {
    Value.__traits.contains(.reference) && node.value.omitsNilReferences && isNextRemoved
      && takeNilReference()
  }

  /// Whether the target of the next reference is an object that a revision of the archive has removed.
  @usableFromInline var isNextRemoved: Bool { node.value.formerRow(node.value.position) > 0 }

  /// Reads the next `count` references as an array. Omits references to objects that a revision of the
  /// archive has removed.
  @usableFromInline @inline(never)
  func present<Value: ColumnValue>(_ count: Int) throws -> [Value] {
    var values: [Value] = []
    for _ in 0..<count where !skipsRemovedReference(Value.self) {
      values.append(try Value.__read(from: self))
    }
    return values
  }
}

extension ObjectID: ColumnValue {
  /// The type encoding of a reference to an object of any class, `@`.
  public static var __columnType: TypeEncoding { .object(className: nil, protocols: []) }
  /// Reads a reference from a column.
  ///
  /// Spec: 05-graph, rule G5.
  ///
  /// - Throws: `nilReference` for nil.
  public static func __read(from column: ColumnReader) throws -> ObjectID {
    let row = try column.integer(UInt32.self)
    guard row != 0 else {
      throw column.error(
        .nilReference, found: "nil", expected: "a reference to an object",
        remedy: "read the column as 'ObjectID?'")
    }
    return ObjectID(rawValue: row)
  }
  /// Writes the row number of the object to a column.
  public func __write(to column: ColumnWriter) throws { column.append(rawValue) }
  /// The trait `reference`, because the values are references to objects.
  public static var __traits: __ValueTraits { .reference }
}
