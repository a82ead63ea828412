import ArcTestSupport
import Foundation
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// Each rule of the Spec has a file that breaks it, or a test, and each error code has a rule.
final class InvalidFixtureTests: XCTestCase {
  private static let folder = Repository.fixtures.appendingPathComponent("invalid")

  /// The tests for rules that no small file can break by itself: rules for writers (*writer*), rules that
  /// depend on a program's classes (*program*), limits that only a large file exceeds, and the grammar of
  /// page 09, whose errors are [E1] in an archive.
  private static let tests = [
    "A1": "testFilesAreAcceptedExactlyUpToEachLimit", "A2": "testFilesAreAcceptedExactlyUpToEachLimit",
    "E5": "testNamesThatReadersWouldMisreadAreRefused", "P3": "testUnknownAttributesAreListedInOrder",
    "S4": "testManyDistinctStringsFillSeveralSegments",
    "V4": "testIntegersAreStoredInNarrowestSufficientWidth",
    "F1": "testEarlierArchiveDoesNotChangeTheClassOrder", "F2": "testStringsAreOrderedByTheirUTF8Bytes",
    "F3": "testKeysThatContainSetsHaveOneCanonicalForm", "F4": "testReusedEncoderWritesLikeAFreshEncoder",
    "F5": "testGraphWithTooManyInterchangeableObjectsIsRefused",
    "G5": "testErrorForNilRequiredReferenceNamesTheObject",
    "G6": "testUnownedTargetWithoutOwnerIsAnError",
    "G7": "testUnretainedWeakTargetIsArchivedAsNil",
    "G8": "testWeakReferenceNeededForConstructionIsRefused",
    "G9": "testSetWithElementsThatBecomeEqualIsRefused", "G10": "testHashThatNeverStabilizesIsAnError",
    "W1": "testCycleOfLetPropertiesIsRefusedWithPath",
    "W2": "testSubclassWithoutArchivableMacroIsRefused",
    "W3": "testTwoClassesWithOneNameAreRefused", "W4": "testEncodingAKeyTwiceIsAnError",
    "W6": "testFileIsCompleteAfterKilledSaves",
    "W8": "testSetWithElementsThatBecameEqualIsRefused",
    "W9": "testBuilderCallsInWrongOrderAreRefused",
    "W7": "testObjectArchivedTwiceIsDetectedInDebugRuns",
    "M1": "testUnregisteredSubclassIsAnErrorWithARemedy",
    "M2": "testUnknownClassAndWrongRootAreRefused",
    "M3": "testMissingRequiredKeyIsAnErrorWithRemedy",
    "M4": "testLossyTypeChangeIsRefusedWithBothEncodings",
    "M5": "testTwoCharacterStringIsRefusedAsCharacter", "M6": "testCaseUnknownToTheProgramIsAnError",
    "M7": "testMigrationErrorReportsClassVersionAndObject",
    "M8": "testNewerClassVersionIsRefusedUnlessAllowed",
    "N1": "testStructureNameEndsOutsideTemplateArguments",
    "N2": "testNamesWithOperatorsEndAfterTemplateArguments",
    "N3": "testNamesWithOperatorsEndAfterTemplateArguments",
    "N4": "testQuotedWordAfterObjectMayBeFieldName",
    "N5": "testClangEncodingsArePrintedByteForByte", "N6": "testClangEncodingsArePrintedByteForByte",
    "N7": "testNestingUpToTheLimitIsRead",
    "Q1": "testHostileManifestsAreRefused", "Q2": "testArchivesThatDifferFromTheManifestAreRefused",
    "Q3": "testLinksToMissingOrWrongRowsAreRefused",
    "Q4": "testLinksToMissingOrWrongRowsAreRefused",
    "Y1": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y2": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y3": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y4": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y5": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y6": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y7": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y8": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y9": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
    "Y10": "testInvalidDirectoryIsRefusedWithTheSpecifiedCode",
  ]

  /// Returns the names of rules in the tables of the Spec, with the codes in the last column.
  private func rules() throws -> [String: Set<String>] {
    let spec = Repository.root.appendingPathComponent("Spec")
    var rules: [String: Set<String>] = [:]
    for page in try FileManager.default.contentsOfDirectory(atPath: spec.path) where page.hasSuffix(".md") {
      let text = try String(contentsOf: spec.appendingPathComponent(page), encoding: .utf8)
      for line in text.split(separator: "\n") where line.hasPrefix("| [") && line.hasSuffix("|") {
        let name = String(line.dropFirst(3).prefix { $0 != "]" })
        // The first column of other tables contains links.
        guard line.hasPrefix("| [\(name)] |") else { continue }
        XCTAssertNil(rules[name], "[\(name)] is told twice")
        let cells = line.dropLast().components(separatedBy: " | ")
        let words = (cells.last ?? "").components(separatedBy: "`")
        let codes = words.filter { ArchiveError.Code(rawValue: $0) != nil }
        // All limits have one code. Their table has no column for it.
        rules[name] = name.hasPrefix("A") ? [ArchiveError.Code.limitExceeded.rawValue] : Set(codes)
      }
    }
    XCTAssertGreaterThan(rules.count, 80)
    return rules
  }

  /// Opens and verifies bytes with the limits for untrusted files. Returns the error, or nil.
  private func failure(_ bytes: [UInt8]) -> ArchiveError? {
    do {
      try ArchiveFile(bytes: bytes, limits: .untrusted).verify()
      return nil
    } catch {
      return error
    }
  }

  func testInvalidFixturesEqualGeneratedFiles() throws {
    let manager = FileManager.default
    let rewrites = ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1"
    let made = try InvalidFixtures.all()
    XCTAssertEqual(Set(made.map(\.name)).count, made.count)
    if rewrites { try manager.createDirectory(at: Self.folder, withIntermediateDirectories: true) }
    for file in made {
      let url = Self.folder.appendingPathComponent(file.name + ".arc")
      if rewrites { try Data(file.bytes).write(to: url) }
      // Versions of zlib may compress to different bytes.
      XCTAssertTrue(manager.fileExists(atPath: url.path), "\(file.name): see Fixtures/README.md")
    }
    let known = Set(made.map { $0.name + ".arc" })
    for name in try manager.contentsOfDirectory(atPath: Self.folder.path)
    where !known.contains(name) && !name.hasPrefix("found-") {
      if rewrites { try manager.removeItem(at: Self.folder.appendingPathComponent(name)) }
      XCTAssertTrue(rewrites, "\(name) is made by no test")
    }
  }

  func testEachInvalidFixtureFailsWithTheSpecifiedCode() throws {
    let rules = try rules()
    for file in try InvalidFixtures.all() {
      let url = Self.folder.appendingPathComponent(file.name + ".arc")
      for bytes in [file.bytes, try Array(Data(contentsOf: url))] {
        let error = failure(bytes)
        let codes = try XCTUnwrap(rules[file.rule], "\(file.name): no such rule")
        XCTAssertTrue(
          codes.contains(error?.code.rawValue ?? "none"),
          "\(file.name): \(codes) and not \(error.map { "\($0)" } ?? "no error")")
      }
    }
  }

  func testEachSpecRuleHasInvalidFixtureOrTest() throws {
    let broken = Set(try InvalidFixtures.all().map(\.rule))
    let rules = try rules()
    for rule in rules.keys.sorted() where !broken.contains(rule) {
      XCTAssertNotNil(
        Self.tests[rule], "no file in Fixtures/invalid breaks [\(rule)], and no test is named for it")
    }
    for rule in Self.tests.keys { XCTAssertNotNil(rules[rule], "[\(rule)] is no rule") }
    var sources = ""
    let folder = Repository.root.appendingPathComponent("Tests")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasSuffix("Tests.swift") {
      sources += try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }
    for (rule, test) in Self.tests {
      XCTAssertTrue(sources.contains("func \(test)("), "[\(rule)]: there is no \(test)")
    }
  }

  func testEachErrorCodeOccursInASpecRule() throws {
    let codes = try rules().values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for code in ArchiveError.Code.allCases {
      XCTAssertTrue(codes.contains(code.rawValue), "no rule of the Spec names '\(code.rawValue)'")
    }
  }
}
