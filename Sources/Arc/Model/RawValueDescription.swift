import ArcMemory
import Synchronization

/// Descriptions of the raw values of a type. Errors about an unknown raw value contain them.
enum RawValueDescription {
  /// The maximum number of raw values in a description.
  private static let maximumCount = 8

  /// A cache of the descriptions, by type. The cache is needed, because a lenient reader can find an unknown
  /// raw value in each object of a text, and creating a description takes several microseconds.
  private static let known = Mutex<[ObjectIdentifier: String]>([:])

  /// Returns a description of a type's raw values, such as `a raw value of Level: "low", "high"`. For an
  /// enumeration or a `CaseIterable` type, the description lists the raw values. For other types, it contains
  /// only the name of the type.
  ///
  /// - Complexity: O(cases) for the first call with a type, then O(1).
  static func of<Value: RawRepresentable>(_ type: Value.Type) -> String {
    let identity = ObjectIdentifier(type)
    if let known = known.withLock({ $0[identity] }) { return known }
    // The raw values are code of the program, which can call this function again.
    let description = description(of: type)
    known.withLock { $0[identity] = description }
    return description
  }

  private static func description<Value: RawRepresentable>(of type: Value.Type) -> String {
    // The raw values from the runtime are verified: only raw values that create a case are used.
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
