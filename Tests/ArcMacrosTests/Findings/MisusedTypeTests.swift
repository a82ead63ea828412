import XCTest

@testable import ArcMacros

/// The diagnostics for types that the macros cannot expand.
final class MisusedTypeTests: XCTestCase {
  func testUnarchivableTypesAreReported() {
    assertFindings(
      """
      @Archivable actor Counter {}
      → 1:1 error actor: actor 'Counter' cannot be archived: an archive reads all properties at once, from
        outside the actor; archive a class, struct or enum that the actor holds

      @Archivable class Line {
        static func migrate(_ line: inout MigratedObject, from version: Int) {}
      }
      → 2:3 error migrationWithoutVersion: 'migrate(_:from:)' is called for files of older versions, but
        'Line' states no version; declare 'static let archiveVersion' with the version that it writes now

      @Archivable protocol Named {}
      → 1:1 error protocolType: '@Archivable' does not apply to a protocol; attach it to the types that
        conform to 'Named'

      @Archivable extension Outer.Person {}
      → 1:1 error extensionType: '@Archivable' does not apply to an extension; attach it to the declaration of
        'Outer.Person', which has the stored properties

      @Archivable struct Handle: ~Copyable {}
      → 1:28 error noncopyableType: noncopyable 'Handle' cannot be archived, because reading an archive may
        need several copies of one value; remove '~Copyable'

      @Archivable class Box<each Value> { init() {} }
      → 1:23 error parameterPack: type parameter pack 'Value' of 'Box' cannot be archived: its number of types
        has no stored form; declare one type parameter for each type

      @Archivable struct Box<each Value> {}
      → 1:24 error parameterPack: type parameter pack 'Value' of 'Box' cannot be archived: its number of types
        has no stored form; declare one type parameter for each type

      @Archivable class Box<Key, Value: Hashable> { init() {} }
      → 1:23 error unconstrainedParameter: type parameter 'Key' of 'Box' has no constraint; values of type
        'Key' can be archived only if it is 'ArchivableValue'
      → fix-it: constrain 'Key' to 'ArchivableValue'

      @Archivable class Box<Key> where Key: Hashable { init() {} }

      enum Outer { @Archivable private class Person { init() {} } }
      → 1:40 error unreachable: 'Person' is private to the type around it, and '@Archivable' adds a
        conformance outside of that; make it 'fileprivate'
      → fix-it: make it 'fileprivate'

      enum Outer { private enum Middle { @Archivable enum Color { case red } } }
      → 1:53 error unreachable: 'Middle' is private to the type around it, and '@Archivable' adds a
        conformance outside of that; make it 'fileprivate'

      private enum Outer { @Archivable struct Point {} }
      """)
  }

  func testInvalidMacroArgumentsAreReported() {
    assertFindings(
      #"""
      @Archivable("A", formerly: "B", "A", "", "B") class Person { init() {} }
      → 1:33 error repeatedName: '@Archivable' has the name 'A' twice; remove one of them
      → 1:38 error emptyName: the name in '@Archivable' must not be empty
      → 1:42 error repeatedName: '@Archivable' has the name 'B' twice; remove one of them

      @Archivable(name) class Person { init() {} }
      → 1:13 error nameNotLiteral: the name in '@Archivable' must be a string literal without interpolation:
        archives refer to the type by it

      @Archivable("a\(1)") struct Point {}
      → 1:13 error nameNotLiteral: the name in '@Archivable' must be a string literal without interpolation:
        archives refer to the type by it

      @Archivable("") enum Color { case red }
      → 1:13 error emptyName: the name in '@Archivable' must not be empty

      @Archivable(nil) struct Point {}

      @Archivable(superclass: choice) class Person: Animal { init() {} }
      → 1:25 error superclassNotLiteral: 'superclass' must be written as '.automatic', '.archivable' or
        '.notArchivable': it is read when the program is compiled

      @Archivable(superclass: .archivable) class Person { init() {} }
      → 1:1 error noSuperclass: 'superclass: .archivable' needs a superclass, but 'Person' inherits from
        nothing

      @Archivable(superclass: .archivable) struct Point {}
      → 1:1 error superclassOfValue: 'superclass' applies to classes, and 'Point' is not a class
      """#)
  }

  func testClassWithoutInitializerForPropertyIsReported() {
    assertFindings(
      """
      @Archivable class Person { let name: String }
      → 1:19 error noInitializer: class 'Person' has no initializer that sets 'name'; write an 'init', or give
        'name' an initial value

      @Archivable class Person { @Transient var name: String }
      → 1:28 error transientWithoutValue: '@Transient' property 'name' needs an initial value or must be an
        optional 'var': nothing else sets it when the object is rebuilt

      @Archivable class Person { var name: String?; weak var home: House?; @Wrapped var age: Int }

      @Archivable @MemberwiseInit class Person { let name: String }

      @Archivable class Person { let name: String; convenience init() { self.init(name: 1) } }
      → 1:19 error noInitializer: class 'Person' has no initializer that sets 'name'; write an 'init', or give
        'name' an initial value

      @Archivable class Person { let name: String
      #if DEBUG
      init() { name = "" }
      #endif
      }
      """)
  }

  func testSubclassPropertyWithoutInitializerIsAnError() {
    assertFindings(
      """
      @Archivable final class Person: Animal { var age = 0; var name: String }
      → 1:25 error noInitializer: class 'Person' has no initializer that sets 'name'; write an 'init', or give
        'name' an initial value
      """, isSubclass: true)
  }

  func testUnarchivableEnumsAreReported() {
    assertFindings(
      """
      @Archivable enum E {}
      → 1:18 error emptyEnum: enum 'E' has no cases, so there is no value to archive; add a case

      @Archivable enum E { case at(x: Int), at(y: Int) }
      → 1:39 error overloadedCase: two cases are named 'at', and Swift's patterns do not distinguish them;
        rename one of them

      @Archivable enum E { case a(Any) }
      → 1:29 error unarchivable: 'a' cannot be archived: 'Any' does not say which class to rebuild, and a case
        takes no '@Boxed'; use 'any' with a protocol, or an '@Archivable' struct with a '@Boxed' property

      @Archivable enum E { @Boxed case a(Any) }
      → 1:22 error misplacedMark: '@Boxed' applies to stored properties

      @Archivable enum E { @Coded case a(Style) }
      → 1:22 error misplacedMark: '@Coded' applies to stored properties

      @Archivable enum E { case run(() -> Void), show(shape: any Shape) }
      → 1:31 error unarchivable: 'run' cannot be archived: a function has no stored form; archive the data
        that it is made from

      @Archivable enum E {
      #if DEBUG
      case a
      #endif
      case b }
      → 3:6 error conditional: 'a' is declared inside '#if' and cannot be archived: the macro does not know
        which branch is compiled; move it out of '#if'

      @Archivable enum E { @Transient case a }
      → 1:22 error transientOnCase: '@Transient' does not apply to an enum case, because a value may be in
        that case; remove it

      @Archivable enum E { @Key("x") case a, b }
      → 1:22 error keyOnSeveral: '@Key' names one property or case; declare each by itself

      @Archivable enum E { @Key("b") case a; case b }
      → 1:45 error duplicateKey: key 'b' of 'b' is already a key of 'a'; choose another one

      @Archivable enum E: Int { @Key("x") case a }
      → 1:27 error keyOnRawCase: '@Key' does not apply to 'a': an enum with raw values is archived by its raw
        value

      @Archivable struct S { @Key("x", from: Int.self, { $0 }) @Coded var a = 0 }
      → 1:24 error keyConversionMisplaced: '@Key(…, from:)' does not apply to 'a': it is for properties of
        classes and fields of structures without '@Coded' and '@Boxed'; change other values by
        'migrate(_:from:)' of the class that has them

      @Archivable struct S { @Key("x") @Key("y", from: Int.self, { $0 }) var a = 0 }

      @Archivable struct S { @JSONRule(.included) weak var a: C? }
      → 1:24 error modelMarkMisplaced: '@JSONRule(.included)' does not apply to 'a': it is for weak properties
        of classes; those of structures are in no JSON

      @Archivable final class C { @JSONRule(.required) @Transient var a = 0 }
      → 1:29 error modelMarkMisplaced: '@JSONRule' does not apply to 'a': what is '@Transient' is not archived

      @Archivable struct S { @JSONFormat(.iso8601) var a: Date { .now } }
      → 1:24 error modelMarkMisplaced: '@JSONFormat' does not apply to 'a': a computed property is not
        archived

      @Archivable enum E { @JSONRule(.required) case a(Int) }
      → 1:22 error misplacedMark: '@JSONRule' applies to stored properties
      """)
  }

  func testNamesThatHideTheModuleAreReported() {
    let advice =
      "error moduleName: 'Arc' hides the module of that name, which generated code calls; choose another name "
      + "here, and keep 'Arc' in files by '@Key' or '@Archivable'"
    let sources = [
      "@Archivable struct S { var i = 1, Arc = 2 }", "@Archivable class C { static func Arc() {} }",
      "@Archivable enum E { case a, Arc(Int) }", "@Archivable final class Arc { var i = 1 }",
    ]
    // If generated code uses module selectors, no declaration can hide the module.
    if hasModuleSelectors { return assertFindings(sources.map { ($0, []) }) }
    assertFindings(
      """
      @Archivable struct S { var i = 1, Arc = 2 }
      → 1:35 \(advice)

      @Archivable class C { static func Arc() {} }
      → 1:35 \(advice)

      @Archivable enum E { case a, Arc(Int) }
      → 1:30 \(advice)

      @Archivable final class Arc { var i = 1 }
      → 1:25 \(advice)

      @Archivable struct S<Arc> { var i = 1 }
      → 1:22 \(advice)

      @Archivable struct S { struct Arc {}; var i = 1 }
      → 1:31 \(advice)

      @Archivable struct S { var arc = 1; func f() { let Arc = 1 } }
      """)
  }
}
