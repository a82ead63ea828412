import Arc
import ArcTestSupport
import Foundation
import XCTest

private protocol Component {}

@Archivable private struct Position: Component { var x, y: Double }
@Archivable private struct Velocity: Component { var dx: Float, dy: Float }
@Archivable private enum Health: Component, Equatable {
  case alive(points: Int)
  case dead(since: Int)
}
@Archivable private final class Brain: Component {
  unowned let owner: Entity
  weak var prey: Entity?
  var memory: [String]
  init(owner: Entity, memory: [String]) {
    self.owner = owner
    self.memory = memory
  }
}

@Archivable private final class Entity {
  let number: Int
  weak var world: World?
  var components: [any Component] = []
  init(number: Int, world: World) {
    self.number = number
    self.world = world
  }

  func component<C>(_ type: C.Type) -> C? {
    for component in components { if let found = component as? C { return found } }
    return nil
  }
}

@Archivable private final class World {
  let name: String
  var entities: [Entity] = []
  var exits: [String: World] = [:]
  init(name: String) { self.name = name }
}

@Archivable private final class Game {
  var tick = 0
  var worlds: [World] = []
  var hero: Entity?

  /// Performs one step of the game loop: all entities move, some die, and one entity leaves its world.
  func step() {
    tick += 1
    for world in worlds {
      for entity in world.entities {
        for index in entity.components.indices {
          guard var position = entity.components[index] as? Position else { continue }
          position.x += 1
          entity.components[index] = position
        }
      }
    }
    if let moved = worlds[0].entities.popLast() {
      moved.world = worlds[1]
      worlds[1].entities.append(moved)
    }
    hero?.components.removeAll { $0 is Health }
    hero?.components.append(Health.dead(since: tick))
  }
}

/// A game takes a snapshot between two steps of its loop, and another thread writes it.
final class GameSaveTests: XCTestCase {
  func testGameRoundTripsThroughASnapshot() async throws {
    let url = try temporaryFolder().appendingPathComponent("game.arc")
    // The count must be a multiple of 4, so that each brain has a prey.
    let count = RandomTrials.size(usually: 3_000, exhaustively: 100_000)
    let game = newGame(entityCount: count)
    game.step()
    let expected = Census(of: game)
    let snapshot = try Archiver(compression: .zlib).snapshot(of: game)
    let save = Task.detached { try await snapshot.write(to: url) }
    game.step()
    game.step()
    try await save.value

    let copy = try await Unarchiver().read(Game.self, from: url)
    XCTAssertEqual(Census(of: copy), expected)
    XCTAssertNotEqual(Census(of: game), expected)
    XCTAssertEqual(expected.entities, count)
    XCTAssertEqual(expected.brains, count / 4)
    XCTAssertEqual(copy.worlds.map(\.entities.count), [(count + 2) / 3 - 1, (count + 1) / 3 + 1, count / 3])
    XCTAssertEqual(copy.hero?.component(Health.self), .dead(since: 1))
    try assertIdentity(of: copy, entityCount: count)
  }

  func testUnretainedUnownedTargetIsRefusedWithItsPath() throws {
    let game = newGame(entityCount: 6)
    let stranger = Entity(number: -1, world: game.worlds[0])
    game.hero?.components.append(Brain(owner: stranger, memory: []))
    XCTAssertEqual(
      assertThrows(ArchiveError.self) { try Archiver().archive(game) }?.objectPath,
      "root.hero.components[4].owner")
  }

  func testClosedClassTableRefusesUnregisteredComponent() throws {
    let bytes = try Archiver().archive(newGame(entityCount: 6))
    let classes = try ClassTable(declaring: Game.self)
    assertThrows(.unknownClass) { try Unarchiver(classes: classes).unarchive(Game.self, from: bytes) }
    try classes.register(Position.self)
    try classes.register(Velocity.self)
    try classes.register(Health.self)
    try classes.register(Brain.self)
    XCTAssertEqual(try Census(of: Unarchiver(classes: classes).unarchive(Game.self, from: bytes)).entities, 6)
  }

  /// Asserts that each entity is in its world once, and that each brain refers to its owner.
  private func assertIdentity(of game: Game, entityCount: Int) throws {
    XCTAssertEqual(game.worlds.count, 3)
    for (index, world) in game.worlds.enumerated() {
      let next = game.worlds[(index + 1) % 3]
      XCTAssertTrue(world.exits["east"] === next)
      XCTAssertTrue(next.exits["west"] === world)
      XCTAssertTrue(world.exits["here"] === world)
    }
    XCTAssertTrue(game.hero === game.worlds[0].entities.first)
    var distinct: Set<ObjectIdentifier> = []
    var strays = 0
    var stolen = 0
    var prey = 0
    for world in game.worlds {
      for entity in world.entities {
        distinct.insert(ObjectIdentifier(entity))
        if entity.world !== world { strays += 1 }
        guard let brain = entity.component(Brain.self) else { continue }
        if brain.owner !== entity { stolen += 1 }
        if brain.prey?.number == entity.number + 1 { prey += 1 }
      }
    }
    XCTAssertEqual(distinct.count, entityCount)
    XCTAssertEqual([strays, stolen, prey], [0, 0, entityCount / 4])
  }

  /// Returns a game with three worlds that refer to each other in a cycle. Each entity has a position and a
  /// life, a third of the entities moves, and a quarter has a brain.
  private func newGame(entityCount: Int) -> Game {
    let game = Game()
    game.worlds = ["Forest", "Desert", "Sea"].map(World.init(name:))
    for (index, world) in game.worlds.enumerated() {
      let next = game.worlds[(index + 1) % game.worlds.count]
      world.exits["east"] = next
      world.exits["here"] = world
      next.exits["west"] = world
    }
    var last: Entity?
    for number in (0..<entityCount).reversed() {
      let world = game.worlds[number % 3]
      let entity = Entity(number: number, world: world)
      entity.components = [Position(x: Double(number), y: -0.5), Health.alive(points: number % 100)]
      if number % 3 == 0 { entity.components.append(Velocity(dx: 1, dy: Float(number % 7))) }
      if number % 4 == 0 {
        let brain = Brain(owner: entity, memory: ["born", "tick \(number % 10)"])
        brain.prey = last
        entity.components.append(brain)
      }
      world.entities.append(entity)
      last = entity
    }
    for world in game.worlds { world.entities.reverse() }
    game.hero = game.worlds[0].entities.first
    return game
  }
}

/// Counts and sums over a game, for the comparison of two games.
private struct Census: Equatable {
  let tick: Int
  let worldNames: [String]
  private(set) var entities = 0, positions = 0, velocities = 0, alive = 0, dead = 0, brains = 0
  private(set) var numbers = 0, points = 0, east = 0.0, south = 0.0, speed: Float = 0
  private(set) var memories: [String: Int] = [:]

  init(of game: Game) {
    (tick, worldNames) = (game.tick, game.worlds.map(\.name))
    for world in game.worlds {
      for entity in world.entities {
        entities += 1
        numbers += entity.number
        for component in entity.components { add(component) }
      }
    }
  }

  private mutating func add(_ component: any Component) {
    switch component {
    case let position as Position:
      positions += 1
      east += position.x
      south += position.y
    case let velocity as Velocity:
      velocities += 1
      speed += velocity.dx + velocity.dy
    case let health as Health:
      switch health {
      case .alive(let left):
        alive += 1
        points += left
      case .dead: dead += 1
      }
    case let brain as Brain:
      brains += 1
      for memory in brain.memory { memories[memory, default: 0] += 1 }
    default: break
    }
  }
}
