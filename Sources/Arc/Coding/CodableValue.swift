public import ArcFormat
public import ArcRuntime

extension ArchivableByCoding {
  /// Returns the type encoding of a tree of encoded values, `$(Coded=…)`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    CodableValue<Self>.__typeEncoding(in: context)
  }
  /// Reads a tree of encoded values from a column, and decodes the value with `init(from:)`.
  public static func __read(from column: ColumnReader) throws -> Self {
    try CodableValue.__read(from: column).value
  }
  /// Encodes the value with `encode(to:)`, and appends the tree of encoded values to a column.
  public func __write(to column: ColumnWriter) throws { try CodableValue(self).__write(to: column) }
}

/// A wrapper that archives a `Codable` value as the values that its `encode(to:)` encodes, by key.
///
///     let bytes = try Archiver().archive(CodableValue(style))
///
/// Use `CodableValue` for a root or an element whose type you cannot extend. For a property, use `@Coded`.
public struct CodableValue<Value> {
  /// The `Codable` value that is archived.
  public var value: Value

  /// Creates an archivable value that contains a `Codable` value.
  public init(_ value: Value) { self.value = value }
}

extension CodableValue: ColumnValue, ArchivableValue where Value: Codable {
  /// The name of the type in files, `CodableValue<T>`.
  public static var __archiveName: __ArchiveName { "CodableValue<\(Value.self)>" }

  /// Returns the type encoding of a tree of encoded values, `$(Coded=…)`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    // Different values may encode equal trees.
    context.noteLoss()
    return context.computed { CodingTree.__typeEncoding(in: context) }
  }

  /// Reads a tree of encoded values from a column, and decodes the `Codable` value with `init(from:)`.
  ///
  /// - Throws: `ArchiveError` with code `missingKey`, `typeMismatch` or `valueOutOfRange` if `init(from:)`
  ///   throws a `DecodingError`; otherwise what `init(from:)` throws.
  public static func __read(from column: ColumnReader) throws -> CodableValue {
    let tree = try CodingTree.__read(from: column)
    do {
      let source = column.source
      let decoder = TreeDecoder(tree, in: source.archiveContext, readsText: source.readsText)
      return CodableValue(try decoder.decode(Value.self))
    } catch let error as DecodingError {
      throw error.archiveError(of: Value.self, in: column)
    }
  }

  /// Encodes the `Codable` value with `encode(to:)`, and appends the tree of encoded values to a column.
  ///
  /// - Throws: `ArchiveError` with code `limitExceeded` if more than 1,000 values are nested, for example
  ///   because the value contains itself, or `valueOutOfRange` if `encode(to:)` throws an `EncodingError`;
  ///   otherwise what `encode(to:)` throws.
  public func __write(to column: ColumnWriter) throws {
    do {
      try TreeEncoder.tree(of: value, in: column.sink.archiveContext).__write(to: column)
    } catch let error as ArchiveError {
      throw column.located(error)
    } catch let error as EncodingError {
      throw column.located(error.archiveError)
    }
  }
}

/// A `CodableValue` whose value may be nil. Formats other than archives use this protocol to omit values that
/// are nil.
protocol OptionalCodableValue {}
extension CodableValue: OptionalCodableValue where Value: ExpressibleByNilLiteral {}

extension CodableValue: Equatable where Value: Equatable {}
extension CodableValue: Hashable where Value: Hashable {}
extension CodableValue: Sendable where Value: Sendable {}

extension DecodingError {
  /// Returns the error with the path inside the value, and with the class and key of the column.
  fileprivate func archiveError(of type: Any.Type, in column: ColumnReader) -> ArchiveError {
    switch self {
    case .keyNotFound(let key, let context):
      return column.error(
        .missingKey, found: "no value for the key '\(key.stringValue)'\(context.codingPath.text)",
        expected: "a value for each key that init(from:) of '\(type)' decodes",
        remedy: "use decodeIfPresent(_:forKey:) in init(from:)")
    case .valueNotFound(let wanted, let context):
      return column.error(
        .typeMismatch, found: "nil or the end of a list\(context.codingPath.text)",
        expected: "a value of type '\(wanted)'")
    case .typeMismatch(let wanted, let context):
      return column.error(
        .typeMismatch,
        found:
          "a value that is not of type '\(wanted)'\(context.codingPath.text) (\(context.debugDescription))",
        expected: "a value of type '\(wanted)', which init(from:) of '\(type)' decodes")
    case .dataCorrupted(let context):
      return column.error(
        .valueOutOfRange,
        found: "a value\(context.codingPath.text) that init(from:) of '\(type)' refused "
          + "(\(context.debugDescription))", expected: "a value that init(from:) accepts")
    @unknown default:
      return column.error(
        .valueOutOfRange, found: "a value that init(from:) refused with the error '\(self)'",
        expected: "a value that init(from:) of '\(type)' accepts")
    }
  }
}

extension EncodingError {
  /// The error with the path inside the value.
  fileprivate var archiveError: ArchiveError {
    guard case .invalidValue(let value, let context) = self else {
      return ArchiveError(
        .valueOutOfRange, found: "a value that encode(to:) refused with the error '\(self)'")
    }
    return ArchiveError(
      .valueOutOfRange,
      found: "a value\(context.codingPath.text) that cannot be encoded (\(context.debugDescription))",
      expected: "a value of type '\(type(of: value))' that can be encoded")
  }
}

extension [any CodingKey] {
  /// The path in the form ` at 'a.b[2]'`. Empty if there are no keys.
  fileprivate var text: String {
    var text = ""
    for key in self {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text.isEmpty ? "" : " at '\(text)'"
  }
}
