// Made by Scripts/generate-mixed.swift; do not edit.

import Arc

/// Level 2, a kind of `Asset`.
@Archivable
class Document: Asset {
  var members: [Asset] = []
  weak var keeper: Asset?

  required init(reading source: inout MixedSource) {
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    members = links.targets()
    keeper = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    members = []
    keeper = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(all: members)
    walk.reach(Reference(keeper))
  }
}

/// Level 3, a kind of `Document`.
@Archivable
class Letter: Document {
  weak var source: Asset?
  var serial: Int

  required init(reading source: inout MixedSource) {
    serial = source.integer()
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
    walk.reach(Reference(source))
    walk.digest.fold(serial)
  }
}

/// Level 4, a kind of `Letter`.
@Archivable
final class Memo: Letter {
  var color: Int32
  var volume: Int
  var rate: Double

  required init(reading source: inout MixedSource) {
    color = source.shortInteger()
    volume = source.integer()
    rate = source.double()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(color)
    walk.digest.fold(volume)
    walk.digest.fold(rate)
  }
}

/// Level 4, a kind of `Letter`.
@Archivable
final class Postcard: Letter {
  var place: String
  var topics: [String]
  var volume: Int

  required init(reading source: inout MixedSource) {
    place = source.text()
    topics = source.tags()
    volume = source.integer()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(place)
    for tag in topics { walk.digest.fold(tag) }
    walk.digest.fold(volume)
  }
}

/// Level 3, a kind of `Document`.
@Archivable
class Contract: Document {
  var copies: [Asset] = []
  var tier: Grade
  var margin: Double?

  required init(reading source: inout MixedSource) {
    tier = source.grade()
    margin = source.optionalDouble()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    copies = links.targets()
  }

  override func cutLinks() {
    super.cutLinks()
    copies = []
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.reach(all: copies)
    walk.digest.fold(tier.rawValue)
    walk.digest.fold(margin)
  }
}

/// Level 4, a kind of `Contract`.
@Archivable
final class Lease: Contract {
  weak var rival: Asset?
  var place: String
  var marks: [Int]
  var drift: Double?

  required init(reading source: inout MixedSource) {
    place = source.text()
    marks = source.integers()
    drift = source.optionalDouble()
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
    walk.digest.fold(place)
    for number in marks { walk.digest.fold(number) }
    walk.digest.fold(drift)
  }
}

/// Level 4, a kind of `Contract`.
@Archivable
final class Treaty: Contract {
  var isListed: Bool
  var rate: Double
  var marks: [Int]
  var drift: Double?

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    rate = source.double()
    marks = source.integers()
    drift = source.optionalDouble()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(rate)
    for number in marks { walk.digest.fold(number) }
    walk.digest.fold(drift)
  }
}

/// Level 3, a kind of `Document`.
@Archivable
class Invoice: Document {
  var center: Position
  var price: Double

  required init(reading source: inout MixedSource) {
    center = source.position()
    price = source.double()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    center.fold(into: &walk.digest)
    walk.digest.fold(price)
  }
}

/// Level 4, a kind of `Invoice`.
@Archivable
final class Receipt: Invoice {
  var isListed: Bool
  var rate: Double
  var place: String

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    rate = source.double()
    place = source.text()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(isListed)
    walk.digest.fold(rate)
    walk.digest.fold(place)
  }
}

/// Level 4, a kind of `Invoice`.
@Archivable
final class Bill: Invoice {
  var topics: [String]
  var color: Int32
  var neighbors: [Asset] = []

  required init(reading source: inout MixedSource) {
    topics = source.tags()
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
    for tag in topics { walk.digest.fold(tag) }
    walk.digest.fold(color)
    walk.reach(all: neighbors)
  }
}
