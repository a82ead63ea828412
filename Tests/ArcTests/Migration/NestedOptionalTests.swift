import Arc
import ArcArchive
import ArcFormat
import ArcTestSupport
import XCTest

/// Each level of nested optionals is preserved if values pass through an archive without classes.
final class NestedOptionalTests: XCTestCase {
  private func values() -> Earlier.Nest {
    let nest = Earlier.Nest()
    nest.two = .some(nil)
    nest.three = .some(.some(nil))
    nest.list = [nil, .some(nil), 3]
    nest.lists = [.some([.some(nil), nil]), nil]
    nest.byName = ["none": .some(nil), "one": 1]
    nest.field = Earlier.Field(inner: .some(nil), outer: nil)
    nest.state = .held(.some(nil))
    nest.link = .some(nil)
    nest.keys = [.some(nil), nil, 4]
    return nest
  }

  private func assertSame(_ found: Earlier.Nest, line: UInt = #line) throws {
    XCTAssertNil(try ObjectGraph.difference(between: found, and: values()).map { "\($0)" }, line: line)
    XCTAssertEqual(found.two, .some(nil), line: line)
    XCTAssertEqual(found.three, .some(.some(nil)), line: line)
    XCTAssertEqual(found.list, [nil, .some(nil), 3], line: line)
    XCTAssertEqual(found.keys, [.some(nil), nil, 4], line: line)
    XCTAssertEqual(found.byName, ["none": .some(nil), "one": 1], line: line)
    if case .some(.none) = found.link {} else { XCTFail("the link is nil", line: line) }
  }

  func testMigrationLeavesNestedOptionalsUnchanged() throws {
    let later = try reread(values(), as: Later.Nest.self)
    XCTAssertEqual(later.count, 1)
    let saved = try Archiver().archive(later)
    // The file has the current version, so nothing migrates.
    let found = try Unarchiver().unarchive(Later.Nest.self, from: saved)
    XCTAssertEqual(found.two, .some(nil))
    XCTAssertEqual(found.three, .some(.some(nil)))
    XCTAssertEqual(found.list, [nil, .some(nil), 3])
    XCTAssertEqual(found.lists, [.some([.some(nil), nil]), nil])
    XCTAssertEqual(found.byName, ["none": .some(nil), "one": 1])
    XCTAssertEqual(found.field, .init(inner: .some(nil), outer: nil))
    XCTAssertEqual(found.state, .held(.some(nil)))
    XCTAssertEqual(found.keys, [.some(nil), nil, 4])
    if case .some(.none) = found.link {} else { XCTFail("the link is nil") }
  }

  func testMigrationReadsAndSetsNestedOptionals() throws {
    let found = try reread(values(), as: Setting.Nest.self)
    XCTAssertEqual(found.two, nil)
    XCTAssertEqual(found.three, .some(nil))
    XCTAssertEqual(found.seen, ["nestedNull(depth: 1)", "nestedNull(depth: 2)"])
  }

  func testRecoveryPreservesNestedOptionals() throws {
    let recovery = try ArchiveRecovery(bytes: Archiver().archive(values()))
    XCTAssertEqual("\(recovery.losses)", "\(try ArchiveRecovery(bytes: Archiver().archive(1)).losses)")
    try assertSame(Unarchiver().unarchive(Earlier.Nest.self, from: recovery.archive()))
  }

  func testPreservedObjectKeepsNestedOptionals() throws {
    let holder = Earlier.Holder()
    holder.nest = values()
    let found = try PreservedContent().pass(holder, as: Latest.Holder.self) { $0.title = "changed" }
    try assertSame(try XCTUnwrap(found.nest))
  }

  func testArchiveBuilderWritesNestedOptionals() throws {
    let file = try ArchiveFile(bytes: Archiver().archive(values()))
    let object = try file.object(ObjectID(rawValue: 1))
    XCTAssertEqual(object["two"], .nestedNull(depth: 1))
    XCTAssertEqual(object["three"], .nestedNull(depth: 2))
    XCTAssertEqual(object["list"], [nil, .nestedNull(depth: 1), 3])
    let builder = try ArchiveBuilder(roots: [.init("root", type: "$[$?$?q]")])
    try builder.setRoots(["root": [nil, .nestedNull(depth: 1), 3]])
    XCTAssertEqual(try Unarchiver().unarchive([Int??].self, from: builder.finish()), [nil, .some(nil), 3])
  }

  func testNestedNilDeeperThanTheTypeIsRefused() throws {
    for depth in [0, -1, 2, .max] {
      let builder = try ArchiveBuilder(roots: [.init("root", type: "$?$?q")])
      assertThrows(.typeMismatch) { try builder.setRoots(["root": .nestedNull(depth: depth)]) }
    }
  }
}

private enum Earlier {
  @Archivable("Nested.Field") struct Field: Equatable {
    var inner: Int??
    var outer: Int??
  }
  @Archivable("Nested.State") enum State: Equatable {
    case held(Int??)
    case free
  }
  @Archivable("Nested.Nest") final class Nest {
    var two: Int?? = 2
    var three: Int??? = 3
    var list: [Int??] = []
    var lists: [[Int??]?] = []
    var byName: [String: Int??] = [:]
    var field = Field(inner: 1, outer: 1)
    var state = State.free
    var link: Nest??
    var keys: Set<Int??> = []
    init() {}
  }
  @Archivable("Nested.Holder") final class Holder {
    var nest: Nest?
    var title = ""
    init() {}
  }
}

/// A release whose migration changes only a count.
private enum Later {
  @Archivable("Nested.Nest") final class Nest {
    static let archiveVersion = 1
    var two: Int?? = 9
    var three: Int??? = 9
    var list: [Int??] = []
    var lists: [[Int??]?] = []
    var byName: [String: Int??] = [:]
    var field = Earlier.Field(inner: 9, outer: 9)
    var state = Earlier.State.free
    var link: Nest??
    var keys: Set<Int??> = []
    var count = 0
    init() {}
    static func migrate(_ nest: inout MigratedObject, from version: Int) { nest["count"] = 1 }
  }
}

/// A release that does not know nests.
private enum Latest {
  @Archivable("Nested.Holder") final class Holder {
    var title = ""
    init() {}
  }
}

private enum Setting {
  @Archivable("Nested.Nest") final class Nest {
    static let archiveVersion = 1
    var two: Int?? = 9
    var three: Int??? = 9
    var seen: [String] = []
    init() {}
    static func migrate(_ nest: inout MigratedObject, from version: Int) {
      nest["seen"] = .array(["two", "three"].compactMap { nest[$0] }.map { .string("\($0)") })
      (nest["two"], nest["three"]) = (.null, .nestedNull(depth: 1))
    }
  }
}
