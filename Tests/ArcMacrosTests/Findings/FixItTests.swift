import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// What the source looks like once a fix-it has been applied.
final class FixItTests: XCTestCase {
  func testConstantBecomesVariable() {
    assertFixIt(
      "make it 'var'",
      for: """
        @Archivable struct Point {
          // The origin.
          let x = 5
        }
        """,
      gives: """
        @Archivable struct Point {
          // The origin.
          var x = 5
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
      ])
  }

  func testConstantBecomesTransient() {
    assertFixIt(
      "add '@Transient' to leave it out of archives",
      for: """
        @Archivable struct Point {
          /// The origin.
          private let x = 5
        }
        """,
      gives: """
        @Archivable struct Point {
          /// The origin.
          @Transient private let x = 5
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
      ])
  }

  func testTransientGoesInFrontOfOtherAttributes() {
    assertFixIt(
      "add '@Transient' to leave it out of archives",
      for: """
        @Archivable struct Point {
          @MainActor
          var x = 5
        }
        """,
      gives: """
        @Archivable struct Point {
          @Transient @MainActor
          var x = 5
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "isolatedProperty"),
          message: "property 'x' is isolated to '@MainActor' and cannot be archived: an archive "
            + "reads and rebuilds it outside of that actor; isolate the whole class to '@MainActor', or mark "
            + "the property '@Transient'",
          line: 3, column: 7,
          fixIts: [
            FixItSpec(message: "add '@Transient' to leave it out of archives")
          ])
      ])
  }

  func testWeakConstantBecomesVariable() {
    assertFixIt(
      "make it 'var'",
      for: """
        @Archivable struct Point {
          weak let owner: Person?
        }
        """,
      gives: """
        @Archivable struct Point {
          weak var owner: Person?
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
      ])
  }

  func testMarkWithoutEffectIsRemoved() {
    assertFixIt(
      "remove '@Transient'",
      for: """
        @Archivable struct Point {
          @Transient var x: Int { 5 }
        }
        """,
      gives: """
        @Archivable struct Point {
          var x: Int { 5 }
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
      ])
  }

  func testParameterIsConstrained() {
    assertFixIt(
      "constrain 'Key' to 'ArchivableValue'",
      for: """
        @Archivable class Box<Key, Value: ArchivableValue> {
          init() {}
        }
        """,
      gives: """
        @Archivable class Box<Key: ArchivableValue, Value: ArchivableValue> {
          init() {}
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
      ])
  }

  func testPrivateBecomesFileprivate() {
    assertFixIt(
      "make it 'fileprivate'",
      for: """
        enum Outer {
          @Archivable private struct Point {
          }
        }
        """,
      gives: """
        enum Outer {
          @Archivable fileprivate struct Point {
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
      ])
  }
}
