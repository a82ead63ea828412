import ArcArchive
import ArcFormat
import ArcTestSupport
import ArgumentParser
import Foundation
import XCTest

@testable import ArcForeign
@testable import ArcInspection

/// The samples in `Fixtures/keyed`. Valid samples become archives that print as the stored trees. Broken
/// samples are refused with their codes. `ARC_REWRITE_FIXTURES=1` rewrites the trees.
final class KeyedSampleTests: XCTestCase {
  func testManifestListsExactlyTheSamples() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: KeyedSamples.folder.path)
      .filter { $0.hasSuffix(".plist") }
    XCTAssertEqual(try KeyedSamples.all().map(\.file).sorted(), files.sorted())
    XCTAssertGreaterThan(try KeyedSamples.all().count { $0.code != nil }, 60)
  }

  func testDocumentationPageNamesOnlyExistingSamples() throws {
    let page = try String(
      contentsOf: Repository.root.appendingPathComponent("Sources/ArcImport/ArcImport.docc/KeyedArchives.md"),
      encoding: .utf8)
    let files = Set(try KeyedSamples.all().map(\.file))
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("` |") }
    XCTAssertGreaterThan(rows.count, 20)
    for row in rows {
      let last = row.split(separator: "|").last ?? ""
      for name in last.matches(of: /`([a-z-]+)`/).map({ String($0.1) }) {
        XCTAssertTrue(files.contains(name + ".plist"), name)
      }
    }
  }

  func testValidSamplesImportToTheExpectedContents() throws {
    let isRewriting = ProcessInfo.processInfo.environment["ARC_REWRITE_FIXTURES"] == "1"
    let samples = try KeyedSamples.all().filter { $0.code == nil }
    for sample in RandomTrials.sample(of: samples, oneIn: isRewriting ? 1 : 6) {
      let (archive, report) = try KeyedSamples.imported(KeyedSamples.bytes(sample.file))
      let file = try ArchiveFile(verifying: archive, limits: .untrusted)
      XCTAssertEqual(file.rowCount, report.files[0].objectCount + 1, sample.file)
      let text = try self.text(of: report) + tree(of: archive)
      let picture = KeyedSamples.folder.appendingPathComponent(
        sample.file.replacingOccurrences(of: ".plist", with: ".txt"))
      if isRewriting { try Data(text.utf8).write(to: picture) }
      XCTAssertEqual(text, try String(contentsOf: picture, encoding: .utf8), sample.file)
    }
  }

  private func text(of report: ImportReport) throws -> String {
    var text: [UInt8] = []
    let output = Output { text += $0 }
    try Page(output: output, style: Style(isColored: false), isOnTerminal: false, progress: nil)
      .write(Report(for: .text) { report.fill(&$0, isLong: true) })
    try output.flush()
    return String(decoding: text, as: UTF8.self)
  }

  func testInvalidSamplesAreRefusedWithTheExpectedCode() throws {
    for sample in try KeyedSamples.all() {
      guard let code = sample.code else { continue }
      XCTAssertThrowsError(try KeyedSamples.imported(KeyedSamples.bytes(sample.file)), sample.file) { error in
        XCTAssertEqual((error as? ImportError)?.code.rawValue, code, "\(sample.file): \(error)")
        XCTAssertNotNil((error as? ImportError)?.byteOffset, "\(sample.file): \(error)")
      }
    }
  }

  func testXMLAndBinarySamplesImportIdentically() throws {
    var count = 0
    for sample in try KeyedSamples.all() where sample.code == nil && sample.file.hasSuffix(".xml.plist") {
      let name = sample.file.replacingOccurrences(of: ".xml.plist", with: ".plist")
      guard let binary = try? KeyedSamples.bytes(name) else { continue }
      let one = try tree(of: KeyedSamples.imported(binary).archive)
      XCTAssertEqual(one, try tree(of: KeyedSamples.imported(KeyedSamples.bytes(sample.file)).archive), name)
      count += 1
    }
    XCTAssertGreaterThanOrEqual(count, 6)
  }

  /// Counts the strings, data and numbers of each sample in the file and in the archive.
  func testImportDropsNoValueOfASample() throws {
    for sample in try KeyedSamples.all() where sample.code == nil {
      let bytes = try KeyedSamples.bytes(sample.file)
      let list = try PropertyList(parsing: bytes, limits: .untrusted)
      let archive = try KeyedSamples.imported(bytes).archive
      let file = try ArchiveFile(bytes: archive)
      var kept = Set(file.classes.map(\.name))
      for row in 0..<file.rowCount {
        for property in try file.object(ObjectID(rawValue: UInt32(row))).properties {
          kept.insert(property.key)
          Self.collect(property.value, into: &kept)
        }
      }
      let frame: Set<String> = [
        "$null", "$class", "$archiver", "$objects", "$top", "$version", "$classname", "$classes", "NSObject",
        "NSKeyedArchiver", "NRKeyedArchiver", "$classhints",
      ]
      // The keys of Foundation's own classes, which values and collections of the archive replace.
      let isOwn: (String) -> Bool = { $0.hasPrefix("NS.") || $0.hasPrefix("NS") || $0 == "CF$UID" }
      for node in list.nodes.indices {
        guard let text = list.string(node), !frame.contains(text), !isOwn(text) else { continue }
        let isClassName = ["$x", "Q\"q", "B", "C"].contains(text)
        XCTAssertTrue(kept.contains(text) || isClassName, "\(sample.file) lost '\(text)'")
      }
    }
  }

  private static func collect(_ value: ArchiveValue, into kept: inout Set<String>) {
    switch value {
    case .string(let text): kept.insert(text)
    case .url(let text, let base):
      kept.insert(text)
      if let base { kept.insert(base) }
    case .array(let elements), .set(let elements): for element in elements { collect(element, into: &kept) }
    case .dictionary(let entries):
      for entry in entries {
        collect(entry.key, into: &kept)
        collect(entry.value, into: &kept)
      }
    case .enumeration(_, _, let payload): if let payload { collect(payload, into: &kept) }
    case .structure(_, let fields): for field in fields { collect(field.value, into: &kept) }
    default: break
    }
  }

  func testImportInvariantsAreTestedWithProgramClasses() throws {
    XCTAssertEqual(ImportClaims.guide?.className(for: "_TtC1X4Link"), "Link")
  }

  func testTruncatedAndChangedSamplesGiveErrorOrArchive() throws {
    for name in ["cycle.plist", "unkeyed.plist", "plain.xml.plist", "several-roots.plist"] {
      let bytes = try KeyedSamples.bytes(name)
      for count in RandomTrials.sample(of: 0..<bytes.count, oneIn: 8) {
        XCTAssertNil(ImportClaims.violation(by: Array(bytes[..<count])), "\(name), \(count) bytes")
      }
      for index in RandomTrials.sample(of: bytes.indices, oneIn: 8) {
        for change: UInt8 in [1, 0x10, 0x80, 0xFF] {
          var changed = bytes
          changed[index] ^= change
          XCTAssertNil(ImportClaims.violation(by: changed), "\(name), byte \(index) ^ \(change)")
        }
      }
    }
  }

  func testRandomChangesOfSamplesGiveErrorOrArchive() throws {
    var random = SplitMix64(seed: RandomTrials.seed())
    let samples = try KeyedSamples.all().map { try KeyedSamples.bytes($0.file) }.filter { !$0.isEmpty }
    for _ in 0..<RandomTrials.count(usually: 500, exhaustively: 3000) {
      var bytes = samples[Int(random.next() % UInt64(samples.count))]
      for _ in 0...random.next() % 4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      XCTAssertNil(ImportClaims.violation(by: bytes), "\(bytes)")
    }
  }

  private func tree(of archive: [UInt8]) throws -> String { try KeyedTree.text(of: archive) }
}

/// The output of `arcdump` for an archive.
enum KeyedTree {
  private final class Collector { var bytes: [UInt8] = [] }

  static func text(of archive: [UInt8]) throws -> String {
    let command = try XCTUnwrap(try Arcdump.parseAsRoot(["tree", "test.arc"]) as? TreeCommand)
    let (output, errors) = (Collector(), Collector())
    let console = Console(
      output: Output { output.bytes += $0 }, errors: Output { errors.bytes += $0 }, isTerminal: false,
      environment: { _ in nil }, read: { _, _ in archive })
    XCTAssertEqual(command.inspect(with: console), .ok, String(decoding: errors.bytes, as: UTF8.self))
    return String(decoding: output.bytes, as: UTF8.self)
  }
}
