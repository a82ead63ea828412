public import ArcFormat
import ArcRuntime

/// A type whose values Arc can store: numbers, strings, collections, Foundation's values, and structures,
/// enumerations and classes with `@Archivable`.
///
/// Its requirements are for generated code; a type that is `RawRepresentable` by an archivable value conforms
/// with an empty extension.
public protocol ArchivableValue: ColumnValue {
  /// The coded name: what files call the type.
  static var __archiveName: ArchiveName { get }
  /// The type encoding, which determines the columns.
  static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding
  /// The value without content, for types that have one: nil, `[]`, `[:]`. A property with such a value can
  /// be linked late.
  static var __emptyValue: Self? { get }
}

extension ArchivableValue {
  /// The name that Swift gives the type within its module.
  public static var __archiveName: ArchiveName { ArchiveName(of: Self.self) }
  /// The encoding of the type's columns, for a type that contains no other.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding { __columnType }
  /// The encoding of the type's columns, for a type that contains others.
  public static var __columnType: TypeEncoding { TypeEncoding(of: Self.self) }
  /// Whether values may refer to objects.
  package static var __refersToObjects: Bool {
    let layout = try? ColumnLayout(of: TypeEncoding(of: Self.self))
    return layout.map { layout in layout.nodes.contains { $0.kind == .reference || $0.kind == .weak } }
      ?? false
  }
  /// No value: most types have none without content.
  @inlinable public static var __emptyValue: Self? { nil }
}

extension Optional: ArchivableValue where Wrapped: ArchivableValue {
  /// The name of an optional type, `Optional<T>`.
  public static var __archiveName: ArchiveName { "Optional<\(Wrapped.self)>" }
  /// The encoding of an optional: `$?` and that of the value, or only that of a reference, since a reference
  /// can be nil anyway.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    if Wrapped.__traits.contains(.reference) {
      return context.marked(.takesNil) { Wrapped.__typeEncoding(in: context) }
    }
    return .optional(context.part(Wrapped.self))
  }
  /// The value without content, nil.
  @inlinable public static var __emptyValue: Wrapped?? { .some(nil) }
}

extension ArchivableValue where Self: RawRepresentable, RawValue: ArchivableValue {
  /// The encoding of the raw value.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    if !RuntimeLayout.isEnumeration(Self.self) { context.noteLoss() }
    return context.marked(.check({ _ = try Self.__read(from: $0) }, words: { RawValueWords.of(Self.self) })) {
      context.computed { RawValue.__typeEncoding(in: context) }
    }
  }
  /// Reads a raw value.
  ///
  /// - Throws: `ArchiveError` with code `unknownCase` if no value has it. Spec: 06-evolution, rule M6.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let rawValue = try RawValue.__read(from: column)
    guard let value = Self(rawValue: rawValue) else { throw __unknown(rawValue, column) }
    return value
  }
  /// Appends the raw value.
  ///
  /// - Throws: `ArchiveError` with code `valueOutOfRange` for one from which `init(rawValue:)` makes no
  ///   value. Spec: 05-graph, rule W8.
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
      .unknownCase, found: "raw value \(rawValue)", expected: RawValueWords.of(Self.self),
      remedy: "add the case; one that was renamed keeps the raw value of the files: "
        + "case newName = \(literal); or read without such values: Unarchiver(unknownContent: .leaveOut)")
  }
  @usableFromInline @inline(never)
  func __unreadable(_ rawValue: RawValue, _ column: ColumnWriter) -> ArchiveError {
    column.located(
      ArchiveError(
        .valueOutOfRange, found: "a \(Self.self) with raw value \(rawValue), which could not be read again",
        expected: "one that init(rawValue:) accepts"))
  }
}
