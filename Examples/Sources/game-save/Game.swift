import Arc
import Foundation

/// A game that saves itself while it runs: the world stops for a walk through it, not for the disk.
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

  /// Begins a save of the world as it is now. One that is not done yet gives way: the last one counts.
  func autosave() throws {
    let former = save
    former?.cancel()
    let snapshot = try Archiver().snapshot(of: world)
    save = Task { [url] in
      _ = await former?.result
      try await snapshot.write(to: url)
    }
  }

  /// Waits for the save that was begun last.
  func finishSaving() async throws { try await save?.value }
}
