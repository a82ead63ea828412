import XCTest

@testable import Arc

/// Single objects are copied and compared: in memory if memory shows all values, otherwise by rows. CI runs
/// these tests also without the runtime's memory layout.
final class CopiedObjectTests: XCTestCase {
  func testCopyHasEqualValuesAndIsIndependent() throws {
    let original = Parcel(code: "a code that is longer than a word")
    original.weights = [1, .nan, -0.0]
    original.note = "a note that is longer than a word"
    original.size = ParcelSize(width: 3, label: "a label that is longer than a word")
    original.kind = .fragile
    original.inner = Parcel(code: "inner")
    let copy = try ObjectGraph.shallowCopy(of: original)
    XCTAssertFalse(copy === original)
    XCTAssertTrue(try XCTUnwrap(ObjectComparison.areEqual(original, copy)))
    XCTAssertTrue(copy.inner === original.inner)
    original.note?.append("!")
    original.weights.append(4)
    original.size.label = "b"
    original.isOpen = true
    XCTAssertEqual(copy.code, "a code that is longer than a word")
    XCTAssertEqual(copy.note, "a note that is longer than a word")
    XCTAssertEqual(copy.weights.count, 3)
    XCTAssertEqual(copy.size, ParcelSize(width: 3, label: "a label that is longer than a word"))
    XCTAssertEqual(copy.kind, .fragile)
    XCTAssertFalse(copy.isOpen)
  }

  func testNilsWithDifferentUnusedBytesAreEqual() throws {
    let (one, other) = (Parcel(code: "c"), Parcel(code: "c"))
    // Generic code need not write all words of a nil.
    one.note = ["there": "a note that is longer than a word"]["missing"]
    other.note = "another note that is longer than a word"
    other.note = nil
    XCTAssertEqual(try ObjectComparison.areEqual(one, other), true)
  }

  func testSubclassCopyHasPrivatePropertiesOfItsSuperclass() throws {
    let original = TrackedParcel(code: "c", secret: 81)
    original.track = "t"
    let copy = try XCTUnwrap(ObjectGraph.shallowCopy(of: original as Parcel) as? TrackedParcel)
    XCTAssertEqual(copy.revealed, 81)
    XCTAssertEqual(copy.track, "t")
    XCTAssertEqual(copy.code, "c")
  }

  func testCopiesAndTheirContentsAreFreed() throws {
    weak var tracedCopy: Parcel?
    weak var tracedInner: Parcel?
    do {
      let original = Parcel(code: "outer")
      original.inner = Parcel(code: "inner")
      tracedInner = original.inner
      var copies: [Parcel] = []
      for _ in 0..<100 { copies.append(try ObjectGraph.shallowCopy(of: original)) }
      tracedCopy = copies.last
      XCTAssertNotNil(tracedCopy)
      original.inner = nil
      XCTAssertNotNil(tracedInner)
    }
    XCTAssertNil(tracedCopy)
    XCTAssertNil(tracedInner)
  }

  func testCopyOfSelfReferenceRefersToTheCopy() throws {
    let direct = Parcel(code: "direct")
    direct.inner = direct
    let copy = try ObjectGraph.shallowCopy(of: direct)
    XCTAssertTrue(copy.inner === copy)
    direct.inner = nil
    copy.inner = nil
    let listed = ParcelList()
    listed.neighbours = [listed, ParcelList()]
    let copiedList = try ObjectGraph.shallowCopy(of: listed)
    XCTAssertTrue(copiedList.neighbours[0] === copiedList)
    XCTAssertTrue(copiedList.neighbours[1] === listed.neighbours[1])
    listed.neighbours = []
    copiedList.neighbours = []
  }

  func testTransientPropertiesAreNotCopied() throws {
    let original = MarkedParcel()
    original.mark = 7
    original.value = 8
    let owner = Parcel(code: "owner")
    original.owner = owner
    let copy = try ObjectGraph.shallowCopy(of: original)
    XCTAssertEqual(copy.mark, 1)
    XCTAssertEqual(copy.value, 8)
    XCTAssertTrue(copy.owner === owner)
  }

  func testComparisonDetectsEachChangedValue() throws {
    func parcel(_ change: (Parcel) -> Void = { _ in }) -> Parcel {
      let parcel = Parcel(code: "é")
      parcel.weights = [0.0]
      parcel.inner = Parcel(code: "i")
      change(parcel)
      return parcel
    }
    XCTAssertTrue(try XCTUnwrap(ObjectComparison.areEqual(parcel(), parcel())))
    let changes: [(Parcel) -> Void] = [
      { $0.weights = [-0.0] }, { $0.weights = [] }, { $0.note = "" }, { $0.isOpen = true },
      { $0.size.width = 1 }, { $0.size.label = "l" }, { $0.kind = .fragile }, { $0.inner = nil },
      { $0.inner?.note = "n" }, { $0.inner = $0 }, { $0.inner = TrackedParcel(code: "i", secret: 0) },
    ]
    for (number, change) in changes.enumerated() {
      let changed = parcel(change)
      XCTAssertFalse(try XCTUnwrap(ObjectComparison.areEqual(parcel(), changed)), "change \(number)")
      XCTAssertFalse(
        try XCTUnwrap(ObjectComparison.areEqual(changed, parcel())), "change \(number), turned round")
      changed.inner = nil
    }
    XCTAssertFalse(
      try XCTUnwrap(ObjectComparison.areEqual(Parcel(code: "\u{E9}"), Parcel(code: "e\u{301}"))),
      "text is compared byte for byte")
  }

  func testDifferentlySharedObjectsAreUnequal() throws {
    let (one, other) = (ParcelList(), ParcelList())
    let shared = ParcelList()
    one.neighbours = [shared, shared]
    other.neighbours = [ParcelList(), ParcelList()]
    XCTAssertFalse(try XCTUnwrap(ObjectComparison.areEqual(one, other)))
    other.neighbours[1] = other.neighbours[0]
    XCTAssertTrue(try XCTUnwrap(ObjectComparison.areEqual(one, other)))
  }
}

@Archivable private class Parcel {
  let code: String
  var weights: [Double] = []
  var note: String?
  var size = ParcelSize(width: 0, label: "")
  var kind = ParcelKind.heavy
  var isOpen = false
  var inner: Parcel?

  init(code: String) { self.code = code }
}

@Archivable private final class TrackedParcel: Parcel {
  private var secret: Int
  var track = ""
  var revealed: Int { secret }

  init(code: String, secret: Int) {
    self.secret = secret
    super.init(code: code)
  }
}

@Archivable private final class ParcelList {
  var neighbours: [ParcelList] = []
  init() {}
}

@Archivable private final class MarkedParcel {
  var value = 0
  @Transient var mark = 1
  var owner: Parcel?
  init() {}
}

@Archivable private struct ParcelSize: Equatable {
  var width: Int
  var label: String
}

@Archivable private enum ParcelKind: String { case heavy, fragile }
