import SwiftDiagnostics
import SwiftSyntaxMacrosGenericTestSupport
import XCTest

/// Members with almost the name or the form of what Arc calls.
final class NearHookTests: XCTestCase {
  private func source(_ member: String, conformingTo interface: String = "") -> String {
    "@Archivable final class A\(interface) {\n  \(member)\n}"
  }

  private func warning(_ column: Int, _ found: String, _ hook: String) -> String {
    "2:\(column) warning nearHook: Arc never calls '\(found)'; to have it called, declare '\(hook)'"
  }

  func testMisspelledHookIsAWarning() {
    let hook = "func willArchive(in context: ArchiveContext)"
    assertFindings([
      (
        source("func willArchiv(in context: ArchiveContext) {}"),
        [warning(8, "willArchiv(in:)", hook), "fix-it: rename it to 'willArchive'"]
      ),
      (
        source("func willarchive(in context: ArchiveContext) {}"),
        [warning(8, "willarchive(in:)", hook), "fix-it: rename it to 'willArchive'"]
      ),
      (source("func willArchive(context: ArchiveContext) {}"), [warning(8, "willArchive(context:)", hook)]),
      (source("func willArchive() {}"), [warning(8, "willArchive()", hook)]),
      (
        source("static func willArchive(in context: ArchiveContext) {}"),
        [warning(15, "static willArchive(in:)", hook)]
      ),
      (
        source("func didUnarchived(in context: ArchiveContext) {}"),
        [
          warning(8, "didUnarchived(in:)", "func didUnarchive(in context: ArchiveContext)"),
          "fix-it: rename it to 'didUnarchive'",
        ]
      ),
    ])
  }

  func testMisspelledVersionAndMigrationAreWarnings() {
    let migration = "static func migrate(_ object: inout MigratedObject, from version: Int)"
    assertFindings([
      (
        source("static func migrate(_ line: inout MigratedObject, version: Int) {}"),
        [warning(15, "static migrate(_:version:)", migration)]
      ),
      (
        source("func migrate(_ line: inout MigratedObject, from version: Int) {}"),
        [warning(8, "migrate(_:from:)", migration)]
      ),
      (
        source("static let archivedVersion = 2"),
        [
          warning(14, "static archivedVersion", "static let archiveVersion"),
          "fix-it: rename it to 'archiveVersion'",
        ]
      ),
      (source("var archiveVersion = 2"), [warning(7, "archiveVersion", "static let archiveVersion")]),
    ])
  }

  func testHookOfJSONIsJudgedByItsParametersOrItsProtocol() {
    assertFindings([
      (
        source("func willRead(_ object: inout JSONObject) {}"),
        [warning(8, "willRead(_:)", "static func willRead(_ object: inout JSONObject)")]
      ),
      (
        source("func didReed() {}", conformingTo: ": ModelFinishing"),
        [
          warning(8, "didReed()", "func didRead()"), "fix-it: rename it to 'didRead'",
        ]
      ),
      // The program's own functions.
      (source("func didRead(message: String) {}"), []),
      (source("func didReed() {}"), []),
    ])
  }

  func testHooksAndOtherMembersGiveNoWarning() {
    assertFindings(
      [
        "func willArchive(in context: ArchiveContext) throws {}",
        "func willArchive(in context: ArchiveContext) {}; func willArchive(_ depth: Int) {}",
        "func didUnarchive(in context: ArchiveContext) {}", "class func reset(in context: ArchiveContext) {}",
        "static func willRead(_ object: inout JSONObject, in context: ArchiveContext) {}",
        "class var archiveVersion: Int { 2 }; class func migrate(_ a: inout MigratedObject, from version: Int) {}",
        "var archiveVersions = [1]", "func migrate(to folder: String) {}", "func didRead() {}",
      ].map { (source($0), []) })
  }

  func testNameIsRepaired() {
    assertFixIt(
      "rename it to 'willArchive'",
      for: """
        @Archivable final class A {
          func willArchiv(in context: ArchiveContext) {}
        }
        """,
      gives: """
        @Archivable final class A {
          func willArchive(in context: ArchiveContext) {}
        }
        """,
      diagnostics: [
        DiagnosticSpec(
          id: MessageID(domain: "Arc", id: "nearHook"),
          message: "Arc never calls 'willArchiv(in:)'; to have it called, declare "
            + "'func willArchive(in context: ArchiveContext)'",
          line: 2, column: 8, severity: .warning,
          fixIts: [FixItSpec(message: "rename it to 'willArchive'")])
      ])
  }
}
