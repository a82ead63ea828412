public import ArcRuntime

// Integers, floating-point numbers and Bool. Their type encodings are clang's for types of the same size
// (Objective-C Runtime Programming Guide, "Type Encodings").

/// An integer type that can be read from columns of integers of any width. The integers must fit the type.
public protocol __ColumnInteger: __ColumnNumber, FixedWidthInteger {
  /// The type encoding of integers of this type, as a scalar.
  static var __scalar: TypeEncoding.Scalar { get }
}

extension __ColumnInteger {
  /// The type encoding of this integer type, which consists of one scalar.
  public static var __columnType: TypeEncoding { .scalar(__scalar) }
  /// Reads an integer of any width from a column.
  ///
  /// Spec: 06-evolution, rule M5.
  ///
  /// - Throws: `valueOutOfRange` if the type cannot represent the integer.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self { try column.integer() }
  /// Writes the integer to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(self) }
  /// The trait `bulk`, because arrays of the type are copied to and from columns as a whole.
  @inlinable public static var __traits: __ValueTraits { .bulk }
}

extension Int8: __ColumnInteger {
  /// The type encoding of this integer type: `c`.
  public static var __scalar: TypeEncoding.Scalar { .character }
}
extension Int16: __ColumnInteger {
  /// The type encoding of this integer type: `s`.
  public static var __scalar: TypeEncoding.Scalar { .short }
}
extension Int32: __ColumnInteger {
  /// The type encoding of this integer type: `i`.
  public static var __scalar: TypeEncoding.Scalar { .int }
}
extension Int64: __ColumnInteger {
  /// The type encoding of this integer type: `q`.
  public static var __scalar: TypeEncoding.Scalar { .longLong }
}
extension Int128: __ColumnInteger {
  /// The type encoding of this integer type: `t`.
  public static var __scalar: TypeEncoding.Scalar { .int128 }
}
extension UInt8: __ColumnInteger {
  /// The type encoding of this integer type: `C`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedCharacter }
}
extension UInt16: __ColumnInteger {
  /// The type encoding of this integer type: `S`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedShort }
}
extension UInt32: __ColumnInteger {
  /// The type encoding of this integer type: `I`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedInt }
}
extension UInt64: __ColumnInteger {
  /// The type encoding of this integer type: `Q`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedLongLong }
}
extension UInt128: __ColumnInteger {
  /// The type encoding of this integer type: `T`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedInt128 }
}

/// `Int` is stored in 64 bits on every platform, so that files do not depend on the machine.
extension Int: __ColumnInteger {
  /// The type encoding of this integer type: `q`.
  public static var __scalar: TypeEncoding.Scalar { .longLong }
  /// Writes the integer to a column, in 64 bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(Int64(self)) }
  /// The trait `bulk` on platforms where `Int` has 64 bits, because columns store `Int` with 64 bits. On
  /// other platforms, no traits.
  @inlinable public static var __traits: __ValueTraits {
    MemoryLayout<Self>.size == MemoryLayout<Int64>.size ? .bulk : __ValueTraits(rawValue: 0)
  }
}

/// `UInt` is stored in 64 bits on every platform, so that files do not depend on the machine.
extension UInt: __ColumnInteger {
  /// The type encoding of this integer type: `Q`.
  public static var __scalar: TypeEncoding.Scalar { .unsignedLongLong }
  /// Writes the integer to a column, in 64 bits.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(UInt64(self)) }
  /// The trait `bulk` on platforms where `UInt` has 64 bits, because columns store it in 64 bits.
  ///
  /// On other platforms, `UInt` has no traits.
  @inlinable public static var __traits: __ValueTraits {
    MemoryLayout<Self>.size == MemoryLayout<Int64>.size ? .bulk : __ValueTraits(rawValue: 0)
  }
}

extension Float: __ColumnNumber {
  /// The type encoding of values of this type: `f`.
  public static var __columnType: TypeEncoding { .scalar(.float) }
  /// Reads a number from a column. Widens the number if the column has 16 bits per number.
  ///
  /// All bits are preserved, including the NaN payload and the sign of zero.
  @inlinable public static func __read(from column: ColumnReader) throws -> Float { try column.float() }
  /// Writes the bits of the number to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(self) }
  /// The trait `bulk`, because arrays of the type are copied to and from columns as a whole.
  @inlinable public static var __traits: __ValueTraits { .bulk }
}

extension Double: __ColumnNumber {
  /// The type encoding of values of this type: `d`.
  public static var __columnType: TypeEncoding { .scalar(.double) }
  /// Reads a number from a column. Widens the number if the column has 16 or 32 bits per number.
  ///
  /// All bits are preserved, including the NaN payload and the sign of zero.
  @inlinable public static func __read(from column: ColumnReader) throws -> Double { try column.double() }
  /// Writes the bits of the number to a column.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(self) }
  /// The trait `bulk`, because arrays of the type are copied to and from columns as a whole.
  @inlinable public static var __traits: __ValueTraits { .bulk }
}

#if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
  extension Float16: __ColumnNumber {
    /// The type encoding of values of this type: the space character, which is clang's code for `_Float16`.
    public static var __columnType: TypeEncoding { .scalar(.half) }
    /// Reads a number from a column. All bits are preserved, including the NaN payload and the sign of zero.
    @inlinable public static func __read(from column: ColumnReader) throws -> Float16 { try column.fixed() }
    /// Writes the bits of the number to a column.
    @inlinable public func __write(to column: ColumnWriter) throws { column.append(self) }
  }
#endif

extension Bool: ColumnValue {
  /// The type encoding of values of this type: `B`.
  public static var __columnType: TypeEncoding { .scalar(.bool) }
  /// Reads a Boolean from a column, in which it is one bit.
  @inlinable public static func __read(from column: ColumnReader) throws -> Bool { try column.bit() }
  /// Writes the Boolean to a column, as one bit.
  @inlinable public func __write(to column: ColumnWriter) throws { column.append(bit: self) }
}
