import ArcRuntime
import XCTest

@testable import ArcArchive
@testable import ArcFormat

/// The values nested in a value, and the steps to them.
final class ValueChildrenTests: XCTestCase {
  private static let dictionary = ArchiveValue.dictionary([
    .init(key: "a", value: 1), .init(key: .reference(nil), value: 2),
  ])
  private static let structure = ArchiveValue.structure(
    name: "P", fields: [.init(name: "x", value: 1), .init(name: "", value: 2)])
  private static let caseWithOneValue = ArchiveValue.enumeration(
    name: "E", case: "one", payload: .structure(name: "?", fields: [.init(name: "", value: 1)]))

  /// Returns the paths of all nested values at every depth.
  private func steps(_ value: ArchiveValue) -> [String] {
    value.children.flatMap { step, child in
      let text = step.pathSteps.isEmpty ? "-" : step.pathSteps.map(\.text).joined()
      return [text] + steps(child).map { text + $0 }
    }
  }

  func testChildrenAreVisitedInOrderWithTheirPaths() {
    XCTAssertEqual(steps(.array([1, .array([2])])), ["[0]", "[1]", "[1][0]"])
    XCTAssertEqual(steps(.set([1])), ["[0]"])
    XCTAssertEqual(
      steps(Self.dictionary), [".keys[0]", "[\"a\"]", ".keys[1]", ".values[1]"])
    XCTAssertEqual(steps(Self.structure), [".x", ".1"])
    XCTAssertEqual(steps(Self.caseWithOneValue), [".one", ".one-"])
    for value: ArchiveValue in [.null, 1, "a", .data([1]), .url("a", base: "b"), .array([]), .reference(nil)]
    {
      XCTAssertEqual(steps(value), [])
    }
  }

  func testDictionaryKeysCanBeVisitedFirstOrLast() {
    func values(_ keys: ArchiveValue.Children.Keys) -> [ArchiveValue] {
      Self.dictionary.children(keys: keys).map { $0.value }
    }
    XCTAssertEqual(values(.first), ["a", 1, .reference(nil), 2])
    XCTAssertEqual(values(.last), [1, "a", 2, .reference(nil)])
    XCTAssertEqual(values(.none), [1, 2])
  }

  func testMappingChildrenPreservesTheKindOfAValue() {
    for value in [Self.dictionary, Self.structure, Self.caseWithOneValue, .set([1, 2]), .array([]), "a"] {
      XCTAssertEqual(value.mapChildren { _, child in child }, value)
    }
    let negative = ArchiveValue.array([1, 2]).mapChildren { _, child in
      child.int.map { .integer(Int128(-$0)) }
    }
    XCTAssertEqual(negative, [-1, -2])
  }

  func testEntryOfValueMappedToNilIsRemoved() {
    func withoutOnes(_ value: ArchiveValue) -> ArchiveValue {
      value.mapChildren { _, child in child == 1 ? Optional.none : child }
    }
    XCTAssertEqual(withoutOnes([1, 2]), [2])
    XCTAssertEqual(withoutOnes(Self.dictionary), .dictionary([.init(key: .reference(nil), value: 2)]))
    XCTAssertEqual(withoutOnes(Self.structure), .structure(name: "P", fields: [.init(name: "", value: 2)]))
  }

  func testChildrenAreMatchedToLayoutNodes() throws {
    let type = try TypeEncoding(parsing: "{P=\"weak\"$~@\"strong\"$?@\"other\"$?$[{P}]}")
    let layout = try ColumnLayout(of: type)
    func value(_ other: ArchiveValue) -> ArchiveValue {
      .structure(
        name: "P",
        fields: [
          .init(name: "weak", value: .reference(ObjectID(rawValue: 1))),
          .init(name: "strong", value: .reference(ObjectID(rawValue: 2))), .init(name: "other", value: other),
        ])
    }
    var found: [Bool] = []
    TypedValue(value(.array([value(.null)])), layout: layout, node: 0).forEachReference {
      found.append($1.isWeak)
    }
    XCTAssertEqual(found, [true, false, true, false])
  }
}
