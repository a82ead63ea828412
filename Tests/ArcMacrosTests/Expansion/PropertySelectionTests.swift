import XCTest

/// The archived properties of a type, and their keys.
final class PropertySelectionTests: XCTestCase {
  func testPropertiesWithoutStorageAreOmitted() {
    assertExpansion(
      of: #"""
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
      properties: "",
      contains: [
        #"""
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
        }
        """#,
        #"""
        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
        }
        """#,
      ])
  }

  func testKeyAttributeDefinesPresentAndFormerNames() {
    assertExpansion(
      of: """
        @Archivable class Person {
          @Key("years", "age", #"a"b"#) var age = 0
          @Key("title") let name: String
          init() {}
        }
        """,
      properties: """
        "age", keys: ["years", "age", #"a"b"#], [.hasDefault, .hasLiteralDefault]
        "name", keys: ["title"], [.readOnly]
        """)
  }

  func testJSONAttributesArePassedToTheSchema() {
    assertExpansion(
      of: """
        @Archivable class Person {
          @Key("years", json: "user.age", or: "age") @JSONRule(.required) var age = 0
          @Key(json: "born_at") @JSONFormat(.secondsSince1970) let born: Date
          init() {}
        }
        """,
      properties: """
        "age", keys: ["years"], [.hasDefault, .hasLiteralDefault]
        "born", [.readOnly]
        """,
      contains: [
        """
        class var archiveSchema: Arc.ClassSchema {
          #sourceLocation(file: "test.swift", line: 2)
          let mark0_0 = ArcModel.__JSONKeys(json: "user.age", or: "age")
          #sourceLocation(file: "test.swift", line: 2)
          let mark0_1 = ArcModel.JSONRules(.required)
          let mark1_0 = ArcModel.__JSONKeys(json: "born_at")
          #sourceLocation(file: "test.swift", line: 3)
          let mark1_1 = ArcModel.ValueFormat(.secondsSince1970)
          #sourceLocation()
          return Arc.ClassSchema(
        """,
        """
          object.age = value
        }, marks: [mark0_0, mark0_1]),
        """,
        """
          object.born
        }, marks: [mark1_0, mark1_1])
        """,
      ])
  }

  func testPrivatePropertiesAreMarkedInTheSchema() {
    assertExpansion(
      of: """
        @Archivable class Person {
          private var token = ""
          @Key(json: "p") fileprivate let pin: Int
          private(set) var count = 0
          fileprivate(set) var state = 0
          init() {}
        }
        """,
      contains: [
        """
        class var archiveSchema: Arc.ClassSchema {
          #sourceLocation(file: "test.swift", line: 3)
          let mark1_0 = ArcModel.__JSONKeys(json: "p")
          #sourceLocation()
          return Arc.ClassSchema(
            Person.self,
            name: "Person",
            properties: [
              Arc.PropertySchema("token", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.token
              }, { object, value in
                object.token = value
              }, marks: [Arc.__PrivateAccess()]),
              Arc.PropertySchema("pin", [.readOnly], { (object: Person) in
                object.pin
              }, marks: [Arc.__PrivateAccess(), mark1_0]),
              Arc.PropertySchema("count", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.count
              }, { object, value in
                object.count = value
              }),
              Arc.PropertySchema("state", [.hasDefault, .hasLiteralDefault], { (object: Person) in
                object.state
              }, { object, value in
                object.state = value
              })
            ]
          )
        }
        """
      ])
  }

  func testTransientPropertiesAreOmitted() {
    assertExpansion(
      of: """
        @Archivable class Person {
          @Transient var cache: [Int] = []
          @Transient var action: (() -> Void)?
          @Transient let lock = Lock()
          @Transient weak var delegate: (any Delegate)?
          var age = 0
          init() {}
        }
        """,
      properties: #""age", [.hasDefault, .hasLiteralDefault]"#,
      contains: [
        """
        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.age, at: 0)
        }
        """
      ])
  }

  func testSeveralPropertiesMayShareADeclaration() {
    assertExpansion(
      of: """
        @Archivable class Person {
          var x, y: Int, z = 1
          init() {}
        }
        """,
      properties: """
        "x", []
        "y", []
        "z", [.hasDefault, .hasLiteralDefault]
        """,
      contains: [
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.x = try decoder.__slots.value(0)
          self.y = try decoder.__slots.value(1)
          self.z = try decoder.__slots.value(2, default: self.z)
        }
        """
      ])
  }

  func testBackticksOfNamesAppearOnlyInCode() {
    assertExpansion(
      of: """
        @Archivable class Person {
          var `default`: Int
          var `number of legs`: Int
          init() {}
        }
        """,
      contains: [
        """
        Arc.PropertySchema("default", [], { (object: Person) in
          object.`default`
        }, { object, value in
          object.`default` = value
        }),
        Arc.PropertySchema("number of legs", [], { (object: Person) in
          object.`number of legs`
        }, { object, value in
          object.`number of legs` = value
        })
        """,
        """
        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          self.`default` = try decoder.__slots.value(0)
          self.`number of legs` = try decoder.__slots.value(1)
        }
        """,
        """
        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          try encoder.__slots.encode(self.`default`, at: 0)
          try encoder.__slots.encode(self.`number of legs`, at: 1)
        }
        """,
        """
        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          if let value = try decoder.__slots.link(0, like: self.`default`) {
            self.`default` = value
          }
          if let value = try decoder.__slots.link(1, like: self.`number of legs`) {
            self.`number of legs` = value
          }
        }
        """,
      ])
  }
}
