// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import Foundation

@Archivable("ArticlePoster") final class Poster {
  var title = ""
  var panels: [Panel] = []
}

@Archivable("ArticlePanel") final class Panel { var width = 1.0 }

/// The same classes in a later version.
enum LaterPosters {
  @Archivable("ArticlePoster") final class Poster {
    var title = ""
    var panels: [Panel] = []
    var printer: [String]? = ["A3"]
    init() {}
  }
  @Archivable("ArticlePanel") class Panel {
    var width = 1.0
    init() {}
  }
  @Archivable("ArticleFilm") final class Film: Panel { var frames = [1, 2] }
}

// The article shows the following lines.

let unknown = PreservedContent()                                     // one for all documents of the program

func rename(_ url: URL, to title: String) throws {
  let unarchiver = Unarchiver(unknownContent: .preserve(in: unknown))  // .preserve(in: unknown, substituting: Panel.self) shows them
  let poster = try unarchiver.read(Poster.self, from: url)
  poster.title = title
  try Archiver(preserving: unknown).write(poster, to: url)            // with all that the program does not know
}

func duplicate(_ poster: Poster) throws -> Poster {                // a copy with all that the program does not know
  let bytes = try Archiver(preserving: unknown).archive(poster)
  return try Unarchiver(unknownContent: .preserve(in: unknown)).unarchive(Poster.self, from: bytes)
}
