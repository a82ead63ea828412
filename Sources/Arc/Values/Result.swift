public import ArcFormat

extension Result: ColumnValue, ArchivableValue where Success: ArchivableValue, Failure: ArchivableValue {
  /// The name of the type in files, `Result<S, F>`.
  public static var __archiveName: __ArchiveName { "Result<\(Success.self), \(Failure.self)>" }
  /// Returns the type encoding of an enumeration with the cases `success` and `failure`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.enumeration(Self.self) {
      [
        context.enumerationCase("success", [context.associatedValue("", Success.self)]),
        context.enumerationCase("failure", [context.associatedValue("", Failure.self)]),
      ]
    }
  }
  /// Reads a result from a column: its case, and the associated value.
  ///
  /// - Throws: `ArchiveError` with code `unknownCase` if the case is neither `success` nor `failure`. Spec:
  ///   06-evolution, rule M6.
  @inlinable public static func __read(from column: ColumnReader) throws -> Result {
    switch try column.readCase() {
    case 0: .success(try column.payload(0).value(0))
    case 1: .failure(try column.payload(1).value(0))
    default: throw column.unknownCase()
    }
  }
  /// Writes the result to a column: its case, and the associated value.
  @inlinable public func __write(to column: ColumnWriter) throws {
    switch self {
    case .success(let value): try column.beginCase(0).write(value, at: 0)
    case .failure(let error): try column.beginCase(1).write(error, at: 0)
    }
  }
}
