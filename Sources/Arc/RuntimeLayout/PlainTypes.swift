import ArcRuntime

/// Types of the standard library that take every value that their columns can have, and whose values are the
/// same if their bytes are.
enum PlainTypes {
  /// Compares two values at addresses.
  typealias Comparison = @Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool

  /// Whether a type is one of these, an optional or array of one, or an optional such array.
  static func contains(_ type: Any.Type) -> Bool { unsafe all[ObjectIdentifier(type)] != nil }

  /// What compares values of such a type, floating-point numbers and text byte for byte; nil for any other.
  static func comparison(of type: Any.Type) -> Comparison? { unsafe all[ObjectIdentifier(type)] }

  private static let all: [ObjectIdentifier: Comparison] = {
    var all: [ObjectIdentifier: Comparison] = unsafe [:]
    func add<Value>(_ type: Value.Type, _ isSame: @escaping @Sendable (Value, Value) -> Bool) {
      @Sendable func isSameOptional(_ one: Value?, _ other: Value?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return isSame(one, other)
      }
      @Sendable func areSame<Element>(
        _ one: [Element], _ other: [Element], _ isSame: (Element, Element) -> Bool
      ) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy(isSame)
      }
      func add<Form>(_ form: Form.Type, _ isSame: @escaping @Sendable (Form, Form) -> Bool) {
        unsafe all[ObjectIdentifier(form)] = { one, other in
          unsafe isSame(
            one.assumingMemoryBound(to: Form.self).pointee, other.assumingMemoryBound(to: Form.self).pointee)
        }
      }
      add(Value.self, isSame)
      add(Value?.self, isSameOptional)
      add([Value].self) { areSame($0, $1, isSame) }
      add([Value]?.self) { one, other in
        guard let one, let other else { return one == nil && other == nil }
        return areSame(one, other, isSame)
      }
      add([Value?].self) { areSame($0, $1, isSameOptional) }
    }
    add(String.self) { $0.hasSameBytes(as: $1) }
    add(Double.self) { $0.bitPattern == $1.bitPattern }
    add(Float.self) { $0.bitPattern == $1.bitPattern }
    add(Bool.self, ==)
    add(Int.self, ==)
    add(Int8.self, ==)
    add(Int16.self, ==)
    add(Int32.self, ==)
    add(Int64.self, ==)
    add(UInt.self, ==)
    add(UInt8.self, ==)
    add(UInt16.self, ==)
    add(UInt32.self, ==)
    add(UInt64.self, ==)
    return unsafe all
  }()
}
