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
  @Key(json: "answers") @JSON(.readOnly) var answeredID: Int?
  @Key(json: "author") var authorName = ""
  @JSON(.omitted) var author: Author?
  @JSON(.omitted) var answers: Post?
  @JSON(.omitted) var answeredBy: [Post] = []

  init(id: Int) { self.id = id }
}
