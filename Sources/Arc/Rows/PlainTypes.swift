/// Types of the standard library that take every value that their columns can have: none of theirs need be
/// tried.
enum PlainTypes {
  /// Whether a type is one of these, an optional or array of one, or an optional such array.
  static func contains(_ type: Any.Type) -> Bool { all.contains(ObjectIdentifier(type)) }

  private static let all: Set<ObjectIdentifier> = {
    func forms<Value>(_ type: Value.Type) -> [ObjectIdentifier] {
      let types: [Any.Type] = [Value.self, Value?.self, [Value].self, [Value]?.self, [Value?].self]
      return types.map { ObjectIdentifier($0) }
    }
    return Set(
      [
        forms(String.self), forms(Bool.self), forms(Double.self), forms(Float.self), forms(Int.self),
        forms(Int8.self), forms(Int16.self), forms(Int32.self), forms(Int64.self), forms(UInt.self),
        forms(UInt8.self), forms(UInt16.self), forms(UInt32.self), forms(UInt64.self),
      ].joined())
  }()
}
