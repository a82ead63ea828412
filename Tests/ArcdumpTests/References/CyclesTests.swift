import ArcFormat
import ArcTestSupport
import XCTest

@testable import ArcInspection

final class CyclesTests: XCTestCase {
  func testObjectsInStrongCyclesAreListed() throws {
    XCTAssertEqual(
      try ask("cycles", on: QueriedArchives.zoo()).output,
      """
      1 set of objects in strong reference cycles, 2 objects
        2 objects: 2 Dog
          cycle  #1.friends[0].friends[0]
          path   root

      """)
    XCTAssertEqual(
      try ask("get", "#1.friends[0].friends[0].@id", "--raw", on: QueriedArchives.zoo()).output, "1\n")
  }

  func testObjectThatRetainsItselfIsListedAsCycle() throws {
    let bytes = try QueriedArchives.graph([[1], [2], [2], [4, 3], [3]])
    XCTAssertEqual(
      try ask("cycles", "--json", on: bytes).output,
      """
      {
        "format":"arc",
        "cycles":[
          {"objects":2,"classes":[{"class":"Node","objects":2}],"example":3,"length":1,"path":"#3.to[1]","reachedBy":null},
          {"objects":1,"classes":[{"class":"Node","objects":1}],"example":2,"length":1,"path":"#2.to[0]","reachedBy":"all[0].to[0]"}
        ],
        "count":2
      }

      """)
    XCTAssertTrue(try ask("cycles", "--limit", "1", on: bytes).output.hasSuffix("  … 1 more (--limit 1)\n"))
  }

  func testWeakCyclesAreNotListed() throws {
    XCTAssertEqual(
      try ask("cycles", on: RowWiseWeak.pair()), CommandResult(output: "no cycles of strong references\n"))
  }

  func testLongCycleShowsOnlyItsBeginning() throws {
    let output = try ask("cycles", on: QueriedArchives.ring(100, isClosed: true)).output
    XCTAssertTrue(
      output.contains("#1" + String(repeating: ".next", count: 32) + " … 100 references\n"), output)
  }
}

/// An object that retains another object, which has a weak reference back.
private enum RowWiseWeak {
  static func pair() throws -> [UInt8] {
    let builder = try RowWiseArchive(roots: [("one", #"@"Node""#)])
    let node = try builder.addClass(
      "Node", properties: [("next", #"T@"Node",N,&,V_next"#), ("back", #"T@"Node",N,W,V_back"#)])
    try builder.row(0, .reference(1))
    try builder.row(node, .reference(2), .weak(0))
    try builder.row(node, .reference(0), .weak(1))
    return try builder.finish()
  }
}
