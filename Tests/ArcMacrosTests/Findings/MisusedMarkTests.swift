import XCTest

/// The diagnostics for marks that cannot be used.
final class MisusedMarkTests: XCTestCase {
  func testMisusedKeyAttributesAreReported() {
    assertFindings(
      """
      @Archivable struct S { @Key(name) var a: Int }
      → 1:29 error keyNotLiteral: a key must be a string literal without interpolation: archives refer to the
        property by it

      @Archivable final class C { @Key("a", from: Int.self, { $0 }) var a = 0 }
      → 1:29 error conversionOfOwnKey: '@Key("a", from:)' is never used: it is a key of 'a' itself, whose
        values are read as they are; give 'a' a new key with '@Key("…")'
      → fix-it: remove '@Key'

      @Archivable final class C { @Key("b", "c") @Key("c", "d", from: (Int, Int).self, +) var a = 0 }
      → 1:44 error conversionOfOwnKey: '@Key("c", from:)' is never used: it is a key of 'a' itself, whose
        values are read as they are; give 'a' a new key with '@Key("…")'
      → fix-it: remove '@Key'

      @Archivable final class C { @Key("b") @Key("a", from: Int.self, { $0 }) var a = 0 }

      @Archivable struct S { @Key("") var a: Int }
      → 1:29 error emptyKey: a key must not be empty

      @Archivable struct S { @Key("b", "b") var a: Int }
      → 1:34 error repeatedKey: key 'b' is written twice; remove one of them

      @Archivable struct S { var a: Int; @Key("b", "a") var b: Int }
      → 1:46 error duplicateKey: key 'a' of 'b' is already a key of 'a'; choose another one

      @Archivable struct S { @Key("b") var a: Int; var b: Int }
      → 1:50 error duplicateKey: key 'b' of 'b' is already a key of 'a'; choose another one

      @Archivable struct S { @Key("b") @Transient var a = 1 }
      → 1:24 error keyOnTransient: 'a' cannot have both '@Key' and '@Transient', because a property that is
        not archived needs no key; remove one of them

      @Archivable struct S { @Key("b") var a: Int { 5 } }
      → 1:24 error keyOnUnarchived: '@Key' does not apply to 'a': a computed property is not archived

      @Archivable struct S { @Key("b") lazy var a = 5 }
      → 1:24 error keyOnUnarchived: '@Key' does not apply to 'a': a lazy property, which is computed anew, is
        not archived

      @Archivable struct S { @Key("b") static var a = 5 }
      → 1:24 error keyOnUnarchived: '@Key' does not apply to 'a': a type property is not archived

      @Archivable class S: T { @Key("b") override var a: Int { didSet {} }; init() {} }
      → 1:26 error keyOnUnarchived: '@Key' does not apply to 'a': an override is not archived

      @Archivable struct S { @Key("b") var a, c: Int }
      → 1:24 error keyOnSeveral: '@Key' names one property or case; declare each by itself

      @Archivable struct S { @Key("b") func a() {} }
      → 1:24 error misplacedMark: '@Key' applies to stored properties and enum cases

      struct S { @Key("b") var a: Int }
      → 1:12 warning markOutsideArchivable: '@Key' has no effect in a type that is not '@Archivable'; mark the
        type, or remove '@Key'

      struct S { @Key("b") init() {} }
      → 1:12 error misplacedMark: '@Key' applies to stored properties and enum cases
      """)
  }

  func testMisusedTransientAttributesAreReported() {
    assertFindings(
      """
      @Archivable struct S { @Transient var a: Int }
      → 1:24 error transientWithoutValue: '@Transient' property 'a' needs an initial value or must be an
        optional 'var': nothing else sets it when the object is rebuilt

      @Archivable struct S { @Transient let a: Int? }
      → 1:24 error transientWithoutValue: '@Transient' property 'a' needs an initial value or must be an
        optional 'var': nothing else sets it when the object is rebuilt

      @Archivable struct S { @Transient var a: Optional<Int> }
      → 1:24 error transientWithoutValue: '@Transient' property 'a' needs an initial value or must be an
        optional 'var': nothing else sets it when the object is rebuilt

      @Archivable struct S { @Transient var a: Int?; @Transient let b = 1; @Transient weak var c: Person? }

      @Archivable struct S { @Transient static var a = 1 }
      → 1:24 warning transientHasNoEffect: '@Transient' has no effect on 'a': a type property is not archived
      → fix-it: remove '@Transient'

      @Archivable struct S { @Transient var a: Int { 5 } }
      → 1:24 warning transientHasNoEffect: '@Transient' has no effect on 'a': a computed property is not archived
      → fix-it: remove '@Transient'

      @Archivable struct S { @Transient func a() {} }
      → 1:24 error misplacedMark: '@Transient' applies to stored properties

      struct S { @Transient var a = 1 }
      → 1:12 warning markOutsideArchivable: '@Transient' has no effect in a type that is not '@Archivable';
        mark the type, or remove '@Transient'
      """)
  }
}
