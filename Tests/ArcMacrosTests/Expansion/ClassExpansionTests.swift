import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// The expansion of a class, for each position in a class hierarchy and each kind of initializer.
final class ClassExpansionTests: XCTestCase {
  func testRootClassGetsAnExplicitEmptyInitializer() {
    assertExpansion(
      """
      @Archivable class Person {
        var name = "?"
        var age = 0
      }
      """,
      """
      class Person {
        var name = "?"
        var age = 0

        class var archiveSchema: Arc.ClassSchema {
          Arc.ClassSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.PropertySchema("name", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.name
              }, { object, value in
                object.name = value
              }),
              Arc.PropertySchema("age", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: self)
        }

        init() {
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.__slots.value(0, default: self.name)
          self.age = try decoder.__slots.value(1, default: self.age)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.name, at: 0)
          try encoder.__slots.encode(self.age, at: 1)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.__slots.link(0, like: self.name) {
            self.name = value
          }
          if let value = try decoder.__slots.link(1, like: self.age) {
            self.age = value
          }
        }

        private static func __checkDeclarations(_ object: Person, _ migrated: inout Arc.MigratedObject) throws {
          let version = Arc.__VersionCheck.version(Person.archiveVersion)
          #sourceLocation(file: "test.swift", line: 1)
          Arc.__VersionCheck.check(version)
          let migration = try Arc.__VersionCheck.migration(Person.migrate(&migrated, from: 0))
          #sourceLocation(file: "test.swift", line: 1)
          Arc.__VersionCheck.check(migration)
          Arc.__Property.check(Arc.__Declaration(object.name))
          Arc.__Property.check(Arc.__Declaration(object.age))
          #sourceLocation()
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testRootClassWithInitializerGetsNoEmptyInitializer() {
    assertExpansion(
      of: """
        @Archivable class Person {
          let name: String
          init(name: String) { self.name = name }
        }
        """,
      adds: membersOfRoot(),
      contains: [
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.__slots.value(0)
        }
        """
      ])
  }

  func testSubclassOverridesMembersAndCallsSuper() {
    assertExpansion(
      """
      @Archivable class Person: Animal {
        let name: String
        var age = 0
        init(name: String) { self.name = name; super.init() }
      }
      """,
      """
      class Person: Animal {
        let name: String
        var age = 0
        init(name: String) { self.name = name; super.init() }

        override class var archiveSchema: Arc.ClassSchema {
          Arc.ClassSchema(
            Person.self,
            name: "Person",
            superclass: super.archiveSchema,
            announcement: __Announced.self,
            properties: [
              Arc.PropertySchema("name", [.readOnly], { (object: Person) in
                object.name
              }),
              Arc.PropertySchema("age", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.__slots.value(0)
          self.age = try decoder.__slots.value(1, default: self.age)
          try super.init(from: decoder.__superclass(after: 2))
        }

        override func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.name, at: 0)
          try encoder.__slots.encode(self.age, at: 1)
          try super.encode(to: encoder.__superclass(after: 2))
        }

        override func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          try super.link(from: decoder.__superclass(after: 2))
          if let value = try decoder.__slots.link(1, like: self.age) {
            self.age = value
          }
        }

        private static func __checkDeclarations(_ object: Person, _ migrated: inout Arc.MigratedObject) throws {
          let version = Arc.__VersionCheck.version(Person.archiveVersion), versionOfSuperclass = Arc.__VersionCheck.version(Animal.archiveVersion)
          #sourceLocation(file: "test.swift", line: 1)
          Arc.__VersionCheck.check(version, inherited: versionOfSuperclass)
          let migration = try Arc.__VersionCheck.migration(Person.migrate(&migrated, from: 0)), migrationOfSuperclass = try Arc.__VersionCheck.migration(Animal.migrate(&migrated, from: 0))
          #sourceLocation(file: "test.swift", line: 1)
          Arc.__VersionCheck.check(migration, inherited: migrationOfSuperclass)
          Arc.__Property.check(Arc.__Declaration(object.name))
          Arc.__Property.check(Arc.__Declaration(object.age))
          #sourceLocation()
        }

        private enum __Announced: Arc.__Announcement {
        }
      }
      """, isSubclass: true)
  }

  func testSubclassWithoutInitializerGetsValuesAfterInit() {
    assertExpansion(
      of: """
        @Archivable class Person: Animal {
          var age = 0
        }
        """,
      adds: [
        "override class var archiveSchema",
        "override func encode(to:)",
        "override func link(from:)",
      ],
      properties: #""age", [.hasDefault, .hasLiteralDefault]"#,
      contains: [
        """
        superclass: super.archiveSchema,
        announcement: __Announced.self,
        isFilledAfterInit: true,
        properties: [
        """,
        """
        override func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          try super.link(from: decoder.__superclass(after: 1))
          if let value = try decoder.__slots.link(0, like: self.age) {
            self.age = value
          }
        }
        """,
      ], isSubclass: true)
  }

  func testFinalRootClassGetsValuesAfterImplicitInit() {
    assertExpansion(
      of: """
        @Archivable final class Person: Named {
          var age = 0
        }
        """,
      adds: membersOfRoot(initializers: ["required convenience init(from:)"]),
      properties: #""age", [.hasDefault, .hasLiteralDefault]"#,
      contains: [
        """
        name: "Person",
        isFilledAfterInit: true,
        properties: [
        """,
        """
        required convenience init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.init()
        }
        """,
        """
        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.__slots.link(0, like: self.age) {
            self.age = value
          }
        }
        """,
      ])
  }

  func testExpansionOfInvalidClassStillCompiles() {
    assertExpansion(
      """
      @Archivable class Person: Animal {
        var action: () -> Void
        init(action: @escaping () -> Void) { self.action = action; super.init() }
      }
      """,
      """
      class Person: Animal {
        var action: () -> Void
        init(action: @escaping () -> Void) { self.action = action; super.init() }

        override class var archiveSchema: Arc.ClassSchema {
          Swift.fatalError("@Archivable reported an error here")
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }

        override func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }

        override func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }

        private enum __Announced: Arc.__Announcement {
        }
      }
      """, isSubclass: true,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "unarchivable"),
          message: "'action' cannot be archived: a function has no stored form; archive the data that it is "
            + "made from",
          line: 2, column: 7)
      ])
  }
}
