import ArcFormat

/// A type that is archived as another: the door for types of other modules, and for those whose stored
/// properties are not what a file should say.
///
///     extension Color: ArchivableByConversion {
///       var archivedForm: [Double] { [red, green, blue] }
///       init(archivedForm: [Double]) throws {
///         guard archivedForm.count == 3 else {
///           throw ArchiveError(.valueOutOfRange, found: "\(archivedForm)", expected: "three components")
///         }
///         self.init(red: archivedForm[0], green: archivedForm[1], blue: archivedForm[2])
///       }
///     }
///
/// In files such a value is its form: it has the form's type encoding, columns and rules of evolution. The
/// form may be an archivable value of any type, also a structure made for this purpose.
///
/// For structures, enumerations, and final classes without `@Archivable`. Objects of these are values: each
/// reference to one is read as an object of its own. What has an identity conforms to `Archivable`.
///
/// What is written must be readable, so a form that `init(archivedForm:)` refuses is not written. A form
/// that refers to objects gives them their rows, but a property with such a type can be set late only if it
/// is optional, a collection, or has an initial value. Spec: 05-graph, rules G4 and W8.
public protocol ArchivableByConversion: ArchivableValue {
  /// The type that is archived.
  associatedtype ArchivedForm: ArchivableValue
  /// The value as it is archived. May be asked for more than once for one archive, and must then be the same.
  ///
  /// - Throws: your own errors, for values that cannot be archived.
  var archivedForm: ArchivedForm { get throws }
  /// Makes the value of what was archived.
  ///
  /// - Throws: your own errors, or an `ArchiveError`, to which the class, key and object are added. It is
  ///   called with what a file says: check before anything that could trap.
  init(archivedForm: ArchivedForm) throws
}

extension ArchivableByConversion {
  /// The encoding of the form.
  public static func __typeEncoding(in context: TypeEncodingContext) -> TypeEncoding {
    context.conversion(of: Self.self) { ArchivedForm.__typeEncoding(in: context) }
  }
  /// Reads a form and converts it.
  ///
  /// - Throws: what the initializer throws, with the place in the file if it is an `ArchiveError`.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let form = try ArchivedForm.__read(from: column)
    do {
      return try Self(archivedForm: form)
    } catch let error as ArchiveError {
      throw column.locating(error)
    }
  }
  /// Appends the form.
  ///
  /// - Throws: what the initializer throws for a form that could not be read again. Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    let form: ArchivedForm
    do {
      form = try archivedForm
      _ = try Self(archivedForm: form)
    } catch let error as ArchiveError {
      throw column.locating(error)
    }
    try form.__write(to: column)
  }
}

extension ColumnReader {
  /// The error with the class and key of the column, and the value.
  @usableFromInline @inline(never)
  func locating(_ error: ArchiveError) -> ArchiveError { located(error) }
}

extension ColumnWriter {
  /// The error with the key of the property, or the name of the root, that the column belongs to.
  @usableFromInline @inline(never)
  func locating(_ error: ArchiveError) -> ArchiveError { sink.located(error, in: self) }
}
