extension ArchiveValue {
  /// Whether the value is a field of a tree, which is the encoded form of a `Codable` value. The fields of a
  /// tree have distinct keys and no order.
  package var isCodedField: Bool { typeName == "CodedField" && fields != nil }
}
