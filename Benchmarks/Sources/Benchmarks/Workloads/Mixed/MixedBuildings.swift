// Made by Scripts/generate-mixed.swift; do not edit.

import Arc

/// Level 2, a kind of `Asset`.
@Archivable
class Building: Asset {
  var state: Grade
  var rank: Int

  required init(reading source: inout MixedSource) {
    state = source.grade()
    rank = source.integer()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(state.rawValue)
    walk.digest.fold(rank)
  }
}

/// Level 3, a kind of `Building`.
@Archivable
class House: Building {
  var center: Position
  var parent: Asset?

  required init(reading source: inout MixedSource) {
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
    center.fold(into: &walk.digest)
    walk.reach(Reference(parent))
  }
}

/// Level 4, a kind of `House`.
@Archivable
final class Cottage: House {
  var anchor: Position
  var neighbors: [Asset] = []
  var place: String
  var color: Int32

  required init(reading source: inout MixedSource) {
    anchor = source.position()
    place = source.text()
    color = source.shortInteger()
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
    anchor.fold(into: &walk.digest)
    walk.reach(all: neighbors)
    walk.digest.fold(place)
    walk.digest.fold(color)
  }
}

/// Level 4, a kind of `House`.
@Archivable
final class Villa: House {
  var rate: Double
  var color: Int32
  var marks: [Int]

  required init(reading source: inout MixedSource) {
    rate = source.double()
    color = source.shortInteger()
    marks = source.integers()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(rate)
    walk.digest.fold(color)
    for number in marks { walk.digest.fold(number) }
  }
}

/// Level 4, a kind of `House`.
@Archivable
final class TownHouse: House {
  var isListed: Bool
  var place: String
  var anchor: Position

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    place = source.text()
    anchor = source.position()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(place)
    anchor.fold(into: &walk.digest)
  }
}

/// Level 3, a kind of `Building`.
@Archivable
class Office: Building {
  var steps: [Int]
  var margin: Double?

  required init(reading source: inout MixedSource) {
    steps = source.integers()
    margin = source.optionalDouble()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    for number in steps { walk.digest.fold(number) }
    walk.digest.fold(margin)
  }
}

/// Level 4, a kind of `Office`.
@Archivable
final class Tower: Office {
  weak var rival: Asset?
  var anchor: Position

  required init(reading source: inout MixedSource) {
    anchor = source.position()
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
    walk.reach(Reference(rival))
    anchor.fold(into: &walk.digest)
  }
}

/// Level 4, a kind of `Office`.
@Archivable
final class Studio: Office {
  var level: Grade
  var volume: Int
  var place: String

  required init(reading source: inout MixedSource) {
    level = source.grade()
    volume = source.integer()
    place = source.text()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(level.rawValue)
    walk.digest.fold(volume)
    walk.digest.fold(place)
  }
}

/// Level 4, a kind of `Office`.
@Archivable
final class Bank: Office {
  var neighbors: [Asset] = []
  var marks: [Int]
  var topics: [String]

  required init(reading source: inout MixedSource) {
    marks = source.integers()
    topics = source.tags()
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
    for number in marks { walk.digest.fold(number) }
    for tag in topics { walk.digest.fold(tag) }
  }
}

/// Level 3, a kind of `Building`.
@Archivable
class Warehouse: Building {
  var tier: Grade
  var serial: Int

  required init(reading source: inout MixedSource) {
    tier = source.grade()
    serial = source.integer()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(tier.rawValue)
    walk.digest.fold(serial)
  }
}

/// Level 4, a kind of `Warehouse`.
@Archivable
final class Depot: Warehouse {
  var marks: [Int]
  var isListed: Bool
  var anchor: Position

  required init(reading source: inout MixedSource) {
    marks = source.integers()
    isListed = source.flag()
    anchor = source.position()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    for number in marks { walk.digest.fold(number) }
    walk.digest.fold(isListed)
    anchor.fold(into: &walk.digest)
  }
}

/// Level 4, a kind of `Warehouse`.
@Archivable
final class Silo: Warehouse {
  var neighbors: [Asset] = []
  var topics: [String]

  required init(reading source: inout MixedSource) {
    topics = source.tags()
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
    for tag in topics { walk.digest.fold(tag) }
  }
}

/// Level 4, a kind of `Warehouse`.
@Archivable
final class Hangar: Warehouse {
  var marks: [Int]
  var anchor: Position
  var place: String
  var rate: Double

  required init(reading source: inout MixedSource) {
    marks = source.integers()
    anchor = source.position()
    place = source.text()
    rate = source.double()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    for number in marks { walk.digest.fold(number) }
    anchor.fold(into: &walk.digest)
    walk.digest.fold(place)
    walk.digest.fold(rate)
  }
}
