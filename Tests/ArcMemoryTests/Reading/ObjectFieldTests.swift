import ArcMemory
import XCTest

/// Fields with each kind of reference are read and set in memory.
final class ObjectFieldTests: XCTestCase {
  private func offset(of name: String) throws -> Int {
    try XCTUnwrap(StoredField.all(of: Holder.self).first { $0.name == name }).offset
  }

  func testStrongFieldIsReadAndSetWithoutObservers() throws {
    let holder = Holder()
    let field = unsafe ObjectField<String>(of: holder, at: try offset(of: "text"))
    XCTAssertEqual(field.value, holder.text)
    field.value = "another text that is too long for a word"
    XCTAssertEqual(holder.text, "another text that is too long for a word")
    XCTAssertEqual(holder.changeCount, 0)
  }

  func testWeakFieldDoesNotRetainItsObject() throws {
    let (holder, target) = (Holder(), Target())
    let field = unsafe ObjectField<Target?>(of: holder, at: try offset(of: "weakTarget"))
    XCTAssertNil(field.reference(isWeak: true))
    field.setReference(target, isWeak: true)
    XCTAssertTrue(holder.weakTarget === target)
    XCTAssertTrue(field.reference(isWeak: true) === target)
    field.setReference(Target(), isWeak: true)
    XCTAssertNil(holder.weakTarget, "its object is released at once")
    field.setReference(nil, isWeak: true)
    XCTAssertNil(field.reference(isWeak: true))
  }

  func testUnownedFieldDoesNotRetainItsObject() throws {
    let (holder, target) = (Holder(), Target())
    let field = unsafe ObjectField<Target?>(of: holder, at: try offset(of: "unownedTarget"))
    field.setReference(target, isWeak: false)
    XCTAssertTrue(holder.unownedTarget === target)
    XCTAssertTrue(field.reference(isWeak: false) === target)
    field.setReference(nil, isWeak: false)
    XCTAssertNil(holder.unownedTarget)
  }

  func testWeakProtocolReferenceCallsMethodsOfItsObject() throws {
    let (holder, target) = (Holder(), Target())
    let field = unsafe ObjectField<(any Named)?>(of: holder, at: try offset(of: "weakName"))
    field.setReference(target, isWeak: true)
    XCTAssertEqual(holder.weakName?.name, "target")
    XCTAssertEqual(field.reference(isWeak: true)?.name, "target")
    field.setReference(nil, isWeak: true)
    XCTAssertNil(holder.weakName)
  }
}

private protocol Named: AnyObject { var name: String { get } }
private final class Target: Named { let name = "target" }

private final class Holder {
  var text = "a text that is too long to be stored in a word" { didSet { changeCount += 1 } }
  weak var weakTarget: Target?
  unowned var unownedTarget: Target?
  weak var weakName: (any Named)?
  var changeCount = 0
}
