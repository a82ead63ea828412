import XCTest

@testable import Arc

/// Types that the reader finds only by their names in files, because no declaration refers to them.
final class ComposedTypesTests: XCTestCase {
  func testCountOfTypesNamedByFilesIsLimited() throws {
    let composed = ComposedTypes(cache: ComposedTypeCache(limit: 2)) { $0 == "Int" ? Int.self : nil }
    XCTAssert(try composed.type(named: "Array<Int>") == [Int].self)
    XCTAssertNil(try composed.type(named: "Array<Unknown>"))
    XCTAssert(try composed.type(named: "Dictionary<Int, Array<Int>>") == [Int: [Int]].self)
    XCTAssertNil(try composed.type(named: "Set<Int>"))
    XCTAssertNil(try composed.type(named: "Array<Array<Int>>"))
    XCTAssert(try composed.type(named: "Array<Int>") == [Int].self)
  }

  func testParsingAnInvalidTypeNameReturnsNil() throws {
    let composed = ComposedTypes(cache: ComposedTypeCache(limit: 100)) { $0 == "Int" ? Int.self : nil }
    for name in [
      "", "Int", ">", "<>", "Array<>", "Array<Int", "Array<Int>>", "Array<<Int>", "Array<Int, Int>",
      "Dictionary<Int>",
      "Dictionary<Int,>", "Set<Int, Int>", "Array<Int,Int>", "Dictionary<Array<Int>, Int", "Box<Int>",
      "Array<Int)", "Set<Array>",
    ] {
      XCTAssertNil(try composed.type(named: name[...]), name)
    }
    XCTAssert(try composed.type(named: "Dictionary<Int,Set<Int>>") == [Int: Set<Int>].self)
  }
}
