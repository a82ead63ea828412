// Integers, floating-point numbers and Bool. Their type encodings are clang's for types of the same size
// (Objective-C Runtime Programming Guide, "Type Encodings"; TYPE-ENCODINGS.md, section 2).

/// An integer that is stored as it is and read in any width that holds the value.
public protocol __ArchivableInteger: ArchivableValue, FixedWidthInteger, BitwiseCopyable {
  /// The code of an integer of that size.
  static var __scalar: TypeEncoding.Scalar { get }
}

extension __ArchivableInteger {
  /// The scalar's.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(__scalar) }
  /// Reads an integer.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self { try column.__integer() }
  /// Appends an integer.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(self) }
  /// Yes.
  @inlinable public static var __isBulk: Bool { true }
  /// Copies the values.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    try unsafe column.__integers(count, into: memory.bindMemory(to: Self.self, capacity: count))
  }
}

extension Int8: __ArchivableInteger {
  /// `c`.
  public static var __scalar: TypeEncoding.Scalar { .character }
}
extension Int16: __ArchivableInteger {
  /// `s`.
  public static var __scalar: TypeEncoding.Scalar { .short }
}
extension Int32: __ArchivableInteger {
  /// `i`.
  public static var __scalar: TypeEncoding.Scalar { .int }
}
extension Int64: __ArchivableInteger {
  /// `q`.
  public static var __scalar: TypeEncoding.Scalar { .longLong }
}
extension Int128: __ArchivableInteger {
  /// `t`.
  public static var __scalar: TypeEncoding.Scalar { .int128 }
}
extension UInt8: __ArchivableInteger {
  /// `C`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedCharacter }
}
extension UInt16: __ArchivableInteger {
  /// `S`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedShort }
}
extension UInt32: __ArchivableInteger {
  /// `I`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedInt }
}
extension UInt64: __ArchivableInteger {
  /// `Q`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedLongLong }
}
extension UInt128: __ArchivableInteger {
  /// `T`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedInt128 }
}

/// `Int` is stored as 64 bits on every platform, so that files do not depend on the machine.
extension Int: ArchivableValue {
  /// `q`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(.longLong) }
  /// Reads an integer.
  @inlinable public static func __read(from column: ColumnReader) throws -> Int { try column.__integer() }
  /// Appends 64 bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(Int64(self)) }
  /// Yes, where it has 64 bits.
  @inlinable public static var __isBulk: Bool { MemoryLayout<Self>.size == MemoryLayout<Int64>.size }
  /// Copies the values.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    try unsafe column.__integers(count, into: memory.bindMemory(to: Self.self, capacity: count))
  }
}

/// `UInt` is stored as 64 bits on every platform.
extension UInt: ArchivableValue {
  /// `Q`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .scalar(.unsignedLongLong)
  }
  /// Reads an integer.
  @inlinable public static func __read(from column: ColumnReader) throws -> UInt { try column.__integer() }
  /// Appends 64 bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(UInt64(self)) }
  /// Yes, where it has 64 bits.
  @inlinable public static var __isBulk: Bool { MemoryLayout<Self>.size == MemoryLayout<Int64>.size }
  /// Copies the values.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    try unsafe column.__integers(count, into: memory.bindMemory(to: Self.self, capacity: count))
  }
}

extension Float: ArchivableValue {
  /// `f`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(.float) }
  /// Reads the bits, NaN payload and sign of zero included.
  @inlinable public static func __read(from column: ColumnReader) throws -> Float { try column.__fixed() }
  /// Appends the bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(self) }
  /// Yes.
  @inlinable public static var __isBulk: Bool { true }
  /// Copies the values.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    try unsafe column.__fixed(count, into: memory.bindMemory(to: Self.self, capacity: count))
  }
}

extension Double: ArchivableValue {
  /// `d`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(.double) }
  /// Reads the bits, or widens a `Float`.
  @inlinable public static func __read(from column: ColumnReader) throws -> Double { try column.__double() }
  /// Appends the bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(self) }
  /// Yes.
  @inlinable public static var __isBulk: Bool { true }
  /// Copies the values.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    try unsafe column.__doubles(count, into: memory.bindMemory(to: Self.self, capacity: count))
  }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: ArchivableValue {
    /// A space: clang's code for `_Float16`.
    public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(.half) }
    /// Reads the bits.
    @inlinable public static func __read(from column: ColumnReader) throws -> Float16 { try column.__fixed() }
    /// Appends the bits.
    @inlinable public func __write(to column: ColumnWriter) throws { column.__append(self) }
  }
#endif

extension Bool: ArchivableValue {
  /// `B`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { .scalar(.bool) }
  /// Reads a bit.
  @inlinable public static func __read(from column: ColumnReader) throws -> Bool { try column.__bit() }
  /// Appends a bit.
  @inlinable public func __write(to column: ColumnWriter) throws { column.__append(bit: self) }
}

extension String: ArchivableValue {
  /// `@"NSString"`.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .object(className: "NSString", protocols: [])
  }
  /// Reads UTF-8, byte for byte what was written.
  @inlinable public static func __read(from column: ColumnReader) throws -> String { try column.__text() }
  /// Appends the UTF-8 bytes, neither normalised nor cut at NUL.
  @inlinable @inline(__always)
  public func __write(to column: ColumnWriter) throws { column.__append(text: self) }
  /// Appends the strings; those known by their storage are not even read.
  @inlinable public static func __writeElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter
  ) throws {
    let strings = unsafe UnsafeBufferPointer(
      start: elements.assumingMemoryBound(to: String.self), count: count)
    var next = 0
    while next < count {
      unsafe next += column.__appendKnown(UnsafeBufferPointer(rebasing: strings[next...]))
      guard next < count else { break }
      unsafe column.__append(text: strings[next])
      next += 1
    }
  }
}

extension Character: ArchivableValue {
  /// That of a string.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    String.__typeEncoding(in: context)
  }
  /// Reads a string of one character; throws `valueOutOfRange` for any other.
  public static func __read(from column: ColumnReader) throws -> Character {
    let text = try column.__text()
    guard let character = text.first, text.count == 1 else {
      throw column.__error(
        .valueOutOfRange, found: "a string of \(text.count) characters", expected: "one character")
    }
    return character
  }
  /// Appends a string of one character.
  public func __write(to column: ColumnWriter) throws { column.__append(text: String(self)) }
}
