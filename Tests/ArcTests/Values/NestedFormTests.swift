import Arc
import ArcTestSupport
import XCTest

/// Structures and enumerations nested in another type, with properties of types nested in the same type.
final class NestedFormTests: XCTestCase {
  func testStructureNestedInClassUsesTheClassTypes() throws {
    let workshop = Workshop()
    let tool = Workshop.Hammer()
    workshop.bench.pair = (Workshop.Size(width: 2), 3)
    (workshop.bench.tool, workshop.bench.last) = (tool, tool)
    workshop.bench.tools = ["a": tool]
    workshop.bench.unwrapped = (Workshop.Size(width: 4), Workshop.Size(width: 5))
    workshop.bench.marks.count = 9
    let copy = try roundTrip(workshop)
    XCTAssertEqual(copy.bench.pair.0, Workshop.Size(width: 2))
    XCTAssertEqual(copy.bench.pair.count, 3)
    XCTAssertEqual(copy.bench.tool?.weight, 7)
    XCTAssertTrue(copy.bench.tools["a"] === copy.bench.tool && copy.bench.last === copy.bench.tool)
    XCTAssertEqual(copy.bench.unwrapped?.1, Workshop.Size(width: 5))
    XCTAssertEqual(copy.bench.marks, Workshop.Marks(count: 9))
  }

  func testEnumerationNestedInClassUsesTheClassTypes() throws {
    let workshop = Workshop()
    let tool = Workshop.Hammer()
    workshop.order = .several((Workshop.Size(width: 6), 8), more: [tool, tool])
    guard case .several(let pair, let more) = try roundTrip(workshop).order else {
      return XCTFail("the case")
    }
    XCTAssertEqual(pair.0, Workshop.Size(width: 6))
    XCTAssertEqual(pair.1, 8)
    XCTAssertTrue(more.count == 2 && more[0] === more[1])
  }

  func testStructureNestedInGenericTypeUsesItsParameter() throws {
    var shelf = Shelf<Int>.Row()
    shelf.places = [(7, Shelf<Int>.Label(text: "seven"))]
    let copy = try roundTrip(shelf)
    XCTAssertEqual(copy.places.map(\.0), [7])
    XCTAssertEqual(copy.places.map(\.1.text), ["seven"])
  }
}

@Archivable private final class Workshop {
  protocol Tool: AnyObject { var weight: Int { get } }
  @Archivable struct Size: Equatable { var width = 1 }
  @Archivable final class Hammer: Tool { var weight = 7 }
  struct Marks: Codable, Equatable { var count = 1 }
  @Archivable struct Bench {
    var pair: (Size, count: Int) = (Size(), 0)
    var tool: (any Tool)?
    var tools: [String: any Tool] = [:]
    var unwrapped: (Size, Size)!
    @Coded var marks = Marks()
    @Coded var typed: Marks = Marks()
    weak var last: (any Tool)?
  }
  @Archivable enum Order {
    case nothing
    case one(any Tool)
    case several((Size, Int), more: [any Tool])
  }
  var bench = Bench()
  var order = Order.nothing
  init() {}
}

private enum Shelf<Element: ArchivableValue> {
  @Archivable struct Label { var text = "" }
  @Archivable struct Row { var places: [(Element, Label)] = [] }
}
