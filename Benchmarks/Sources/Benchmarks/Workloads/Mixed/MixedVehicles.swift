// Made by Scripts/generate-mixed.swift; do not edit.

import Arc

/// Level 2, a kind of `Asset`.
@Archivable
class Vehicle: Asset {
  var members: [Asset] = []
  var entrance: Position
  var length: Double
  var state: Grade

  required init(reading source: inout MixedSource) {
    entrance = source.position()
    length = source.double()
    state = source.grade()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    members = links.targets()
  }

  override func cutLinks() {
    super.cutLinks()
    members = []
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(all: members)
    entrance.fold(into: &walk.digest)
    walk.digest.fold(length)
    walk.digest.fold(state.rawValue)
  }
}

/// Level 3, a kind of `Vehicle`.
@Archivable
class Car: Vehicle {
  var parent: Asset?
  var margin: Double?
  var center: Position

  required init(reading source: inout MixedSource) {
    margin = source.optionalDouble()
    center = source.position()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    parent = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    parent = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(Reference(parent))
    walk.digest.fold(margin)
    center.fold(into: &walk.digest)
  }
}

/// Level 4, a kind of `Car`.
@Archivable
final class Sedan: Car {
  var isListed: Bool
  var place: String
  var level: Grade

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    place = source.text()
    level = source.grade()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(place)
    walk.digest.fold(level.rawValue)
  }
}

/// Level 4, a kind of `Car`.
@Archivable
final class SportsCar: Car {
  var neighbors: [Asset] = []
  var twin: Asset?
  var drift: Double?

  required init(reading source: inout MixedSource) {
    drift = source.optionalDouble()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    neighbors = links.targets()
    twin = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    neighbors = []
    twin = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(all: neighbors)
    walk.reach(Reference(twin))
    walk.digest.fold(drift)
  }
}

/// Level 4, a kind of `Car`.
@Archivable
final class Van: Car {
  var neighbors: [Asset] = []
  var level: Grade

  required init(reading source: inout MixedSource) {
    level = source.grade()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    neighbors = links.targets()
  }

  override func cutLinks() {
    super.cutLinks()
    neighbors = []
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(all: neighbors)
    walk.digest.fold(level.rawValue)
  }
}

/// Level 3, a kind of `Vehicle`.
@Archivable
class Truck: Vehicle {
  var contact: String?
  weak var source: Asset?
  var tier: Grade

  required init(reading source: inout MixedSource) {
    contact = source.optionalText()
    tier = source.grade()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    source = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    source = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(contact)
    walk.reach(Reference(source))
    walk.digest.fold(tier.rawValue)
  }
}

/// Level 4, a kind of `Truck`.
@Archivable
final class Lorry: Truck {
  var isListed: Bool
  var drift: Double?

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    drift = source.optionalDouble()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(drift)
  }
}

/// Level 4, a kind of `Truck`.
@Archivable
final class Tanker: Truck {
  var marks: [Int]
  var topics: [String]

  required init(reading source: inout MixedSource) {
    marks = source.integers()
    topics = source.tags()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    for number in marks { walk.digest.fold(number) }
    for tag in topics { walk.digest.fold(tag) }
  }
}

/// Level 4, a kind of `Truck`.
@Archivable
final class Crane: Truck {
  var isListed: Bool
  var color: Int32

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    color = source.shortInteger()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(color)
  }
}

/// Level 3, a kind of `Vehicle`.
@Archivable
class Boat: Vehicle {
  var parent: Asset?
  var maker: String
  var center: Position
  var price: Double

  required init(reading source: inout MixedSource) {
    maker = source.text()
    center = source.position()
    price = source.double()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    parent = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    parent = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(Reference(parent))
    walk.digest.fold(maker)
    center.fold(into: &walk.digest)
    walk.digest.fold(price)
  }
}

/// Level 4, a kind of `Boat`.
@Archivable
final class Ferry: Boat {
  var rate: Double
  var marks: [Int]
  var place: String
  var color: Int32

  required init(reading source: inout MixedSource) {
    rate = source.double()
    marks = source.integers()
    place = source.text()
    color = source.shortInteger()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(rate)
    for number in marks { walk.digest.fold(number) }
    walk.digest.fold(place)
    walk.digest.fold(color)
  }
}

/// Level 4, a kind of `Boat`.
@Archivable
final class Sailboat: Boat {
  var twin: Asset?
  weak var rival: Asset?

  required init(reading source: inout MixedSource) {
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    twin = links.optionalTarget()
    rival = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    twin = nil
    rival = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(Reference(twin))
    walk.reach(Reference(rival))
  }
}

/// Level 4, a kind of `Boat`.
@Archivable
final class Submarine: Boat {
  var anchor: Position
  weak var rival: Asset?
  var rate: Double
  var isListed: Bool

  required init(reading source: inout MixedSource) {
    anchor = source.position()
    rate = source.double()
    isListed = source.flag()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    rival = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    rival = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    anchor.fold(into: &walk.digest)
    walk.reach(Reference(rival))
    walk.digest.fold(rate)
    walk.digest.fold(isListed)
  }
}
