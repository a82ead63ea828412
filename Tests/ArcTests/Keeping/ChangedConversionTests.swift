import Arc
import ArcFormat
import ArcTestSupport
import Foundation
import XCTest

/// Collections that an older release reads as values of another type, and in which it changes some elements.
/// All other elements, and unknown fields, are unchanged for the release that wrote the file.
///
/// Each change is made to the value of a property, a field, a field of an element, a field of a dictionary's
/// value, and a root. A usual run tries one in 10 of these cells.
final class ChangedConversionTests: XCTestCase {
  /// A change of a value by the older release, and the value that the newer release must then read.
  private struct Edit<Old, New> {
    let name: String
    let old: (Old) -> Old
    let new: (New) -> New
  }

  private let texts = ["6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B810-9DAD-11D1-80B4-00C04FD430C9"]
  private lazy var cells = TrialSample(oneIn: 10)
  private let added = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430D0") ?? UUID()

  func testOriginalTextIsPreservedIfAnotherElementChanges() {
    let added = added
    check(
      texts, as: [UUID].self,
      [
        Edit(name: "append", old: { $0 + [added] }, new: { $0 + [added.uuidString] }),
        Edit(name: "remove", old: { [$0[0]] }, new: { [$0[0]] }),
        Edit(name: "set", old: { [$0[0], added] }, new: { [$0[0], added.uuidString] }),
      ])
    check(
      Set(texts), as: Set<UUID>.self,
      [Edit(name: "insert", old: { $0.union([added]) }, new: { $0.union([added.uuidString]) })])
    check(
      texts.map { [$0] }, as: [[UUID]].self,
      [Edit(name: "append", old: { $0 + [[added]] }, new: { $0 + [[added.uuidString]] })])
    check(
      ["1.50", "2.0"], as: [Decimal].self, [Edit(name: "append", old: { $0 + [3] }, new: { $0 + ["3"] })])
    check(
      ["2001-01-01T00:00:00+00:00", "2001-01-01T00:00:01Z"], as: [Date].self,
      [Edit(name: "reverse", old: { $0.reversed() }, new: { $0.reversed() })])
    check(
      ["http://a.b/ü", "http://c"], as: [URL].self,
      [Edit(name: "remove", old: { [$0[0]] }, new: { [$0[0]] })])
    check(texts[0] as String?, as: UUID?.self, [Edit(name: "nil", old: { _ in nil }, new: { _ in nil })])
  }

  func testConvertedKeysPreserveUnknownFieldsOfTheirValues() {
    let added = added
    check(
      [texts[0]: New.Leaf(number: 1), texts[1]: New.Leaf(number: 2)], as: [UUID: Old.Leaf].self,
      [
        Edit(
          name: "insert", old: { $0.merging([added: Old.Leaf(number: 3)]) { $1 } },
          new: { $0.merging([added.uuidString: New.Leaf(number: 3)]) { $1 } }),
        Edit(
          name: "set", old: { $0.mapValues { Old.Leaf(number: $0.number + 1) } },
          new: { $0.mapValues { New.Leaf(number: $0.number + 1, note: $0.note) } }),
      ])
  }

  func testConvertedSetsAndArraysPreserveUnknownFields() {
    let leaves = [New.Leaf(number: 2, note: "two"), New.Leaf(number: 1, note: "one")]
    check(
      Set(leaves), as: [Old.Leaf].self,
      [
        Edit(name: "append", old: { $0 + [Old.Leaf(number: 3)] }, new: { $0.union([New.Leaf(number: 3)]) }),
        Edit(name: "remove", old: { $0.filter { $0.number == 1 } }, new: { $0.filter { $0.number == 1 } }),
        Edit(name: "reverse", old: { $0.reversed() }, new: { $0 }),
      ])
    check(
      leaves, as: Set<Old.Leaf>.self,
      [
        Edit(name: "insert", old: { $0.union([Old.Leaf(number: 3)]) }, new: { $0 + [New.Leaf(number: 3)] }),
        Edit(name: "remove", old: { $0.filter { $0.number == 1 } }, new: { $0.filter { $0.number == 1 } }),
      ])
    check(
      ["b", "a"], as: Set<String>.self,
      [Edit(name: "insert", old: { $0.union(["c"]) }, new: { $0 + ["c"] })])
  }

  func testValueReadAsListPreservesUnknownFields() {
    check(
      New.Leaf(number: 1, note: "one"), as: [Old.Leaf].self,
      [
        Edit(name: "set", old: { _ in [Old.Leaf(number: 3)] }, new: { New.Leaf(number: 3, note: $0.note) })
      ])
    check(
      New.Leaf(number: 1, note: "one") as New.Leaf?, as: [Old.Leaf].self,
      [Edit(name: "remove", old: { _ in [] }, new: { _ in nil })])
  }

  func testAddedElementsAreSavedWithTheNewerType() throws {
    let shelf = New.Shelf()
    shelf.items = [New.Item(size: 1)]
    shelf.boxed = [New.Boxed(size: 6, note: "6")]
    var bytes = try Archiver().archive(shelf)
    let content = PreservedContent()
    for round in 0...2 {
      let classes = try ClassTable(declaring: Old.Boxed.self)
      let read = try Unarchiver(classes: classes, unknownContent: .preserve(in: content))
        .unarchive(Old.Shelf.self, from: bytes)
      if round == 0 {
        read.items.append(Old.Item(size: [2]))
        read.boxed.append(Old.Boxed(size: [7]))
      }
      XCTAssertEqual(read.items.map(\.size), [[1], [2]])
      XCTAssertEqual(read.boxed.map { ($0 as? Old.Boxed)?.size }, [[6], [7]])
      bytes = try Archiver(preserving: content).archive(read)
      let newClasses = try ClassTable(declaring: New.Boxed.self)
      let found = try Unarchiver(classes: newClasses).unarchive(New.Shelf.self, from: bytes)
      XCTAssertEqual(found.items.map(\.size), [1, 2], "\(round)")
      XCTAssertEqual(found.items.map(\.note), ["new", "new"], "\(round)")
      let boxed = found.boxed.map { $0 as? New.Boxed }
      XCTAssertEqual(boxed.map { $0?.size }, [6, 7], "\(round)")
      XCTAssertEqual(boxed.map { $0?.note }, ["6", "new"], "\(round)")
    }
  }

  func testAddedNumbersAreSavedWithTheNewerType() {
    check([1, 2], as: [Double].self, [Edit(name: "append", old: { $0 + [3] }, new: { $0 + [3] })])
    check(
      [Decimal(string: "0.1"), 2], as: [Double?].self,
      [Edit(name: "append", old: { $0 + [3.5] }, new: { $0 + [Decimal(string: "3.5")] })])
  }

  private func check<Value: ArchivableValue & Equatable, Other: ArchivableValue & Equatable>(
    _ value: Value, as other: Other.Type, _ edits: [Edit<Other, Value>], line: UInt = #line
  ) {
    let unchanged = Edit<Other, Value>(name: "nothing", old: { $0 }, new: { $0 })
    for edit in [unchanged] + edits {
      for holding in Holding.allCases where cells.includesNext() {
        do {
          try check(value, as: other, edit, holding, line: line)
        } catch {
          XCTFail("\(edit.name) \(holding): \(error)", line: line)
        }
      }
    }
  }

  private func check<Value: ArchivableValue & Equatable, Other: ArchivableValue & Equatable>(
    _ value: Value, as _: Other.Type, _ edit: Edit<Other, Value>, _ holding: Holding, line: UInt
  ) throws {
    let content = PreservedContent()
    let name = "\(edit.name) \(holding)"
    if holding == .root {
      let bytes = try Archiver().archive(value)
      var read = try Unarchiver(unknownContent: .preserve(in: content)).unarchive(Other.self, from: bytes)
      read = edit.old(read)
      let saved = try Archiver(preserving: content).archive(read)
      XCTAssertEqual(try Unarchiver().unarchive(Other.self, from: saved), read, name, line: line)
      XCTAssertEqual(try Unarchiver().unarchive(Value.self, from: saved), edit.new(value), name, line: line)
      return
    }
    let document = New.Document(value)
    let bytes = try Archiver().archive(document)
    let read = try Unarchiver(
      classes: ClassTable(Old.Document<Other>.self, asRootOf: bytes), unknownContent: .preserve(in: content)
    ).unarchive(Old.Document<Other>.self, from: bytes)
    holding.change(read, edit.old)
    holding.change(document, edit.new)
    let saved = try Archiver(preserving: content).archive(read)
    let again = try Unarchiver(
      classes: ClassTable(Old.Document<Other>.self, asRootOf: saved), unknownContent: .leaveOut
    ).unarchive(Old.Document<Other>.self, from: saved)
    XCTAssertEqual(again.contents, read.contents, name, line: line)
    let newer = try Unarchiver(classes: ClassTable(New.Document<Value>.self, asRootOf: saved))
      .unarchive(New.Document<Value>.self, from: saved)
    XCTAssertEqual(newer.contents, document.contents, name, line: line)
  }
}

/// The position of the value that the older release changes.
private enum Holding: CaseIterable {
  case property, field, fieldOfElement, fieldOfDictionaryValue, root

  func change<Document: ChangedDocument>(
    _ document: Document, _ edit: (Document.Value) -> Document.Value
  ) {
    switch self {
    case .property: document.value = edit(document.value)
    case .field: document.part.value = edit(document.part.value)
    case .fieldOfElement: document.parts[1].value = edit(document.parts[1].value)
    case .fieldOfDictionaryValue: document.valueOfA = edit(document.valueOfA)
    case .root: break
    }
  }
}

/// The common properties of both releases' documents.
private protocol ChangedDocument: AnyObject {
  associatedtype Value
  associatedtype Field: ChangedPart where Field.Value == Value
  var value: Value { get set }
  var part: Field { get set }
  var parts: [Field] { get set }
  var byName: [String: Field] { get set }
}

private protocol ChangedPart: Equatable {
  associatedtype Value: Equatable
  var value: Value { get set }
}

extension ChangedDocument {
  fileprivate var valueOfA: Value {
    get { byName["a"]?.value ?? value }
    set { byName["a"]?.value = newValue }
  }
  fileprivate var contents: Contents<Value, Field> { Contents(value, part, parts, byName) }
}

private protocol Boxable {}

private enum New {
  @Archivable("ChangedConversion.Boxed") struct Boxed: Boxable {
    var size: Int
    var note = "new"
  }
  @Archivable("ChangedConversion.Item") final class Item {
    var size: Int
    var note = "new"
    init(size: Int) { self.size = size }
  }
  @Archivable("ChangedConversion.Shelf") final class Shelf {
    var items: [Item] = []
    var boxed: [any Boxable] = []
  }
  @Archivable("ChangedConversion.Leaf") struct Leaf: Hashable {
    var number: Int
    var note = "new"
  }
  @Archivable struct Part<Value: ArchivableValue & Equatable>: ChangedPart {
    var value: Value
    var note: String
  }
  @Archivable final class Document<Value: ArchivableValue & Equatable>: ChangedDocument {
    var value: Value
    var part: Part<Value>
    var parts: [Part<Value>]
    var byName: [String: Part<Value>]
    init(_ value: Value) {
      self.value = value
      part = Part(value: value, note: "1")
      parts = [Part(value: value, note: "2"), Part(value: value, note: "3")]
      byName = ["a": Part(value: value, note: "4"), "b": Part(value: value, note: "5")]
    }
  }
}

private enum Old {
  @Archivable("ChangedConversion.Boxed") struct Boxed: Boxable { var size: [Int] }
  @Archivable("ChangedConversion.Item") final class Item {
    var size: [Int]
    init(size: [Int]) { self.size = size }
  }
  @Archivable("ChangedConversion.Shelf") final class Shelf {
    var items: [Item] = []
    var boxed: [any Boxable] = []
  }
  @Archivable("ChangedConversion.Leaf") struct Leaf: Hashable { var number: Int }
  @Archivable struct Part<Value: ArchivableValue & Equatable>: ChangedPart { var value: Value }
  @Archivable final class Document<Value: ArchivableValue & Equatable>: ChangedDocument {
    var value: Value
    var part: Part<Value>
    var parts: [Part<Value>]
    var byName: [String: Part<Value>]
    init(_ value: Value) { (self.value, part, parts, byName) = (value, Part(value: value), [], [:]) }
  }
}

/// The values of a document.
private struct Contents<Value: Equatable, Part: Equatable>: Equatable {
  let value: Value
  let part: Part
  let parts: [Part]
  let byName: [String: Part]

  init(_ value: Value, _ part: Part, _ parts: [Part], _ byName: [String: Part]) {
    (self.value, self.part, self.parts, self.byName) = (value, part, parts, byName)
  }
}
