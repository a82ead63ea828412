import XCTest

/// What a struct expands to.
final class StructureExpansionTests: XCTestCase {
  func testStructGetsAnExtensionSoThatItKeepsItsMemberwiseInitializer() {
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
        static var __archiveName: Arc.ArchiveName {
          "Point"
        }
        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(Self.self) {
            [
              context.member("x", [.readOnly], { (value: Self) in
                value.x
              }),
              context.member("y", keys: ["y", "why"], [.hasDefault], { (value: Self) in
                value.y
              }),
              context.member("owner", [.weak], { (value: Self) in
                value.owner
              }),
              context.member("home", [.unowned], { (value: Self) in
                value.home
              }),
              context.member("level", [.hasDefault, .wrapped], { (value: Self) in
                value.level
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
          try Self(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
          self.x = try column.value(0)
          self.y = try column.value(1, default: self.y)
          self.owner = try column.value(2)
          self.home = try column.value(3)
          self.level = try column.value(4, default: self.level)
        }
      }
      """)
  }

  func testWrappedFieldsAreReadInTheirPlaceAndSetLast() {
    let source = """
      @Archivable struct Folder {
        @Kept var folders: [Folder]
        @Kept var size = 0
        var name: String
        @Kept var level: Int
      }
      """
    let expansion = expanded(source)
    let initializer = expansion.range(of: "  private init(__reading").map { expansion[$0.lowerBound...] }
    XCTAssertEqual(
      initializer.map(String.init),
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
          if let value1 {
            self.size = value1
          }
          self.level = try column.value(3)
        }
      }
      """)
  }

  func testStructWithoutProperties() {
    assertExpansion(
      """
      @Archivable struct Empty {}
      """,
      """
      struct Empty {}

      extension Empty: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Empty"
        }
        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(Self.self) {
            []
          }
        }
        func __write(to column: Arc.ColumnWriter) throws {
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          try Self(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
        }
      }
      """)
  }

  func testPublicStructNestedInGenericsConstrainsTypeParameters() {
    assertExpansion(
      """
      public struct Outer<T> {
        @Archivable("Row") public struct Row<let size: Int> {
          var first: T
        }
      }
      """,
      #"""
      public struct Outer<T> {
        public struct Row<let size: Int> {
          var first: T
        }
      }

      extension Outer.Row: Arc.ArchivableValue where T: Arc.ArchivableValue {
        public static var __archiveName: Arc.ArchiveName {
          "Row<\(T.self), \(size)>"
        }
        public static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(Self.self) {
            [
              context.member("first", [], { (value: Self) in
                value.first
              })
            ]
          }
        }
        public func __write(to column: Arc.ColumnWriter) throws {
          try column.write(self.first, at: 0)
        }
        public static func __read(from column: Arc.ColumnReader) throws -> Self {
          try Self(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
          self.first = try column.value(0)
        }
      }
      """#)
  }

  func testStructThatStatesTheConformanceGetsTheMembersOnly() {
    assertExpansion(
      """
      @Archivable struct Point: ArchivableValue {
        var x: Int
      }
      """,
      """
      struct Point: ArchivableValue {
        var x: Int
      }

      extension Point {
        static var __archiveName: Arc.ArchiveName {
          "Point"
        }
        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.structure(Self.self) {
            [
              context.member("x", [], { (value: Self) in
                value.x
              })
            ]
          }
        }
        func __write(to column: Arc.ColumnWriter) throws {
          try column.write(self.x, at: 0)
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          try Self(__reading: column)
        }
        private init(__reading column: Arc.ColumnReader) throws {
          self.x = try column.value(0)
        }
      }
      """, isSubclass: true)
  }
}
