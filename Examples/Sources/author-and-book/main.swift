// Reads a book whose JSON has other names, a nested author, and a member with several names. This is the
// best known example of YYModel. Each property states its JSON names and paths, and both reading and
// writing use them.

import Arc
import ArcJSON
import ArcModel
import Claims
import Foundation

@Archivable final class Author {
  var name = ""
  var birthday: Date?
}

@Archivable class Work: ModelFinishing {
  @Key(json: "id", or: "ID", "work_id") var number = 0
  @Key(json: "n") var name = ""

  func didRead() throws {
    if name.isEmpty { throw NamelessWork() }
  }
}

@Archivable final class Book: Work {
  @Key(json: "p") var pages = 0
  @Key(json: "ext.desc") var summary: String?
  var author: Author?
  var reviewers: [Author] = []
  var editions: [String: Edition] = [:]
  @JSONRule(.omitted) var isBookmarked = false  // in archives, not in JSON
}

@Archivable struct Edition: Equatable {
  var year: Int
  var isbn: String?
}

struct NamelessWork: Error, CustomStringConvertible { let description = "a work with a name" }

let text = """
  {
    "work_id": "2048",
    "n": "The Lighthouse Keeper",
    "p": 256,
    "ext": {"desc": "A storm, a lamp, and a letter"},
    "author": {"name": "Ines Duarte", "birthday": "1965-07-31T00:00:00Z"},
    "reviewers": [{"name": "Ola"}, {"name": "Kofi", "birthday": null}],
    "editions": {"first": {"year": 1999}, "pocket": {"year": 2004, "isbn": "978-3"}},
    "isBookmarked": true
  }
  """

/// A reader that converts values as YYModel does.
let reader = ModelReader(.lenient)

example("Read") {
  let book = try reader.read(Book.self, from: text)
  print("  \(book.modelDescription)")
  claim("a name of several, a number as text", book.number == 2048)
  claim("a way into an object", book.summary == "A storm, a lamp, and a letter")
  claim("an object in an object", book.author?.birthday?.timeIntervalSince1970 == -139_536_000)
  claim("an array of objects", book.reviewers.map(\.name) == ["Ola", "Kofi"])
  claim("a dictionary of structures", book.editions["pocket"] == Edition(year: 2004, isbn: "978-3"))
  claim("what is omitted is not read", !book.isBookmarked)
}

example("Written") {
  let book = try reader.read(Book.self, from: text)
  let written = try book.json(isPretty: true, sortsKeys: true)
  print(written)
  claim("a strict reader takes it", try ObjectGraph.isIsomorphic(book, Book(json: written)))
}

example("Some properties only, for one reader") {
  var reader = reader
  reader.setMapping(JSONMapping(except: ["pages", "author"]), for: Book.self)
  let black = try reader.read(Book.self, from: text)
  claim("a black list", black.pages == 0 && black.author == nil && black.number == 2048)
  reader.setMapping(JSONMapping(only: ["name"]), for: Book.self)
  let white = try reader.read(Book.self, from: text)
  claim("a white list", white.name == "The Lighthouse Keeper" && white.number == 0)
}

example("An object that exists takes an answer") {
  let book = try reader.read(Book.self, from: text)
  let author = book.author
  try book.update(json: #"{"author": {"name": "I. Duarte"}, "ext": {"desc": null}}"#)
  claim("the author is the same object, renamed", book.author === author && author?.name == "I. Duarte")
  claim("what was not sent stays", author?.birthday != nil && book.pages == 256)
  claim("null is nil", book.summary == nil)
}

example("A book that its class refuses") {
  let texts = [#"{"n": "Good"}"#, #"{"n": ""}"#].joined(separator: ", ")
  let (books, issues) = try reader.readWithIssues([Book].self, from: "[\(texts)]")
  for issue in issues { print("  \(issue)") }
  claim("is left out of the list, and told", books.count == 1 && issues.map(\.path) == ["[1]"])
}
