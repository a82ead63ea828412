import Arc

/// The superclass of everything in the world of a game.
@Archivable
class GameObject: Walkable {
  init() {}

  func visit(_ walk: inout Walk) {}
}

/// A thing in the world, which consists of components.
@Archivable
final class Entity: GameObject {
  let number: Int
  var name: String
  var isAlive = true
  var components: [Component] = []

  init(number: Int, name: String) {
    self.number = number
    self.name = name
    super.init()
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(number)
    walk.digest.fold(name)
    walk.digest.fold(isAlive)
    walk.reach(all: components)
  }
}

/// An aspect of an entity.
@Archivable
class Component: GameObject {
  var entity: Entity?

  init(of entity: Entity) {
    self.entity = entity
    super.init()
  }

  override func visit(_ walk: inout Walk) { walk.reach(Reference(entity)) }
}

/// The position of an entity.
@Archivable
final class Placement: Component {
  var x: Double
  var y: Double
  var z: Double
  var heading: Float = 0
  var scale: Float = 1

  init(of entity: Entity, x: Double, y: Double, z: Double) {
    (self.x, self.y, self.z) = (x, y, z)
    super.init(of: entity)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(x)
    walk.digest.fold(y)
    walk.digest.fold(z)
    walk.digest.fold(heading.bitPattern)
    walk.digest.fold(scale.bitPattern)
    super.visit(&walk)
  }
}

/// The movement of an entity.
@Archivable
final class Motion: Component {
  var speedX: Double
  var speedY: Double
  var mass: Float
  var layer: Int32
  var isStatic = false

  init(of entity: Entity, speedX: Double, speedY: Double, mass: Float, layer: Int32) {
    (self.speedX, self.speedY, self.mass, self.layer) = (speedX, speedY, mass, layer)
    super.init(of: entity)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(speedX)
    walk.digest.fold(speedY)
    walk.digest.fold(mass.bitPattern)
    walk.digest.fold(layer)
    walk.digest.fold(isStatic)
    super.visit(&walk)
  }
}

/// The health of an entity.
@Archivable
final class Health: Component {
  var current: Int
  var maximum: Int
  var armor: Double?

  init(of entity: Entity, current: Int, maximum: Int, armor: Double?) {
    (self.current, self.maximum, self.armor) = (current, maximum, armor)
    super.init(of: entity)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(current)
    walk.digest.fold(maximum)
    walk.digest.fold(armor)
    super.visit(&walk)
  }
}

/// The plans of an entity.
@Archivable
final class Brain: Component {
  var mood: Mood
  var target: Entity?
  /// The cells of the map on the path.
  var path: [Int32]
  var cooldown: Double

  init(of entity: Entity, mood: Mood, path: [Int32], cooldown: Double) {
    (self.mood, self.path, self.cooldown) = (mood, path, cooldown)
    super.init(of: entity)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(choice: mood)
    walk.reach(Reference(target))
    walk.digest.fold(path.count)
    for cell in path { walk.digest.fold(cell) }
    walk.digest.fold(cooldown)
    super.visit(&walk)
  }
}

/// The activity of a brain.
@Archivable
enum Mood: CaseIterable {
  case idle, wandering, hunting, fleeing
}

/// The items that an entity carries.
@Archivable
final class Inventory: Component {
  var gold: Int
  var items: [Item] = []

  init(of entity: Entity, gold: Int) {
    self.gold = gold
    super.init(of: entity)
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(gold)
    walk.reach(all: items)
    super.visit(&walk)
  }
}

/// An item that can be carried.
@Archivable
final class Item: GameObject {
  let kind: String
  var count: Int
  var durability: Float
  var isEquipped: Bool

  init(kind: String, count: Int, durability: Float, isEquipped: Bool) {
    (self.kind, self.count, self.durability, self.isEquipped) = (kind, count, durability, isEquipped)
    super.init()
  }

  override func visit(_ walk: inout Walk) {
    walk.digest.fold(kind)
    walk.digest.fold(count)
    walk.digest.fold(durability.bitPattern)
    walk.digest.fold(isEquipped)
  }
}
