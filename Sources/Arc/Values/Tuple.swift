public import ArcFormat
public import ArcRuntime

/// The wrapper that generated code uses to archive a tuple, because a tuple cannot conform to a protocol.
public struct __Tuple<each Element> {
  /// The elements of the tuple.
  public let elements: (repeat each Element)

  /// Wraps the elements of a tuple for archiving.
  public init(_ elements: repeat each Element) { self.elements = (repeat each elements) }
}

extension __Tuple: ColumnValue, ArchivableValue where repeat each Element: ArchivableValue {
  /// The name of the type in files, `(T, U)`.
  public static var __archiveName: __ArchiveName { "\((repeat each Element).self)" }

  /// Returns the type encoding of a structure without a name, `{?="0"T"1"U}`.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    var fields: [TypeEncoding.Field] = []
    repeat fields.append(field(fields.count, (each Element).self, context))
    return .structure(name: "?", fields: fields)
  }

  private static func field<Value: ArchivableValue>(
    _ index: Int, _ type: Value.Type, _ context: __TypeEncodingContext
  ) -> TypeEncoding.Field {
    TypeEncoding.Field(name: "\(index)", type: Value.__typeEncoding(in: context))
  }

  /// Reads the elements of a tuple from a column, in order.
  public static func __read(from column: ColumnReader) throws -> __Tuple {
    var index = -1
    func next<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
      index += 1
      return try column.value(index)
    }
    return __Tuple(repeat try next((each Element).self))
  }

  /// Writes the elements of the tuple to a column, in order.
  public func __write(to column: ColumnWriter) throws {
    var index = 0
    func write<Value: ArchivableValue>(_ value: Value) throws {
      try column.write(value, at: index)
      index += 1
    }
    repeat try write(each elements)
  }
}
