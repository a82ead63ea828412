import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// What the source looks like once a fix-it has been applied.
final class FixItTests: XCTestCase {
  func testConstantBecomesVariable() {
    assertExpansion(
      """
      @Archivable struct Point {
        // The origin.
        let x = 5
      }
      """,
      """
      struct Point {
        // The origin.
        let x = 5
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Point"
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
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "constantKeepsValue"),
          message: "constant 'x' keeps its initial value and is not archived; make it 'var' or give "
            + "it its value in 'init'",
          line: 3, column: 7, severity: .warning,
          fixIts: [
            FixItSpec(message: "make it 'var'"),
            FixItSpec(message: "add '@Transient' to leave it out of archives"),
          ])
      ],
      applying: ["make it 'var'"],
      fixed: """
        @Archivable struct Point {
          // The origin.
          var x = 5
        }
        """)
  }

  func testConstantBecomesTransient() {
    assertExpansion(
      """
      @Archivable struct Point {
        /// The origin.
        private let x = 5
      }
      """,
      """
      struct Point {
        /// The origin.
        private let x = 5
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Point"
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
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "constantKeepsValue"),
          message: "constant 'x' keeps its initial value and is not archived; make it 'var' or give "
            + "it its value in 'init'",
          line: 3, column: 15, severity: .warning,
          fixIts: [
            FixItSpec(message: "make it 'var'"),
            FixItSpec(message: "add '@Transient' to leave it out of archives"),
          ])
      ],
      applying: ["add '@Transient' to leave it out of archives"],
      fixed: """
        @Archivable struct Point {
          /// The origin.
          @Transient private let x = 5
        }
        """)
  }

  func testTransientGoesInFrontOfOtherAttributes() {
    assertExpansion(
      """
      @Archivable struct Point {
        @MainActor
        var x = 5
      }
      """,
      """
      struct Point {
        @MainActor
        var x = 5
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Point"
        }
        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          Swift.fatalError("@Archivable reported an error here")
        }
        func __write(to column: Arc.ColumnWriter) throws {
          Swift.fatalError("@Archivable reported an error here")
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          Swift.fatalError("@Archivable reported an error here")
        }
        private init(__reading column: Arc.ColumnReader) throws {
          Swift.fatalError("@Archivable reported an error here")
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "isolatedProperty"),
          message: "property 'x' is isolated to '@MainActor' and cannot be archived: an archive "
            + "reads and rebuilds it outside of that actor",
          line: 3, column: 7,
          fixIts: [
            FixItSpec(message: "add '@Transient' to leave it out of archives")
          ])
      ],
      applying: ["add '@Transient' to leave it out of archives"],
      fixed: """
        @Archivable struct Point {
          @Transient @MainActor
          var x = 5
        }
        """)
  }

  func testWeakConstantBecomesVariable() {
    assertExpansion(
      """
      @Archivable struct Point {
        weak let owner: Person?
      }
      """,
      """
      struct Point {
        weak let owner: Person?
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Point"
        }
        static func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          Swift.fatalError("@Archivable reported an error here")
        }
        func __write(to column: Arc.ColumnWriter) throws {
          Swift.fatalError("@Archivable reported an error here")
        }
        static func __read(from column: Arc.ColumnReader) throws -> Self {
          Swift.fatalError("@Archivable reported an error here")
        }
        private init(__reading column: Arc.ColumnReader) throws {
          Swift.fatalError("@Archivable reported an error here")
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "weakConstant"),
          message: "'weak let owner' cannot be archived: a weak reference is set after 'init', so "
            + "it must be 'var'",
          line: 2, column: 12,
          fixIts: [
            FixItSpec(message: "make it 'var'")
          ])
      ],
      applying: ["make it 'var'"],
      fixed: """
        @Archivable struct Point {
          weak var owner: Person?
        }
        """)
  }

  func testMarkWithoutEffectIsRemoved() {
    assertExpansion(
      """
      @Archivable struct Point {
        @Transient var x: Int { 5 }
      }
      """,
      """
      struct Point {
        var x: Int { 5 }
      }

      extension Point: Arc.ArchivableValue {
        static var __archiveName: Arc.ArchiveName {
          "Point"
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
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "transientHasNoEffect"),
          message: "'@Transient' has no effect on 'x': a computed property is not archived",
          line: 2, column: 3, severity: .warning,
          fixIts: [
            FixItSpec(message: "remove '@Transient'")
          ])
      ],
      applying: ["remove '@Transient'"],
      fixed: """
        @Archivable struct Point {
          var x: Int { 5 }
        }
        """)
  }

  func testParameterIsConstrained() {
    assertExpansion(
      """
      @Archivable class Box<Key, Value: ArchivableValue> {
        init() {}
      }
      """,
      """
      class Box<Key, Value: ArchivableValue> {
        init() {}

        class var archiveSchema: Arc.ArchiveSchema {
          Swift.fatalError("@Archivable reported an error here")
        }

        class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }

        func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }

        func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          Swift.fatalError("@Archivable reported an error here")
        }
      }

      extension Box: Arc.Archivable, Arc.ArchivableValue {
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "unconstrainedParameter"),
          message: "type parameter 'Key' of 'Box' has no constraint; values of type 'Key' can be "
            + "archived only if it is 'ArchivableValue'",
          line: 1, column: 23,
          fixIts: [
            FixItSpec(message: "constrain 'Key' to 'ArchivableValue'")
          ])
      ],
      applying: ["constrain 'Key' to 'ArchivableValue'"],
      fixed: """
        @Archivable class Box<Key: ArchivableValue, Value: ArchivableValue> {
          init() {}
        }
        """)
  }

  func testPrivateBecomesFileprivate() {
    assertExpansion(
      """
      enum Outer {
        @Archivable private struct Point {
        }
      }
      """,
      """
      enum Outer {
        private struct Point {
        }
      }
      """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "unreachable"),
          message: "'Point' is private to the type around it, and '@Archivable' adds a conformance "
            + "outside of that; make it 'fileprivate'",
          line: 2, column: 30,
          fixIts: [
            FixItSpec(message: "make it 'fileprivate'")
          ])
      ],
      applying: ["make it 'fileprivate'"],
      fixed: """
        enum Outer {
          @Archivable fileprivate struct Point {
          }
        }
        """)
  }
}
