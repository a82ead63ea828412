import Arc
import ArcJSON

/// Rules by which JSON objects state their types, for properties whose declared type is not sufficient.
struct TypeChoice: Sendable {
  /// The name of the member that states the type. Nil if `choose` uses other data.
  let tag: String?
  /// The types, by the string that the member contains.
  let table: TypeTable
  /// Returns the type of a JSON object. Nil if the JSON object has no known type.
  let choose: @Sendable (JSONNode) -> (any ArchivableValue.Type)?

  /// Returns the tag that states a type. Nil if no member states types, or if the table does not contain the
  /// type.
  func typeTag(of type: Any.Type) -> TypeTag? {
    guard let tag else { return nil }
    let texts = table.types.filter { $0.value == type }.map(\.key).sorted()
    return texts.isEmpty ? nil : TypeTag(name: tag, texts: texts)
  }

  /// The JSON object that is expected, as issues name it.
  var words: String {
    guard let tag else { return "an object for which '@JSONFormat(.chosen)' chooses a type" }
    let names = table.types.keys.sorted().prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return "an object whose \"\(tag)\" is a known type: \(names)"
  }
}

/// The member that states the type of an object.
struct TypeTag: Hashable {
  /// The name of the member.
  let name: String
  /// The strings that state the type, in ascending order, at least one. A writer writes the first one.
  let texts: [String]
}

/// Types by name. The types are constants, so all tasks can use them.
struct TypeTable: @unchecked Sendable { let types: [String: any ArchivableValue.Type] }
