/// A type whose values Arc can store: numbers, strings, collections, Foundation's values, and structures,
/// enumerations and classes with `@Archivable`.
///
/// The requirements are for generated code; a type that is `RawRepresentable` by an archivable value conforms
/// with an empty extension.
public protocol ArchivableValue {
  /// What files call the type.
  static var __archiveName: ArchiveName { get }
  /// The type encoding, which fixes the layout of columns.
  static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding
  /// Reads the next value of a column.
  static func __read(from column: ColumnReader) throws -> Self
  /// Appends the value to a column.
  func __write(to column: ColumnWriter) throws

  /// The value without content, for types that have one: nil, `[]`, `[:]`. Such a property can be linked late.
  static var __emptyValue: Self? { get }
  /// Whether the type is an `Optional`: then a missing column means nil.
  static var __isOptional: Bool { get }
  /// Whether a value is a reference to an object, or nil, or an array of references.
  static var __holdsObjects: Bool { get }
  /// Appends the value of a property that gives the same one again and holds its objects meanwhile.
  static func __writeStored(_ value: () -> Self, to column: ColumnWriter) throws
  /// Appends the value of such a property of type `Self?`.
  static func __writeStoredOptional(_ value: () -> Self?, to column: ColumnWriter) throws
  /// Appends elements out of memory that only one property leads to.
  static func __writeSoleElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter, of array: ColumnWriter) throws
  /// The encoding of `Self?`; classes have the same one, since a reference can be nil anyway.
  static func __optionalTypeEncoding(in context: TypeEncodingContext) -> TypeEncoding
  /// Reads the next value of a column of `Self?`.
  static func __readOptional(from column: ColumnReader) throws -> Self?
  /// Appends a value to a column of `Self?`.
  static func __writeOptional(_ value: Self?, to column: ColumnWriter) throws
  /// Whether a column holds the values as they lie in memory, or narrower: then arrays are copied as a whole.
  static var __isBulk: Bool { get }
  /// Initializes memory of a bulk type for so many elements with the next values of a column.
  static func __readElements(_ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader)
    throws
  /// Appends so many elements in memory, which are of this very type.
  static func __writeElements(_ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter) throws
}

extension ArchivableValue {
  /// Swift's name within its module.
  public static var __archiveName: ArchiveName { ArchiveName(of: Self.self) }
  /// None.
  @inlinable public static var __emptyValue: Self? { nil }
  /// No.
  @inlinable public static var __isOptional: Bool { false }
  /// No.
  @inlinable public static var __holdsObjects: Bool { false }
  /// Appends the value.
  @inlinable @inline(__always)
  public static func __writeStored(_ value: () -> Self, to column: ColumnWriter) throws {
    try value().__write(to: column)
  }
  /// Appends the value.
  @inlinable @inline(__always)
  public static func __writeStoredOptional(_ value: () -> Self?, to column: ColumnWriter) throws {
    try __writeOptional(value(), to: column)
  }
  /// Appends the elements.
  @inlinable public static func __writeSoleElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter, of array: ColumnWriter
  ) throws {
    try unsafe __writeElements(elements, count: count, to: column)
  }
  /// `$?` and the encoding.
  public static func __optionalTypeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    .optional(__typeEncoding(in: context))
  }
  /// A presence bit, then the value.
  @inlinable public static func __readOptional(from column: ColumnReader) throws -> Self? {
    try column.__bit() ? __read(from: column.__child(0)) : nil
  }
  /// No.
  @inlinable public static var __isBulk: Bool { false }
  /// Bulk types do better.
  @inlinable public static func __readElements(
    _ count: Int, into memory: UnsafeMutableRawPointer, from column: ColumnReader
  ) throws {
    throw column.__error(.typeMismatch, found: "an array of \(Self.self)")
  }
  /// One value after the other.
  @inlinable public static func __writeElements(
    _ elements: UnsafeRawPointer, count: Int, to column: ColumnWriter
  ) throws {
    let values = unsafe elements.assumingMemoryBound(to: Self.self)
    for index in 0..<count { try unsafe values[index].__write(to: column) }
  }
  /// A presence bit, then the value.
  @inlinable @inline(__always) public static func __writeOptional(
    _ value: Self?, to column: ColumnWriter
  ) throws {
    if let value {
      column.__append(bit: true)
      try value.__write(to: column.__child(0))
    } else {
      column.__append(bit: false)
    }
  }
}

extension Optional: ArchivableValue where Wrapped: ArchivableValue {
  /// `Optional<T>`.
  public static var __archiveName: ArchiveName { "Optional<\(Wrapped.self)>" }
  /// What the wrapped type says.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    Wrapped.__optionalTypeEncoding(in: context)
  }
  /// Nil.
  @inlinable public static var __emptyValue: Wrapped?? { .some(nil) }
  /// Yes.
  @inlinable public static var __isOptional: Bool { true }
  /// What the wrapped type says.
  @inlinable public static var __holdsObjects: Bool { Wrapped.__holdsObjects && Wrapped.__emptyValue == nil }
  /// What the wrapped type says.
  @inlinable @inline(__always)
  public static func __writeStored(_ value: () -> Wrapped?, to column: ColumnWriter) throws {
    try Wrapped.__writeStoredOptional(value, to: column)
  }
  /// What the wrapped type says.
  @inlinable public static func __read(from column: ColumnReader) throws -> Wrapped? {
    try Wrapped.__readOptional(from: column)
  }
  /// What the wrapped type says.
  @inlinable @inline(__always) public func __write(to column: ColumnWriter) throws {
    try Wrapped.__writeOptional(self, to: column)
  }
}

extension ArchivableValue where Self: RawRepresentable, RawValue: ArchivableValue {
  /// That of the raw value.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    if !__isEnumeration { context.noteLoss() }
    return context.computed { RawValue.__typeEncoding(in: context) }
  }
  /// Reads a raw value; throws `unknownCase` if no value has it.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let rawValue = try RawValue.__read(from: column)
    guard let value = Self(rawValue: rawValue) else {
      throw column.__error(
        .unknownCase, found: "raw value \(rawValue)", expected: "a raw value of \(Self.self)",
        remedy: "the file was written by a program with more cases")
    }
    return value
  }
  /// Appends the raw value; throws `valueOutOfRange` for one that no value has when it is read.
  @inlinable public func __write(to column: ColumnWriter) throws {
    let rawValue = self.rawValue
    // A case without payload has the same raw value each time: it is tried once.
    let caseIndex =
      Self.__isEnumeration && MemoryLayout<Self>.size == 1 ? unsafe unsafeBitCast(self, to: UInt8.self) : .max
    if !column.__isReadable(caseIndex) {
      guard Self(rawValue: rawValue) != nil else { throw __unreadable(rawValue, column) }
      column.__noteReadable(caseIndex)
    }
    try rawValue.__write(to: column)
  }
  /// Whether the type is an enumeration.
  ///
  /// The first word of a type's metadata is its kind (swift/docs/ABI, TypeMetadata). Were it not, each value would be
  /// checked, or the first of some.
  @inlinable static var __isEnumeration: Bool {
    unsafe unsafeBitCast(Self.self as Any.Type, to: UnsafePointer<UInt>.self).pointee == 0x201
  }
  @usableFromInline @inline(never)
  func __unreadable(_ rawValue: RawValue, _ column: ColumnWriter) -> ArchiveError {
    let error = ArchiveError(
      .valueOutOfRange, found: "a \(Self.self) with raw value \(rawValue), which could not be read again",
      expected: "one that init(rawValue:) accepts")
    return GraphEncoder.of(column).located(error, in: column)
  }
}
