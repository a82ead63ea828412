import ArcMemory
import XCTest

/// Objects are created, copied, compared and changed field by field. Each value is released once.
final class ObjectAllocatorTests: XCTestCase {
  private struct Failure: Error {}

  private func allocator() -> ObjectAllocator? {
    let allocator = ObjectAllocator(of: Parcel.self, StoredField.all(of: Parcel.self), areSettable: true)
    if allocator == nil { XCTAssertFalse(RuntimeLayout.isTrusted) }
    return allocator
  }

  private func set(
    _ object: inout UnfinishedObject, _ allocator: ObjectAllocator, _ text: String, _ item: Item
  ) {
    unsafe object.set(0, allocator.fieldLocations[0], to: 7)
    unsafe object.set(1, allocator.fieldLocations[1], to: text)
    unsafe object.set(2, allocator.fieldLocations[2], to: [item])
  }

  func testAllocatedObjectHasTheSuppliedValues() throws {
    guard let allocator = allocator() else { return }
    weak var trace: Item?
    do {
      let item = Item()
      trace = item
      let object = try allocator.makeObject { set(&$0, allocator, "a text of more than one word", item) }
      let parcel = try XCTUnwrap(object as? Parcel)
      XCTAssertEqual(parcel.count, 7)
      XCTAssertEqual(parcel.label, "a text of more than one word")
      XCTAssertTrue(parcel.items.first === item)
    }
    XCTAssertNil(trace)
  }

  func testFailedAllocationReleasesTheValues() throws {
    guard let allocator = allocator() else { return }
    weak var trace: Item?
    do {
      let item = Item()
      trace = item
      XCTAssertThrowsError(
        try allocator.makeObject {
          set(&$0, allocator, "a text of more than one word", item)
          throw Failure()
        })
      XCTAssertNil(try allocator.makeObject { unsafe $0.set(2, allocator.fieldLocations[2], to: [item]) })
    }
    XCTAssertNil(trace)
  }

  func testExchangeReplacesOnlyChangedFields() throws {
    guard let allocator = allocator(), let changes = FieldChanges(allocator) else { return }
    let object = try allocator.makeObject { set(&$0, allocator, "the former text of the parcel", Item()) }
    let parcel = try XCTUnwrap(object as? Parcel)
    var values = changes.begin()
    unsafe values.set(1, allocator.fieldLocations[1], to: "the new text of the parcel")
    let check = ExclusivityCheck.now()
    XCTAssertFalse(check.isNeeded)
    changes.exchange(values, with: parcel, check)
    changes.remove(&values)
    XCTAssertEqual(parcel.label, "the new text of the parcel")
    XCTAssertEqual(parcel.count, 7)
    XCTAssertEqual(parcel.items.count, 1)
  }

  func testInitialValuesAreCopiedIntoNewObjects() throws {
    guard let allocator = allocator() else { return }
    let model = try XCTUnwrap(
      try allocator.makeObject { set(&$0, allocator, "an initial text of some words", Item()) } as? Parcel)
    let initial = InitialValues(allocator)
    XCTAssertFalse(initial.isKnown(1))
    for slot in 0..<3 { initial.learn(slot, from: model) }
    model.label = "another text of some words"
    let object = try allocator.makeObject { object in
      for slot in 0..<3 { XCTAssertTrue(initial.set(slot, of: &object)) }
    }
    let parcel = try XCTUnwrap(object as? Parcel)
    XCTAssertEqual(parcel.label, "an initial text of some words")
    XCTAssertTrue(parcel.items.first === model.items.first)
  }
}

private final class Item {}

private final class Parcel {
  var count = 0
  var label = ""
  var items: [Item] = []
}
