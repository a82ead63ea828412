import Arc
import ArcModel
import Foundation

/// All data of an issue tracker, from all pages of its web API.
@Archivable final class Tracker {
  var generated: Date?
  var users: [User] = []
  var repositories: [Repository] = []

  /// Replaces each login with the object of the user.
  ///
  /// - Returns: the number of logins.
  func join() -> Int {
    let known = Dictionary(users.map { ($0.login, $0) }, uniquingKeysWith: { first, _ in first })
    var count = 0
    for issue in repositories.lazy.flatMap(\.issues) {
      issue.author = known[issue.authorLogin]
      issue.author?.reported.append(issue)
      for comment in issue.comments { comment.author = known[comment.authorLogin] }
      count += 1 + issue.comments.count
    }
    return count
  }
}

@Archivable final class User {
  let id: Int
  let login: String
  var name: String?
  var score: Double?
  @JSONRule(.omitted) var reported: [Issue] = []

  init(id: Int, login: String) { (self.id, self.login) = (id, login) }
}

@Archivable final class Repository {
  @Key(json: "full_name") var name = ""
  var topics: Set<String> = []
  var issues: [Issue] = []
}

@Archivable enum State: String { case open, closed }

@Archivable final class Issue {
  var number = 0
  var title = ""
  var body: String?
  var state = State.open
  var labels: [Label] = []
  var created: Date?
  var comments: [Comment] = []
  @Key(json: "user.login") var authorLogin = ""
  @JSONRule(.omitted) weak var author: User?
}

@Archivable struct Label: Equatable {
  var name: String
  var color: UInt32
}

@Archivable final class Comment {
  var id: Int64 = 0
  var body = ""
  var created: Date?
  var reactions: [String: Int] = [:]
  @Key(json: "user.login") var authorLogin = ""
  @JSONRule(.omitted) weak var author: User?
}
