// swift-format-ignore-file
// The lines stand as in the article.

import Arc
import Foundation

// The programs of the article "Concurrency and isolation".

@Archivable final class Score {
  var title = ""
  var bars: [Int] = []
  init() {}
}

@MainActor final class Editor {
  private(set) var score = Score()

  func open(_ url: URL) async throws {
    score = try await Unarchiver().read(Score.self, from: url)         // built on another thread, then handed over
  }

  func export() throws -> ArchiveSnapshot {
    try Archiver().snapshot(of: score)                                 // what is changed from here on is not in it
  }
}

func backUp(_ editor: Editor, to url: URL) async throws {
  let snapshot = try await editor.export()                             // sent to whoever called
  try await snapshot.write(to: url)
}
