import Arc
import ArcJSON

/// A rule for determining the type of a JSON object, for properties whose declared type is not sufficient.
struct TypeChoice: Sendable {
  /// The name of the member that contains the name of the type. Nil if `choose` uses other data.
  let tag: String?
  /// The types, by the string that the member `tag` contains.
  let table: TypeTable
  /// Returns the type of a JSON object. Nil if the JSON object has no known type.
  let choose: @Sendable (JSONNode) -> (any ArchivableValue.Type)?

  /// Returns the tag of an object of a type. Nil if the rule has no tag, or if `table` does not contain the
  /// type.
  func typeTag(of type: Any.Type) -> TypeTag? {
    guard let tag else { return nil }
    let texts = table.types.filter { $0.value == type }.map(\.key).sorted()
    return texts.isEmpty ? nil : TypeTag(name: tag, texts: texts)
  }

  /// A description of the JSON object that the rule expects, for issues.
  var words: String {
    guard let tag else { return "an object for which '@JSONFormat(.chosen)' chooses a type" }
    let names = table.types.keys.sorted().prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return "an object whose \"\(tag)\" is a known type: \(names)"
  }
}

/// A tag: a member that contains the name of its object's type.
struct TypeTag: Hashable {
  /// The name of the member.
  let name: String
  /// The names of the type, at least one, in ascending order. A writer writes the first name.
  let texts: [String]
}

/// Types by name. The types are constants, so all tasks can use them.
struct TypeTable: @unchecked Sendable { let types: [String: any ArchivableValue.Type] }
