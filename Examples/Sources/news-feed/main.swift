// Reads a feed as servers really send it: entries of several kinds, some of them broken. A lenient
// reading returns all valid entries and a list of issues; a strict reading of the same classes stops at
// the first issue. JSONDecoder rejects the whole feed because one number is a string.

import Arc
import ArcJSON
import ArcModel
import Claims
import Foundation

@Archivable class Entry: JSONClassChoosing {
  @JSONRule(.required) var id = 0
  @Key(json: "title.rendered", or: "title", "headline") var title = "Untitled"
  @JSONFormat(.iso8601) var published: Date?
  var tags: [String] = []

  class func modelClass(for object: JSONNode) -> (any Archivable.Type)? {
    switch object["kind"]?.string {
    case "article": Article.self
    case "video": Video.self
    default: nil
    }
  }
}

@Archivable final class Article: Entry {
  var words = 0
  @JSONFormat(.tagged(by: "type")) var blocks: [Block] = []
}

@Archivable final class Video: Entry {
  var seconds = 0.0
  var poster: URL?
}

@Archivable enum Block: Equatable {
  case paragraph(text: String)
  case image(url: URL, width: Int?)
  case rule
}

let text = """
  {"status": "ok", "feed": {"entries": [
    {"kind": "article", "id": 1, "title": {"rendered": "Rain"}, "published": "2024-05-01T06:00:00Z", "words": "420",
     "blocks": [{"type": "paragraph", "text": "It rained."}, {"type": "carousel", "count": 3}, {"type": "rule"},
                {"type": "image", "url": "https://img.example/rain.png"}]},
    {"kind": "video", "id": 2, "headline": "Flood", "published": "yesterday", "seconds": "12.5", "tags": ["a", null, 7]},
    {"kind": "podcast", "id": 3, "title": "Weather talk"},
    {"kind": "article", "title": "Without a number"},
    null,
    {"kind": "video", "id": "4", "title": null, "poster": "", "tags": "none"}
  ]}}
  """

example("A tolerant reader") {
  let reader = ModelReader(.lenient)
  let (entries, issues) = try reader.readWithIssues([Entry].self, from: text, at: "feed.entries")
  for entry in entries { print("  \(type(of: entry)) \(entry.id): \(entry.title)") }
  print("  passed over:")
  for issue in issues { print("    line \(issue.line): \(issue)") }
  claim("four entries of six can be shown", entries.map(\.id) == [1, 2, 3, 4])
  claim("each of the class that its text says", entries[0] is Article && entries[1] is Video)
  let article = entries[0] as? Article
  claim("numbers in text are numbers", article?.words == 420 && (entries[1] as? Video)?.seconds == 12.5)
  claim("what cannot be a date is nil", entries[1].published == nil)
  claim("what cannot be an element is left out", entries[1].tags == ["a", "7"])
  claim("a block of a kind that is new is left out", article?.blocks.count == 3)
  claim("all of it is told", issues.count >= 6)
}

example("A strict reader of the same classes") {
  do {
    _ = try [Entry](json: text, at: "feed.entries")
    claim("there is something wrong", false)
  } catch let error as ModelReadingError {
    print("  \(error)")
    claim("ends at the first, and says where", error.issues.map(\.path) == ["feed.entries[0].words"])
  }
}

example("Written again") {
  let entries = try ModelReader(.lenient).read([Entry].self, from: text, at: "feed.entries")
  let article = try entries[0].json()
  print("  \(article)")
  claim("a case by its tag", article.contains(#"{"type":"paragraph","text":"It rained."}"#))
  claim("a strict reader takes it", try Article(json: article).blocks.first == .paragraph(text: "It rained."))
}
