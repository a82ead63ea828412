import Arc
import ArcTestSupport
import XCTest

@Archivable private struct Couple<First, Second> {
  var first: First
  var second: Second
}

@Archivable private indirect enum Tree<Label> where Label: Comparable {
  case leaf
  case node(Tree, Label, Tree)
}

@Archivable private struct Choices<Element> {
  @Archivable fileprivate enum Choice {
    case one(Element)
    case none
  }
  var choices: [Choice]
}

final class GenericValueTests: XCTestCase {
  func testGenericValuesAreArchivableIfTheirArgumentsAre() throws {
    let pair = try roundTrip(Couple(first: [1, 2], second: Couple(first: "a", second: Double?.none)))
    XCTAssertEqual(pair.first, [1, 2])
    XCTAssertEqual(pair.second.first, "a")
    XCTAssertNil(pair.second.second)
    guard
      case .node(.leaf, 3, .node(.leaf, 4, .leaf)) =
        try roundTrip(Tree.node(.leaf, 3, .node(.leaf, 4, .leaf)))
    else { return XCTFail("another tree") }
    guard case .one("x") = try roundTrip(Choices(choices: [.none, .one("x")])).choices[1] else {
      return XCTFail("another choice")
    }
  }
}
