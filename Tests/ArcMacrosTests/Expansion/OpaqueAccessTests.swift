import SwiftParser
import SwiftSyntax
import XCTest

@testable import ArcMacros

/// Which properties are surely read as they are stored.
final class OpaqueAccessTests: XCTestCase {
  private func declaration(_ source: String) throws -> ClassDeclSyntax {
    try XCTUnwrap(Parser.parse(source: source).statements.first?.item.as(ClassDeclSyntax.self))
  }

  /// The names of properties in a class that are archived and may be read otherwise.
  private func opaque(_ source: String) throws -> [String] {
    let declaration = try declaration(source)
    return PropertyReader(
      members: declaration.memberBlock.members, mayGainAccessors: declaration.mayGainMembers
    ).properties.filter(\.isOpaque).map(\.name)
  }

  func testAttributesThatLeaveTheStorageAloneLeaveItKnown() throws {
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

  func testDynamicPropertiesAndUnknownAttributesMakeThePropertyOpaque() throws {
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

  func testWrappersAreToldApart() throws {
    let reader = PropertyReader(
      members: try declaration("class A { @Wrapped var a: A }").memberBlock.members, mayGainAccessors: true)
    XCTAssertEqual(reader.properties.map(\.isWrapped), [true])
    XCTAssertEqual(reader.properties.map(\.isOpaque), [false])
  }

  func testOtherMacrosMakeAllPropertiesOpaque() throws {
    XCTAssertEqual(try opaque("@Archivable @Model class A { var a: A?; var b = 0 }"), ["a", "b"])
    XCTAssertEqual(try opaque("@Archivable class A { var a: A?; #accessors }"), ["a"])
    XCTAssertEqual(try opaque("@Archivable class A { var a: A?\n#if X\n#accessors\n#endif\n}"), ["a"])
  }

  func testOverridesAreSeenInEveryBranch() throws {
    XCTAssertTrue(try declaration("class B: A { override var a: A? { nil } }").overridesProperties)
    XCTAssertTrue(
      try declaration("class B: A {\n#if X\n#else\noverride var a: A? { nil }\n#endif\n}").overridesProperties
    )
    XCTAssertTrue(try declaration("@Model class B: A {}").overridesProperties)
    XCTAssertFalse(
      try declaration("@Archivable class B: A { var b = 0; override func f() {} }").overridesProperties)
  }

  func testMacrosOnMembersMayAddOverrides() throws {
    for member in [
      "@Mirrored func f() {}", "@Mirrored var b = 0", "@Mirrored struct C {}", "@Mirrored init() {}",
    ] {
      XCTAssertTrue(try declaration("class B: A { \(member) }").overridesProperties, member)
      XCTAssertTrue(try declaration("class B: A {\n#if X\n\(member)\n#endif\n}").overridesProperties, member)
    }
    XCTAssertFalse(
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
      ).overridesProperties)
  }

  func testTheSchemaTellsOfOverridesAndOpaqueProperties() {
    assertExpansion(
      of: """
        @Archivable class Person: Animal {
          dynamic var age = 0
          override var name: String { didSet {} }
        }
        """,
      contains: [
        """
        override class var archiveSchema: Arc.ClassSchema {
          Arc.ClassSchema(
            Person.self,
            name: "Person",
            superclass: super.archiveSchema,
            announcement: __Announcement.self,
            overridesProperties: true,
            isFilledAfterInit: true,
            properties: [
              Arc.PropertySchema("age", [.hasDefault, .opaque], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }
        """
      ], isSubclass: true)
  }
}
