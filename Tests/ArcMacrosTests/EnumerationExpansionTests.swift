import XCTest

/// What an enum expands to.
final class EnumerationExpansionTests: XCTestCase {
  func testEnumWithRawTypeNeedsNameAndConformanceOnly() {
    assertExpansion(
      """
      @Archivable enum Color: String, CaseIterable {
        case red, green
      }
      """,
      """
      enum Color: String, CaseIterable {
        case red, green

        static var __archiveName: Arc.ArchiveName {
          "Color"
        }
      }

      extension Color: Arc.ArchivableValue {
      }
      """)
  }

  func testEnumWithRawValuesNeedsNameAndConformanceOnly() {
    assertExpansion(
      """
      @Archivable public enum Level: RawLevel {
        case low = 1
        case high = 5
      }
      """,
      """
      public enum Level: RawLevel {
        case low = 1
        case high = 5

        public static var __archiveName: Arc.ArchiveName {
          "Level"
        }
      }

      extension Level: Arc.ArchivableValue {
      }
      """)
  }

  func testTaggedUnionKeepsLabels() {
    assertExpansion(
      """
      @Archivable enum Shape {
        case circle(radius: Double)
        @Key("square", "rect") case rectangle(Double, _ height: Double?)
        case `default`, none
      }
      """,
      """
      enum Shape {
        case circle(radius: Double)
        case rectangle(Double, _ height: Double?)
        case `default`, none

        static var __archiveName: Arc.ArchiveName {
          "Shape"
        }

        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.enumeration(Self.self) {
            [
              context.enumerationCase("circle", [
                context.associatedValue("radius", Double.self)
              ]),
              context.enumerationCase("rectangle", keys: ["square", "rect"], [
                context.associatedValue("", Double.self),
                context.associatedValue("", Double?.self)
              ]),
              context.enumerationCase("default"),
              context.enumerationCase("none")
            ]
          }
        }

        func __write(to column: Arc.ColumnWriter) throws {
          switch self {
          case .circle(radius: let value0):
            let payload = column.beginCase(0)
            try payload.write(value0, at: 0)
          case .rectangle(let value0, let value1):
            let payload = column.beginCase(1)
            try payload.write(value0, at: 0)
            try payload.write(value1, at: 1)
          case .`default`:
            _ = column.beginCase(2)
          case .none:
            _ = column.beginCase(3)
          }
        }

        static func __read(from column: Arc.ColumnReader) throws -> Self {
          switch try column.readCase() {
          case 0:
            let payload = column.payload(0)
            return try .circle(radius: payload.value(0))
          case 1:
            let payload = column.payload(1)
            return try .rectangle(payload.value(0), payload.value(1))
          case 2:
            return .`default`
          case 3:
            return .none
          default:
            throw column.unknownCase()
          }
        }
      }

      extension Shape: Arc.ArchivableValue {
      }
      """)
  }

  func testPublicIndirectGenericEnumRepeatsItsConstraintOnMembers() {
    assertExpansion(
      """
      @Archivable public indirect enum Tree<Leaf> {
        case leaf(Leaf)
        case node(left: Tree, right: Tree)
      }
      """,
      #"""
      public indirect enum Tree<Leaf> {
        case leaf(Leaf)
        case node(left: Tree, right: Tree)

        public static var __archiveName: Arc.ArchiveName {
          "Tree<\(Leaf.self)>"
        }

        public static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding
          where Leaf: Arc.ArchivableValue {
          context.enumeration(Self.self) {
            [
              context.enumerationCase("leaf", [
                context.associatedValue("", Leaf.self)
              ]),
              context.enumerationCase("node", [
                context.associatedValue("left", Tree.self),
                context.associatedValue("right", Tree.self)
              ])
            ]
          }
        }

        public func __write(to column: Arc.ColumnWriter) throws
          where Leaf: Arc.ArchivableValue {
          switch self {
          case .leaf(let value0):
            let payload = column.beginCase(0)
            try payload.write(value0, at: 0)
          case .node(left: let value0, right: let value1):
            let payload = column.beginCase(1)
            try payload.write(value0, at: 0)
            try payload.write(value1, at: 1)
          }
        }

        public static func __read(from column: Arc.ColumnReader) throws -> Self
          where Leaf: Arc.ArchivableValue {
          switch try column.readCase() {
          case 0:
            let payload = column.payload(0)
            return try .leaf(payload.value(0))
          case 1:
            let payload = column.payload(1)
            return try .node(left: payload.value(0), right: payload.value(1))
          default:
            throw column.unknownCase()
          }
        }
      }

      extension Tree: Arc.ArchivableValue where Leaf: Arc.ArchivableValue {
      }
      """#)
  }

  func testPayloadMakesATaggedUnionOfAnEnumWithRawType() {
    assertExpansion(
      """
      @Archivable enum Mixed: Int {
        case one(Int)
      }
      """,
      """
      enum Mixed: Int {
        case one(Int)

        static var __archiveName: Arc.ArchiveName {
          "Mixed"
        }

        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.enumeration(Self.self) {
            [
              context.enumerationCase("one", [
                context.associatedValue("", Int.self)
              ])
            ]
          }
        }

        func __write(to column: Arc.ColumnWriter) throws {
          switch self {
          case .one(let value0):
            let payload = column.beginCase(0)
            try payload.write(value0, at: 0)
          }
        }

        static func __read(from column: Arc.ColumnReader) throws -> Self {
          switch try column.readCase() {
          case 0:
            let payload = column.payload(0)
            return try .one(payload.value(0))
          default:
            throw column.unknownCase()
          }
        }
      }

      extension Mixed: Arc.ArchivableValue {
      }
      """)
  }
}
