import Arc
import ArcModel
import XCTest

/// Copying, merging, equality and description of model objects.
final class ModelObjectTests: XCTestCase {
  func testCopyIsShallowAndPreservesTheClass() throws {
    let admin = AdminAccount(id: 5)
    admin.rights = ["a"]
    admin.friends = [Account(id: 6), admin]
    admin.address = Street(street: "s")
    let chief = Account(id: 9)
    admin.chief = chief
    let copy = try (admin as Account).shallowCopy()
    XCTAssertFalse(copy === admin)
    XCTAssertEqual((copy as? AdminAccount)?.rights, ["a"])
    XCTAssertEqual(copy.id, 5)
    XCTAssertTrue(copy.friends[0] === admin.friends[0])
    XCTAssertTrue(copy.friends[1] === copy)
    XCTAssertTrue(copy.address === admin.address)
    XCTAssertTrue(copy.chief === chief)
  }

  func testMergeCopiesTheChosenProperties() throws {
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

  func testFailedMergeChangesNothing() {
    let (mine, theirs) = (Account(id: 1), Account(id: 2))
    theirs.name = "b"
    XCTAssertThrowsError(
      try mine.merge(theirs) { key, _, _ in key == "motto" ? .value(5) : .theirs }
    ) { XCTAssertTrue($0 is KeyAccessError, "\($0)") }
    XCTAssertEqual(mine.name, "none")
  }

  func testObjectsWithEqualContentsAreEqual() {
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

  func testEqualityUsesOnlyTheDeclaredIdentity() {
    XCTAssertEqual(Invoice(number: 1, lines: ["a"]), Invoice(number: 1))
    XCTAssertNotEqual(Invoice(number: 1), Invoice(number: 2))
    XCTAssertEqual(Set([Invoice(number: 1), Invoice(number: 1), Invoice(number: 2)]).count, 2)
  }

  func testDescriptionShowsEachObjectOnce() {
    let account = Account(id: 7)
    account.email = "a\u{1B}[31m\"\u{202E}\u{2028}\u{9B}"
    account.friends = [AdminAccount(id: 8), account]
    XCTAssertEqual(
      account.modelDescription,
      """
      ModelObjectUser #1 { id: 7, name: "none", email: "a\\u{1B}[31m\\"\\u{202E}\\u{2028}\\u{9B}", \
      address: nil, friends: [ModelObjectAdmin #2 { rights: [], id: 8, name: "none", email: nil, \
      address: nil, friends: [], level: "low", chief: nil, changeCount: 0, motto: "" }, ModelObjectUser #1], \
      level: "low", chief: nil, changeCount: 0, motto: "" }
      """)
  }

  func testDescriptionStopsAtTheRequestedDepth() {
    let account = Account(id: 7)
    account.friends = [Account(id: 8)]
    func described(_ name: String, friends: String) -> String {
      "\(name) { id: 7, name: \"none\", email: nil, address: nil, friends: \(friends), level: \"low\", "
        + "chief: nil, changeCount: 0, motto: \"\" }"
    }
    XCTAssertEqual(account.modelDescription(depth: 0), "ModelObjectUser #1 { … }")
    XCTAssertEqual(account.modelDescription(depth: -1), "ModelObjectUser #1 { … }")
    XCTAssertEqual(account.modelDescription(depth: 1), described("ModelObjectUser #1", friends: "[…]"))
    XCTAssertEqual(
      account.modelDescription(depth: 2),
      described("ModelObjectUser #1", friends: "[ModelObjectUser #2 { … }]"))
    XCTAssertEqual(account.modelDescription(depth: .max), account.modelDescription)
  }

  func testMirrorShowsTheArchivedProperties() {
    let account = AdminAccount(id: 8)
    account.friends = [account]
    let children = account.modelMirror.children
    XCTAssertEqual(
      children.map(\.label),
      ["id", "name", "email", "address", "friends", "level", "chief", "changeCount", "motto", "rights"])
    XCTAssertEqual(children.first?.value as? Int, 8)
    XCTAssertEqual("\(children.map(\.value)[2])", "nil")
    XCTAssertTrue(children.first.map { type(of: $0.value) } == Int.self, "not an optional one")
    XCTAssertNil(account.modelMirror.superclassMirror)
    var dumped = ""
    dump(Dumped(account), to: &dumped)
    XCTAssertTrue(dumped.contains("- id: 8"), dumped)
    XCTAssertFalse(dumped.contains("secret"), "what is not archived is not shown")
    account.friends = []
  }

  func testValuesSetByPathAreConvertedOnRequest() throws {
    let account = Account(id: 7)
    account.friends = [Account(id: 8)]
    let lenient = ModelReader(.lenient)
    try account.setValue("12", forKeyPath: "friends[0].changeCount", convertedBy: lenient)
    try account.setValue(5, forKeyPath: "friends.name", convertedBy: lenient)
    try account.setValue("same", forKeyPath: "name", convertedBy: lenient)
    try account.setValue(nil, forKeyPath: "email", convertedBy: lenient)
    XCTAssertEqual(account.friends[0].changeCount, 12)
    XCTAssertEqual(account.friends[0].name, "5")
    XCTAssertEqual(account.name, "same")
    XCTAssertNil(account.email)
    XCTAssertEqual(
      try account.value(forKeyPath: "friends[0].name", as: Int.self, convertedBy: lenient), 5)
    XCTAssertEqual(try account.value(forKeyPath: "id", as: String.self, convertedBy: lenient), "7")
    account.friends.append(Account(id: 9))
    XCTAssertEqual(
      try account.value(forKeyPath: "friends.id", as: [String].self, convertedBy: lenient), ["8", "9"])
    XCTAssertThrowsError(
      try account.setValue(Street(), forKeyPath: "chief", convertedBy: lenient), "no objects are made")
    XCTAssertThrowsError(try account.setValue("3x", forKeyPath: "changeCount", convertedBy: lenient)) {
      XCTAssertTrue("\($0)".contains("\"3x\""), "\($0)")
    }
    for (path, value, reader) in [
      ("changeCount", "soon" as Any, lenient), ("changeCount", "12", ModelReader()),
      ("changeCount", 1.5, lenient),
      ("changeCount", NoValue(), lenient),
    ] {
      XCTAssertThrowsError(try account.setValue(value, forKeyPath: path, convertedBy: reader)) {
        let error = $0 as? KeyAccessError
        XCTAssertEqual(error?.code, .typeMismatch)
        XCTAssertEqual(error?.key, "changeCount")
      }
    }
    XCTAssertThrowsError(
      try account.value(forKeyPath: "friends.name", as: [Bool].self, convertedBy: lenient),
      "an element that is not converted is not left out")
    XCTAssertEqual(account.changeCount, 0)
  }

  func testDescriptionOfDeepOrLargeGraphIsTruncated() {
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

private struct NoValue {}

private final class Dumped: CustomReflectable {
  private let account: Account
  private let secret = "secret"

  init(_ account: Account) { self.account = account }
  var customMirror: Mirror { account.modelMirror }
}
