import Arc
import XCTest

final class RecursiveValueTests: XCTestCase {
  func testValuesNestAsDeepAsTheLimitAndNoDeeper() throws {
    let limit = Limits.default.nesting
    XCTAssertEqual(try roundTrip(branch(depth: limit)).depth, limit)
    XCTAssertEqual(try roundTrip(call(depth: limit)), call(depth: limit))
    assertThrows(.limitExceeded, "nesting") { _ = try Archiver().archive(self.branch(depth: limit + 1)) }
    assertThrows(.limitExceeded, "nesting") { _ = try Archiver().archive(self.call(depth: limit + 1)) }
    assertThrows(.limitExceeded, "nesting") { _ = try Archiver().archive(self.call(depth: 2000)) }
  }

  func testFileThatNestsDeeperThanTheReaderAllowsIsRefused() throws {
    var limits = Limits.default
    limits.nesting = 10
    let bytes = try Archiver().archive(branch(depth: 11))
    assertThrows(.limitExceeded, "Limits.nesting") {
      _ = try Unarchiver(limits: limits).unarchive(Branch.self, from: bytes)
    }
    XCTAssertEqual(
      try Unarchiver(limits: limits).unarchive(Branch.self, from: Archiver().archive(branch(depth: 10)))
        .depth, 10)
  }

  func testManyDeepValuesSideBySideAreNotMistakenForADeepOne() throws {
    let forest = Branch(label: "root", children: (0..<100).map { _ in branch(depth: 100) })
    let copy = try roundTrip(forest)
    XCTAssertEqual(copy, forest)
    XCTAssertEqual(
      try roundTrip((0..<100).map { call(depth: 1 + $0) }), (0..<100).map { call(depth: 1 + $0) })
  }

  func testWrappedFieldBeforePlainOnesKeepsItsPlaceInARecursiveStructure() throws {
    var inner = Folder(name: "inner")
    inner.size = 1
    var outer = Folder(name: "outer")
    outer.folders = [inner, Folder(name: "last")]
    outer.size = 2
    let copy = try roundTrip(outer)
    XCTAssertEqual(copy.name, "outer")
    XCTAssertEqual(copy.size, 2)
    XCTAssertEqual(copy.folders.map(\.name), ["inner", "last"])
    XCTAssertEqual(copy.folders.map(\.size), [1, 0])
    XCTAssertEqual(copy.folders.map(\.folders.count), [0, 0])
  }

  func testMissingWrappedFieldsTakeTheirInitialValue() throws {
    let bytes = try Archiver().archive(OldFolder(name: "old"))
    let copy = try Unarchiver().unarchive(DefaultedFolder.self, from: bytes)
    XCTAssertEqual(copy.name, "old")
    XCTAssertEqual(copy.size, 7)
    assertThrows(.missingKey, "field 0") { _ = try Unarchiver().unarchive(Folder.self, from: bytes) }
  }

  /// A chain of so many branches.
  private func branch(depth: Int) -> Branch {
    (1..<depth).reduce(Branch(label: "leaf")) { inner, level in Branch(label: "\(level)", children: [inner]) }
  }

  /// Calls in arguments of calls, so many of them.
  private func call(depth: Int) -> Expression {
    (1..<depth).reduce(Expression.call(function: "f", [])) { inner, _ in
      .call(function: "f", [inner, .nothing])
    }
  }
}

extension Branch {
  fileprivate var depth: Int { 1 + (children.map(\.depth).max() ?? 0) }
}

@propertyWrapper
private struct Kept<Value> {
  var wrappedValue: Value
}

/// Wrappers stand before plain fields, so they are read first and set last.
@Archivable
private struct Folder {
  @Kept var folders: [Folder]
  @Kept var size = 0
  var name: String

  init(name: String) {
    self.name = name
    folders = []
  }
}

@Archivable
private struct DefaultedFolder {
  @Kept var size = 7
  var name: String
}

@Archivable
private struct OldFolder { var name: String }
