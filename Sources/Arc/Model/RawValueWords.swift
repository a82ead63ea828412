import ArcMemory

/// Which raw values a type has, in words: for errors about one that is none of them.
enum RawValueWords {
  /// How many are listed.
  private static let maximumCount = 8

  /// `a raw value of Level: "low", "high"` for an enumeration whose cases can be listed and for other types
  /// that are `CaseIterable`; otherwise only the name of the type.
  ///
  /// - Complexity: O(cases).
  static func of<Value: RawRepresentable>(_ type: Value.Type) -> String {
    // What the runtime says of an enumeration with raw values of its own is tried: each makes a case again.
    var values = RuntimeLayout.cases(of: type).map(\.rawValue).filter { Value(rawValue: $0) != nil }
    if values.isEmpty, let listed = type as? any CaseIterable.Type { values = rawValues(listed, of: type) }
    guard !values.isEmpty else { return "a raw value of \(type)" }
    let names = values.prefix(maximumCount).map { ($0 as? String)?.debugDescription ?? "\($0)" }
    return
      "a raw value of \(type): \(names.joined(separator: ", "))\(values.count > maximumCount ? ", …" : "")"
  }

  private static func rawValues<Listed: CaseIterable, Value: RawRepresentable>(
    _ listed: Listed.Type, of type: Value.Type
  ) -> [Value.RawValue] {
    listed.allCases.prefix(maximumCount + 1).compactMap { ($0 as? Value)?.rawValue }
  }
}
