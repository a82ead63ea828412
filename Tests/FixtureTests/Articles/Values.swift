// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc

@Archivable final class Book { var chapters: [Chapter] = [] }
@Archivable final class Chapter {
  var title = ""
  weak var book: Book?
  var sections: [Section] = []
  var illustrations: [Illustration] = []
}
@Archivable final class Section { var title = "" }
@Archivable final class Illustration { var pixels: [UInt8] = [] }

func duplicate(_ chapter: Chapter) throws -> Chapter {
  let copy = try ObjectGraph.copy(chapter, sharing: [.objects(of: Illustration.self), .property("book", of: Chapter.self)])
  copy.title += " (copy)"
  return copy
}

func change(from saved: Chapter, to chapter: Chapter) throws -> String? {
  if try ObjectGraph.isIsomorphic(saved, chapter) { return nil }
  return try ObjectGraph.difference(between: saved, and: chapter)?.description
}

func tryOut(_ chapter: Chapter, _ change: (Chapter) throws -> Void) throws {
  let checkpoint = try GraphCheckpoint(of: chapter)
  do { try change(chapter) } catch {
    checkpoint.restore()
    throw error
  }
}

/// A chapter of a book, with a section and an illustration.
func makeChapter(of book: Book) -> Chapter {
  let (chapter, section) = (Chapter(), Section())
  (chapter.title, chapter.book, section.title) = ("One", book, "Begin")
  (chapter.sections, chapter.illustrations) = ([section], [Illustration()])
  book.chapters = [chapter]
  return chapter
}

/// Copies a chapter and compares the copy. Returns the printed text.
func runCopy() throws -> String {
  var lines: [String] = []
  func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
  let book = Book()
  let chapter = makeChapter(of: book)

  let copy = try duplicate(chapter)
  print(copy.book === book, copy.sections[0] === chapter.sections[0])
  print(try change(from: chapter, to: copy) ?? "no change")

  return lines.joined(separator: "\n")
}
