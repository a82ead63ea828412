import XCTest

/// The access levels of the members that the macro adds to a class.
final class ClassAccessTests: XCTestCase {
  func testOpenClassGetsOpenMembersAndPublicInitializer() {
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

  func testGeneratedMembersInheritAccessOfPublicExtension() {
    assertExpansion(
      of: """
        public extension Namespace {
          @Archivable final class Person {
            public init() {}
          }
        }
        """,
      adds: membersOfRoot(
        "public ", initializers: ["public required init(from:)"], extension: "Namespace.Person"))
  }

  func testPackageClassGetsPackageMembers() {
    assertExpansion(
      of: """
        @Archivable package class Person {
          convenience init(name: String) { self.init() }
        }
        """,
      adds: membersOfRoot("package ", initializers: ["init()", "package required init(from:)"]))
  }
}
