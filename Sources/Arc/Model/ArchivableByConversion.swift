import ArcFormat

/// A type whose values are archived as values of another type.
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
/// Use this protocol for types of other modules, and for types whose stored properties should not be in
/// files. A file stores the archived form. The form determines the type encoding, the columns and the rules
/// of evolution. The form may have any archivable type, such as a structure that is declared for this
/// purpose.
///
/// Structures, enumerations, and final classes without `@Archivable` can conform. Objects of such a class are
/// archived as values: each reference to an object is read as a new object. A class whose objects have an
/// identity conforms to `Archivable` instead.
///
/// The archiver calls `init(archivedForm:)` before it writes a form, and throws if the initializer rejects
/// the form.
///
/// A form may contain references to objects. A property with such a form can be part of a reference cycle
/// only if Arc can set the property after all objects exist. Arc can set a `var` that is optional, that is a
/// collection, or that has an initial value. Spec: 05-graph, rules G4 and W8.
public protocol ArchivableByConversion: ArchivableValue {
  /// The type of the archived form.
  associatedtype ArchivedForm: ArchivableValue
  /// The form in which the value is archived.
  ///
  /// The getter may be called several times for one archive, and must then return equal forms.
  ///
  /// - Throws: your own errors, if the value cannot be archived.
  var archivedForm: ArchivedForm { get throws }
  /// Creates the value from its archived form.
  ///
  /// The form may come from an untrusted file: check it before any operation that could trap.
  ///
  /// - Parameter archivedForm: the form that was read.
  /// - Throws: your own errors, or an `ArchiveError`, to which Arc adds the class, the key and the object.
  init(archivedForm: ArchivedForm) throws
}

extension ArchivableByConversion {
  /// Returns the type encoding of the archived form.
  public static func __typeEncoding(in context: __TypeEncodingContext) -> TypeEncoding {
    context.conversion(of: Self.self) { ArchivedForm.__typeEncoding(in: context) }
  }
  /// Reads an archived form from a column, and converts the form to a value.
  ///
  /// - Throws: what `init(archivedForm:)` throws. Arc adds the location in the file to an `ArchiveError`.
  @inlinable public static func __read(from column: ColumnReader) throws -> Self {
    let form = try ArchivedForm.__read(from: column)
    do {
      return try Self(archivedForm: form)
    } catch let error as ArchiveError {
      throw column.located(error)
    }
  }
  /// Writes the archived form of the value to a column, and checks that `init(archivedForm:)` accepts it.
  ///
  /// - Throws: an error of `archivedForm` or of `init(archivedForm:)`. Spec: 05-graph, rule W8.
  @inlinable public func __write(to column: ColumnWriter) throws {
    let form: ArchivedForm
    do {
      form = try archivedForm
      _ = try Self(archivedForm: form)
    } catch let error as ArchiveError {
      throw column.located(error)
    }
    try form.__write(to: column)
  }
}
