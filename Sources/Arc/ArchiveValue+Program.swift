public import ArcFormat

// Values of the program as values of an archive: for code that changes objects by keys, as a migration does.

extension ArchiveValue {
  /// Makes a structure, whose fields are given by their names.
  ///
  ///     polygon["size"] = .fields(["width": 3, "height": 4])
  ///
  /// It becomes one of the property's type. Fields that are not given are nil, or have their initial values.
  ///
  /// - Parameter fields: The values by the names that the program has for the fields.
  /// - Returns: The structure.
  public static func fields(_ fields: KeyValuePairs<String, ArchiveValue>) -> ArchiveValue {
    .structure(name: "", fields: fields.map { Field(name: $0.key, value: $0.value) })
  }

  /// Makes a case of an enumeration, whose associated values are given by their labels.
  ///
  ///     polygon["shape"] = .case("circle", ["radius": 3])
  ///     polygon["color"] = .case("red")
  ///
  /// It becomes one of the property's type. Associated values that are not given are nil, or have their
  /// initial values.
  ///
  /// - Parameters:
  ///   - name: The name that the program has for the case.
  ///   - payload: The associated values by their labels; an empty label for one without.
  /// - Returns: The case.
  public static func `case`(
    _ name: String, _ payload: KeyValuePairs<String, ArchiveValue> = [:]
  ) -> ArchiveValue {
    .enumeration(name: "", case: name, payload: payload.isEmpty ? .none : .some(fields(payload)))
  }

  /// Makes the value that an archive has for a value of the program.
  ///
  ///     polygon["size"] = try ArchiveValue(Size(width: 3, height: 4))
  ///
  /// - Parameter value: A value without references to objects.
  /// - Throws: `ArchiveError` with code `invalidUse` for a value with references: objects of the program are
  ///   not among those of the archive. Otherwise what archiving the value throws.
  public init(_ value: some ArchivableValue) throws {
    let file = try ArchiveFile(bytes: Archiver().archive(value))
    guard let property = try file.roots().properties.first, file.rowCount == 1 else {
      throw ArchiveError(
        .invalidUse, found: "a value with references to objects of the program",
        expected: "a value without references",
        remedy: "set '.fields' or '.case' with '.reference' to an object of the graph")
    }
    self = property.value
  }
}
