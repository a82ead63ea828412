import Arc
import ArcModel
import XCTest

/// The code of a class that runs when its objects are read from JSON, written as JSON and updated.
final class StoredValueTests: XCTestCase {
  func testJSONContainsStoredValueOfOverriddenProperty() throws {
    let price = GrossPrice()
    price.value = 105
    XCTAssertEqual(try price.json(), #"{"value":5}"#)
    let read = try GrossPrice(json: price.json())
    XCTAssertEqual(read.value, 105)
    XCTAssertEqual(read.calls, 0)
  }

  func testUpdateRunsTheSetterOfAnOverride() throws {
    let price = GrossPrice()
    try price.update(json: #"{"value": 107}"#)
    XCTAssertEqual(price.value, 107)
    XCTAssertEqual(price.calls, 1)
  }

  func testSubclassObserverRunsOnlyInAnUpdate() throws {
    let price = try WatchedPrice(json: #"{"value": 7, "link": {"value": 8}}"#)
    XCTAssertEqual(price.link?.value, 8)
    XCTAssertEqual(price.calls, 0)
    try price.update(json: #"{"value": 9}"#)
    XCTAssertEqual(price.calls, 1)
  }
}

@Archivable
private class NetPrice {
  var value = 0
  var link: NetPrice?
  init() {}
}

@Archivable
private final class GrossPrice: NetPrice {
  @Transient var calls = 0
  override var value: Int {
    get { super.value + 100 }
    set {
      calls += 1
      super.value = newValue - 100
    }
  }
  override init() { super.init() }
}

@Archivable
private final class WatchedPrice: NetPrice {
  @Transient var calls = 0
  override var value: Int { didSet { calls += 1 } }
  override var link: NetPrice? { didSet { calls += 1 } }
  override init() { super.init() }
}
