// Reads an issue of a tracker: required members, a state as an enumeration, dates, links, and a class
// that validates itself. This is the example of Mantle, which needs a table of all keys and a transformer
// for each value that is neither a string nor a number.

import Arc
import ArcModel
import ArcRuntime
import Claims
import Foundation

@Archivable enum IssueState: String { case open, closed }

@Archivable final class TrackerUser {
  @JSONRule(.required) var login = ""
}

@Archivable final class Issue: ModelFinishing, ModelEquatable {
  @Key(json: "html_url") let page: URL
  @JSONRule(.required) var number = 0
  @JSONRule(.required) var state = IssueState.open
  var title = ""
  var body: String?
  @Key(json: "user.login") var reporter: String?
  var assignee: TrackerUser?
  @Key(json: "updated_at") var updated: Date?
  @JSONRule(.omitted) var retrieved = Date()

  init(page: URL) { self.page = page }

  static var comparedProperties: [String] { ["page"] }

  func didRead() throws {
    if state == .closed && assignee == nil { throw NobodyClosed() }
  }
}

struct NobodyClosed: Error, CustomStringConvertible { let description = "an assignee of a closed issue" }

let text = """
  {
    "html_url": "https://tracker.example/arc/issues/15",
    "number": 15,
    "state": "closed",
    "title": "Models",
    "user": {"login": "octavia"},
    "assignee": {"login": "mona"},
    "updated_at": "2024-02-29T23:59:59.25Z"
  }
  """

/// Returns all issues of a JSON text, one per line.
func issues(of text: String) -> [String] {
  do { _ = try Issue(json: text) } catch let error as ModelReadingError {
    return error.issues.map(\.description)
  } catch { return ["\(error)"] }
  return []
}

example("Read, strictly") {
  let issue = try Issue(json: text)
  print("  #\(issue.number) \(issue.title), \(issue.state) by \(issue.assignee?.login ?? "nobody")")
  claim("a constant property is read", issue.page.host == "tracker.example")
  claim("a word is a case", issue.state == .closed)
  claim("a member of a member", issue.reporter == "octavia")
  claim("a date, to the fraction", issue.updated?.timeIntervalSince1970 == 1_709_251_199.25)
}

example("What is wrong is told, with its place") {
  for (text, expected) in [
    (#"{"html_url": "https://a.example"}"#, ["number", "state"]),
    (#"{"html_url": "https://a.example", "number": 1, "state": "frozen"}"#, ["state"]),
    (#"{"html_url": "https://a.example", "number": "1", "state": "open"}"#, ["number"]),
  ] {
    let found = issues(of: text)
    for issue in found { print("  \(issue)") }
    claim("wrong: \(expected)", found.map { String($0.prefix { $0 != ":" }) } == expected)
  }
  let closed = #"{"html_url": "https://a.example", "number": 1, "state": "closed"}"#
  do {
    _ = try Issue(json: closed)
    claim("a closed issue has an assignee", false)
  } catch { claim("the error of the hook comes out", error is NobodyClosed) }
  do {
    _ = try ModelReader(.lenient).read([Issue].self, from: "[\(closed)]")
    let found = try ModelReader(.lenient).readWithIssues([Issue].self, from: "[\(closed)]").issues
    claim("a lenient reader reports the error", found.map { $0.underlyingError is NobodyClosed } == [true])
  }
}

example("Written, and read again") {
  let issue = try Issue(json: text)
  let written = try issue.json()
  print("  \(written)")
  let copy = try Issue(json: written)
  claim("what is omitted is not there", !written.contains("retrieved"))
  claim("the same issue, by its page", copy == issue && Set([copy, issue]).count == 1)
}

example("Two copies, merged") {
  let mine = try Issue(json: text)
  let theirs = try Issue(json: text)
  (mine.title, theirs.title, theirs.body) = ("My title", "Their title", "Their text")
  try mine.merge(theirs) { key, _, _ in key == "title" ? .mine : .theirs }
  claim("each property as chosen", mine.title == "My title" && mine.body == "Their text")
}

example("In an archive") {
  let issue = try Issue(json: text)
  let copy = try Unarchiver().unarchive(Issue.self, from: Archiver().archive(issue))
  claim("with what JSON does not have", copy.retrieved == issue.retrieved)
  claim("nothing is different", try ObjectGraph.difference(between: issue, and: copy) == nil)
}

example("And the rest that comes with the one line") {
  let issue = try Issue(json: text)
  let copy = try issue.shallowCopy()
  claim("a copy", copy !== issue && copy.assignee === issue.assignee)
  claim("values by name", try issue.value(forKey: "number", as: Int.self) == 15)
  claim("and by way", try issue.value(forKeyPath: "assignee.login", as: String.self) == "mona")
  claim("what the class declares", try ClassInfo.of(Issue.self).properties.count == 9)
  print("  \(issue.modelDescription)")
  claim("a description", issue.modelDescription.hasPrefix("Issue #1 { page: https://tracker.example/"))
}
