import Arc
import ArcModel
import XCTest

/// Objects as values: copies, merging, equality and description.
final class ModelObjectTests: XCTestCase {
  func testCopyIsShallowAndOfTheSameClass() throws {
    let admin = AdminAccount(id: 5)
    admin.rights = ["a"]
    admin.friends = [Account(id: 6), admin]
    admin.address = Street(street: "s")
    let chief = Account(id: 9)
    admin.chief = chief
    let copy = try (admin as Account).copied()
    XCTAssertFalse(copy === admin)
    XCTAssertEqual((copy as? AdminAccount)?.rights, ["a"])
    XCTAssertEqual(copy.id, 5)
    XCTAssertTrue(copy.friends[0] === admin.friends[0])
    XCTAssertTrue(copy.friends[1] === copy)
    XCTAssertTrue(copy.address === admin.address)
    XCTAssertTrue(copy.chief === chief)
  }

  func testMergeTakesWhatIsChosen() throws {
    let (mine, theirs) = (Account(id: 1), Account(id: 2))
    (mine.name, theirs.name) = ("a", "b")
    (mine.email, theirs.email) = ("x", nil)
    (mine.motto, theirs.motto) = ("m", "t")
    var keys: [String] = []
    try mine.merge(theirs) { key, mine, theirs in
      keys.append(key)
      switch key {
      case "name": return .theirs
      case "motto": return .value("\(mine ?? "")\(theirs ?? "")")
      case "email": return theirs == nil ? .theirs : .mine
      default: return .mine
      }
    }
    XCTAssertEqual(mine.name, "b")
    XCTAssertEqual(mine.motto, "mt")
    XCTAssertNil(mine.email)
    XCTAssertEqual(mine.id, 1)
    XCTAssertEqual(
      keys, ["name", "email", "address", "friends", "level", "chief", "changeCount", "motto"])
  }

  func testMergeThatFailsChangesNothing() {
    let (mine, theirs) = (Account(id: 1), Account(id: 2))
    theirs.name = "b"
    XCTAssertThrowsError(
      try mine.merge(theirs) { key, _, _ in key == "motto" ? .value(5) : .theirs }
    ) { XCTAssertTrue($0 is KeyAccessError, "\($0)") }
    XCTAssertEqual(mine.name, "none")
  }

  func testObjectsAreEqualByWhatTheyContain() {
    let (first, second) = (Account(id: 1), Account(id: 1))
    XCTAssertEqual(first, second)
    XCTAssertEqual(Set([first, second]).count, 1)
    second.friends = [Account(id: 2)]
    XCTAssertNotEqual(first, second)
    first.friends = [Account(id: 2)]
    XCTAssertEqual(first, second)
    XCTAssertEqual(first.hashValue, second.hashValue)
    first.friends.append(first)
    XCTAssertNotEqual(first, second)
    second.friends.append(second)
    XCTAssertEqual(first, second, "a cycle ends")
    XCTAssertNotEqual(first, AdminAccount(id: 1))
  }

  func testIdentityAloneCountsWhereThereIsOne() {
    XCTAssertEqual(Invoice(number: 1, lines: ["a"]), Invoice(number: 1))
    XCTAssertNotEqual(Invoice(number: 1), Invoice(number: 2))
    XCTAssertEqual(Set([Invoice(number: 1), Invoice(number: 1), Invoice(number: 2)]).count, 2)
  }

  func testDescriptionNamesEachObjectOnce() {
    let account = Account(id: 7)
    account.email = "a\u{1B}[31m\""
    account.friends = [AdminAccount(id: 8), account]
    XCTAssertEqual(
      account.modelDescription,
      """
      ModelObjectUser #1 { id: 7, name: "none", email: "a\\u{1B}[31m\\"", address: nil, friends: \
      [ModelObjectAdmin #2 { rights: [], id: 8, name: "none", email: nil, address: nil, friends: [], \
      level: "low", chief: nil, changeCount: 0, motto: "" }, ModelObjectUser #1], level: "low", chief: nil, \
      changeCount: 0, motto: "" }
      """)
  }

  func testDescriptionOfAVeryDeepOrLargeGraphEnds() {
    let first = Account(id: 0)
    var last = first
    for id in 1...5000 {
      let next = Account(id: id)
      last.friends = [next]
      last = next
    }
    XCTAssertTrue(first.modelDescription.contains("…"))
    let large = Account(id: 0)
    large.friends = (1...5000).map(Account.init)
    XCTAssertTrue(large.modelDescription.hasSuffix("motto: \"\" }"))
    XCTAssertLessThan(large.modelDescription.utf8.count, 300_000)
  }
}
