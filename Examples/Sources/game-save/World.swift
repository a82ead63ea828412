import Arc

/// The state of a game that a save contains.
@Archivable final class World {
  var tick = 0
  var entities: [Entity] = []
  var player: Entity?
  var named: [String: Entity] = [:]
}

/// Something in the world: its position, and components for its abilities.
@Archivable final class Entity {
  let number: Int
  var position = Position()
  var components: [Component] = []
  weak var target: Entity?

  init(number: Int) { self.number = number }
}

@Archivable struct Position: Equatable {
  var x = 0.0
  var y = 0.0
}

@Archivable class Component {
  unowned var owner: Entity
  init(of owner: Entity) { self.owner = owner }
}

@Archivable final class Motion: Component {
  var speed = 1.0
}

@Archivable final class Health: Component {
  var points = 100
}

@Archivable final class Bag: Component {
  var items: [Item] = []
}

/// An item, which several bags may share.
@Archivable final class Item {
  let name: String
  init(named name: String) { self.name = name }
}

extension World {
  /// Creates a world with `entityCount` entities. Each follows the entity before it; some have health and
  /// bags.
  convenience init(entityCount: Int) {
    self.init()
    let map = Item(named: "map")
    for number in 0..<entityCount {
      let entity = Entity(number: number)
      entity.position = Position(x: Double(number % 317), y: Double(number / 317))
      entity.components = [Motion(of: entity)]
      if number % 10 == 0 { entity.components.append(Health(of: entity)) }
      if number % 100 == 0 {
        let bag = Bag(of: entity)
        bag.items = [map]
        entity.components.append(bag)
      }
      entity.target = entities.last
      entities.append(entity)
    }
    player = entities.last
    named = ["first": entities[0], "player": entities[entityCount - 1]]
  }

  /// Moves everything by one tick.
  func advance() {
    tick += 1
    for entity in entities { entity.position.x += 1 }
  }
}
