import SwiftParser
import SwiftSyntax
import XCTest

@testable import ArcMacros

/// The properties that can be read from memory, because no code of the program computes them.
final class OpaqueAccessTests: XCTestCase {
  private func declaration(_ source: String) throws -> ClassDeclSyntax {
    try XCTUnwrap(Parser.parse(source: source).statements.first?.item.as(ClassDeclSyntax.self))
  }

  /// Returns the names of archived properties that code of the program may compute.
  private func opaque(_ source: String) throws -> [String] {
    let declaration = try declaration(source)
    return PropertyReader(
      members: declaration.memberBlock.members, mayGainAccessors: declaration.mayGainMembers
    ).properties.filter(\.isOpaque).map(\.name)
  }

  func testKnownAttributesCannotHideGetterCode() throws {
    XCTAssertEqual(
      try opaque(
        """
        @Archivable @available(macOS 14, *) final class Person {
          @Key("n") var name = ""
          @Arc.Key("m") @usableFromInline var mother: Person? { didSet {} }
          private(set) nonisolated(unsafe) var father: Person?
        }
        """), [])
  }

  func testDynamicOrUnknownAttributesMayHideGetterCode() throws {
    XCTAssertEqual(
      try opaque(
        """
        @Archivable class Person {
          dynamic var mother: Person?
          @stored var father: Person?
          var friend: Person?
        }
        """), ["mother", "father"])
  }

  func testPropertyWrappersDoNotHideGetterCode() throws {
    let reader = PropertyReader(
      members: try declaration("class A { @Wrapped var a: A }").memberBlock.members, mayGainAccessors: true)
    XCTAssertEqual(reader.properties.map(\.isWrapped), [true])
    XCTAssertEqual(reader.properties.map(\.isOpaque), [false])
  }

  func testUnknownMacrosMayHideAllGetterCode() throws {
    XCTAssertEqual(try opaque("@Archivable @Model class A { var a: A?; var b = 0 }"), ["a", "b"])
    XCTAssertEqual(try opaque("@Archivable class A { var a: A?; #accessors }"), ["a"])
    XCTAssertEqual(try opaque("@Archivable class A { var a: A?\n#if X\n#accessors\n#endif\n}"), ["a"])
  }

  func testOverridesAreFoundInEveryConditionalBranch() throws {
    func overridden(_ source: String) throws -> [String]? { try declaration(source).overriddenProperties }
    XCTAssertEqual(try overridden("class B: A { override var a: A? { nil } }"), ["a"])
    XCTAssertEqual(
      try overridden(
        "class B: A {\n#if X\noverride var `in`: A? { nil }\n#else\noverride var b = 0\n#endif\n}"),
      ["in", "b"])
    XCTAssertNil(try overridden("@Model class B: A {}"))
    XCTAssertEqual(try overridden("@Archivable class B: A { var b = 0; override func f() {} }"), [])
  }

  func testUnknownMacrosOnMembersMayAddOverrides() throws {
    for member in [
      "@Mirrored func f() {}", "@Mirrored var b = 0", "@Mirrored struct C {}", "@Mirrored init() {}",
    ] {
      XCTAssertNil(try declaration("class B: A { \(member) }").overriddenProperties, member)
      XCTAssertNil(try declaration("class B: A {\n#if X\n\(member)\n#endif\n}").overriddenProperties, member)
    }
    XCTAssertEqual(
      try declaration(
        """
        @Archivable class B: A {
          @Key("n") @objc var name = ""
          @Transient @available(macOS 15, *) var cache = 0
          @MainActor @discardableResult func f() -> Int { 0 }
          @inlinable init() {}
          @Archivable struct Inner { var x = 0 }
        }
        """
      ).overriddenProperties, [])
  }

  func testGeneratedSchemaListsOverridesAndOpaqueProperties() {
    assertExpansion(
      of: """
        @Archivable class Person: Animal {
          dynamic var age = 0
          override var name: String { didSet {} }
        }
        """,
      properties: #""age", [.hasDefault, .hasLiteralDefault, .opaque]"#,
      contains: [
        """
        superclass: super.archiveSchema,
        announcement: __Announced.self,
        overrides: ["name"],
        isFilledAfterInit: true,
        """
      ], isSubclass: true)
  }
}
