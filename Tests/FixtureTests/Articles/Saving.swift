// swift-format-ignore-file
// The lines are identical to the lines in the article.

import Arc
import ArcFoundation
import Foundation

/// The drawing of the user.
@Archivable @MainActor final class Canvas {
  var strokes: [[Double]] = []
  init() {}
}

/// An account of the bank.
@Archivable final class Account {
  let name: String
  init(_ name: String) { self.name = name }
}

// The article shows the following lines.

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
