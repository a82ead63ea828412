import Foundation
import XCTest

@testable import DebianPackageGraph

final class PackageGraphBuilderTests: XCTestCase {
  func testInstalledParagraphFillsEveryLevelOfTheHierarchy() throws {
    let database = SampleGraph.database()
    defer { database.dismantle() }
    let package = try XCTUnwrap(database.packages["libc6"] as? InstalledPackage)
    XCTAssertEqual(package.version, "2.36-9")
    XCTAssertEqual(package.summary, "GNU C Library")
    XCTAssertEqual(package.text, "Contains the libraries.\n\nAll programs use them.")
    XCTAssertEqual(package.homepage, URL(string: "https://www.gnu.org/software/libc/"))
    XCTAssertEqual(package.architecture, "amd64")
    XCTAssertEqual(package.multiArch, .same)
    XCTAssertEqual(package.installedSizeInKiB, 12988)
    XCTAssertEqual(package.status, InstallationStatus(parsing: "install ok installed"))
    XCTAssertEqual(package.conffiles, ["/etc/ld.so.conf": "d4e7", "/etc/old": "00ff"])
    XCTAssertEqual(package.obsoleteConffiles, ["/etc/old"])
    XCTAssertEqual(package.uninterpretedFields, ["Build-Ids": "0123"])
  }

  func testAvailableParagraphStoresItsChecksumsAsBytes() throws {
    let database = SampleGraph.database(
      "Package: a\nSize: 8\nMD5sum: \(String(repeating: "0f", count: 16))\nSHA256: too short\nTag: x::y, z\n")
    let package = try XCTUnwrap(database.packages["a"] as? AvailablePackage)
    XCTAssertEqual(package.downloadSize, 8)
    XCTAssertEqual(package.checksums, [.md5(Data(repeating: 0x0F, count: 16))])
    XCTAssertEqual(package.tags, ["x::y", "z"])
    XCTAssertEqual(package.uninterpretedFields, ["SHA256": "too short"])
  }

  func testMaintainersAreSharedByIdentityAndCounted() throws {
    let database = SampleGraph.database()
    defer { database.dismantle() }
    XCTAssertEqual(database.maintainers.map(\.packageCount), [2, 1])
    XCTAssertEqual(database.maintainers.map(\.address), ["glibc@example.org", nil])
    XCTAssertTrue(database.packages["libc6"]?.maintainer === database.maintainers[0])
    XCTAssertTrue(database.packages["libgcc-s1"]?.maintainer === database.maintainers[0])
  }

  func testNamesWithoutParagraphBecomeVirtualOrMissingPackages() throws {
    let database = SampleGraph.database()
    defer { database.dismantle() }
    XCTAssertEqual(database.names, ["libc6", "libgcc-s1", "mawk", "awk", "gcc-12-base"])
    let virtual = try XCTUnwrap(database.packages["awk"] as? VirtualPackage)
    XCTAssertTrue(virtual.onlyProvider === database.packages["mawk"])
    XCTAssertEqual(virtual.providers.map { $0.package?.name }, ["mawk"])
    XCTAssertEqual(virtual.dependents.map { $0.package?.name }, ["libgcc-s1"])
    XCTAssertTrue(database.packages["gcc-12-base"] is MissingPackage)
  }

  func testDependentsAreWeakAndNamedOnce() throws {
    let database = SampleGraph.database(
      "Package: a\nDepends: b (>= 1), b (<< 2)\nConflicts: c\n\nPackage: b\n\nPackage: c\n")
    XCTAssertEqual(database.packages["b"]?.dependents.map { $0.package?.name }, ["a"])
    XCTAssertEqual(database.packages["c"]?.dependents.count, 0)
    let target = try XCTUnwrap(database.packages["b"])
    database.dismantle()
    database.packages = [:]
    XCTAssertEqual(target.dependents.count, 0)
  }

  func testDismantledDatabaseLeavesNoPackageAlive() {
    weak var package: Package?
    do {
      let database = SampleGraph.database()
      package = database.packages["libc6"]
      XCTAssertNotNil(package)
      database.dismantle()
    }
    XCTAssertNil(package)
  }

  func testDuplicateNamesGetLongerKeysAndAreCounted() throws {
    let identities = [("amd64", "1"), ("i386", "1"), ("i386", "2"), ("i386", "1")]
    let text =
      identities.map { "Package: a\nArchitecture: \($0)\nVersion: \($1)\n\n" }.joined()
      + "Version: 3\n\nPackage: b\nDepends: a:i386, a:any\nRecommends: (\n"
    var builder = PackageGraphBuilder(source: "test")
    var file = ControlFile(Array(text.utf8))
    while let paragraph = try file.nextParagraph() { builder.add(paragraph) }
    XCTAssertEqual(
      builder.omissions,
      .init(namelessParagraphs: 1, repeatedParagraphs: 1, brokenRelationFields: 1))
    let database = builder.finish()
    XCTAssertEqual(database.names, ["a", "a:i386", "a:i386=2", "b"])
    XCTAssertEqual(
      database.packages["b"]?.dependencies.map {
        ($0.alternatives[0].package as? BinaryPackage)?.architecture
      },
      ["i386", "amd64"])
    XCTAssertEqual(database.packages["b"]?.uninterpretedFields, ["Recommends": "("])
  }

  func testUnknownStatusWordsArePreservedOrLeftUninterpreted() {
    XCTAssertEqual(InstallationStatus(parsing: "hold reinstreq frozen")?.state, .other("frozen"))
    XCTAssertEqual(InstallationStatus(parsing: "hold reinstreq frozen")?.needsReinstallation, true)
    XCTAssertNil(InstallationStatus(parsing: "install ok"))
    XCTAssertNil(InstallationStatus(parsing: "request ok installed"))
  }

  func testExcerptHasTheCycleOfLibc6() throws {
    var file = ControlFile([UInt8](try Data(contentsOf: InputFile.excerpt)), strictness: .strict)
    var builder = PackageGraphBuilder(source: "excerpt")
    while let paragraph = try file.nextParagraph() { builder.add(paragraph) }
    XCTAssertEqual(builder.omissions, .init())
    let database = builder.finish()
    defer { database.dismantle() }
    XCTAssertEqual(
      database.dependencyCycles().map { $0.map(\.name) },
      [["dmsetup", "libdevmapper1.02.1"], ["libc6", "libgcc-s1"]])
    XCTAssertEqual(GraphStatistics(of: database).installed, 323)
  }
}

/// A small graph with a cycle, a shared maintainer, a virtual and a missing package.
enum SampleGraph {
  static let text = """
    Package: libc6
    Status: install ok installed
    Installed-Size: 12988
    Maintainer: GNU Libc Team <glibc@example.org>
    Architecture: amd64
    Multi-Arch: same
    Version: 2.36-9
    Depends: libgcc-s1
    Conffiles:
     /etc/ld.so.conf d4e7
     /etc/old 00ff obsolete
    Homepage: https://www.gnu.org/software/libc/
    Build-Ids: 0123
    Description: GNU C Library
     Contains the libraries.
     .
     All programs use them.

    Package: libgcc-s1
    Status: install ok installed
    Maintainer: GNU Libc Team <glibc@example.org>
    Version: 12.2.0-14
    Depends: gcc-12-base (= 12.2.0-14), libc6 (>= 2.35) | awk

    Package: mawk
    Status: install ok installed
    Maintainer: Somebody
    Version: 1.3.4
    Provides: awk

    """

  static func database(_ text: String = text) -> PackageDatabase {
    var file = ControlFile(Array(text.utf8))
    var builder = PackageGraphBuilder(source: "sample", modified: Date(timeIntervalSinceReferenceDate: 1.5))
    while let paragraph = try? file.nextParagraph() { builder.add(paragraph) }
    return builder.finish()
  }
}
