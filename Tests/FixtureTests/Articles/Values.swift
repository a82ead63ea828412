// swift-format-ignore-file
// The lines stand as in the article.

import Arc

/// What chapters are in.
@Archivable final class Book {
  var chapters: [Chapter] = []
  init() {}
}

/// What is copied and compared.
@Archivable final class Chapter {
  var title: String
  weak var book: Book?
  var sections: [Section] = []
  var illustrations: [Illustration] = []
  init(_ title: String, in book: Book) {
    self.title = title
    self.book = book
  }
}

@Archivable final class Section {
  var title: String
  init(_ title: String) { self.title = title }
}

/// Too large to be copied.
@Archivable final class Illustration {
  init() {}
}

// From here on what the article shows.

func duplicate(_ chapter: Chapter) throws -> Chapter {
  let copy = try deepCopy(chapter, sharing: [.objects(of: Illustration.self), .property("book", of: Chapter.self)])
  copy.title += " (copy)"
  return copy
}

func change(from saved: Chapter, to chapter: Chapter) throws -> String? {
  if try isIsomorphic(saved, chapter) { return nil }
  return try firstDifference(between: saved, and: chapter)?.description
}

func tryOut(_ chapter: Chapter, _ change: (Chapter) throws -> Void) throws {
  let checkpoint = try GraphCheckpoint(of: chapter)
  do { try change(chapter) } catch {
    checkpoint.restore()
    throw error
  }
}
