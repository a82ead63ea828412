import ArcTestSupport
import Foundation
import XCTest

/// Claims of CONTRIBUTING.md and its pages about the sources. `.ci/check-rooms` compares the tables of rooms.
final class HouseTests: XCTestCase {
  /// The Swift sources of the package's own targets, by path in `Sources`.
  private func sources() throws -> [(path: String, text: String)] {
    let folder = Repository.root.appendingPathComponent("Sources")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".swift") }
      .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }

  func testRoomsPageListsExactlyTheFilesWithPointers() throws {
    let section = try text(".github/ROOMS.md").components(separatedBy: "\n## ")
      .first { $0.hasPrefix("Files with pointers") }
    let list = try XCTUnwrap(section).components(separatedBy: "\n\nFunctions pass bytes")[0]
    let named = Set(list.matches(of: /`(\w[\w+]*)`/).map { String($0.1) })
    let pointer = /Unsafe(Mutable)?(Raw)?(Buffer)?Pointer/
    let actual = try sources().filter { $0.text.contains(pointer) }.map {
      String($0.path.split(separator: "/").last?.dropLast(".swift".count) ?? "")
    }
    XCTAssertEqual(named.subtracting(actual).sorted(), [], "named, but without pointers")
    XCTAssertEqual(Set(actual).subtracting(named).sorted(), [], "with pointers, but not named")
  }

  func testDiagramOfTheTargetsMatchesThePackageManifest() throws {
    var dependencies: [String: Set<String>] = [:]
    let targets = try text("Package.swift").split(
      separator: #/\n {4}\.(?:target|macro|executableTarget)\(\s*name: /#)
    for target in targets.dropFirst() {
      let ownLines = String(target).components(separatedBy: "\n    .")[0]
      let names = ownLines.matches(of: /"([\w-]+)"/).map { String($0.1) }
      dependencies[names[0]] = Set(names.dropFirst())
    }
    var arrows: [String: Set<String>] = [:]
    let picture = try XCTUnwrap(text("CONTRIBUTING.md").firstMatch(of: /```mermaid\n([^`]*)```/)).1
    for line in picture.split(separator: "\n").dropFirst() {
      let names = line.trimmingCharacters(in: .whitespaces).components(separatedBy: " --> ")
      for (from, to) in zip(names, names.dropFirst()) { arrows[from, default: []].insert(to) }
    }
    XCTAssertGreaterThan(arrows.count, 10)
    let shown = arrows.reduce(into: Set<String>()) { $0.formUnion($1.value.union([$1.key])) }
    for (from, targets) in arrows {
      let declared = dependencies[from, default: []]
      XCTAssertEqual(targets.subtracting(declared), [], "\(from): not in the manifest")
      var reached = targets
      while case let next = reached.union(reached.flatMap { arrows[$0, default: []] }), next != reached {
        reached = next
      }
      XCTAssertEqual(declared.intersection(shown).subtracting(reached), [], "\(from): not in the picture")
    }
  }

  func testEachTestNamedInTheModelsFileExists() throws {
    let folder = Repository.root.appendingPathComponent("Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".swift")
    }
    var tests: Set<String> = []
    for file in files {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      var type = ""
      for match in text.matches(of: /(?:class|extension) (\w+Tests)\b|func (test\w+)\(/) {
        if let name = match.1 { type = String(name) }
        if let test = match.2 { tests.insert("\(type).\(test)") }
      }
    }
    let models = try String(contentsOf: folder.appendingPathComponent("Models.md"), encoding: .utf8)
    let named = models.matches(of: /`(\w+Tests\.test\w+)`/).map { String($0.1) }
    XCTAssertGreaterThan(named.count, 200)
    XCTAssertEqual(Set(named).subtracting(tests).sorted(), [], "named, but not there")
    let lines = models.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| # |") }
    XCTAssertGreaterThanOrEqual(lines.count, 144 + 101, "a line for each feature and item")
  }

  func testEachSpecRuleIsNamedInAComment() throws {
    let spec = Repository.root.appendingPathComponent("Spec")
    let rules = try FileManager.default.contentsOfDirectory(atPath: spec.path).filter { $0.hasSuffix(".md") }
      .flatMap { name in
        try String(contentsOf: spec.appendingPathComponent(name), encoding: .utf8)
          .matches(of: /\| \[([A-Z]\d+)\]/).map { String($0.1) }
      }
    XCTAssertGreaterThan(rules.count, 100)
    let comments = try sources().flatMap { $0.text.split(separator: "\n") }.filter { $0.contains("//") }
      .joined(separator: "\n")
    let named = Set(comments.matches(of: /\b([A-Z]\d+)\b/).map { String($0.1) })
    for rule in rules { XCTAssertTrue(named.contains(rule), "no code says that it enforces [\(rule)]") }
  }
}
