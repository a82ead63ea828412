import Arc
import ArcModel
import XCTest

/// Objects whose members are read right from their memory are written as by rows, which a writer takes
/// that marks references.
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
    return ledger
  }

  func testEachKindOfMemberIsWrittenAsByRows() throws {
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

  func testErrorsHaveTheWayToTheValue() {
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
  init() {}
}

@Archivable private final class SignedLedger: Ledger { var signature = "" }
