import XCTest

/// The interpretation of a class's first inherited name, which can be a superclass or a protocol.
final class SuperclassTests: XCTestCase {
  func testClassThatInheritsOnlyProtocolsIsARoot() {
    assertExpansion(
      of: """
        @Archivable class Person: Named, Hashable {
          var name: String
          init(name: String) { self.name = name }
        }
        """,
      adds: membersOfRoot())
  }

  func testClassWithExplicitConformanceIsARoot() {
    assertExpansion(
      of: """
        @Archivable final class Person: Arc.Archivable {
          var age = 0
        }
        """,
      adds: membersOfRoot(initializers: ["required convenience init(from:)"], extension: nil),
      isSubclass: true)
  }

  func testObjectiveCRootClassOverridesEmptyInitializer() {
    assertExpansion(
      of: """
        @Archivable class Person: NSObject {
          var age = 0
        }
        """,
      adds: membersOfRoot(initializers: ["override init()", "required init(from:)"]),
      contains: [
        """
        override init() {
          super.init()
        }
        """
      ])
  }

  func testSuperclassCanBeDeclaredNotArchivable() {
    assertExpansion(
      of: """
        @Archivable(superclass: .notArchivable) class Person: Base {
          var age = 0
        }
        """,
      adds: membersOfRoot(initializers: ["override init()", "required init(from:)"], extension: nil),
      contains: [
        """
        override init() {
          super.init()
        }
        """
      ], isSubclass: true)
  }

  func testSuperclassCanBeDeclaredArchivable() {
    assertExpansion(
      of: """
        @Archivable(superclass: .archivable) class Person: Animal {
          var age: Int
          init(age: Int) { self.age = age; super.init() }
        }
        """,
      adds: [
        "override class var archiveSchema",
        "required init(from:)",
        "override func encode(to:)",
        "override func link(from:)",
        "extension Person: Arc.Archivable, Arc.ArchivableValue",
      ],
      properties: #""age", []"#,
      contains: [
        """
        superclass: super.archiveSchema,
        announcement: __Announced.self,
        properties: [
        """,
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.__slots.value(0)
          try super.init(from: decoder.__superclass(after: 1))
        }
        """,
      ])
  }
}
