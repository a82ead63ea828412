public import ArcRuntime

/// A Swift type whose values a column can contain.
///
/// Columns can be read as such a type, and properties of an ``ArchiveBuilder`` can have it.
///
/// | type | written to columns of | also read from columns of |
/// |---|---|---|
/// | `Bool` | `B` | |
/// | `Int8` … `Int128`, `UInt8` … `UInt128`, `Int`, `UInt` | as wide integers | integers that all fit |
/// | `Float16`, `Float`, `Double` | as wide numbers | narrower numbers; `Double`: dates (since 2001) |
/// | `String` | strings | decimals |
/// | `ObjectID` | references that are not nil; others as `ObjectID?` | weak references |
/// | `Optional` | optionals | the types that its value can be read from |
/// | `Array` | arrays | sets; `[UInt8]` also data |
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
  /// Appends the elements one by one.
  @inlinable public static func __write(elements: UnsafeRawBufferPointer, to column: ColumnWriter) throws {
    unsafe try elements.withMemoryRebound(to: Self.self) { values in
      for index in 0..<values.count { try unsafe values[index].__write(to: column) }
    }
  }

  /// The default: no traits, because most types have no traits.
  @inlinable public static var __traits: __ValueTraits { __ValueTraits(rawValue: 0) }
}

/// How values of a Swift type are stored in columns: whether they can be nil, refer to objects, or can be
/// copied as an array.
///
/// Generic code of Arc checks these traits. Where it is specialized for a type, the compiler knows the traits
/// and removes the branches for all other types.
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
  /// The values may be the form of others whose type does not say what is in them.
  @inlinable package static var erased: __ValueTraits { __ValueTraits(rawValue: 1 << 3) }
}

/// A number that is in a file as it is in memory.
public protocol __ColumnNumber: ColumnValue, BitwiseCopyable {}
