import XCTest

/// Which properties are archived, and under which keys.
final class PropertySelectionTests: XCTestCase {
  func testWhatHasNoStorageOfItsOwnIsLeftOut() {
    assertExpansion(
      #"""
      @Archivable class Person: Animal {
        static var count = 0
        static let shared = Person()
        class var kind: String { "person" }
        lazy var text = "\(self)"
        var double: Int { 2 }
        var both: Int { get { 1 } set {} }
        override var legs: Int { didSet {} }
        init() {}
      }
      """#,
      #"""
      class Person: Animal {
        static var count = 0
        static let shared = Person()
        class var kind: String { "person" }
        lazy var text = "\(self)"
        var double: Int { 2 }
        var both: Int { get { 1 } set {} }
        override var legs: Int { didSet {} }
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: []
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """#)
  }

  func testKeyGivesNamesForNowAndBefore() {
    assertExpansion(
      """
      @Archivable class Person {
        @Key("years", "age", #"a"b"#) var age = 0
        @Key("title") let name: String
        init() {}
      }
      """,
      """
      class Person {
        var age = 0
        let name: String
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("age", keys: ["years", "age", #"a"b"#], [.hasDefault], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              }),
              Arc.ArchiveProperty("name", keys: ["title"], [.readOnly], { (object: Person) in
                object.name
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.value(0, default: self.age)
          self.name = try decoder.value(1)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.age, at: 0)
          try encoder.encode(self.name, at: 1)
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

  func testTransientPropertiesAreLeftOut() {
    assertExpansion(
      """
      @Archivable class Person {
        @Transient var cache: [Int] = []
        @Transient var action: (() -> Void)?
        @Transient let lock = Lock()
        @Transient weak var delegate: (any Delegate)?
        var age = 0
        init() {}
      }
      """,
      """
      class Person {
        var cache: [Int] = []
        var action: (() -> Void)?
        let lock = Lock()
        weak var delegate: (any Delegate)?
        var age = 0
        init() {}

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

  func testSeveralPropertiesInOneDeclaration() {
    assertExpansion(
      """
      @Archivable class Person {
        var x, y: Int, z = 1
        init() {}
      }
      """,
      """
      class Person {
        var x, y: Int, z = 1
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("x", [], { (object: Person) in
                object.x
              }, { object, value in
                object.x = value
              }),
              Arc.ArchiveProperty("y", [], { (object: Person) in
                object.y
              }, { object, value in
                object.y = value
              }),
              Arc.ArchiveProperty("z", [.hasDefault], { (object: Person) in
                object.z
              }, { object, value in
                object.z = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.x = try decoder.value(0)
          self.y = try decoder.value(1)
          self.z = try decoder.value(2, default: self.z)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.x, at: 0)
          try encoder.encode(self.y, at: 1)
          try encoder.encode(self.z, at: 2)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.x) {
            self.x = value
          }
          if let value = try decoder.link(1, like: self.y) {
            self.y = value
          }
          if let value = try decoder.link(2, like: self.z) {
            self.z = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testNamesKeepTheirBackticksInCodeOnly() {
    assertExpansion(
      """
      @Archivable class Person {
        var `default`: Int
        var `number of legs`: Int
        init() {}
      }
      """,
      """
      class Person {
        var `default`: Int
        var `number of legs`: Int
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("default", [], { (object: Person) in
                object.`default`
              }, { object, value in
                object.`default` = value
              }),
              Arc.ArchiveProperty("number of legs", [], { (object: Person) in
                object.`number of legs`
              }, { object, value in
                object.`number of legs` = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.`default` = try decoder.value(0)
          self.`number of legs` = try decoder.value(1)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.`default`, at: 0)
          try encoder.encode(self.`number of legs`, at: 1)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.`default`) {
            self.`default` = value
          }
          if let value = try decoder.link(1, like: self.`number of legs`) {
            self.`number of legs` = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }
}
