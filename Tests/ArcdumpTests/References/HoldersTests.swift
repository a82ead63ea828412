import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class HoldersTests: XCTestCase {
  func testHoldersCommandListsReferencesToAnObject() throws {
    let bytes = try QueriedArchives.zoo()
    XCTAssertEqual(
      try ask("holders", "root.friends[0]", on: bytes).output,
      """
      Dog #2
        path         root.friends[0]
        retains      1 object, 72 bytes, itself included
        retained by  Dog #1 only
        2 references
          #1.friends[0]  strong  Dog
          #1.mother      weak    Dog

      """.replacingOccurrences(of: "72", with: "\(try retainedBytes(2, bytes))"))
    // Two paths reach Tom. Weak references are not on paths.
    XCTAssertTrue(try ask("holders", "3", on: bytes).output.contains("  retained by  the roots\n"))
    XCTAssertEqual(
      try ask("holders", "#4", on: bytes).output,
      "Zoo.Animal #4\n  path  none: no root retains it\n  1 reference\n    #2.rival  unowned  Dog\n")
  }

  private func retainedBytes(_ row: Int, _ bytes: [UInt8]) throws -> Int {
    try XCTUnwrap(DominatorTree(of: ArchiveFile(bytes: bytes)).retained(by: row)).byteCount
  }

  func testWeakReferencesDoNotRetainObjects() throws {
    let family = try SampleArchives.family()
    XCTAssertEqual(
      try ask("holders", "3", "--json", on: family).output.split(separator: "\n").dropFirst().dropLast(),
      """
        "format":"arc",
        "id":3,
        "class":"Person",
        "path":"root.friends[1]",
        "length":2,
        "retainedObjects":1,
        "retainedBytes":\(try retainedBytes(3, family)),
        "dominator":1,
        "holders":[
          {"id":1,"class":"Person","path":"#1.mother","kind":"weak"},
          {"id":1,"class":"Person","path":"#1.friends[1]","kind":"strong"},
          {"id":2,"class":"Person","path":"#2.friends[1]","kind":"strong"}
        ],
        "holderCount":3
      """.split(separator: "\n")[...])
  }

  func testLargestRetainedSizesComeFirst() throws {
    let lines = try ask("holders", on: QueriedArchives.zoo()).output.split(separator: "\n")
    XCTAssertEqual(lines.count, 5)
    XCTAssertTrue(lines[1].hasSuffix("Dog #1         root"), "\(lines)")
    XCTAssertTrue(lines[1].hasPrefix("      2  "), "\(lines)")
    XCTAssertEqual(lines[4], "(no root retains 1 object)")
    let limited = try ask("holders", "--limit", "1", "--json", on: QueriedArchives.zoo()).output
    XCTAssertTrue(limited.contains(#"{"id":1,"class":"Dog","path":"root","retainedObjects":2,"#), limited)
  }

  func testHoldersCommandNeedsAPathToOneObject() throws {
    let bytes = try QueriedArchives.zoo()
    for (path, words) in [
      ("root.name", "missingObject: found a value that is not an object at 'root.name'"),
      ("Dog", "missingObject: found several objects at 'Dog'"),
      ("9", "missingObject: found the unknown object number #9"),
      ("others", "a value that is not an object"),
    ] {
      let result = try ask("holders", path, on: bytes)
      XCTAssertEqual(result.status, .incomplete, path)
      XCTAssertTrue(result.errors.contains(words), result.errors)
    }
  }

  func testEachPrintedPathReachesItsObject() throws {
    let seed = RandomTrials.seed()
    for number in 0..<12 {
      let what = "RandomArchive(seed: \(seed &+ UInt64(number)))"
      let bytes = try RandomArchive(seed: seed &+ UInt64(number)).bytes(rowCount: 80, compression: .none)
      let catalog = ObjectCatalog(try ArchiveFile(bytes: bytes))
      let runner = QueryRunner(catalog)
      func object(at path: String) throws -> Int {
        Int(try runner.object(at: QueryParser.path(path), path).rawValue)
      }
      let shortest = ShortestPaths(in: try RowReferences(verifying: catalog.file))
      let ids = (1...UInt32(catalog.objectCount)).map { ObjectID(rawValue: $0) }
      var fromRoots = 0
      try ObjectPaths(catalog, shortest).forEachPath(to: ids) { id, path in
        XCTAssertEqual(try object(at: path.text), Int(id.rawValue), "\(what) \(path.text)")
        if !path.text.hasPrefix("#") { fromRoots += 1 }
        XCTAssertEqual(
          path.text == "\(id)", shortest.length(to: Int(id.rawValue)) == nil, "\(what) \(path.text)")
      }
      XCTAssertEqual(fromRoots, ids.count { shortest.length(to: Int($0.rawValue)) != nil }, what)
      let heap = try Heap(catalog)
      for id in ids.prefix(20) {
        for holder in try heap.holding(id, atMost: 50).holders {
          XCTAssertEqual(try object(at: holder.path), Int(id.rawValue), "\(what) \(holder.path)")
        }
      }
      for case (let path, let value) in try values(catalog) {
        var found: [ArchiveValue] = []
        try runner.forEachValue(of: QueryParser.path(path)) { value, _ in
          found.append(value.value)
          return true
        }
        XCTAssertEqual(found.map { "\($0)" }, ["\(value)"], "\(what) \(path)")
      }
    }
  }

  /// Returns the paths and values of all strings, from the steps to them.
  private func values(_ catalog: ObjectCatalog) throws -> [(String, ArchiveValue)] {
    var values: [(String, ArchiveValue)] = []
    try QueryRunner(catalog).forEachValue(of: QueryParser.path("*.@text")) { value, path in
      if case .string = value.value, let path { values.append((path.text, value.value)) }
      return values.count < 200
    }
    // The printed value of a URL is its text, but the path selects the URL.
    return try values.filter { path, value in
      var isText = false
      try QueryRunner(catalog).forEachValue(of: QueryParser.path(path)) { found, _ in
        if case .string = found.value { isText = true }
        return true
      }
      return isText
    }
  }

  func testLongPathsBeginAtANumberedObject() throws {
    let bytes = try QueriedArchives.ring(1000, isClosed: false)
    let path = "#968" + String(repeating: ".next", count: 32)
    XCTAssertEqual(
      try ask("find", "Node#1000", on: bytes).output, "Node #1000  \(path)\n")
    XCTAssertEqual(try ask("get", path + ".@id", "--raw", on: bytes).output, "1000\n")
    let holders = try ask("holders", "1000", on: bytes).output
    XCTAssertTrue(holders.contains("1,000 references from the roots\n"), holders)
  }
}
