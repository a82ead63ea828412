public import ArcFormat
public import ArcMemory
import ArcRuntime

/// A type whose values Arc can archive.
///
/// Numbers, strings, collections, Foundation's value types and all types with `@Archivable` conform. A type
/// that is `RawRepresentable` by an archivable value conforms with an empty extension:
///
///     extension Suit: ArchivableValue {}   // enum Suit: String
///
/// Generated code implements and calls the requirements.
public protocol ArchivableValue: ColumnValue {
  /// The coded name: the name of the type in files.
  static var __archiveName: __ArchiveName { get }
  /// Returns the type encoding. The encoding determines the columns of the type.
  static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding
  /// The value without content: nil, `[]` or `[:]`. Nil if the type has no such value.
  ///
  /// A property whose type has such a value can be set after construction.
  static var __emptyValue: Self? { get }
}

extension ArchivableValue {
  /// The default coded name: the Swift name of the type, without the name of its module.
  public static var __archiveName: __ArchiveName { __ArchiveName(of: Self.self) }
  /// Returns `__columnType`. A type that contains other types, such as an array, replaces this default.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding { __columnType }
  /// The encoding that `__typeEncoding(in:)` returns. A type without other types in it, such as `Int`,
  /// replaces this default.
  public static var __columnType: TypeEncoding { TypeEncoding(of: Self.self) }
  /// Whether values may refer to objects.
  package static var __refersToObjects: Bool {
    // A type without a valid encoding is rejected where its values are read or written.
    let layout = try? ColumnLayout(of: TypeEncoding(of: Self.self))
    return layout.map { layout in layout.nodes.contains { $0.kind == .reference || $0.kind == .weak } }
      ?? false
  }
  /// The default implementation. Returns nil: the type has no empty value.
  @inlinable public static var __emptyValue: Self? { nil }
}

extension Optional: ArchivableValue where Wrapped: ArchivableValue {
  /// The name of the type in files, `Optional<T>`.
  public static var __archiveName: __ArchiveName { "Optional<\(Wrapped.self)>" }
  /// Returns the type encoding of an optional: `$?` and the encoding of the wrapped type. An optional
  /// reference has the encoding of the reference without `$?`, because every reference can be nil.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    if Wrapped.__traits.contains(.reference) {
      return context.marked(.takesNil) { Wrapped.__typeEncoding(in: context) }
    }
    return .optional(context.part(Wrapped.self))
  }
  /// The value of an optional without content: nil.
  @inlinable public static var __emptyValue: Wrapped?? { .some(nil) }
}

extension ArchivableValue where Self: RawRepresentable, RawValue: ArchivableValue {
  /// Returns the type encoding of the raw value.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    if !RuntimeLayout.isEnumeration(Self.self) { context.noteLoss() }
    return context.marked(
      .check({ _ = try Self.__read(from: $0) }, words: { RawValueDescription.of(Self.self) })
    ) {
      context.computed { RawValue.__typeEncoding(in: context) }
    }
  }
  /// Reads a raw value from a column. Returns the result of `init(rawValue:)`.
  ///
  /// - Throws: `ArchiveError` with code `unknownCase` if `init(rawValue:)` returns nil. Spec: 06-evolution,
  ///   rule M6.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let rawValue = try RawValue.__read(from: column)
    guard let value = Self(rawValue: rawValue) else { throw __unknown(rawValue, column) }
    return value
  }
  /// Writes the raw value of the value to a column.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` if `init(rawValue:)` returns nil for the raw value.
  ///   Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    let rawValue = self.rawValue
    // A case without payload has the same raw value each time: it is tried once.
    let caseIndex =
      MemoryLayout<Self>.size == 1 && RuntimeLayout.isEnumeration(Self.self)
      ? unsafe unsafeBitCast(self, to: UInt8.self) : .max
    if !column.isReadable(caseIndex) {
      guard Self(rawValue: rawValue) != nil else { throw __unreadable(rawValue, column) }
      column.noteReadable(caseIndex)
    }
    try rawValue.__write(to: column)
  }
  @usableFromInline @inline(never)
  static func __unknown(_ rawValue: RawValue, _ column: ColumnReader) -> any Error {
    let literal = rawValue is String ? "\"\(rawValue)\"" : "\(rawValue)"
    return column.error(
      .unknownCase, found: "the raw value \(literal)", expected: RawValueDescription.of(Self.self),
      remedy: "add the case; if it was renamed, keep its raw value with 'case newName = \(literal)'; to omit "
        + "unknown values, read with Unarchiver(unknownContent: .leaveOut)")
  }
  @usableFromInline @inline(never)
  func __unreadable(_ rawValue: RawValue, _ column: ColumnWriter) -> ArchiveError {
    column.located(
      ArchiveError(
        .valueOutOfRange,
        found: "a value of type '\(Self.self)' with the raw value \(rawValue), which could not be read again",
        expected: "a raw value that init(rawValue:) accepts"))
  }
}
