import Arc
import ArcJSON
import ArcModel
import XCTest

/// Updates of existing objects from JSON.
final class ModelUpdatingTests: XCTestCase {
  private func account() -> Account {
    let account = Account(id: 7)
    account.name = "Ada"
    account.email = "a@b"
    account.address = Street(street: "s", city: "c")
    account.friends = [Account(id: 8)]
    return account
  }

  func testUpdateReportsRootOfADifferentClass() throws {
    let text = #"{"kind": "video", "title": "new", "seconds": 3}"#
    for references in [[], .marked, .identified] as [ModelReferences] {
      let post = UpdatedPost()
      XCTAssertThrowsError(try ModelReader(references: references).update(post, from: text)) { error in
        let issue = (error as? ModelReadingError)?.issues.first
        XCTAssertEqual(issue?.code, .refused)
        XCTAssertEqual(
          issue?.expected, "an object of class 'UpdatedPost', the class of the updated object", "\(error)")
      }
      XCTAssertEqual(post.title, "")
      let issues = try ModelReader(.lenient, references: references).update(post, from: text)
      XCTAssertEqual(issues.map(\.code), [.refused])
      XCTAssertEqual(post.title, "new")
      // The member that determines the class can be missing.
      try ModelReader(references: references).update(post, from: #"{"title": "newer"}"#)
      XCTAssertEqual(post.title, "newer")
      let video = UpdatedVideo()
      try ModelReader(references: references).update(video, from: text)
      XCTAssertEqual(video.seconds, 3)
    }
  }

  func testUpdateKeepsMissingMembersAndClearsNullMembers() throws {
    let account = account()
    try account.update(json: "{\"email\": null, \"level\": \"high\"}")
    XCTAssertEqual(account.name, "Ada")
    XCTAssertNil(account.email)
    XCTAssertEqual(account.level, .high)
    XCTAssertEqual(account.friends.map(\.id), [8])
    XCTAssertEqual(account.observed, [], "what is not in the text is not set")
    try account.update(json: "{\"data\": {\"motto\": \"m\"}}", at: "data")
    XCTAssertEqual(account.observed, ["m"])
  }

  func testNestedObjectIsUpdatedInPlace() throws {
    let account = account()
    let street = try XCTUnwrap(account.address)
    try account.update(json: "{\"address\": {\"city\": \"d\"}}")
    XCTAssertTrue(account.address === street)
    XCTAssertEqual(street.street, "s")
    XCTAssertEqual(street.city, "d")
    try account.update(json: "{\"address\": null}")
    XCTAssertNil(account.address)
    try account.update(json: "{\"address\": {\"city\": \"e\"}}")
    XCTAssertEqual(account.address?.street, "", "a new one")
  }

  func testUpdateReplacesCollectionsAndKeepsConstants() throws {
    let account = account()
    try account.update(json: "{\"id\": 7, \"friends\": [{\"id\": 9}, {\"id\": 10, \"name\": \"x\"}]}")
    XCTAssertEqual(account.id, 7)
    XCTAssertEqual(account.friends.map(\.id), [9, 10])
    XCTAssertEqual(account.friends.map(\.name), ["none", "x"])
  }

  func testFailedUpdateChangesNoObject() {
    let account = account()
    for text in [
      "{\"name\": \"x\", \"level\": \"highest\"}",
      "{\"name\": \"x\", \"address\": {\"city\": \"y\", \"street\": 1}}",
      "{\"address\": {\"city\": \"y\"}, \"name\": 5}", "{\"name\": \"x\", \"friends\": [{}]}", "[]", "7",
    ] {
      XCTAssertThrowsError(try account.update(json: text), text)
      XCTAssertEqual(account.name, "Ada", text)
      XCTAssertEqual(account.address?.city, "c", text)
      XCTAssertEqual(account.friends.map(\.id), [8], text)
    }
  }

  func testLenientUpdateDoesNotChangeUnreadableProperties() throws {
    let account = account()
    let issues = try ModelReader(.lenient).update(
      account,
      from: "{\"name\": [], \"email\": 5, \"level\": \"x\", \"address\": {\"street\": {}, \"city\": \"d\"}}")
    XCTAssertEqual(account.name, "Ada")
    XCTAssertEqual(account.email, "5")
    XCTAssertEqual(account.level, .low)
    XCTAssertEqual(account.address?.street, "s")
    XCTAssertEqual(account.address?.city, "d")
    XCTAssertEqual(issues.map(\.path), ["name", "level", "address.street"])
  }

  func testObjectThatRefusesItselfIsNotUpdated() throws {
    let invoice = Invoice(number: 3, lines: ["a"])
    XCTAssertThrowsError(try invoice.update(json: "{\"number\": -1, \"lines\": []}"))
    XCTAssertEqual(invoice.number, 3)
    XCTAssertEqual(invoice.lines, ["a"])
    try invoice.update(json: "{\"number\": 4}")
    XCTAssertEqual(invoice.number, 4)
  }

  func testSubclassObjectIsUpdatedThroughSuperclassReference() throws {
    let admin = AdminAccount(id: 1)
    let account: Account = admin
    try account.update(json: "{\"rights\": [\"all\"], \"name\": \"root\"}")
    XCTAssertEqual(admin.rights, ["all"])
    XCTAssertEqual(admin.name, "root")
  }
}

@Archivable private class UpdatedPost: JSONClassChoosing {
  var title = ""
  init() {}

  class func modelClass(for json: JSONNode, in context: ArchiveContext) throws -> (any Archivable.Type)? {
    switch json["kind"]?.string {
    case "video": UpdatedVideo.self
    case "post": UpdatedPost.self
    default: throw UnknownPost()
    }
  }
}

@Archivable private final class UpdatedVideo: UpdatedPost { var seconds = 0 }

private struct UnknownPost: Error {}
