import Arc
import ArcFormat
import ArcTestSupport
import XCTest

@Archivable class TwinBase { var next: TwinBase? }
protocol TwinProtocol {}
@Archivable private final class TwinHolder { var value: (any TwinProtocol)? }

/// Private types with one name in two files of a program.
final class PrivateNameTests: XCTestCase {
  func testPrivateTypesWithEqualNamesAreRefused() throws {
    let both = PrivateNamesA.twin()
    both.next = PrivateNamesB.twin()
    for object in [PrivateNamesA.twin(), PrivateNamesB.twin(), both] {
      assertThrows(.nameConflict, "@Archivable(\"…\")") { try Archiver().archive(object) }
      assertThrows(.nameConflict, "@Archivable(\"…\")") { try Archiver().archive([object]) }
      // A reused encoder also reports the conflict.
      assertThrows(.nameConflict, "@Archivable(\"…\")") { try Archiver().archive(object) }
    }
    for value in [PrivateNamesA.value(), PrivateNamesB.value()] {
      let holder = TwinHolder()
      holder.value = value
      assertThrows(.nameConflict, "@Archivable(\"…\")") { try Archiver().archive(holder) }
    }
  }

  func testPrivateTypesWithDistinctNamesAreRead() throws {
    let both = PrivateNamesA.named()
    both.next = PrivateNamesB.named()
    let copy = try reread(both, as: TwinBase.self)
    XCTAssertEqual(PrivateNamesA.text(copy), "A")
    XCTAssertEqual(copy.next.flatMap(PrivateNamesB.text), "B")
  }

  func testPrivateTypesWithExplicitNamesAreRead() throws {
    XCTAssertEqual(try PrivateNamesA.apart(), "A")
    XCTAssertEqual(try PrivateNamesB.apart(), "B")
  }

  func testPrivateTypesWithEqualNamesAreCopied() throws {
    let both = PrivateNamesA.twin()
    let copy = try ObjectGraph.copy(both)
    XCTAssertTrue(try ObjectGraph.isIsomorphic(both, copy))
  }
}
