import XCTest

/// Members whose name or form almost matches a hook that Arc calls.
final class NearHookTests: XCTestCase {
  private func source(_ member: String, conformingTo interface: String = "") -> String {
    "@Archivable final class A\(interface) {\n  \(member)\n}"
  }

  private func warning(_ column: Int, _ found: String, _ hook: String, missing: String? = nil) -> String {
    "2:\(column) warning nearHook: Arc never calls '\(found)'; to have it called, declare '\(hook)'"
      + (missing.map { " and the conformance to '\($0)'" } ?? "")
  }

  func testMisspelledHookCausesAWarning() {
    let hook = "func willArchive(in context: ArchiveContext)"
    assertFindings([
      (
        source("func willArchiv(in context: ArchiveContext) {}"),
        [
          warning(8, "willArchiv(in:)", hook, missing: "ArchivePreparing"),
          "fix-it: rename it to 'willArchive'",
        ]
      ),
      (
        source("func willarchive(in context: ArchiveContext) {}"),
        [
          warning(8, "willarchive(in:)", hook, missing: "ArchivePreparing"),
          "fix-it: rename it to 'willArchive'",
        ]
      ),
      (
        source("func willArchive(context: ArchiveContext) {}"),
        [warning(8, "willArchive(context:)", hook, missing: "ArchivePreparing")]
      ),
      (source("func willArchive() {}"), [warning(8, "willArchive()", hook, missing: "ArchivePreparing")]),
      (
        source("static func willArchive(in context: ArchiveContext) {}"),
        [warning(15, "static willArchive(in:)", hook, missing: "ArchivePreparing")]
      ),
      (
        source("func didUnarchived(in context: ArchiveContext) {}"),
        [
          warning(
            8, "didUnarchived(in:)", "func didUnarchive(in context: ArchiveContext)",
            missing: "UnarchiveFinishing"),
          "fix-it: rename it to 'didUnarchive'",
        ]
      ),
    ])
  }

  func testMisspelledVersionAndMigrationCauseWarnings() {
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

  func testMisspelledJSONHookCausesAWarning() {
    assertFindings([
      (
        source("func willRead(_ object: inout JSONObject) {}"),
        [
          warning(
            8, "willRead(_:)", "static func willRead(_ object: inout JSONObject)",
            missing: "JSONPreprocessing")
        ]
      ),
      (
        source("func didReed() {}", conformingTo: ": ModelFinishing"),
        [
          warning(8, "didReed()", "func didRead()"), "fix-it: rename it to 'didRead'",
        ]
      ),
      (
        source("func didReadModel() {}", conformingTo: ": Base, @MainActor ModelFinishing"),
        [
          warning(8, "didReadModel()", "func didRead()"), "fix-it: rename it to 'didRead'",
        ]
      ),
      // The program's own functions.
      (source("func didReadModel() {}"), []),
      (source("func didRead() {}; func didReadModel() {}", conformingTo: ": ModelFinishing"), []),
      (source("func didRead(message: String) {}"), []),
      (source("func didReed() {}"), []),
    ])
  }

  func testMisspelledModelPropertyCausesAWarning() {
    let compared = "static var comparedProperties: [String]"
    let identifying = "static var identifyingProperties: [String]"
    let mapping = "static var mapping: JSONMapping"
    assertFindings([
      (
        source("static var comparedproperties: [String] { [] }", conformingTo: ": ModelEquatable"),
        [
          warning(14, "static comparedproperties", compared), "fix-it: rename it to 'comparedProperties'",
        ]
      ),
      (
        source("class var identifyingPropertys: [String] { [] }"),
        [
          warning(13, "static identifyingPropertys", identifying, missing: "ModelIdentifiable"),
          "fix-it: rename it to 'identifyingProperties'",
        ]
      ),
      (
        source(
          "static let identifyingProperties = [\"a\"]; static var identifyingProperty: [String] { [] }",
          conformingTo: ": ModelIdentifiable"),
        [
          warning(56, "static identifyingProperty", identifying),
          "fix-it: rename it to 'identifyingProperties'",
        ]
      ),
      (
        source("class var maping: JSONMapping { JSONMapping() }", conformingTo: ": Base"),
        [
          warning(13, "static maping", mapping, missing: "ModelMapping"), "fix-it: rename it to 'mapping'",
        ]
      ),
      (
        source("var mapping: JSONMapping { other }"),
        [warning(7, "mapping", mapping, missing: "ModelMapping")]
      ),
      (
        source("static let mappings = JSONMapping()", conformingTo: ": ModelMapping"),
        [warning(14, "static mappings", mapping), "fix-it: rename it to 'mapping'"]
      ),
      // The program's own properties.
      (source("static var mappings: [String: String] { [:] }", conformingTo: ": ModelMapping"), []),
      (source("static let mappings = [1]; var mapping = 1; var comparedProperties = 1"), []),
      (
        source(
          "static var mapping: JSONMapping { mapping2 }; static let mapping2: JSONMapping = JSONMapping()",
          conformingTo: ": ModelMapping"), []
      ),
      (source("static let identifyingProperty = \"id\""), []),
    ])
  }

  func testValidHooksAndUnrelatedMembersCauseNoWarning() {
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

  func testFixItCorrectsMisspelledName() {
    assertFixIt(
      "rename it to 'willArchive'", of: "2:8 warning nearHook",
      in: """
        @Archivable final class A {
          func willArchiv(in context: ArchiveContext) {}
        }
        """,
      gives: """
        @Archivable final class A {
          func willArchive(in context: ArchiveContext) {}
        }
        """)
  }
}
