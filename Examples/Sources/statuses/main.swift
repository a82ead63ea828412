// Reads a timeline: statuses with users, repeated statuses, pictures and ads. This is the example of
// MJExtension with its options: nested keys, an index in a path, a rule for names, ignored properties,
// arrays at the root.

import Arc
import ArcFoundation
import ArcModel
import Claims
import Foundation

@Archivable final class Profile {
  @Key(json: "id_str", or: "id") var id = ""
  var displayName = ""
  @Key(json: "picture", or: "images[0].url") var picture: URL?
  var sex = Sex.unknown
  var isVerified = false
  @JSONRule(.omitted) var isMuted = false
}

@Archivable enum Sex: Int { case unknown, female, male }

@Archivable final class Status {
  var id: Int64 = 0
  var text = ""
  var user: Profile?
  @Key(json: "retweeted_status") var repeated: Status?
  @JSONFormat(.rfc1123) var createdAt: Date?
  var replyCount = 0
}

@Archivable final class Ad {
  var image = ""
  @Key(json: "ad.url") var link: URL?
}

@Archivable final class Timeline {
  var statuses: [Status] = []
  var ads: [Ad] = []
  var totalNumber = 0
  var cursors: [[Int]] = []
}

let text = """
  {
    "statuses": [
      {"id": "9007199254740993", "text": "Nice weather 🌤", "reply_count": "3",
       "created_at": "Fri, 21 Jul 2023 10:15:00 GMT",
       "user": {"id": 7, "display_name": "rosa", "sex": 1, "is_verified": "YES",
                "images": [{"url": "https://img.example/rosa.png"}, {"url": "https://img.example/2.png"}]}},
      {"id": 2, "text": "Go and see!", "user": {"id_str": "8", "display_name": "jack", "sex": 9},
       "retweeted_status": {"id": 3, "text": "A film", "user": {"id": 9, "display_name": "ming"}}}
    ],
    "ads": [
      {"image": "ad01.png", "ad": {"url": "https://shop.example/1"}},
      {"image": "ad02.png", "ad": null}
    ],
    "total_number": "2014",
    "cursors": [[1, 2], []]
  }
  """

let reader = ModelReader(.lenient, naming: .snakeCase)

example("A timeline") {
  let (timeline, issues) = try reader.readWithIssues(Timeline.self, from: text)
  for status in timeline.statuses {
    let repeated = status.repeated.map { ", repeats \($0.user?.displayName ?? ""): \($0.text)" } ?? ""
    print("  \(status.user?.displayName ?? ""): \(status.text)\(repeated)")
  }
  for issue in issues { print("  passed over: \(issue)") }
  let first = timeline.statuses[0]
  claim("a long number in a text, to the last digit", first.id == 9_007_199_254_740_993)
  claim("names by a rule", first.user?.displayName == "rosa" && timeline.totalNumber == 2014)
  claim("the first of an array", first.user?.picture?.lastPathComponent == "rosa.png")
  claim("words for true", first.user?.isVerified == true)
  claim("an unknown raw value leaves the initial one", timeline.statuses[1].user?.sex == .unknown)
  claim("a class inside of itself", timeline.statuses[1].repeated?.user?.id == "9")
  claim("a path that ends early is nil", timeline.ads.map { $0.link?.host } == ["shop.example", nil])
  claim("arrays of arrays", timeline.cursors == [[1, 2], []])
}

example("Arrays at the root, and some properties of each") {
  let users = try reader.read([Profile].self, from: #"[{"id": 1, "display_name": "a"}, {"id": 2}]"#)
  let written = try users.json(naming: .snakeCase, only: ["id", "displayName"])
  print("  \(written)")
  claim(
    "written by their first names",
    written == #"[{"id_str":"1","display_name":"a"},{"id_str":"2","display_name":""}]"#)
}

example("A dictionary, as a property list or JSONSerialization gives it") {
  let dictionary: [String: Any] = ["id": 5, "text": "hi", "user": ["id": 6, "display_name": "leo"]]
  let status = try reader.read(Status.self, from: dictionary)
  claim("is read as text is", status.id == 5 && status.user?.displayName == "leo")
}

example("Written and read again") {
  let timeline = try reader.read(Timeline.self, from: text)
  let written = try timeline.json(isPretty: true, naming: .snakeCase)
  print(written.split(separator: "\n").prefix(18).joined(separator: "\n") + "\n  …")
  let copy = try ModelReader(naming: .snakeCase).read(Timeline.self, from: written)
  claim("strictly, with nothing lost", try ObjectGraph.difference(between: timeline, and: copy) == nil)
}
