public import ArcArchive
import ArcFormat

// Converts values of the program to values of an archive, for code that changes objects by keys, as a
// migration does.

extension ArchiveValue {
  /// Creates a structure from the values of its fields, by name. Returns the structure.
  ///
  ///     polygon["size"] = .fields(["width": 3, "height": 4])
  ///
  /// When the object is built, the type of the property determines the type of the structure. A missing field
  /// becomes nil or gets its initial value.
  ///
  /// - Parameter fields: the values by the names of the fields in the program.
  /// - Returns: the structure.
  public static func fields(_ fields: KeyValuePairs<String, ArchiveValue>) -> ArchiveValue {
    .structure(name: "", fields: fields.map { Field(name: $0.key, value: $0.value) })
  }

  /// Creates an enumeration value from the name of its case and the associated values, by label.
  ///
  ///     polygon["shape"] = .case("circle", ["radius": 3])
  ///     polygon["color"] = .case("red")
  ///
  /// When Arc builds the object that contains the value, the type of the property determines the enumeration.
  /// A missing associated value becomes nil or gets its default value.
  ///
  /// - Parameters:
  ///   - name: the name of the case in the program.
  ///   - payload: the associated values by label. The label is empty if an associated value has no label.
  /// - Returns: the value of the enumeration.
  public static func `case`(
    _ name: String, _ payload: KeyValuePairs<String, ArchiveValue> = [:]
  ) -> ArchiveValue {
    .enumeration(name: "", case: name, payload: payload.isEmpty ? .none : .some(fields(payload)))
  }

  /// Converts a value of the program to an `ArchiveValue`.
  ///
  ///     polygon["size"] = try ArchiveValue(Size(width: 3, height: 4))
  ///
  /// - Parameter value: a value without references to objects.
  /// - Throws: `ArchiveError` with code `invalidUse` if the value refers to objects, because the archive does
  ///   not contain the program's objects; otherwise what archiving the value throws.
  public init(_ value: some ArchivableValue) throws {
    let file = try ArchiveFile(bytes: Archiver().archive(value))
    guard let property = try file.roots().properties.first, file.rowCount == 1 else {
      throw ArchiveError(
        .invalidUse, found: "a value that refers to objects of the program",
        expected: "a value without references to objects",
        remedy:
          "to refer to an object of the migrated graph, pass ArchiveValue.reference(id) to "
          + "ArchiveValue.fields(…) or ArchiveValue.case(…)")
    }
    self = property.value
  }
}
