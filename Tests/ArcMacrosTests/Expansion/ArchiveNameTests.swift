import XCTest

/// The name by which archives refer to a class.
final class ArchiveNameTests: XCTestCase {
  func testGenericClassNameIncludesItsTypeArguments() {
    assertExpansion(
      of: """
        @Archivable final class Box<Value: ArchivableValue, Key> where Key: Hashable {
          var value: Value
          init(_ value: Value) { self.value = value }
        }
        """,
      properties: #""value", []"#,
      contains: [
        #"""
        Box.self,
        name: "Box<\(Value.self), \(Key.self)>",
        properties: [
        """#
      ])
  }

  func testFormerNamesAppearInGeneratedCode() {
    assertExpansion(
      of: """
        @Archivable("Album", formerly: "Folder", "V1.Album") final class Collection<Item: Archivable> {
          var title = ""
        }
        """,
      properties: #""title", [.hasDefault, .hasLiteralDefault]"#,
      contains: [
        #"""
        Collection.self,
        name: Arc.__ArchiveName("Album<\(Item.self)>", formerly: "Folder<\(Item.self)>", "V1.Album<\(Item.self)>"),
        isFilledAfterInit: true,
        """#
      ])
    assertExpansion(
      of: #"@Archivable(formerly: "Spot") struct Site { var x = 0 }"#,
      contains: [
        """
        static var __archiveName: Arc.__ArchiveName {
          Arc.__ArchiveName("Site", formerly: "Spot")
        }
        """
      ])
    assertExpansion(
      of: #"@Archivable(formerly: "Spot") enum Site: Int { case a }"#,
      contains: [
        """
        static var __archiveName: Arc.__ArchiveName {
          Arc.__ArchiveName("Site", formerly: "Spot")
        }
        """
      ])
  }

  func testNestedClassNameIncludesEnclosingTypes() {
    assertExpansion(
      of: """
        extension Outer.Middle {
          enum Inner<T> {
            @Archivable final class Person {
              var age = 0
            }
          }
        }
        """,
      properties: #""age", [.hasDefault, .hasLiteralDefault]"#,
      contains: [
        #"""
        name: "Outer.Middle\(argumentsOf: Outer.Middle.self).Inner<\(T.self)>.Person",
        isFilledAfterInit: true,
        """#,
        #"""
        extension Outer.Middle.Inner.Person: Arc.Archivable, Arc.ArchivableValue {
        }
        """#,
      ])
  }

  func testExplicitNameReplacesPathButNotTypeArguments() {
    assertExpansion(
      of: #"""
        enum Outer {
          @Archivable("Crate \"1\"") final class Box<Value: ArchivableValue> {
            init() {}
          }
        }
        """#,
      contains: [
        #"""
        Box.self,
        name: "Crate \"1\"<\(Value.self)>",
        properties: []
        """#,
        #"""
        extension Outer.Box: Arc.Archivable, Arc.ArchivableValue {
        }
        """#,
      ])
  }
}
