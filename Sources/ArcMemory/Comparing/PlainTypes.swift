import ArcRuntime

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The types of the standard library and of Foundation whose values are compared by their bytes, and for
/// which every value that their column can contain is valid.
package enum PlainTypes {
  /// The method of comparing two values of a type at their addresses.
  @safe enum Comparison: Sendable {
    /// Eight bytes, sixteen bytes or one byte are compared.
    case word, twoWords, byte
    /// The bytes of a `String` or `String?` are compared, or the bytes of each string of a `[String]`.
    case text, texts
    /// The values are compared by this function.
    case others(@Sendable (UnsafeRawPointer, UnsafeRawPointer) -> Bool)
  }

  /// Whether a type is a plain type, an optional or array of a plain type, an optional array, or an array of
  /// optionals.
  package static func contains(_ type: Any.Type) -> Bool { all[ObjectIdentifier(type)] != nil }

  /// Returns the method of comparing values of a type. Nil if `contains` is false for the type.
  static func comparison(of type: Any.Type) -> Comparison? { all[ObjectIdentifier(type)] }

  private static let all: [ObjectIdentifier: Comparison] = {
    var all: [ObjectIdentifier: Comparison] = [:]
    func add<Value>(
      _ type: Value.Type, as comparison: Comparison? = nil,
      _ isSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
      @Sendable func isSameOptional(_ one: Value?, _ other: Value?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return isSame(one, other)
      }
      @Sendable func areSame<Element>(
        _ one: [Element], _ other: [Element], _ isSame: (Element, Element) -> Bool
      ) -> Bool {
        guard one.count == other.count else { return false }
        // The elements of such types contain no references and no padding, so they are equal if their bytes
        // are equal.
        guard Element.self == Value.self, _isPOD(Value.self) else {
          return zip(one, other).allSatisfy(isSame)
        }
        return unsafe one.withUnsafeBytes { one in
          unsafe other.withUnsafeBytes { unsafe haveSameBytes(one, $0) }
        }
      }
      func add<Form>(_ form: Form.Type, _ isSame: @escaping @Sendable (Form, Form) -> Bool) {
        all[ObjectIdentifier(form)] = unsafe .others { one, other in
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
      if let comparison { all[ObjectIdentifier(Value.self)] = comparison }
    }
    let word: Comparison? = MemoryLayout<Int>.size == MemoryLayout<Int64>.size ? .word : nil
    add(String.self, as: .text) { $0.hasSameBytes(as: $1) }
    all[ObjectIdentifier(String?.self)] = .text
    all[ObjectIdentifier([String].self)] = .texts
    add(Double.self, as: .word) { $0.bitPattern == $1.bitPattern }
    add(Float.self) { $0.bitPattern == $1.bitPattern }
    add(Bool.self, as: .byte, ==)
    // A date consists only of its number of seconds, so its bits are the bits of this number.
    add(Date.self, as: MemoryLayout<Date>.size == MemoryLayout<Int64>.size ? .word : nil) {
      $0.timeIntervalSinceReferenceDate.bitPattern == $1.timeIntervalSinceReferenceDate.bitPattern
    }
    add(UUID.self, as: MemoryLayout<UUID>.size == MemoryLayout<Int128>.size ? .twoWords : nil, ==)
    add(Data.self, ==)
    add(Int.self, as: word, ==)
    add(Int8.self, as: .byte, ==)
    add(Int16.self, ==)
    add(Int32.self, ==)
    add(Int64.self, as: .word, ==)
    add(Int128.self, as: .twoWords, ==)
    add(UInt.self, as: word, ==)
    add(UInt8.self, as: .byte, ==)
    add(UInt16.self, ==)
    add(UInt32.self, ==)
    add(UInt64.self, as: .word, ==)
    add(UInt128.self, as: .twoWords, ==)
    return all
  }()
}
