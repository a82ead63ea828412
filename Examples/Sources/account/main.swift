// A class with ten properties, once hand-written as for NSCoding and once with one line. Then the example
// shows what NSSecureCoding is used for: it restricts the classes that a file may build, and opens a
// damaged file, an old file, and a file whose class has another name.

import Arc
import Claims
import Foundation

@Archivable class Account {
  var token = ""
  var expiresIn: TimeInterval = 0
  var number = 0
  var created = Date(timeIntervalSince1970: 0)
  var name = ""
  var picture: URL?
  var about: String?
  var followers = 0
  var friends = 0
  var posts = 0
}

/// The hand-written class. Each of these twenty lines can have the wrong key or type, or can be missing.
final class AccountByHand: Archivable {
  let token, name: String
  let expiresIn: TimeInterval
  let number, followers, friends, posts: Int
  let created: Date
  let picture: URL?
  let about: String?

  init(from decoder: borrowing ObjectDecoder) throws {
    token = try decoder.decode(String.self, forKey: "token")
    expiresIn = try decoder.decode(TimeInterval.self, forKey: "expiresIn")
    number = try decoder.decode(Int.self, forKey: "number")
    created = try decoder.decode(Date.self, forKey: "created")
    name = try decoder.decode(String.self, forKey: "name")
    picture = try decoder.decode(URL?.self, forKey: "picture")
    about = try decoder.decode(String?.self, forKey: "about")
    followers = try decoder.decode(Int.self, forKey: "followers")
    friends = try decoder.decode(Int.self, forKey: "friends")
    posts = try decoder.decode(Int.self, forKey: "posts")
  }

  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(token, forKey: "token")
    try encoder.encode(expiresIn, forKey: "expiresIn")
    try encoder.encode(number, forKey: "number")
    try encoder.encode(created, forKey: "created")
    try encoder.encode(name, forKey: "name")
    try encoder.encode(picture, forKey: "picture")
    try encoder.encode(about, forKey: "about")
    try encoder.encode(followers, forKey: "followers")
    try encoder.encode(friends, forKey: "friends")
    try encoder.encode(posts, forKey: "posts")
  }

  func link(from decoder: borrowing ObjectDecoder) throws {}  // no references
}

/// A class that an untrusted file may contain.
@Archivable final class Intruder: Account { var orders = ["delete everything"] }

/// `Account` in the next release of the program.
@Archivable final class Customer {
  var name = ""
  @Key("follower_count", "followers") var followerCount = 0
  var language = "en"
}

func makeAccount() -> Account {
  let account = Account()
  (account.token, account.expiresIn, account.number) = ("2.00k", 86_400, 1_404_376_560)
  (account.name, account.picture) = ("张三", URL(string: "https://example.org/z3.png"))
  (account.followers, account.friends, account.posts) = (7, 18, 99)
  return account
}

/// Returns the error that `work` throws.
func error(of work: () throws -> Void) -> ArchiveError? {
  do { try work() } catch let error as ArchiveError { return error } catch {}
  return nil
}

example("Ten properties, by one line and by hand") {
  let bytes = try Archiver().archive(makeAccount())
  let account = try Unarchiver().unarchive(Account.self, from: bytes)
  let classes = ClassTable()
  try classes.register(AccountByHand.self, as: "Account")
  let byHand = try Unarchiver(classes: classes).unarchive(AccountByHand.self, from: bytes)
  print("  \(byHand.name), \(byHand.posts) posts, of \(bytes.count) bytes")
  claim("texts and links agree", account.name == byHand.name && account.picture == byHand.picture)
  claim("numbers and dates too", account.posts == byHand.posts && account.created == byHand.created)
  claim("nil is nil in both", account.about == nil && byHand.about == nil)
  let again = try Unarchiver().unarchive(AccountByHand.self, from: Archiver().archive(byHand))
  claim("and what is written by hand is read by hand", again.number == account.number)
}

example("Only classes that the program allows") {
  let classes = ClassTable(scope: .declared)
  try classes.register(Account.self)
  let unarchiver = Unarchiver(classes: classes, limits: .untrusted)
  let bytes = try Archiver().archive(makeAccount())
  claim("an account is read", try unarchiver.unarchive(Account.self, from: bytes).friends == 18)
  let hostile = try Archiver().archive(Intruder() as Account)
  let refusal = error { _ = try unarchiver.unarchive(Account.self, from: hostile) }
  print("  \(refusal?.description ?? "no error")")
  claim("an intruder is an error, and never built", refusal?.code == .unknownClass)
}

example("A damaged file is an error, not a crash") {
  var bytes = try Archiver().archive(makeAccount())
  bytes[bytes.count / 2] ^= 1
  let refusal = error { _ = try Unarchiver().unarchive(Account.self, from: bytes) }
  print("  \(refusal?.description ?? "no error")")
  claim("one bit is enough", refusal != nil)
}

example("A file of the last release, in which the class had another name") {
  let bytes = try Archiver().archive(makeAccount())
  let classes = ClassTable()
  try classes.register(Customer.self, formerly: "Account")
  let customer = try Unarchiver(classes: classes).unarchive(Customer.self, from: bytes)
  claim("a property that was renamed", customer.followerCount == 7)
  claim("a new one has its initial value, not nil", customer.language == "en")
}
