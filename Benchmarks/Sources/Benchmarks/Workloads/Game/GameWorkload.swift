/// The world of a game that saves itself while it runs: entities with five components each. The last
/// component has five items. The kinds of items come from a pool of 200, and one name in four is unique. The
/// root is an array of all entities.
struct GameWorkload: Workload {
  static let name = "game"
  static let fullCount = 330_000
  private static let objectsPerEntity = 11

  private let count: Int
  private let world: Lazily<[GameObject]>

  init(count: Int) {
    let entityCount = max(count / Self.objectsPerEntity, 1)
    self.count = entityCount * Self.objectsPerEntity
    world = Lazily(dismantle: Self.dismantle) { Self.makeWorld(entityCount) }
  }

  var contenders: [Contender] {
    let subject = ArcSubject(
      graph: world, objectCount: count,
      classes: [
        Entity.self, Placement.self, Motion.self, Health.self, Brain.self, Inventory.self, Item.self,
      ], dismantle: Self.dismantle)
    return subject.contenders + subject.compressedContenders() + subject.snapshotContenders
      + Contender.walk(world, objectCount: count)
  }

  /// Creates the entities one after the other, each with everything that belongs to it.
  private static func makeWorld(_ entityCount: Int) -> [GameObject] {
    var random = SeededGenerator(seed: 10)
    let kinds = (0..<200).map { Words.identifier(words: 1...3, number: $0, &random) }
    var entities: [Entity] = []
    var brains: [Brain] = []
    for number in 0..<entityCount {
      let name = random.chance(percent: 25) ? "\(Words.personName(&random)) \(number)" : random.pick(kinds)
      let entity = Entity(number: number, name: name)
      let brain = Brain(
        of: entity, mood: random.pick(Mood.allCases),
        path: (0..<random.index(below: 8)).map { _ in Int32(random.index(below: 1 << 20)) },
        cooldown: Double(random.index(below: 1000)) / 100)
      entity.components = [
        Placement(of: entity, x: coordinate(&random), y: coordinate(&random), z: coordinate(&random)),
        Motion(
          of: entity, speedX: coordinate(&random) / 100, speedY: coordinate(&random) / 100,
          mass: Float(random.index(below: 500)), layer: Int32(random.index(below: 8))),
        Health(
          of: entity, current: random.index(below: 100), maximum: 100,
          armor: random.chance(percent: 30) ? Double(random.index(below: 50)) : nil),
        brain, makeInventory(of: entity, kinds, &random),
      ]
      entities.append(entity)
      brains.append(brain)
    }
    for brain in brains where random.chance(percent: 60) { brain.target = random.pick(entities) }
    return entities
  }

  private static func coordinate(_ random: inout SeededGenerator) -> Double {
    Double(random.index(below: 1_000_000)) / 128
  }

  private static func makeInventory(
    of entity: Entity, _ kinds: [String], _ random: inout SeededGenerator
  ) -> Inventory {
    let inventory = Inventory(of: entity, gold: random.index(below: 10_000))
    inventory.items = (0..<5).map { position in
      Item(
        kind: random.pick(kinds), count: 1 + random.index(below: 20),
        durability: Float(random.index(below: 100)) / 100, isEquipped: position == 0)
    }
    return inventory
  }

  /// Breaks the cycles.
  private static func dismantle(_ world: [GameObject]) {
    for case let entity as Entity in world { entity.components = [] }
  }
}
