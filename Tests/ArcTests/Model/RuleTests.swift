import ArcMemory
import ArcTestSupport
import XCTest

@testable import Arc

/// Rules of the Spec that only a program with classes can break and that other test cases do not cover.
final class RuleTests: XCTestCase {
  /// [E5]
  func testNamesThatReadersWouldMisreadAreRefused() {
    assertThrows(.nameConflict, "which a reader would misread") { try Archiver().archive(Quoted()) }
  }

  /// [G8]
  func testWeakReferenceNeededForConstructionIsRefused() {
    assertThrows(.notArchivable, "weak reference") { try Archiver().archive(Forgetful()) }
  }

  /// [W2]: the properties of a class without a schema, between two archivable classes, would be lost.
  func testUnarchivableIntermediateClassWithPropertiesIsRefused() throws {
    // Without knowledge of the runtime's layout, Arc cannot detect that the class has fields.
    if RuntimeLayout.isTrusted {
      assertThrows(.notArchivable, "'Middle' without a schema") { try Archiver().archive(Lineage.Lowest()) }
    }
    let empty = Lineage.Below()
    empty.number = 3
    let copy = try reread(empty, as: Lineage.Below.self)
    XCTAssertEqual(copy.number, 3, "one without properties has nothing to lose")
  }

  /// [W3]
  func testTwoClassesWithOneNameAreRefused() {
    assertThrows(.nameConflict, "'Twin'") {
      try Archiver().archive([Twins.First(), Twins.Second()] as [Twins.Parent])
    }
    assertThrows(.nameConflict, "'NSString'") { try Archiver().archive(Twins.Value()) }
  }

  /// [M5]
  func testTwoCharacterStringIsRefusedAsCharacter() throws {
    let bytes = try Archiver().archive("ab")
    XCTAssertEqual(try Unarchiver().unarchive(String.self, from: bytes), "ab")
    assertThrows(.valueOutOfRange) { try Unarchiver().unarchive(Character.self, from: bytes) }
  }

  /// [M6]
  func testCaseUnknownToTheProgramIsAnError() throws {
    XCTAssertEqual(try reread("red", as: Color.self), .red)
    assertThrows(.unknownCase) { try reread("x", as: Color.self) }
  }
}

/// A structure whose name ends its own encoding.
@Archivable("a}\"b") private struct Strange { var number = 1 }

@Archivable private final class Quoted { var strange = Strange() }

@Archivable private struct Hint { weak var person: Person? }

@Archivable private final class Forgetful {
  let hint: Hint
  init() { hint = Hint(person: nil) }
}

private enum Twins {
  @Archivable class Parent {}
  @Archivable("Twin") final class First: Parent {}
  @Archivable("Twin") final class Second: Parent {}
  @Archivable("NSString") final class Value {}
}

private enum Lineage {
  @Archivable("Lineage.Top") class Top {
    var top = 1
    init() {}
  }

  class Middle: Top { var middle = 2 }

  @Archivable("Lineage.Lowest") final class Lowest: Middle {
    var low = 3
    override init() { super.init() }
  }

  class Empty: Top {}

  @Archivable("Lineage.Below") final class Below: Empty {
    var number = 1
    override init() { super.init() }
  }
}
