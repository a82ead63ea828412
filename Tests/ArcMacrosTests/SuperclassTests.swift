import XCTest

/// How the first inherited name of a class is understood, where names alone do not tell.
final class SuperclassTests: XCTestCase {
  func testClassWhoseFirstInheritedNameIsAProtocolIsARoot() {
    assertExpansion(
      """
      @Archivable class Person: Named, Hashable {
        var name: String
        init(name: String) { self.name = name }
      }
      """,
      """
      class Person: Named, Hashable {
        var name: String
        init(name: String) { self.name = name }

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("name", [], { (object: Person) in
                object.name
              }, { object, value in
                object.name = value
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
          if let value = try decoder.link(0, like: self.name) {
            self.name = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testClassThatStatesTheConformanceIsARoot() {
    assertExpansion(
      """
      @Archivable final class Person: Arc.Archivable {
        var age = 0
      }
      """,
      """
      final class Person: Arc.Archivable {
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
      """, isSubclass: true)
  }

  func testObjectiveCRootOverridesTheEmptyInitializer() {
    assertExpansion(
      """
      @Archivable class Person: NSObject {
        var age = 0
      }
      """,
      """
      class Person: NSObject {
        var age = 0

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
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

        override init() {
          super.init()
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.value(0, default: self.age)
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

  func testSuperclassCanBeDeclaredNotArchivable() {
    assertExpansion(
      """
      @Archivable(superclass: .notArchivable) class Person: Base {
        var age = 0
      }
      """,
      """
      class Person: Base {
        var age = 0

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
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

        override init() {
          super.init()
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.value(0, default: self.age)
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
      """, isSubclass: true)
  }

  func testSuperclassCanBeDeclaredArchivable() {
    assertExpansion(
      """
      @Archivable(superclass: .archivable) class Person: Animal {
        var age: Int
        init(age: Int) { self.age = age; super.init() }
      }
      """,
      """
      class Person: Animal {
        var age: Int
        init(age: Int) { self.age = age; super.init() }

        override class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            superclass: super.archiveSchema,
            properties: [
              Arc.ArchiveProperty("age", [], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              })
            ]
          )
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.value(0)
          try super.init(from: decoder.superclass(after: 1))
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

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }
}
