import ArcMemory
import XCTest

final class ExclusivityCheckTests: XCTestCase {
  private final class Holder {
    var text = "a text that is changed"
    var other = 1
  }

  private func isNeeded(amidChanging value: inout some Any) -> Bool { ExclusivityCheck.now().isNeeded }

  func testFieldsNeedNoExclusivityCheckWithoutAccess() {
    XCTAssertEqual(ExclusivityCheck.now().isNeeded, !RuntimeLayout.isTrusted)
  }

  func testFieldsNeedExclusivityCheckDuringPropertyAccess() {
    let holder = Holder()
    XCTAssertTrue(isNeeded(amidChanging: &holder.text))
    var isWithin = false
    func outer(_ number: inout Int) { isWithin = isNeeded(amidChanging: &holder.text) }
    outer(&holder.other)
    XCTAssertTrue(isWithin)
  }

  func testFieldsNeedNoExclusivityCheckAfterAccess() {
    let holder = Holder()
    holder.text.append("!")
    XCTAssertTrue(isNeeded(amidChanging: &holder.other))
    XCTAssertEqual(ExclusivityCheck.now().isNeeded, !RuntimeLayout.isTrusted)
  }
}
