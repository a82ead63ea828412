import XCTest

/// The expansion of a structure.
final class StructureExpansionTests: XCTestCase {
  func testStructExtensionPreservesTheMemberwiseInitializer() {
    assertExpansion(
      """
      @Archivable struct Point {
        let x: Double
        @Key("y", "why") var y = 0.0
        weak var owner: Person?
        unowned var home: House
        @Clamped var level = 1
      }
      """,
      """
      struct Point {
        let x: Double
        var y = 0.0
        weak var owner: Person?
        unowned var home: House
        @Clamped var level = 1
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.__ArchiveName {
          "Point"
        }
        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(self) {
            [
              context.member("x", [.readOnly], { (value: Self) in
                value.x
              }),
              context.member("y", keys: ["y", "why"], [.hasDefault, .hasLiteralDefault], { (value: Self) in
                value.y
              }, { owner, value in
                owner.y = value
              }),
              context.member("owner", [.weak], { (value: Self) in
                value.owner
              }, { owner, value in
                owner.owner = value
              }),
              context.member("home", [.unowned], { (value: Self) in
                value.home
              }, { owner, value in
                owner.home = value
              }),
              context.member("level", [.hasDefault, .wrapped], { (value: Self) in
                value.level
              }, { owner, value in
                owner.level = value
              })
            ]
          }
        }
        func __write(to column: Arc.ColumnWriter) throws {
          try column.write(self.x, at: 0)
          try column.write(self.y, at: 1)
          try column.writeWeak(self.owner, at: 2)
          try column.writeUnowned(self.home, at: 3)
          try column.write(self.level, at: 4)
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          try self.init(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
          self.x = try column.value(0)
          self.y = try column.value(1, default: self.y)
          self.owner = try column.value(2)
          self.home = try column.value(3)
          let value4 = try column.value(4, default: self.level)
          column.__set("level", of: &self, to: value4) { $0.level = $1 }
        }
        private static func __checkDeclarations(_ value: Self) {
          #sourceLocation(file: "test.swift", line: 2)
          Arc.__Property.check(Arc.__Declaration(value.x))
          Arc.__Property.check(Arc.__Declaration(value.y))
          Arc.__WeakProperty.check(Arc.__WeakDeclaration(value.owner))
          Arc.__UnownedProperty.check(Arc.__UnownedDeclaration(value.home))
          Arc.__Property.check(Arc.__Declaration(value.level))
          #sourceLocation()
        }
      }
      """)
  }

  func testWrappedFieldsAreReadFirstAndSetLast() {
    assertExpansion(
      of: """
        @Archivable struct Folder {
          @Kept var folders: [Folder]
          @Kept var size = 0
          var name: String
          @Kept var level: Int
        }
        """,
      contains: [
        """
        private init(__reading column: Arc.ColumnReader) throws {
          let value0 = try column.value(0, of: { (value: Self) in
            value.folders
          })
          let value1 = try column.valueIfPresent(1, of: { (value: Self) in
            value.size
          })
          self.name = try column.value(2)
          self.folders = value0
          self.level = try column.value(3)
          if let value1 {
            column.__set("size", of: &self, to: value1) { $0.size = $1 }
          }
        }
        """
      ])
  }

  func testConvertedFieldsAreSetAfterReadingAllFields() {
    assertExpansion(
      of: """
        @Archivable struct Box {
          @Key("x") @Key("a", from: Int.self, { Double($0) }) @Key("b", "c", from: (Int, Int).self, sum) var x = 0.0
          @Key("y") @Key("a", from: Int.self, String.init) let y: String
          var name: String
        }
        """,
      properties: """
        "x", keys: ["x"], [.hasDefault, .hasLiteralDefault]
        "y", keys: ["y"], [.readOnly]
        "name", []
        """,
      contains: [
        """
        context.structure(self, older: [0: .init("a", Int.self), 0: .init("b", "c", (Int, Int).self), 1: .init("a", Int.self)]) {
        """,
        """
        private init(__reading column: Arc.ColumnReader) throws {
          let value0 = try column.valueIfPresent(0, of: { (value: Self) in
            value.x
          })
          let value1 = try column.valueIfPresent(1, of: { (value: Self) in
            value.y
          })
          self.name = try column.value(2)
          let older3 = try column.__older(3, Int.self)
          let older4 = try column.__older(4, (Int, Int).self)
          let older6 = try column.__older(6, Int.self)
          #sourceLocation(file: "test.swift", line: 2)
          self.x = try column.__value(0, value0, default: self.x, older: { changesOnly in try column.__converted(older3, changesOnly, { Double($0) }, older: { try column.__converted(older4, changesOnly, sum) }) })
          #sourceLocation()
          #sourceLocation(file: "test.swift", line: 3)
          self.y = try column.__value(1, value1, older: { changesOnly in try column.__converted(older6, changesOnly, String.init) })
          #sourceLocation()
        }
        """,
      ])
  }

  func testJSONAttributesArePassedToTheSchema() {
    assertExpansion(
      of: """
        @Archivable struct Ticket {
          @Key("number", json: "id", or: "no") var id = 0
          @JSONRule(.required) @JSONFormat(.secondsSince1970) var date: Date
        }
        """,
      properties: """
        "id", keys: ["number"], [.hasDefault, .hasLiteralDefault]
        "date", []
        """,
      contains: [
        """
        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          #sourceLocation(file: "test.swift", line: 2)
          let mark0_0 = ArcModel.__JSONKeys(json: "id", or: "no")
          let mark1_0 = ArcModel.JSONRules(.required)
          #sourceLocation(file: "test.swift", line: 3)
          let mark1_1 = ArcModel.ValueFormat(.secondsSince1970)
          #sourceLocation()
          return context.structure(self) {
        """,
        """
          owner.id = value
        }, marks: [mark0_0]),
        """,
        """
          owner.date = value
        }, marks: [mark1_0, mark1_1])
        """,
      ])
  }

  func testPrivateFieldsAreMarkedInTheSchema() {
    assertExpansion(
      of: """
        @Archivable struct Ticket {
          private var salt = 0
          @JSONRule(.required) fileprivate var id: Int
        }
        """,
      contains: [
        """
        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          #sourceLocation(file: "test.swift", line: 3)
          let mark1_0 = ArcModel.JSONRules(.required)
          #sourceLocation()
          return context.structure(self) {
            [
              context.member("salt", [.hasDefault, .hasLiteralDefault], { (value: Self) in
                value.salt
              }, { owner, value in
                owner.salt = value
              }, marks: [Arc.__PrivateAccess()]),
              context.member("id", [], { (value: Self) in
                value.id
              }, { owner, value in
                owner.id = value
              }, marks: [Arc.__PrivateAccess(), mark1_0])
            ]
          }
        }
        """
      ])
  }

  func testMacroAcceptsStructWithoutProperties() {
    assertExpansion(
      of: """
        @Archivable struct Empty {}
        """,
      contains: [
        """
        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(self) {
            []
          }
        }
        """,
        """
        func __write(to column: Arc.ColumnWriter) throws {
        }
        """,
        """
        private init(__reading column: Arc.ColumnReader) throws {
        }
        """,
      ])
  }

  func testPublicStructInGenericTypeConstrainsTypeParameters() {
    assertExpansion(
      of: """
        public struct Outer<T> {
          @Archivable("Row") public struct Row<let size: Int> {
            var first: T
          }
        }
        """,
      adds: [
        "extension Outer.Row: Arc.ArchivableValue where T: Arc.ArchivableValue",
        "public static var __archiveName",
        "public static func __typeEncoding(in:)",
        "public func __write(to:)",
        "public static func __read(from:)",
        "private init(__reading:)",
      ],
      contains: [
        #"""
        public static var __archiveName: Arc.__ArchiveName {
          "Row<\(T.self), \(size)>"
        }
        """#
      ])
  }

  func testStructWithExplicitConformanceGetsOnlyMembers() {
    assertExpansion(
      of: """
        @Archivable struct Point: ArchivableValue {
          var x: Int
        }
        """,
      adds: [
        "extension Point",
        "static var __archiveName",
        "static func __typeEncoding(in:)",
        "func __write(to:)",
        "static func __read(from:)",
        "private init(__reading:)",
      ], isSubclass: true)
  }

  func testExpansionOfInvalidStructStillCompiles() {
    let expansion = expanded("@Archivable struct Point { var action: () -> Void }")
    XCTAssertEqual(ExpandedDeclarations(in: expansion).heads.count { $0.contains("__") }, 5)
    // The source without the name of the function.
    let body = " {\n    Swift.fatalError(\"@Archivable reported an error here\")\n  }"
    XCTAssertEqual(expansion.ranges(of: body).count, 4, expansion)
  }
}
