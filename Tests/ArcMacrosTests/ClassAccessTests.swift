import XCTest

/// The access that the members of a class get.
final class ClassAccessTests: XCTestCase {
  func testOpenClassHasOpenMembersAndAPublicInitializer() {
    assertExpansion(
      """
      @Archivable open class Person {
        public init() {}
      }
      """,
      """
      open class Person {
        public init() {}

        open class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: []
          )
        }

        public class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        public required init(from decoder: borrowing Arc.ObjectDecoder) throws {
        }

        open func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
        }

        open func link(from decoder: borrowing Arc.ObjectDecoder) throws {
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testAccessFollowsThePublicExtensionAroundTheClass() {
    assertExpansion(
      """
      public extension Namespace {
        @Archivable final class Person {
          public init() {}
        }
      }
      """,
      """
      public extension Namespace {
        final class Person {
          public init() {}

          public class var archiveSchema: Arc.ArchiveSchema {
            Arc.ArchiveSchema(
              Person.self,
              name: "Namespace\\(argumentsOf: Namespace.self).Person",
              properties: []
            )
          }

          public class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
            context.reference(to: Self.self)
          }

          public required init(from decoder: borrowing Arc.ObjectDecoder) throws {
          }

          public func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
          }

          public func link(from decoder: borrowing Arc.ObjectDecoder) throws {
          }
        }
      }

      extension Namespace.Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }

  func testPackageClassHasPackageMembers() {
    assertExpansion(
      """
      @Archivable package class Person {
        convenience init(name: String) { self.init() }
      }
      """,
      """
      package class Person {
        convenience init(name: String) { self.init() }

        package class var archiveSchema: Arc.ArchiveSchema {
          Arc.ArchiveSchema(
            Person.self,
            name: "Person",
            properties: []
          )
        }

        package class func __typeEncoding(in context: Arc.TypeEncodingContext) -> Arc.TypeEncoding {
          context.reference(to: Self.self)
        }

        init() {
        }

        package required init(from decoder: borrowing Arc.ObjectDecoder) throws {
        }

        package func encode(to encoder: borrowing Arc.ObjectEncoder) throws {
        }

        package func link(from decoder: borrowing Arc.ObjectDecoder) throws {
        }
      }

      extension Person: Arc.Archivable, Arc.ArchivableValue {
      }
      """)
  }
}
