import XCTest

/// The source after a fix-it was applied.
final class FixItTests: XCTestCase {
  func testFixItMakesConstantAVariable() {
    assertFixIt(
      "make it 'var'", of: "3:7 warning constantKeepsValue",
      in: """
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
        """)
  }

  func testFixItMakesConstantTransient() {
    assertFixIt(
      "add '@Transient' to leave it out of archives", of: "3:15 warning constantKeepsValue",
      in: """
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
        """)
  }

  func testFixItInsertsTransientBeforeExistingAttributes() {
    assertFixIt(
      "add '@Transient' to leave it out of archives", of: "3:7 error isolatedProperty",
      in: """
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
        """)
  }

  func testFixItMakesWeakConstantAVariable() {
    assertFixIt(
      "make it 'var'", of: "2:12 error weakConstant",
      in: """
        @Archivable struct Point {
          weak let owner: Person?
        }
        """,
      gives: """
        @Archivable struct Point {
          weak var owner: Person?
        }
        """)
  }

  func testFixItRemovesAttributeWithoutEffect() {
    assertFixIt(
      "remove '@Transient'", of: "2:3 warning transientHasNoEffect",
      in: """
        @Archivable struct Point {
          @Transient var x: Int { 5 }
        }
        """,
      gives: """
        @Archivable struct Point {
          var x: Int { 5 }
        }
        """)
  }

  func testFixItConstrainsGenericParameter() {
    assertFixIt(
      "constrain 'Key' to 'ArchivableValue'", of: "1:23 error unconstrainedParameter",
      in: """
        @Archivable class Box<Key, Value: ArchivableValue> {
          init() {}
        }
        """,
      gives: """
        @Archivable class Box<Key: ArchivableValue, Value: ArchivableValue> {
          init() {}
        }
        """)
  }

  func testFixItMakesPrivateTypeFileprivate() {
    assertFixIt(
      "make it 'fileprivate'", of: "2:30 error unreachable",
      in: """
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
        """)
  }
}
