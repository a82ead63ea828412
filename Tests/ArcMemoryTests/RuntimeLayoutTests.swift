import Foundation
import XCTest

@testable import ArcMemory

/// Each assumption of `.github/RUNTIME_LAYOUT.md` holds in the test process, and the switch disables it.
final class RuntimeLayoutTests: XCTestCase {
  private let isTrusted = RuntimeLayout.isTrusted
  #if canImport(ObjectiveC)
    private let isTrustedForObjects = false
  #else
    private let isTrustedForObjects = RuntimeLayout.isTrusted
  #endif

  func testEnvironmentVariableDisablesLayoutAssumptions() {
    XCTAssertEqual(isTrusted, ProcessInfo.processInfo.environment["ARC_RUNTIME_LAYOUT"] != "off")
  }

  func testLayoutOfReferenceCountsIsRecognized() {
    XCTAssertEqual(UniqueReference.word != 0, isTrustedForObjects)
    XCTAssertEqual(UniqueReference.storageWord != 0, isTrustedForObjects)
  }

  func testSizesOfObjectsAreRecognized() {
    let words = isTrusted ? 3 : 0
    XCTAssertEqual(InstanceSize.byteCount(of: Base.self), words * MemoryLayout<UInt>.size)
  }

  func testEnumerationsAreRecognized() {
    enum Level: String { case low, high }
    XCTAssertEqual(RuntimeLayout.isEnumeration(Level.self), isTrusted)
    XCTAssertEqual(RuntimeLayout.cases(of: Level.self), isTrusted ? [.low, .high] : [])
    for type in [Int.self, Base.self, (Int, Int).self, (any Marker).self] as [Any.Type] {
      XCTAssertFalse(RuntimeLayout.isEnumeration(type))
    }
  }

  func testMemoryLayoutOfStringsIsRecognized() { XCTAssertEqual(TextMemory().isKnown, isTrusted) }

  func testMemoryLayoutOfDecimalsIsRecognized() {
    let digits = DecimalMemory.digits(of: Decimal(sign: .minus, exponent: -2, significand: 125))
    XCTAssertEqual(digits?.digits, isTrusted ? 125 : nil)
    XCTAssertEqual(digits?.isNegative, isTrusted ? true : nil)
  }

  func testMemoryLayoutOfObjectsIsRecognized() {
    let fields = StoredField.all(of: Base.self).map { FieldMemory(of: $0.type, at: $0.offset) }
    XCTAssertEqual(ObjectMemoryLayout(of: Base.self, fields) != nil, isTrustedForObjects)
    XCTAssertNil(ObjectMemoryLayout(of: Derived.self, fields), "a class with more fields than these")
  }

  func testFieldsAreFoundDespiteDisabledLayoutAssumptions() {
    XCTAssertEqual(StoredField.all(of: Base.self).map(\.name), ["number"])
    XCTAssertEqual(StoredField.all(of: Derived.self).map(\.name), ["name"], "only its own")
    XCTAssertEqual(StoredField.all(of: Enclosing.Marked.self).map(\.name), ["mark"])
    XCTAssertTrue(StoredField.all(of: (any Marker).self).isEmpty)
  }

  func testConformingTypesAreFoundDespiteDisabledLayoutAssumptions() throws {
    let types = try XCTUnwrap(ConformingTypes.all(of: (any Marker).self, returnsEnclosing: false))
    XCTAssertEqual(types.map { "\($0)" }, ["Marked"])
    let outer = try XCTUnwrap(ConformingTypes.all(of: (any Marker).self, returnsEnclosing: true))
    XCTAssertEqual(outer.map { "\($0)" }, ["Enclosing"])
    XCTAssertNil(ConformingTypes.all(of: Int.self, returnsEnclosing: false))
  }
}

private class Base { var number = 7 }
private final class Derived: Base { var name = "derived" }
private protocol Marker {}
private enum Enclosing {
  struct Marked: Marker { var mark = 1 }
}
