// swift-format-ignore-file
// The lines stand as in the article.

import Arc
import ArcFoundation
import Foundation

/// What the user draws.
@Archivable @MainActor final class Canvas {
  var strokes: [[Double]] = []
  init() {}
}

/// What the bank keeps.
@Archivable final class Account {
  let name: String
  init(_ name: String) { self.name = name }
}

// From here on what the article shows.

@MainActor final class Autosave {
  let canvas = Canvas(), progress = Progress(totalUnitCount: 100)

  func save(to url: URL) async throws {
    try await Archiver(compression: .zlib).write(canvas, to: url, progress: progress.follow)
  }
}

actor Bank {
  private var accounts: [Account] = []

  func open(_ name: String) { accounts.append(Account(name)) }
  func snapshot() throws -> GraphSnapshot { try Archiver().snapshot(of: accounts) }
  func load(from url: URL) async throws { accounts = try await Unarchiver().read([Account].self, from: url) }
}

func save(_ bank: Bank, to url: URL) async throws {
  try await bank.snapshot().write(to: url) { print($0.fractionCompleted) }
}
