import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// What a class expands to, by its place in a hierarchy and by the initializers that it has.
final class ClassExpansionTests: XCTestCase {
  func testRootGetsTheInitializerThatSwiftNoLongerImplies() {
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

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("name", [.hasDefault], { (object: Person) in
                object.name
              }, { object, value in
                object.name = value
              }),
              Arc.ArchiveProperty("age", [.hasDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        init() {
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.value(0, default: self.name)
          self.age = try decoder.value(1, default: self.age)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.name, at: 0)
          try encoder.encode(self.age, at: 1)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.name) {
            self.name = value
          }
          if let value = try decoder.link(1, like: self.age) {
            self.age = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testRootWithAnInitializerKeepsItAlone() {
    assertExpansion(
      """
      @Archivable class Person {
        let name: String
        init(name: String) { self.name = name }
      }
      """,
      """
      class Person {
        let name: String
        init(name: String) { self.name = name }

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("name", [.readOnly], { (object: Person) in
                object.name
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.value(0)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.name, at: 0)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testSubclassOverridesAndPassesOn() {
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

        override class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            superclass: super.archiveSchema,
            properties: [
              Arc.ArchiveProperty("name", [.readOnly], { (object: Person) in
                object.name
              }),
              Arc.ArchiveProperty("age", [.hasDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.value(0)
          self.age = try decoder.value(1, default: self.age)
          try super.init(from: decoder.superclass(after: 2))
        }

        override func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.name, at: 0)
          try encoder.encode(self.age, at: 1)
          try super.encode(to: encoder.superclass(after: 2))
        }

        override func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          try super.link(from: decoder.superclass(after: 2))
          if let value = try decoder.link(1, like: self.age) {
            self.age = value
          }
        }
      }
      """, isSubclass: true)
  }

  func testSubclassWithoutInitializerInheritsAllAndIsFilledAfterInit() {
    assertExpansion(
      """
      @Archivable class Person: Animal {
        var age = 0
      }
      """,
      """
      class Person: Animal {
        var age = 0

        override class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            superclass: super.archiveSchema,
            isFilledAfterInit: true,
            properties: [
              Arc.ArchiveProperty("age", [.hasDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        override func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.age, at: 0)
          try super.encode(to: encoder.superclass(after: 1))
        }

        override func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          try super.link(from: decoder.superclass(after: 1))
          if let value = try decoder.link(0, like: self.age) {
            self.age = value
          }
        }
      }
      """, isSubclass: true)
  }

  func testFinalRootIsFilledAfterItsImplicitInitializer() {
    assertExpansion(
      """
      @Archivable final class Person: Named {
        var age = 0
      }
      """,
      """
      final class Person: Named {
        var age = 0

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            isFilledAfterInit: true,
            properties: [
              Arc.ArchiveProperty("age", [.hasDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required convenience init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.init()
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.age, at: 0)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.age) {
            self.age = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testClassWithAnErrorHasBodiesThatAlwaysCompile() {
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

        override class var archiveSchema: Arc.ArchiveSchema {
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
      }
      """, isSubclass: true,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "unarchivable"),
          message: "'action' cannot be archived: a function has no stored form",
          line: 2, column: 7)
      ])
  }
}
