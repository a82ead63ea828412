import ArcJSON
import Claims

/// A JSON text like the results of a tracker's web API. The text is equal in each run.
struct TrackerDump: ~Copyable {
  private var json = JSONWriter()
  private var random = RepeatableRandom(seed: 2_026)
  private var nextComment: Int64 = 9_007_199_254_740_993  // more digits than a Double has

  private let words = """
    archive batch crash delay error fix graph héllo index json key link merge node object parse query read save \
    table undo value write zip 起床 🙂 "quoted" back\\slash
    """.split(separator: " ")

  /// Creates the JSON text of `repositoryCount` repositories. 40 repositories are about 12 MB.
  static func make(repositoryCount: Int) -> [UInt8] {
    var dump = TrackerDump()
    dump.write(repositoryCount: repositoryCount)
    return dump.json.bytes
  }

  private mutating func write(repositoryCount: Int) {
    json.beginObject()
    string("generated", "2026-01-31T12:00:00Z")
    json.key("users")
    json.beginArray()
    for id in 0..<2_000 {
      json.beginObject()
      integer("id", id)
      string("login", "user\(id)")
      if id % 3 == 0 { string("name", sentence(2)) }
      json.key("score")
      if id % 5 == 0 { json.null() } else { json.number(Double(random.number(below: 100_000)) / 1000) }
      json.end()
    }
    json.end()
    json.key("repositories")
    json.beginArray()
    for number in 0..<repositoryCount { writeRepository(number) }
    json.end()
    json.end()
  }

  private mutating func writeRepository(_ number: Int) {
    json.beginObject()
    string("full_name", "group\(number % 7)/project\(number)")
    json.key("topics")
    json.beginArray()
    for topic in ["swift", "topic\(number)"] { json.string(topic) }
    json.end()
    json.key("issues")
    json.beginArray()
    for number in 1...300 { writeIssue(number) }
    json.end()
    json.end()
  }

  private mutating func writeIssue(_ number: Int) {
    json.beginObject()
    integer("number", number)
    string("title", sentence(6))
    if number % 4 > 0 { string("body", sentence(30)) }
    string("state", number % 3 == 0 ? "closed" : "open")
    writeUser()
    string("created", date())
    json.key("labels")
    json.beginArray()
    for _ in 0..<random.number(below: 3) {
      json.beginObject()
      string("name", sentence(1))
      integer("color", random.number(below: 1 << 24))
      json.end()
    }
    json.end()
    json.key("comments")
    json.beginArray()
    for _ in 0..<random.number(below: 6) { writeComment() }
    json.end()
    json.end()
  }

  private mutating func writeComment() {
    json.beginObject()
    json.key("id")
    json.number(nextComment)
    nextComment += 1
    string("body", sentence(20))
    string("created", date())
    writeUser()
    json.key("reactions")
    json.beginObject()
    integer("+1", random.number(below: 50))
    integer("heart", random.number(below: 5))
    json.end()
    json.end()
  }

  private mutating func writeUser() {
    json.key("user")
    json.beginObject()
    string("login", "user\(random.number(below: 2_000))")
    json.end()
  }

  private mutating func string(_ name: String, _ value: String) {
    json.key(name)
    json.string(value)
  }

  private mutating func integer(_ name: String, _ value: Int) {
    json.key(name)
    json.number(value)
  }

  private mutating func sentence(_ count: Int) -> String {
    (0..<count).map { _ in String(words[random.number(below: words.count)]) }.joined(separator: " ")
  }

  private mutating func date() -> String {
    let number = { (random: inout RepeatableRandom, limit: Int) in
      String(100 + random.number(below: limit)).dropFirst()
    }
    return "20\(number(&random, 26))-0\(1 + random.number(below: 9))-1\(random.number(below: 9))"
      + "T\(number(&random, 24)):\(number(&random, 60)):\(number(&random, 60)).5Z"
  }
}
