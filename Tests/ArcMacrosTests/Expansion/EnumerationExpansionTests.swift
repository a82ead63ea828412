import XCTest

/// The expansion of an enumeration.
final class EnumerationExpansionTests: XCTestCase {
  func testRawTypeEnumGetsOnlyNameAndConformance() {
    assertExpansion(
      """
      @Archivable enum Color: String, CaseIterable {
        case red, green
      }
      """,
      """
      enum Color: String, CaseIterable {
        case red, green

        static var __archiveName: Arc.__ArchiveName {
          "Color"
        }
      }

      extension Color: Arc.ArchivableValue {
      }
      """)
  }

  func testRawValueEnumGetsOnlyNameAndConformance() {
    assertExpansion(
      of: """
        @Archivable public enum Level: RawLevel {
          case low = 1
          case high = 5
        }
        """,
      adds: [
        "public static var __archiveName",
        "extension Level: Arc.ArchivableValue",
      ])
  }

  func testEnumWithAssociatedValuesKeepsItsLabels() {
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

        static var __archiveName: Arc.__ArchiveName {
          "Shape"
        }

        static func __typeEncoding(in context: Arc.__TypeEncodingContext) -> Arc.TypeEncoding {
          context.enumeration(self) {
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
        private static func __checkDeclarations(_ value: Self) {
          switch value {
          case .circle(radius: let value0):
          #sourceLocation(file: "test.swift", line: 2)
          Arc.__AssociatedValue.check(Arc.__Declaration(value0))
          case .rectangle(let value0, let value1):
          #sourceLocation(file: "test.swift", line: 3)
          Arc.__AssociatedValue.check(Arc.__Declaration(value0))
          #sourceLocation(file: "test.swift", line: 3)
          Arc.__AssociatedValue.check(Arc.__Declaration(value1))
          case .`default`: break
          case .none: break
          }
          #sourceLocation()
        }
      }
      """)
  }

  func testMembersOfPublicGenericEnumRepeatItsConstraint() {
    assertExpansion(
      of: """
        @Archivable public indirect enum Tree<Leaf> {
          case leaf(Leaf)
          case node(left: Tree, right: Tree)
        }
        """,
      adds: [
        "public static var __archiveName",
        "public static func __typeEncoding(in:) where Leaf: Arc.ArchivableValue",
        "public func __write(to:) where Leaf: Arc.ArchivableValue",
        "public static func __read(from:) where Leaf: Arc.ArchivableValue",
        "extension Tree: Arc.ArchivableValue where Leaf: Arc.ArchivableValue",
      ],
      contains: [
        #"""
        public static var __archiveName: Arc.__ArchiveName {
          "Tree<\(Leaf.self)>"
        }
        """#
      ])
  }

  func testMissingAssociatedValuesGetTheirInitialValues() {
    assertExpansion(
      of: """
        @Archivable enum Note {
          case text(String, size: Double = 12, pair: (Int, Int) = (1, 2))
        }
        """,
      adds: [
        "static var __archiveName",
        "static func __typeEncoding(in:)",
        "func __write(to:)",
        "static func __read(from:)",
        "extension Note: Arc.ArchivableValue",
      ],
      contains: [
        """
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          switch try column.readCase() {
          case 0:
            let payload = column.payload(0)
            return try .text(payload.value(0), size: payload.value(1, default: 12), pair: (payload.value(2, default: Arc.__Tuple<Int, Int>(((1, 2) as (Int, Int)).0, ((1, 2) as (Int, Int)).1)) as Arc.__Tuple<Int, Int>).elements)
          default:
            throw column.unknownCase()
          }
        }
        """
      ])
  }

  func testRawEnumWithPayloadIsArchivedByCase() {
    assertExpansion(
      of: """
        @Archivable enum Mixed: Int {
          case one(Int)
        }
        """,
      adds: [
        "static var __archiveName",
        "static func __typeEncoding(in:)",
        "func __write(to:)",
        "static func __read(from:)",
        "extension Mixed: Arc.ArchivableValue",
      ],
      contains: [
        """
        func __write(to column: Arc.ColumnWriter) throws {
          switch self {
          case .one(let value0):
            let payload = column.beginCase(0)
            try payload.write(value0, at: 0)
          }
        }
        """
      ])
  }
}
