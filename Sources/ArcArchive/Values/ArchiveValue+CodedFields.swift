extension ArchiveValue {
  /// Whether the value is a field of a tree that a `Codable` value was encoded as. The fields of a tree have
  /// distinct keys and no order.
  package var isCodedField: Bool { typeName == "CodedField" && fields != nil }
}
