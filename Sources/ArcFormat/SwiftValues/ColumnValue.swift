public import ArcRuntime

/// A Swift type whose values a column can contain.
///
/// Programs can read columns as values of these types. Properties of an `ArchiveBuilder` can have these
/// types.
///
/// | type | written to columns of | also read from columns of |
/// |---|---|---|
/// | `Bool` | Booleans | |
/// | `Int8` … `Int128`, `UInt8` … `UInt128`, `Int`, `UInt` | integers of equal size | integers that all fit |
/// | `Float16`, `Float`, `Double` | numbers of equal size | narrower numbers; `Double`: dates (since 2001) |
/// | `String` | strings | decimals |
/// | `ObjectID` | references without nil; for references with nil, use `ObjectID?` | weak references |
/// | `Optional` | optionals | all values that the wrapped type can be read from |
/// | `Array` | arrays | sets; `[UInt8]` reads data |
///
/// The types of a program's models conform to `ArchivableValue` in the module Arc. Do not conform to this
/// protocol directly. Spec: 06-evolution, section 3, rule M4.
public protocol ColumnValue {
  /// The type encoding of columns for values of the type.
  static var __columnType: TypeEncoding { get }
  /// Reads the next value of a column.
  static func __read(from column: ColumnReader) throws -> Self
  /// Appends the value to a column.
  func __write(to column: ColumnWriter) throws
  /// Appends the elements of an array to a column. `elements` is the memory of the array.
  ///
  /// The parameter is not a `Span<Self>`, because a class that is not final could not implement the
  /// requirement.
  static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws
  /// The traits of the type, which determine how missing values, optionals and arrays are handled.
  static var __traits: __ValueTraits { get }
}

extension ColumnValue {
  /// Appends the elements of an array to the column, one by one. This is the default implementation.
  @inlinable public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe try elements.withMemoryRebound(to: Self.self) { values in
      for index in 0..<values.count { try unsafe values[index].__write(to: column) }
    }
  }

  /// No traits. This is the default implementation.
  @inlinable public static var __traits: __ValueTraits { __ValueTraits(rawValue: 0) }
}

/// Traits of a Swift type that determine how columns store the values of the type.
///
/// The traits state whether values can be nil, whether values refer to objects, and whether arrays of values
/// can be copied as a whole. Generic code of Arc checks these traits. When the compiler specializes this code
/// for a type, it removes the branches for all other types.
@frozen public struct __ValueTraits: OptionSet, Sendable {
  /// The traits as bits.
  public let rawValue: UInt8
  /// Creates traits from their bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The type is an `Optional`, so a missing column means nil.
  @inlinable package static var optional: __ValueTraits { __ValueTraits(rawValue: 1 << 0) }
  /// The values are references that are not wrapped in an `Optional`. The column has no presence bits: it
  /// stores nil as row 0.
  @inlinable package static var reference: __ValueTraits { __ValueTraits(rawValue: 1 << 1) }
  /// The values are stored in a column as they are in memory, or narrower, so arrays are copied as a whole.
  @inlinable package static var bulk: __ValueTraits { __ValueTraits(rawValue: 1 << 2) }
  /// A value of the type can be the encoded form of a value of another type. The name of the type does not
  /// contain the other type.
  @inlinable package static var erased: __ValueTraits { __ValueTraits(rawValue: 1 << 3) }
}

/// A number type whose values have the same binary representation in columns as in memory.
public protocol __ColumnNumber: ColumnValue, BitwiseCopyable {}
