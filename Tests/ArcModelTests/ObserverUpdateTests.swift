import Arc
import ArcJSON
import ArcModel
import XCTest

/// Updates of objects whose observers change other properties.
final class ObserverUpdateTests: XCTestCase {
  func testMissingFieldsKeepValuesSetByObservers() throws {
    for (name, update) in Self.updates {
      let dial = ObservedDial()
      try update(#"{"count": 3, "span": {"upper": 7}}"#, dial)
      XCTAssertEqual(dial.span, ObservedSpan(lower: 3, upper: 7), name)
      XCTAssertEqual(dial.frame.width, 3, name)
    }
  }

  func testMissingEmbeddedFieldsKeepValuesSetByObservers() throws {
    for (name, update) in Self.updates {
      let dial = ObservedDial()
      try update(#"{"count": 4, "height": 6}"#, dial)
      XCTAssertEqual([dial.frame.width, dial.frame.height], [4, 6], name)
    }
  }

  func testObserverOfOneStructureCanChangeAnotherStructure() throws {
    for (name, update) in Self.updates {
      let dial = ObservedDial()
      try update(#"{"range": {"upper": 8}, "copy": {"upper": 9}}"#, dial)
      XCTAssertEqual(dial.range, ObservedSpan(lower: 1, upper: 8), name)
      XCTAssertEqual(dial.copy?.lower, 8, name)
      XCTAssertEqual(dial.copy?.upper, 9, name)
    }
  }

  func testStructureKeepsValuesSetFromANestedObject() throws {
    for (name, update) in Self.updates {
      let (dial, inner) = (ObservedDial(), ObservedDial())
      (dial.inner, inner.outer) = (inner, dial)
      try update(#"{"span": {"lower": 5}, "inner": {"count": 2, "span": {"upper": 6}}}"#, dial)
      XCTAssertEqual(dial.span.lower, 5, name)
      XCTAssertEqual(inner.span, ObservedSpan(lower: 2, upper: 6), name)
      try update(#"{"inner": {"mark": 20, "span": {"upper": 7}}, "span": {"lower": 6}}"#, dial)
      XCTAssertEqual(dial.span, ObservedSpan(lower: 6, upper: 20), name)
    }
  }

  func testUpdateOfStructureRemovedByObserverIsRefused() throws {
    let text = #"{"lost": 1, "copy": {"upper": 9}}"#
    for (name, update) in Self.updates where name != "lenient" {
      let dial = ObservedDial()
      XCTAssertThrowsError(try update(text, dial), name) {
        XCTAssertEqual(($0 as? ModelReadingError)?.issues.map(\.path), ["copy.lower"], "\(name): \($0)")
      }
      XCTAssertEqual([dial.lost, dial.copy?.upper], [0, 0], name)
    }
    let dial = ObservedDial()
    let issues = try ModelReader(.lenient).update(dial, from: text)
    XCTAssertEqual(issues.map(\.path), ["copy.lower"])
    XCTAssertEqual([dial.lost, dial.copy?.upper], [1, nil])
  }

  func testMergedCollectionKeepsElementsAddedByObservers() throws {
    for (name, update) in Self.updates {
      let dial = ObservedDial()
      try update(#"{"count": 3, "log": ["text"]}"#, dial)
      XCTAssertEqual(dial.log, ["count 3", "text"], name)
    }
  }

  /// The hook that refuses the update sees the new values. Afterwards, the reader restores the former values.
  func testObserversRunAgainWhenRefusedUpdateIsReverted() throws {
    for (name, update) in Self.updates {
      let dial = ObservedRefuser()
      XCTAssertThrowsError(try update(#"{"count": 5}"#, dial), name)
      XCTAssertEqual(dial.count, 0, name)
      XCTAssertEqual(dial.seen, [5, 0], name)
    }
  }

  private static let updates: [(name: String, apply: @Sendable (String, any Archivable) throws -> Void)] = [
    ("text", { try ModelReader().update($1, from: $0) }),
    ("bytes", { try ModelReader().update($1, from: Array($0.utf8)) }),
    ("document", { try ModelReader().update($1, from: JSONDocument(Array($0.utf8))) }),
    ("value", { try ModelReader().update($1, from: JSONValue(parsing: $0)) }),
    ("lenient", { try ModelReader(.lenient).update($1, from: $0) }),
    ("marked", { try ModelReader(references: .marked).update($1, from: $0) }),
    ("identified", { try ModelReader(references: .identified).update($1, from: $0) }),
    ("reported", { try ModelReader(unknownKeys: .reported).update($1, from: $0) }),
  ]
}

@Archivable private final class ObservedDial {
  var span = ObservedSpan(lower: 0, upper: 1)
  @JSONRule(.embedded) var frame = ObservedFrame()
  var count = 0 {
    didSet {
      span = ObservedSpan(lower: count, upper: count + 1)
      frame.width = count
      log.append("count \(count)")
    }
  }
  var mark = 0 { didSet { outer?.span.upper = mark } }
  @JSONRule(.merged) var log: [String] = []
  var range = ObservedSpan(lower: 1, upper: 2) {
    didSet { copy = ObservedSpan(lower: range.upper, upper: 0) }
  }
  var copy: ObservedSpan? = ObservedSpan(lower: 0, upper: 0)
  var lost = 0 { didSet { copy = nil } }
  var inner: ObservedDial?
  @JSONRule(.omitted) weak var outer: ObservedDial?

  init() {}
}

@Archivable private struct ObservedSpan: Equatable {
  var lower: Int
  var upper: Int
}

@Archivable private struct ObservedFrame {
  var width = 0
  var height = 0
}

@Archivable private final class ObservedRefuser: ModelFinishing {
  var count = 0 { didSet { seen.append(count) } }
  @Transient var seen: [Int] = []

  init() {}

  func didRead(in context: ArchiveContext) throws { throw ArchiveError(.valueOutOfRange, found: "a count") }
}
