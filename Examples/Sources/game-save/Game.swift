import Arc
import Foundation

/// A game that saves itself while it runs. The world stops while Arc walks it, not for the disk.
@MainActor final class Game {
  private(set) var world: World
  private let url: URL
  private var save: Task<Void, any Error>?

  init(_ world: World, savedAt url: URL) {
    self.world = world
    self.url = url
  }

  init(resumedFrom url: URL) async throws {
    world = try await Unarchiver().read(World.self, from: url)
    self.url = url
  }

  func advance() { world.advance() }

  /// Begins a save of the present world. Cancels an unfinished save.
  func autosave() throws {
    let former = save
    former?.cancel()
    let snapshot = try Archiver().snapshot(of: world)
    save = Task { [url] in
      _ = await former?.result
      try await snapshot.write(to: url)
    }
  }

  /// Waits for the last save.
  func finishSaving() async throws { try await save?.value }
}
