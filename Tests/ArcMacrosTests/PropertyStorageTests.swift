import XCTest

/// How a property is set, read and linked, by the kind of its storage.
final class PropertyStorageTests: XCTestCase {
  func testEveryKindOfOwnership() {
    assertExpansion(
      """
      @Archivable class Person {
        let born: Int
        var name: String!
        weak var mother: Person?
        unowned var home: House
        unowned let maker: Person
        unowned(safe) var guest: Person?
        init() {}
      }
      """,
      """
      class Person {
        let born: Int
        var name: String!
        weak var mother: Person?
        unowned var home: House
        unowned let maker: Person
        unowned(safe) var guest: Person?
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("born", [.readOnly], { (object: Person) in
                object.born
              }),
              Arc.ArchiveProperty("name", [], { (object: Person) in
                object.name
              }, { object, value in
                object.name = value
              }),
              Arc.ArchiveProperty("mother", [.weak], { (object: Person) in
                object.mother
              }, { object, value in
                object.mother = value
              }),
              Arc.ArchiveProperty("home", [.unowned], { (object: Person) in
                object.home
              }, { object, value in
                object.home = value
              }),
              Arc.ArchiveProperty("maker", [.readOnly, .unowned], { (object: Person) in
                object.maker
              }),
              Arc.ArchiveProperty("guest", [.unowned], { (object: Person) in
                object.guest
              }, { object, value in
                object.guest = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.born = try decoder.value(0)
          self.name = try decoder.value(1)
          self.home = try decoder.value(3)
          self.maker = try decoder.value(4)
          self.guest = try decoder.value(5)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.born, at: 0)
          try encoder.encode(self.name, at: 1)
          try encoder.encodeWeak(self.mother, at: 2)
          try encoder.encodeUnowned(self.home, at: 3)
          try encoder.encodeUnowned(self.maker, at: 4)
          try encoder.encodeUnowned(self.guest, at: 5)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(1, like: self.name) {
            self.name = value
          }
          if let value = try decoder.link(2, like: self.mother) {
            self.mother = value
          }
          if let value = try decoder.link(3, like: self.home) {
            self.home = value
          }
          if let value = try decoder.link(5, like: self.guest) {
            self.guest = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testObservedPropertyIsPlainStorage() {
    assertExpansion(
      """
      @Archivable class Person {
        var age = 0 { didSet { print(age) } }
        var name: String { willSet { print(newValue) } }
        init() {}
      }
      """,
      """
      class Person {
        var age = 0 { didSet { print(age) } }
        var name: String { willSet { print(newValue) } }
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("age", [.hasDefault, .observed], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              }),
              Arc.ArchiveProperty("name", [.observed], { (object: Person) in
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
          if let value = try decoder.link(1, like: self.name) {
            self.name = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testWrappedPropertiesComeLastAndKeepTheirSlots() {
    assertExpansion(
      """
      @Archivable class Person {
        @Published var age = 0
        @Clamped(0...10) var level: Int
        @Arc.Key("n") var name: String
        init() {}
      }
      """,
      """
      class Person {
        @Published var age = 0
        @Clamped(0...10) var level: Int
        @Arc.Key("n") var name: String
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("age", [.hasDefault, .wrapped], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              }),
              Arc.ArchiveProperty("level", [.wrapped], { (object: Person) in
                object.level
              }, { object, value in
                object.level = value
              }),
              Arc.ArchiveProperty("name", keys: ["n"], [], { (object: Person) in
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
          self.name = try decoder.value(2)
          self.level = try decoder.value(1)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.age, at: 0)
          try encoder.encode(self.level, at: 1)
          try encoder.encode(self.name, at: 2)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(0, like: self.age) {
            self.age = value
          }
          if let value = try decoder.link(1, like: self.level) {
            self.level = value
          }
          if let value = try decoder.link(2, like: self.name) {
            self.name = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testObservableClassOwnsTheStorageOfItsVariables() {
    assertExpansion(
      """
      @Observable @Archivable class Person {
        let id: Int
        var age = 0
        @ObservationIgnored var cache = 1
        init() {}
      }
      """,
      """
      @Observable class Person {
        let id: Int
        var age = 0
        @ObservationIgnored var cache = 1
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.ArchiveProperty("id", [.readOnly], { (object: Person) in
                object.id
              }),
              Arc.ArchiveProperty("age", [.hasDefault, .wrapped], { (object: Person) in
                object.age
              }, { object, value in
                object.age = value
              }),
              Arc.ArchiveProperty("cache", [.hasDefault], { (object: Person) in
                object.cache
              }, { object, value in
                object.cache = value
              })
            ]
          )
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.id = try decoder.value(0)
          self.cache = try decoder.value(2, default: self.cache)
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.encode(self.id, at: 0)
          try encoder.encode(self.age, at: 1)
          try encoder.encode(self.cache, at: 2)
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.link(1, like: self.age) {
            self.age = value
          }
          if let value = try decoder.link(2, like: self.cache) {
            self.cache = value
          }
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  /// The initial values that the expansion repeats, so that a graph can be let go of.
  private func initialValues(_ properties: String) -> [String] {
    let expansion = expanded("@Archivable final class Node {\n\(properties)\ninit() {} }")
    return expansion.components(separatedBy: ", initial: {").dropFirst().map { part in
      part.prefix { $0 != "}" }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  func testInitialValuesThatMayHoldReferencesAreRepeated() {
    XCTAssertEqual(
      initialValues(
        """
        var edge = Edge()
        var link: Link = .end
        var other = Node.shared
        var bag: Bag = []
        @Logged var wrapped = Edge()
        """), ["Edge()", ".end", "Node.shared", "[]", "Edge()"])
  }

  func testLiteralsConstantsAndReferencesThatHoldNothingAreNotRepeated() {
    XCTAssertEqual(
      initialValues(
        """
        var a = 5, b = -1.5, c = "c", d = true, e: Node? = nil, f = [1], g = ["a": 1], h: [Node] = [], i: String = "i"
        let j = Edge()
        weak var k: Node? = Node()
        unowned var l = Node.shared
        @Transient var m = Edge()
        static var n = Edge()
        """), [])
  }
}
