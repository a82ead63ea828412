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

  /// What the member says of a type; nil for a type that is none of them.
  func text(of type: Any.Type) -> String? {
    // Of several names for one type the first one in their order is written.
    table.types.filter { $0.value == type }.map(\.key).min()
  }

  /// What is wanted of an object, in words.
  var words: String {
    guard let tag else { return "an object for which '@JSONFormat(.chosen)' chooses a type" }
    let names = table.types.keys.sorted().prefix(10).map { "\"\($0)\"" }.joined(separator: ", ")
    return "an object whose \"\(tag)\" is a known type: \(names)"
  }
}

/// Types by name. Types are constants: any task can use them.
struct TypeTable: @unchecked Sendable { let types: [String: any ArchivableValue.Type] }
