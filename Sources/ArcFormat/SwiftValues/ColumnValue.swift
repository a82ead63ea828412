public import ArcRuntime

/// A Swift type whose values a column can contain.
///
/// A program can read a column as values of the type. Properties of an `ArchiveBuilder` can have the type.
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
  /// Appends the elements of an array, passed as its memory.
  ///
  /// The parameter is not a `Span<Self>`, because a class that is not final could not implement the
  /// requirement.
  static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws
  /// The traits by which the type differs from others if values are missing, optional or many.
  static var __traits: __ValueTraits { get }
}

extension ColumnValue {
  /// The default implementation. Appends the elements of an array to the column, one by one.
  @inlinable public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe try elements.withMemoryRebound(to: Self.self) { values in
      for index in 0..<values.count { try unsafe values[index].__write(to: column) }
    }
  }

  /// The default implementation. Returns no traits.
  @inlinable public static var __traits: __ValueTraits { __ValueTraits(rawValue: 0) }
}

/// Traits of a Swift type that determine how columns store the values of the type.
///
/// The traits state whether values can be nil, whether values refer to objects, and whether arrays of values
/// can be copied as a whole. Generic code of Arc checks these traits. If the compiler specializes the code
/// for a type, it removes the branches for all other types.
@frozen public struct __ValueTraits: OptionSet, Sendable {
  /// The traits as bits.
  public let rawValue: UInt8
  /// Creates traits from their bits.
  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The type is an `Optional`: a missing column means nil.
  @inlinable package static var optional: __ValueTraits { __ValueTraits(rawValue: 1 << 0) }
  /// The type is a reference that is not nil: columns have row 0 for nil, and no presence bits.
  @inlinable package static var reference: __ValueTraits { __ValueTraits(rawValue: 1 << 1) }
  /// The values are in a column as they are in memory, or narrower: arrays are copied as a whole.
  @inlinable package static var bulk: __ValueTraits { __ValueTraits(rawValue: 1 << 2) }
  /// The values can be encoded forms of other values, and their type does not describe the other values.
  @inlinable package static var erased: __ValueTraits { __ValueTraits(rawValue: 1 << 3) }
}

/// A number type whose values have the same binary representation in columns as in memory.
public protocol __ColumnNumber: ColumnValue, BitwiseCopyable {}
