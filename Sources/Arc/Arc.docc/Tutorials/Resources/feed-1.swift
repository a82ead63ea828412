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
