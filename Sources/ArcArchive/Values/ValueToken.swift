package import ArcFormat

/// What a value is on the outside: all of a value without others in it, and how many others follow for any
/// other. Values one after the other become text this way without being made.
package enum ValueToken {
  /// A string of printable ASCII without quotes and backslashes. The bytes are valid until the next token of
  /// the file.
  case plainText(ByteView)
  /// Any other value without others in it, but a reference.
  case scalar(ArchiveValue)
  /// A reference, nil if it leads to none.
  case reference(ObjectID?, isWeak: Bool)
  /// An array, whose elements are inside at position 0.
  case array(count: Int)
  /// A set, whose elements are inside at position 0.
  case set(count: Int)
  /// A dictionary, whose keys are inside at position 0 and whose values at position 1: a key, then its value.
  case dictionary(count: Int)
  /// A structure, whose fields are inside at the positions of their labels.
  case structure(ValueNames)
  /// An enumeration, with the index of the case, and the position inside of what it carries, nil if that is
  /// nothing.
  case enumeration(ValueNames, case: Int, payload: Int?)
}

/// The names of a structure or an enumeration.
package final class ValueNames: Sendable {
  /// The name of the type; `?` if it has none.
  package let type: String
  /// Those of the fields or cases; empty for a field without one.
  package let labels: [String]
  /// The same as text for people shows them: made once, since there may be a million values.
  package let shownType: String
  package let shownLabels: [String]

  package init(type: String, labels: [String]) {
    self.type = type
    self.labels = labels
    shownType = printableName(type)
    shownLabels = labels.map { printableName($0) }
  }

  /// Whether the type has no name: that of what a case carries has none.
  package var isNameless: Bool { type == "?" }
}
