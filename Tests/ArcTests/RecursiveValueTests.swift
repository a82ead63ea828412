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
