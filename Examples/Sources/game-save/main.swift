// Saves a game of 100,000 entities while it runs, and resumes it. Each entity is one object again, with
// its components, its leader and its items.

import Arc
import ArcArchive
import Claims
import Foundation

let entityCount = 100_000

await example("An autosave of \(entityCount) entities") {
  try await withTemporaryFolder { folder in
    let url = folder.appendingPathComponent("game.arc")
    let clock = ContinuousClock()
    let game = Game(World(entityCount: entityCount), savedAt: url)
    game.advance()
    let stop = try clock.measure { try game.autosave() }
    game.advance()
    try await game.finishSaving()
    print("  the world stood still for \(stop.formatted(.units(allowed: [.milliseconds]))) in this build")

    let file = try ArchiveFile(mapping: url)
    print("  \(file.byteCount >> 10) KiB, \(file.rowCount - 1) objects")
    claim("all are in the file", try file.rowCount(ofClass: "Entity") == entityCount)

    let resumed = try await Game(resumedFrom: url).world
    claim(
      "as they were when the save began",
      resumed.tick == 1 && resumed.entities[5].position == Position(x: 6, y: 0))
    claim("the player is the last entity", resumed.player === resumed.entities.last)
    claim("which follows the one before", resumed.player?.target === resumed.entities[entityCount - 2])
    claim(
      "whose components know it",
      resumed.entities[700].components.allSatisfy { $0.owner === resumed.entities[700] })
    let bags = resumed.entities.flatMap(\.components).compactMap { $0 as? Bag }
    claim(
      "one map in a thousand bags", bags.count == 1000 && bags.allSatisfy { $0.items[0] === bags[0].items[0] }
    )
    claim("health is health", resumed.entities[10].components[1] is Health)
  }
}

await example("Saves that overtake each other, and one that is never done") {
  try await withTemporaryFolder { folder in
    let url = folder.appendingPathComponent("game.arc")
    let game = Game(World(entityCount: 1000), savedAt: url)
    for _ in 1...5 {
      game.advance()
      try game.autosave()
    }
    try await game.finishSaving()
    claim("the last one counts", try await Game(resumedFrom: url).world.tick == 5)

    game.advance()
    let snapshot = try Archiver().snapshot(of: game.world)
    let killed = Task { try await snapshot.write(to: url) { _ in throw CancellationError() } }
    let result = await killed.result
    claim("a save that is cancelled says so", hasFailed(result))
    claim("and leaves the old file", try await Game(resumedFrom: url).world.tick == 5)
    claim(
      "and nothing beside it",
      try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["game.arc"])
  }
}

func hasFailed(_ result: Result<Void, any Error>) -> Bool {
  if case .failure = result { true } else { false }
}
