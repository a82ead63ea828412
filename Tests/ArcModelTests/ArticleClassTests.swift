import Arc
import ArcJSON
import ArcModel
import Foundation
import XCTest

/// The account of the second article with its ten fields and hand-written coding.
final class ArticleAccountByHand: Archivable {
  let accessToken: String
  let expiresIn: Int
  let uid: String
  let created: Date
  var name: String
  var avatar: String?
  var synopsis: String?
  var followersCount: Int
  var friendsCount: Int
  var statusesCount: Int

  init(from decoder: borrowing ObjectDecoder) throws {
    accessToken = try decoder.decode(String.self, forKey: "access_token")
    expiresIn = try decoder.decode(Int.self, forKey: "expires_in")
    uid = try decoder.decode(String.self, forKey: "uid")
    created = try decoder.decode(Date.self, forKey: "create_Time")
    name = try decoder.decode(String.self, forKey: "name")
    avatar = try decoder.decode(String?.self, forKey: "avatar_hd")
    synopsis = try decoder.decode(String?.self, forKey: "synopsis")
    followersCount = try decoder.decode(Int.self, forKey: "followers_count")
    friendsCount = try decoder.decode(Int.self, forKey: "friends_count")
    statusesCount = try decoder.decode(Int.self, forKey: "statuses_count")
  }

  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(accessToken, forKey: "access_token")
    try encoder.encode(expiresIn, forKey: "expires_in")
    try encoder.encode(uid, forKey: "uid")
    try encoder.encode(created, forKey: "create_Time")
    try encoder.encode(name, forKey: "name")
    try encoder.encode(avatar, forKey: "avatar_hd")
    try encoder.encode(synopsis, forKey: "synopsis")
    try encoder.encode(followersCount, forKey: "followers_count")
    try encoder.encode(friendsCount, forKey: "friends_count")
    try encoder.encode(statusesCount, forKey: "statuses_count")
  }

  func link(from decoder: borrowing ObjectDecoder) throws {}
}

/// The same account with `@Archivable`, in one line.
@Archivable final class ArticleAccount {
  var access_token = ""
  var expires_in = 0
  var uid = ""
  var create_Time = Date(timeIntervalSinceReferenceDate: 0)
  var name = ""
  var avatar_hd: String?
  var synopsis: String?
  var followers_count = 0
  var friends_count = 0
  var statuses_count = 0
  init() {}
}

/// One class that is archived, read from JSON, written as JSON, compared and copied.
@Archivable("ArticleEverything") final class ArticleEverything: ModelEquatable {
  var name = ""
  var count: Int?
  var title = "字\n🙂"
  var parts: [ArticleEverything] = []
  @Transient var cache = 0
  init() {}
}

/// One class has all the abilities that the articles name.
final class ArticleClassTests: XCTestCase {
  func testHandWrittenAndMacroClassesHaveInterchangeableArchives() throws {
    let account = ArticleAccount()
    (account.access_token, account.expires_in, account.uid) = ("2.00", 157_679_999, "5365823342")
    (account.name, account.synopsis, account.followers_count) = ("小明", "line\nline", 7)
    (account.friends_count, account.statuses_count, account.avatar_hd) = (8, 9, "a.png")
    let byHand = try Unarchiver(classes: Self.classes(for: ArticleAccountByHand.self)).unarchive(
      ArticleAccountByHand.self, from: Archiver().archive(account))
    XCTAssertEqual(byHand.accessToken, account.access_token)
    XCTAssertEqual(byHand.expiresIn, account.expires_in)
    XCTAssertEqual(byHand.uid, account.uid)
    XCTAssertEqual(byHand.created, account.create_Time)
    XCTAssertEqual(byHand.name, account.name)
    XCTAssertEqual(byHand.avatar, account.avatar_hd)
    XCTAssertEqual(byHand.synopsis, account.synopsis)
    XCTAssertEqual(byHand.followersCount, account.followers_count)
    XCTAssertEqual(byHand.friendsCount, account.friends_count)
    XCTAssertEqual(byHand.statusesCount, account.statuses_count)
    let back = try Unarchiver(classes: Self.classes(for: ArticleAccount.self)).unarchive(
      ArticleAccount.self, from: Archiver().archive(byHand))
    XCTAssertEqual(try back.json(), try account.json())
  }

  /// Returns a table in which `type` is registered under the name of the other class.
  private static func classes(for type: any Archivable.Type) throws -> ClassTable {
    let classes = ClassTable(scope: .declared)
    try classes.register(
      type, formerly: type == ArticleAccount.self ? "ArticleAccountByHand" : "ArticleAccount")
    return classes
  }

  func testOneAttributeGivesAClassEveryFeature() throws {
    let object = ArticleEverything()
    object.parts = [ArticleEverything()]
    try object.setValue("中文", forKey: "name")
    XCTAssertEqual(try object.value(forKey: "name") as? String, "中文")
    XCTAssertEqual(
      ArticleEverything.archiveSchema.properties.map(\.name), ["name", "count", "title", "parts"])
    let archived = try Unarchiver(limits: .untrusted).unarchive(
      ArticleEverything.self, from: Archiver().archive(object))
    XCTAssertEqual(archived, object)
    let text = try object.json()
    let read = try ArticleEverything(json: text)
    XCTAssertEqual(read, object)
    XCTAssertEqual(read.hashValue, object.hashValue)
    let copy = try object.shallowCopy()
    XCTAssertEqual(copy, object)
    XCTAssertTrue(copy.parts[0] === object.parts[0] && copy !== object)
    XCTAssertTrue(object.modelDescription.hasPrefix("ArticleEverything #1 { "), object.modelDescription)
    try copy.update(json: #"{"title": "新"}"#)
    XCTAssertNotEqual(copy, object)
  }

  func testTransientPropertiesDoNotAffectEquality() {
    let (left, right) = (ArticleEverything(), ArticleEverything())
    (left.cache, right.cache) = (1, 2)
    XCTAssertEqual(left, right)
    XCTAssertEqual(left.hashValue, right.hashValue)
    right.count = 1
    XCTAssertNotEqual(left, right)
  }
}
