extension ArchiveValue {
  /// Whether the value is a field that a `Codable` value encoded by a key. Such fields have distinct keys,
  /// and no order.
  package var isCodedField: Bool { typeName == "CodedField" && fields != nil }
}
