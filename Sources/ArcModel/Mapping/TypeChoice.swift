import Arc
import ArcJSON

/// How JSON objects tell which type they are of, where a property does not say it.
struct TypeChoice: Sendable {
  /// The name of the member that tells it; nil if it is told otherwise.
  let tag: String?
  /// The types by what the member says.
  let table: TypeTable
  /// Tells the type of an object; nil for none.
  let choose: @Sendable (JSONNode) -> (any ArchivableValue.Type)?

  /// The member that states a type; nil if no member does, or if the table does not contain the type.
  func typeTag(of type: Any.Type) -> TypeTag? {
    guard let tag else { return nil }
    let texts = table.types.filter { $0.value == type }.map(\.key).sorted()
    return texts.isEmpty ? nil : TypeTag(name: tag, texts: texts)
  }

  /// What is wanted of an object, in words.
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

/// Types by name. Types are constants: any task can use them.
struct TypeTable: @unchecked Sendable { let types: [String: any ArchivableValue.Type] }
