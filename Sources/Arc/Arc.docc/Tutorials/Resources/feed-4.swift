import Arc
import ArcModel
import Claims
import Foundation

@Archivable final class Author {
  var name = ""
  weak var latest: Post?
}

@Archivable final class Post {
  let id: Int
  var title = ""
  @Key(json: "answers") @JSONRule(.readOnly) var answeredID: Int?
  @Key(json: "author") var authorName = ""
  @JSONRule(.omitted) var author: Author?
  @JSONRule(.omitted) var answers: Post?
  @JSONRule(.omitted) var answeredBy: [Post] = []

  init(id: Int) { self.id = id }
}

@Archivable final class Feed {
  var posts: [Post] = []
  @JSONRule(.omitted) var authors: [String: Author] = [:]
  @JSONRule(.omitted) var saved: Date?

  /// Creates one author per name, and links each post to the post that it answers.
  func join() {
    let byID = Dictionary(posts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for post in posts {
      let author = authors[post.authorName] ?? Author()
      (author.name, author.latest) = (post.authorName, post)
      (authors[post.authorName], post.author) = (author, author)
      post.answers = post.answeredID.flatMap { byID[$0] }
      post.answers?.answeredBy.append(post)
    }
  }
}

let text = """
  {"posts": [
    {"id": 1, "title": "Hello", "author": "ada"},
    {"id": 2, "title": "Hello yourself", "author": "bob", "answers": 1},
    {"id": 3, "title": "Who is there?", "author": "ada", "answers": 2},
    {"id": 4, "title": "Nobody", "author": "bob", "answers": 9}
  ]}
  """

func makeFeed() throws -> Feed {
  let feed = try Feed(json: text)
  feed.join()
  feed.saved = Date(timeIntervalSince1970: 1_700_000_000)
  return feed
}

example("A parsed feed, archived") {
  let feed = try makeFeed()
  try withTemporaryFile(named: "feed.arc") { url in
    try Archiver(compression: .zlib).write(feed, to: url)
    let copy = try Unarchiver().read(Feed.self, from: url)
    for post in copy.posts {
      let answer = post.answers.map { " answers \($0.author?.name ?? "")" } ?? ""
      print("  \(post.author?.name ?? "")\(answer): \(post.title)")
    }
    claim("the same graph", try ObjectGraph.isIsomorphic(feed, copy))
    claim("one author of two posts is one object", copy.posts[0].author === copy.posts[2].author)
    claim("cycles hold", copy.posts[1].answers?.answeredBy.first === copy.posts[1])
    claim("weak links too", copy.authors["ada"]?.latest === copy.posts[2])
  }
}
