import Arc
import ArcJSON
import ArcModel
import XCTest

/// Writing objects directly from memory gives the same JSON as writing them from rows. A writer that marks
/// references uses rows.
final class MemoryWritingTests: XCTestCase {
  private func ledger() -> Ledger {
    let ledger = SignedLedger()
    ledger.owner = "ä\"\u{1}"
    ledger.note = "n"
    ledger.tags = ["a", "", "long enough to be in memory of its own"]
    ledger.number = .min
    ledger.wide = .max
    ledger.maybe = -7
    ledger.counts = [0, -1]
    ledger.isOpen = true
    ledger.maybeOpen = false
    ledger.share = 0.1
    ledger.maybeShare = -0.0
    ledger.shares = [1e300, 5]
    ledger.inner = Ledger()
    ledger.others = [Ledger(), SignedLedger()]
    ledger.signature = "s"
    ledger.byName = ["ä\"": Ledger()]
    return ledger
  }

  func testWritingMembersFromMemoryGivesEqualText() throws {
    var writers = [ModelWriter(), ModelWriter(isPretty: true, nulls: .written), ModelWriter(nulls: .omitted)]
    writers += [
      ModelWriter(naming: .snakeCase, sortsKeys: true), ModelWriter(only: ["note", "maybe", "inner"]),
    ]
    for writer in writers {
      var other = writer
      other.references = .marked
      for value in [ledger(), Ledger()] {
        let text = try writer.text(of: value)
        XCTAssertEqual(text, try other.text(of: value))
        XCTAssertEqual(text, try writer.text(of: value), "again")
      }
    }
    XCTAssertEqual(
      try ledger().json(only: ["owner", "number", "maybeOpen", "tags", "wide", "shares"]),
      #"{"owner":"ä\"\u0001","tags":["a","","long enough to be in memory of its own"],"#
        + #""number":-9223372036854775808,"wide":9223372036854775807,"maybeOpen":false,"shares":[1e+300,5.0]}"#
    )
  }

  func testWritingErrorsNameThePathOfTheValue() {
    let ledger = ledger()
    ledger.others[0].shares = [1, .nan]
    XCTAssertThrowsError(try ledger.json()) { error in
      XCTAssertEqual((error as? ModelWritingError)?.path, "others[0].shares[1]")
    }
    ledger.others[0].shares = []
    ledger.others[0].inner = ledger
    XCTAssertThrowsError(try ledger.json()) { error in
      XCTAssertEqual((error as? ModelWritingError)?.code, .cycle)
      XCTAssertEqual((error as? ModelWritingError)?.path, "others[0].inner")
    }
    ledger.others[0].inner = nil
    XCTAssertNoThrow(try ledger.json())
    ledger.byName["a b"] = Ledger()
    ledger.byName["a b"]?.share = .infinity
    XCTAssertThrowsError(try [ledger].json()) { error in
      XCTAssertEqual((error as? ModelWritingError)?.path, "[0].byName[\"a b\"].share")
    }
  }

  func testDictionariesOfObjectsAreSortedOnRequest() throws {
    let ledger = Ledger()
    for name in ["c", "a", "b"] { ledger.byName[name] = Ledger() }
    let text = try ledger.json(sortsKeys: true, only: ["byName"])
    let names = text.matches(of: /"([abc])":/).map { String($0.1) }
    XCTAssertEqual(names, ["a", "b", "c"])
    XCTAssertEqual(try Ledger(json: ledger.json()).byName.count, 3)
  }

  func testWritingArraysFromMemoryGivesEqualText() throws {
    let ledgers = [ledger(), Ledger()]
    let text = try ModelWriter().text(of: ledgers)
    XCTAssertEqual(text, try ModelWriter(references: .marked).text(of: ledgers))
    XCTAssertEqual(text, try "[" + ledgers.map { try $0.json() }.joined(separator: ",") + "]")
    XCTAssertEqual(try [Ledger]().json(isPretty: true), "[]")
  }

  func testObjectReleasedDuringClassSetupIsFullyWritten() throws {
    let tray = Tray()
    tray.slot = Slot()
    Slot.tray = tray
    let text = try tray.json()
    XCTAssertNil(tray.slot)
    XCTAssertEqual(text, #"{"slot":{"label":"a label that is in memory of its own"},"name":"n"}"#)
    Slot.tray = nil
  }

  func testObjectsReleasedDuringWritingAreWrittenInFull() throws {
    let count = Shelf.count
    do {
      let shelf = Shelf()
      shelf.box = Carton()
      shelf.box?.label = String(repeating: "a label that is in memory of its own ", count: 4)
      shelf.box?.content = Content()
      shelf.box?.content?.shelf = shelf
      let text = try shelf.json()
      XCTAssertNil(shelf.box, "let go of while it was written")
      XCTAssertTrue(text.hasPrefix(#"{"box":{"content":{"seen":true},"label":"a label"#), text)
    }
    XCTAssertEqual(Shelf.count, count, "nobody keeps them")
  }
}

@Archivable private final class Shelf {
  static nonisolated(unsafe) var count = 0
  var box: Carton?
  init() {}
}

@Archivable private final class Carton {
  var content: Content?
  var label = ""
  init() { Shelf.count += 1 }
  deinit { Shelf.count -= 1 }
}

/// A class whose hook makes the shelf release the enclosing box during writing.
@Archivable private final class Content: JSONPostprocessing {
  weak var shelf: Shelf?
  init() { Shelf.count += 1 }
  deinit { Shelf.count -= 1 }

  func willWrite(_ object: inout JSONObject) {
    shelf?.box?.content = nil
    shelf?.box = nil
    object["seen"] = true
  }
}

@Archivable private class Ledger {
  var owner = ""
  var note: String?
  var tags: [String] = []
  var number = 0
  var wide: Int64 = 0
  var maybe: Int?
  var counts: [Int] = []
  var isOpen = false
  var maybeOpen: Bool?
  var share = 0.0
  var maybeShare: Double?
  var shares: [Double] = []
  var inner: Ledger?
  var others: [Ledger] = []
  var byName: [String: Ledger] = [:]
  init() {}
}

@Archivable private final class SignedLedger: Ledger { var signature = "" }

@Archivable private final class Tray {
  var slot: Slot?
  var name = "n"
  init() {}
}

/// A class whose mapping makes the tray release the object.
@Archivable private final class Slot: ModelMapping {
  static nonisolated(unsafe) weak var tray: Tray?
  var label = String(["a label", " that is in memory", " of its own"].joined())
  init() {}

  static var mapping: JSONMapping {
    tray?.slot = nil
    return JSONMapping()
  }
}
