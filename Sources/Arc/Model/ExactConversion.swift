import ArcFormat

/// A type of another module whose archived form Arc itself declares.
///
/// Two values are equal if and only if their forms are equal, and `init(archivedForm:)` accepts the form of
/// each value. So the archiver writes a form without a test, and need not compare the forms of the keys of a
/// collection. If the form is a structure, the structure has the name of the converted type in files.
@_documentation(visibility: internal)
public protocol __ArchivableByExactConversion: ArchivableByConversion {}

extension __ArchivableByExactConversion {
  /// Returns the type encoding of the archived form, in which a structure has the name of the converted type.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.exactConversion(of: Self.self)
  }
  /// Writes the archived form of the value to a column.
  ///
  /// - Throws: an error of `archivedForm`, with the location of the value if it is an `ArchiveError`.
  @inlinable public func __write(to column: ColumnWriter) throws {
    let form: ArchivedForm
    do {
      form = try archivedForm
    } catch let error as ArchiveError {
      throw column.located(error)
    }
    try form.__write(to: column)
  }
}

/// A structure that is the archived form of another type. Its fields are described as fields of the other
/// type.
struct ConvertedRecord {
  let form: any ArchivableValue.Type
  /// The type whose values are converted to the structure.
  let type: any ArchivableValue.Type
  private let converting: (any FieldAccess) -> any FieldAccess

  /// Creates the description of a type by its archived form, which need not be a structure.
  init<Value: ArchivableByConversion>(of type: Value.Type) {
    (form, self.type) = (Value.ArchivedForm.self, type)
    converting = { ConvertedFieldAccess<Value>(field: $0) }
  }

  /// Returns the fields of the archived form, described as fields of the type that is converted to this form.
  func members(_ fields: [__TypeEncodingContext.Member]) -> [__TypeEncodingContext.Member] {
    fields.map { field in
      var field = field
      field.note.access = field.note.access.map(converting)
      return field
    }
  }
}

/// Reads and sets a field of a value through the archived form of the value.
private struct ConvertedFieldAccess<Owner: ArchivableByConversion>: FieldAccess {
  let field: any FieldAccess

  var valueType: Any.Type { field.valueType }

  func value(of structure: Any) throws(KeyAccessError) -> Any? {
    try field.value(of: try form(of: structure))
  }

  func setting(_ value: Any?, of structure: Any) throws(KeyAccessError) -> Any {
    let form = try field.setting(value, of: try form(of: structure))
    return try converted { try (form as? Owner.ArchivedForm).map { try Owner(archivedForm: $0) } }
  }

  private func form(of structure: Any) throws(KeyAccessError) -> Any {
    try converted { try (structure as? Owner)?.archivedForm }
  }

  private func converted(_ conversion: () throws -> Any?) throws(KeyAccessError) -> Any {
    do {
      if let result = try conversion() { return result }
    } catch {
      throw KeyAccessError(
        .typeMismatch, found: "a value with which no '\(Owner.self)' can be created: \(error)")
    }
    throw KeyAccessError(
      .wrongClass, found: "a value of another type", expected: "a value of type '\(Owner.self)'")
  }
}
