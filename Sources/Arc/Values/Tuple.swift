public import ArcFormat
public import ArcRuntime

/// A value of a property of a tuple type, for generated code, because a tuple cannot conform to a protocol.
public struct __Tuple<each Element> {
  /// The elements in order.
  public let elements: (repeat each Element)

  /// Creates an archivable tuple.
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

  /// Reads a value from a column: the elements in order.
  public static func __read(from column: ColumnReader) throws -> __Tuple {
    var index = -1
    func next<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
      index += 1
      return try column.value(index)
    }
    return __Tuple(repeat try next((each Element).self))
  }

  /// Writes the value to a column: the elements in order.
  public func __write(to column: ColumnWriter) throws {
    var index = 0
    func write<Value: ArchivableValue>(_ value: Value) throws {
      try column.write(value, at: index)
      index += 1
    }
    repeat try write(each elements)
  }
}
