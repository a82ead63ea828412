import ArcTestSupport
import XCTest

@testable import Arc

/// Inherited properties that a class overrides are read and set in memory, not by the overriding accessors.
final class OverriddenPropertyTests: XCTestCase {
  func testOnlyOverriddenPropertiesSkipTheFastPath() throws {
    let plain = try ProgramClass.of(PlainHeir.self)
    XCTAssertNil(plain.fields)
    let heir = try ProgramClass.of(Heir.self)
    let names = heir.slots.map(\.property.name)
    XCTAssertEqual(names, ["own", "first", "second", "third"])
    XCTAssertEqual(heir.slots.map(\.isStored), [true, true, false, true])
    XCTAssertEqual(heir.fields?.readLocations.map { $0 != nil }, [false, false, true, false])
    let grandchild = try ProgramClass.of(Grandchild.self)
    XCTAssertEqual(grandchild.slots.map(\.isStored), [true, false, false, true])
  }

  func testArchivingAndReadingCallNoPropertyOverrides() throws {
    let object = Grandchild()
    (object.first, object.third, object.own) = (1, 3, 4)
    object.setSecond(2)
    let copy = try reread(object as Parent, as: Parent.self)
    guard let copy = copy as? Grandchild else { return XCTFail("\(copy)") }
    XCTAssertEqual([copy.storedFirst, copy.storedSecond, copy.third, copy.own], [1, 2, 3, 4])
    XCTAssertEqual(copy.callCount, 0)
  }
}

@Archivable("OverrideParent") private class Parent {
  var first = 0, second = 0, third = 0
  var storedFirst: Int { first }
  var storedSecond: Int { second }
  func setSecond(_ value: Int) { second = value }
}

@Archivable("OverridePlainHeir") private final class PlainHeir: Parent { var own = 0 }

@Archivable("OverrideHeir") private class Heir: Parent {
  var own = 0
  @Transient var callCount = 0
  override var storedSecond: Int { super.second }
  override func setSecond(_ value: Int) { super.second = value }
  override var second: Int {
    get {
      callCount += 1
      return -1
    }
    set { callCount += 1 }
  }
}

@Archivable("OverrideGrandchild") private final class Grandchild: Heir {
  override var storedFirst: Int { super.first }
  override var first: Int { didSet { callCount += 1 } }
}
