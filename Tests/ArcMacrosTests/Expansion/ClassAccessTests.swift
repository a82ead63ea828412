import XCTest

/// The access that the members of a class get.
final class ClassAccessTests: XCTestCase {
  func testOpenClassHasOpenMembersAndAPublicInitializer() {
    assertExpansion(
      of: """
        @Archivable open class Person {
          public init() {}
        }
        """,
      adds: [
        "open class var archiveSchema",
        "public class func __typeEncoding(in:)",
        "public required init(from:)",
        "open func encode(to:)",
        "open func link(from:)",
        "extension Person: Arc.Archivable, Arc.ArchivableValue",
      ])
  }

  func testAccessFollowsThePublicExtensionAroundTheClass() {
    assertExpansion(
      of: """
        public extension Namespace {
          @Archivable final class Person {
            public init() {}
          }
        }
        """,
      adds: [
        "public class var archiveSchema",
        "public class func __typeEncoding(in:)",
        "public required init(from:)",
        "public func encode(to:)",
        "public func link(from:)",
        "extension Namespace.Person: Arc.Archivable, Arc.ArchivableValue",
      ])
  }

  func testPackageClassHasPackageMembers() {
    assertExpansion(
      of: """
        @Archivable package class Person {
          convenience init(name: String) { self.init() }
        }
        """,
      adds: [
        "package class var archiveSchema",
        "package class func __typeEncoding(in:)",
        "init()",
        "package required init(from:)",
        "package func encode(to:)",
        "package func link(from:)",
        "extension Person: Arc.Archivable, Arc.ArchivableValue",
      ])
  }
}
