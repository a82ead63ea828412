import XCTest

/// `@Archivable` does not see extensions of a class. `archiveVersion` and `migrate(_:from:)` in an extension
/// are compiler errors at the class, because Arc would never call them.
final class MisplacedVersionTests: XCTestCase {
  private static let version = "static let archiveVersion = 2"
  private static let migration = "static func migrate(_ object: inout MigratedObject, from version: Int)"
  private static let advice =
    "is unavailable: move archiveVersion and migrate(_:from:) from the extension into the class"

  /// Declarations of a class `A` without its body, each with other declarations and with the function that
  /// refuses it.
  private static let classes: [(declaration: String, others: String, check: String)] = [
    ("@Archivable class A", "", "check"),
    ("@Archivable final class A", "", "check"),
    ("@MainActor @Archivable final class A", "", "check"),
    ("@Archivable final class A<T: ArchivableValue & Equatable>", "", "check"),
    ("@Archivable class A: B", "@Archivable class B { var b = 1 }", "check(_:inherited:)"),
    (
      "@Archivable class A: B<Int>", "@Archivable class B<T: ArchivableValue> { var b: T? }",
      "check(_:inherited:)"
    ),
  ]

  func testVersionDeclaredInAnExtensionIsAnError() throws {
    let members = [
      Self.version, "class var archiveVersion: Int { 2 }", "\(Self.migration) {}",
      "\(Self.migration) throws {}",
    ]
    try assertCompilerErrors(
      Self.classes.flatMap { type, others, check in
        // A generic class has no stored type properties.
        members.dropFirst(type.contains("<T") ? 1 : 0).map { member in
          (
            "\n\(type) {\n  var a = 1\n}\nextension A { \(member) }\n\(others)",
            ["2: '\(check)' \(Self.advice)"]
          )
        }
      })
  }

  func testMigrationInAnExtensionIsAnError() throws {
    try assertCompilerErrors(
      Self.classes.map { type, others, check in
        (
          "\n\(type) {\n  class var archiveVersion: Int { 2 }\n}\nextension A { \(Self.migration) {} }\n\(others)"
            .replacingOccurrences(of: "class var archiveVersion", with: "static var archiveVersion"),
          ["2: '\(check)' \(Self.advice)"]
        )
      })
  }

  func testVersionDeclaredInClassOrSuperclassIsAccepted() throws {
    try assertCompilerErrors(
      Self.classes.map { type, others, _ in
        (
          """
          \(type) {
            class var archiveVersion: Int { 2 }
            class func migrate(_ object: inout MigratedObject, from version: Int) throws {}
          }
          extension A { static func migrate(_ text: String, from version: Int) {} }
          \(others)
          """.replacingOccurrences(of: type.contains("final") ? "class var" : "-", with: "static var")
            .replacingOccurrences(of: type.contains("final") ? "class func" : "-", with: "static func"), []
        )
      } + [
        (
          """
          @Archivable class A {
            class var archiveVersion: Int { 2 }
            class func migrate(_ object: inout MigratedObject, from version: Int) {}
          }
          @Archivable class B: A { var b = 1 }
          @Archivable final class C: B { override class var archiveVersion: Int { 3 } }
          """, []
        )
      ])
  }
}
