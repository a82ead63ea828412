import XCTest

/// The diagnostics for properties that the macros cannot expand.
final class MisusedPropertyTests: XCTestCase {
  func testUnarchivablePropertiesAreReported() {
    assertFindings(
      """
      @Archivable struct S { let count = 5 }
      → 1:28 warning constantKeepsValue: constant 'count' keeps its initial value and is not archived; make it
        'var' or give it its value in 'init'
      → fix-it: make it 'var'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { let action = { 5 } }
      → 1:28 warning constantKeepsValue: constant 'action' keeps its initial value and is not archived; make
        it 'var' or give it its value in 'init'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { @Key("k") let count = 5 }
      → 1:38 warning constantKeepsValue: constant 'count' keeps its initial value and is not archived; make it
        'var' or give it its value in 'init'
      → fix-it: make it 'var'
      → fix-it: add '@Transient' to leave it out of archives
      → 1:24 error keyOnUnarchived: '@Key' does not apply to 'count': a constant with an initial value is not
        archived

      @Archivable struct S { weak let owner: Person? }
      → 1:33 error weakConstant: 'weak let owner' cannot be archived: a weak reference is set after 'init', so
        it must be 'var'
      → fix-it: make it 'var'

      @Archivable struct S { unowned(unsafe) var owner: Person }
      → 1:44 error unownedUnsafe: 'unowned(unsafe)' property 'owner' cannot be archived: what it refers to may
        be gone; use 'unowned' or 'weak'

      @Archivable struct S { let (x, y) = (1, 2) }
      → 1:28 error unnamedPattern: a property that is declared by a pattern cannot be archived; declare each
        property by itself

      @Archivable struct S { static let (x, y) = (1, 2) }

      @Archivable struct S {
      #if DEBUG
      var a = 1
      #elseif X
      let b: Int
      let c = 1
      @Transient var d = 1
      static var e = 1
      #endif
      }
      → 3:5 error conditional: 'a' is declared inside '#if' and cannot be archived: the macro does not know
        which branch is compiled; move it out of '#if'
      → 5:5 error conditional: 'b' is declared inside '#if' and cannot be archived: the macro does not know
        which branch is compiled; move it out of '#if'
      → 6:5 warning constantKeepsValue: constant 'c' keeps its initial value and is not archived; make it
        'var' or give it its value in 'init'
      → fix-it: make it 'var'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { @MainActor var x = 5 }
      → 1:39 error isolatedProperty: property 'x' is isolated to '@MainActor' and cannot be archived: an archive
        reads and rebuilds it outside of that actor; isolate the whole class to '@MainActor', or mark the
        property '@Transient'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { @MainActor var title: String }
      → 1:39 error isolatedProperty: property 'title' is isolated to '@MainActor' and cannot be archived: an
        archive reads and rebuilds it outside of that actor; isolate the whole class to '@MainActor', or mark
        the property '@Transient'
      """)
  }

  func testMisusedCodedAttributesAreReported() {
    let advice = "leave '@Coded' away, or use a type that is"
    assertFindings(
      """
      @Archivable struct S { @Coded var size: [(Int, Int)?] }
      → 1:35 error unarchivable: 'size' cannot be archived: '(Int, Int)' cannot be 'Codable'; \(advice)

      @Archivable struct S { @Coded var style: any Codable }
      → 1:35 error unarchivable: 'style' cannot be archived: 'any Codable' cannot be 'Codable'; \(advice)

      @Archivable struct S { @Coded var style: [String: Any] }
      → 1:35 error unarchivable: 'style' cannot be archived: 'Any' cannot be 'Codable'; \(advice)

      @Archivable struct S { @Coded let action: () -> Void }
      → 1:35 error unarchivable: 'action' cannot be archived: a function has no stored form; archive the data
        that it is made from

      @Archivable struct S { @Coded var style = Style(), all: Set<Style> }

      @Archivable struct S { @Coded @Boxed var style: Any }
      → 1:42 error codedAndBoxed: 'style' cannot be both '@Coded' and '@Boxed': one is for a 'Codable' type,
        the other for 'Any' and 'AnyObject'
      → fix-it: remove '@Boxed'

      @Archivable struct S { @Coded weak var style: Style? }
      → 1:40 error codedReference: '@Coded' does not apply to weak property 'style': what is decoded is a new
        object, which nothing would keep; make its class '@Archivable', or mark it '@Transient'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { @Coded unowned let style: Style }
      → 1:43 error codedReference: '@Coded' does not apply to unowned property 'style': what is decoded is a
        new object, which nothing would keep; make its class '@Archivable', or mark it '@Transient'
      """)
  }

  func testPropertiesOfUnarchivableTypesAreReported() {
    assertFindings(
      """
      @Archivable struct S { var action: () -> Void }
      → 1:28 error unarchivable: 'action' cannot be archived: a function has no stored form; archive the data
        that it is made from

      @Archivable struct S { var action: (@Sendable (Int) -> Void)? }
      → 1:28 error unarchivable: 'action' cannot be archived: a function has no stored form; archive the data
        that it is made from
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var action = { 5 } }
      → 1:28 error unarchivable: 'action' cannot be archived: a function has no stored form; archive the data
        that it is made from
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var actions: [String: [() -> Void]] = [:] }
      → 1:28 error unarchivable: 'actions' cannot be archived: a function has no stored form; archive the data
        that it is made from
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var pair: Set<(Int, Int)>! }
      → 1:28 error unarchivable: 'pair' cannot be archived: tuple '(Int, Int)' has no stored form at this
        place; use an '@Archivable' struct
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var pair = (1, 2) }
      → 1:28 error unarchivable: 'pair' cannot be archived: its type is not written; write it after the name
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var nothing: Void }
      → 1:28 error unarchivable: 'nothing' cannot be archived: 'Void' is a tuple without elements, which has
        no stored form; leave it out, or use 'Bool'

      @Archivable struct S { var sizes: [any Shape: Int] }
      → 1:28 error unarchivable: 'sizes' cannot be archived: 'any Shape' does not say which class to rebuild;
        use an '@Archivable' class or enum

      @Archivable struct S { var payload: [String: Any] }
      → 1:28 error unarchivable: 'payload' cannot be archived: 'Any' does not say which class to rebuild; for
        any JSON write '[String: JSONValue]', for values of your own an '@Archivable' type, or 'any' with a
        protocol and '@JSONFormat' to read it from JSON; or mark it with '@Boxed'

      @Archivable struct S { var owner: AnyObject }
      → 1:28 error unarchivable: 'owner' cannot be archived: 'AnyObject' does not say which class to rebuild;
        use an '@Archivable' class, or 'any' with a protocol and '@JSONFormat' to read it from JSON; or mark
        it with '@Boxed'

      @Archivable class C { var rows: [[String: Any]?] = [] }
      → 1:27 error unarchivable: 'rows' cannot be archived: 'Any' does not say which class to rebuild; for any
        JSON write '[[String: JSONValue]?]', for values of your own an '@Archivable' type, or 'any' with a
        protocol and '@JSONFormat' to read it from JSON; or mark it with '@Boxed'
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { @Boxed var payload = makePayload() }
      → 1:35 error unarchivable: 'payload' cannot be archived: its type is not written; write it after the
        name
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var shapes: Set<AnyObject> = [] }
      → 1:28 error unarchivable: 'shapes' cannot be archived: 'AnyObject' does not say which class to rebuild;
        use an '@Archivable' class or enum
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var results: [Result<any Shape, Failure>] }
      → 1:28 error unarchivable: 'results' cannot be archived: 'any Shape' does not say which class to
        rebuild; use an '@Archivable' class or enum

      @Archivable struct S { @Boxed var json: JSON }
      → 1:35 error unarchivable: 'json' cannot be archived: '@Boxed' is for 'Any' and 'AnyObject', which
        'JSON' does not spell out; write what it stands for, such as '[String: Any]', or leave '@Boxed' away

      @Archivable struct S { let type: Int.Type }
      → 1:28 error unarchivable: 'type' cannot be archived: 'Int.Type' is a type, not a value; archive the
        name of the type

      @Archivable struct S { var bytes: Swift.UnsafeMutableRawPointer? }
      → 1:28 error unarchivable: 'bytes' cannot be archived: 'Swift.UnsafeMutableRawPointer' is an address,
        which means nothing to another process; archive what it points to
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var reference: Unmanaged<Person> }
      → 1:28 error unarchivable: 'reference' cannot be archived: 'Unmanaged<Person>' is an address, which
        means nothing to another process; archive what it points to

      @Archivable struct S { var job: Task<Void, Never>? }
      → 1:28 error unarchivable: 'job' cannot be archived: a running 'Task' has no stored form; archive its
        result
      → fix-it: add '@Transient' to leave it out of archives

      @Archivable struct S { var x, action: () -> Void }
      → 1:28 error unarchivable: 'x' cannot be archived: a function has no stored form; archive the data that
        it is made from
      → 1:31 error unarchivable: 'action' cannot be archived: a function has no stored form; archive the data
        that it is made from

      @Archivable struct S { var one: (Int), many: Set<Int>, unsafe: UnsafeThing }
      """)
  }
}
