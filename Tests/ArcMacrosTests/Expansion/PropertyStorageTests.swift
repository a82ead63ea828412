import XCTest

/// The code that sets, reads and links a property, for each kind of storage.
final class PropertyStorageTests: XCTestCase {
  func testPropertyOwnershipIsPassedToTheSchema() {
    assertExpansion(
      of: """
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
      properties: """
        "born", [.readOnly]
        "name", []
        "mother", [.weak]
        "home", [.unowned]
        "maker", [.readOnly, .unowned]
        "guest", [.unowned]
        """,
      contains: [
        """
        Arc.PropertySchema("mother", [.weak], { (object: Person) in
          object.mother
        }, { object, value in
          object.mother = value
        }),
        """,
        """
        Arc.PropertySchema("maker", [.readOnly, .unowned], { (object: Person) in
          object.maker
        }),
        """,
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.born = try decoder.__slots.value(0)
          self.name = try decoder.__slots.value(1)
          self.home = try decoder.__slots.value(3)
          self.maker = try decoder.__slots.value(4)
          self.guest = try decoder.__slots.value(5)
        }
        """,
        """
        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.born, at: 0)
          try encoder.__slots.encode(self.name, at: 1)
          try encoder.__slots.encodeWeak(self.mother, at: 2)
          try encoder.__slots.encodeUnowned(self.home, at: 3)
          try encoder.__slots.encodeUnowned(self.maker, at: 4)
          try encoder.__slots.encodeUnowned(self.guest, at: 5)
        }
        """,
        """
        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.__slots.link(1, like: self.name) {
            self.name = value
          }
          if let value = try decoder.__slots.link(2, like: self.mother) {
            self.mother = value
          }
          if let value = try decoder.__slots.link(3, like: self.home) {
            self.home = value
          }
          if let value = try decoder.__slots.link(5, like: self.guest) {
            self.guest = value
          }
        }
        """,
        """
        Arc.__Property.check(Arc.__Declaration(object.born))
        Arc.__Property.check(Arc.__Declaration(object.name))
        Arc.__WeakProperty.check(Arc.__WeakDeclaration(object.mother))
        Arc.__UnownedProperty.check(Arc.__UnownedDeclaration(object.home))
        Arc.__UnownedProperty.check(Arc.__UnownedDeclaration(object.maker))
        Arc.__UnownedProperty.check(Arc.__UnownedDeclaration(object.guest))
        """,
      ])
  }

  func testObservedPropertyIsArchivedLikeStoredProperty() {
    assertExpansion(
      of: """
        @Archivable class Person {
          var age = 0 { didSet { print(age) } }
          var name: String { willSet { print(newValue) } }
          init() {}
        }
        """,
      properties: """
        "age", [.hasDefault, .hasLiteralDefault, .observed]
        "name", [.observed]
        """,
      contains: [
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.age = try decoder.__slots.value(0, default: self.age)
          self.name = try decoder.__slots.value(1)
        }
        """
      ])
  }

  func testWrappedPropertiesAreReadAfterPlainProperties() {
    assertExpansion(
      of: """
        @Archivable class Person {
          @Published var age = 0
          @Clamped(0...10) var level: Int
          @Arc.Key("n") var name: String
          init() {}
        }
        """,
      properties: """
        "age", [.hasDefault, .wrapped]
        "level", [.wrapped]
        "name", keys: ["n"], []
        """,
      contains: [
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.name = try decoder.__slots.value(2)
          self.level = try decoder.__slots.value(1)
        }
        """,
        """
        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.age, at: 0)
          try encoder.__slots.encode(self.level, at: 1)
          try encoder.__slots.encode(self.name, at: 2)
        }
        """,
      ])
  }

  func testVariablesOfObservableClassAreTreatedAsWrapped() {
    assertExpansion(
      of: """
        @Observable @Archivable class Person {
          let id: Int
          var age = 0
          @ObservationIgnored var cache = 1
          init() {}
        }
        """,
      properties: """
        "id", [.readOnly]
        "age", [.hasDefault, .wrapped]
        "cache", [.hasDefault, .hasLiteralDefault]
        """,
      contains: [
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.id = try decoder.__slots.value(0)
          self.cache = try decoder.__slots.value(2, default: self.cache)
        }
        """
      ])
  }

  /// Returns the initial values that the expansion repeats, so that Arc can release a graph.
  private func initialValues(_ properties: String) -> [String] {
    let expansion = expanded("@Archivable final class Node {\n\(properties)\ninit() {} }")
    return expansion.components(separatedBy: ", initial: {").dropFirst().map { part in
      part.prefix { $0 != "}" }.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  func testGeneratedCodeRepeatsInitialValuesWithPossibleReferences() {
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

  func testGeneratedCodeOmitsInitialValuesWithoutReferences() {
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
