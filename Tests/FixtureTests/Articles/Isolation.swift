// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import Foundation
import Observation

// The programs of the article "Concurrency and isolation".

@Archivable @MainActor @Observable final class Diary {
  var title = ""
  var pages: [DiaryPage] = []
}

@Archivable @MainActor @Observable final class DiaryPage {
  var text = ""
  weak var diary: Diary?
}

@MainActor @Observable final class DiaryEditor {
  private(set) var diary = Diary()
  private(set) var problem: String?                                // what a view shows
  private let url: URL
  private var lastSave: Task<Void, Never>?

  init(url: URL) { self.url = url }

  func open() async {
    do {
      diary = try await Unarchiver().read(Diary.self, from: url)
      problem = nil
    } catch {
      problem = error.localizedDescription
    }
  }

  func add(_ text: String) {
    let page = DiaryPage()
    page.text = text
    page.diary = diary
    diary.pages.append(page)
  }

  func save() async {
    let save = Task { [lastSave] in
      await lastSave?.value                                        // saves follow each other: the last one stays
      do {
        try await Archiver().write(diary, to: url)                 // walks here, writes elsewhere
        problem = nil
      } catch {
        problem = error.localizedDescription
      }
    }
    lastSave = save
    await save.value
  }
}

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

  func export() throws -> GraphSnapshot {
    try Archiver().snapshot(of: score)                                 // what is changed from here on is not in it
  }
}

func backUp(_ editor: Editor, to url: URL) async throws {
  let snapshot = try await editor.export()                             // sent to whoever called
  try await snapshot.write(to: url)
}
