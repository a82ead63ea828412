import ArcRuntime

// Which field of one structure is that of another: names may repeat, and may come in another order.

extension ArchiveValue {
  /// Whether the value is one that a `Codable` value encoded by a key: such have distinct keys, and no order.
  package var isCodedField: Bool {
    if case .structure("CodedField", _) = self { true } else { false }
  }
}

extension [ArchiveValue.Field] {
  /// The field with a name that follows a number of others of that name; nil if there are not so many.
  func field(named name: String, after others: Int) -> ArchiveValue.Field? {
    let places = indices.filter { self[$0].name.hasSameBytes(as: name) }
    return others < places.count ? self[places[others]] : nil
  }

  /// The field that stands for one of other fields: with its name and, where names repeat, as many of that
  /// name before it.
  func partner(of index: Int, in others: [ArchiveValue.Field]) -> ArchiveValue.Field? {
    let name = others[index].name
    if self.count > index, self[index].name.hasSameBytes(as: name), !name.isEmpty { return self[index] }
    return field(named: name, after: others[..<index].count { $0.name.hasSameBytes(as: name) })
  }
}
