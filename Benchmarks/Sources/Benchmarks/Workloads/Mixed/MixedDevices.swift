// Made by Scripts/generate-mixed.swift; do not edit.

import Arc

/// Level 2, a kind of `Asset`.
@Archivable
class Device: Asset {
  var floor: Int32
  var length: Double
  var entrance: Position
  var code: String

  required init(reading source: inout MixedSource) {
    floor = source.shortInteger()
    length = source.double()
    entrance = source.position()
    code = source.text()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(floor)
    walk.digest.fold(length)
    entrance.fold(into: &walk.digest)
    walk.digest.fold(code)
  }
}

/// Level 3, a kind of `Device`.
@Archivable
class Computer: Device {
  var margin: Double?
  var parent: Asset?

  required init(reading source: inout MixedSource) {
    margin = source.optionalDouble()
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
    walk.digest.fold(margin)
    walk.reach(Reference(parent))
  }
}

/// Level 4, a kind of `Computer`.
@Archivable
final class Laptop: Computer {
  var isListed: Bool
  var color: Int32
  var topics: [String]
  weak var rival: Asset?

  required init(reading source: inout MixedSource) {
    isListed = source.flag()
    color = source.shortInteger()
    topics = source.tags()
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
    walk.digest.fold(isListed)
    walk.digest.fold(color)
    for tag in topics { walk.digest.fold(tag) }
    walk.reach(Reference(rival))
  }
}

/// Level 4, a kind of `Computer`.
@Archivable
final class Server: Computer {
  var color: Int32
  var twin: Asset?

  required init(reading source: inout MixedSource) {
    color = source.shortInteger()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    twin = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    twin = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(color)
    walk.reach(Reference(twin))
  }
}

/// Level 4, a kind of `Computer`.
@Archivable
final class Workstation: Computer {
  var topics: [String]
  var anchor: Position
  var color: Int32
  var volume: Int

  required init(reading source: inout MixedSource) {
    topics = source.tags()
    anchor = source.position()
    color = source.shortInteger()
    volume = source.integer()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    for tag in topics { walk.digest.fold(tag) }
    anchor.fold(into: &walk.digest)
    walk.digest.fold(color)
    walk.digest.fold(volume)
  }
}

/// Level 3, a kind of `Device`.
@Archivable
class Phone: Device {
  var price: Double
  var serial: Int

  required init(reading source: inout MixedSource) {
    price = source.double()
    serial = source.integer()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(price)
    walk.digest.fold(serial)
  }
}

/// Level 4, a kind of `Phone`.
@Archivable
final class Handset: Phone {
  var drift: Double?
  var volume: Int
  var twin: Asset?
  var level: Grade

  required init(reading source: inout MixedSource) {
    drift = source.optionalDouble()
    volume = source.integer()
    level = source.grade()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    twin = links.optionalTarget()
  }

  override func cutLinks() {
    super.cutLinks()
    twin = nil
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(drift)
    walk.digest.fold(volume)
    walk.reach(Reference(twin))
    walk.digest.fold(level.rawValue)
  }
}

/// Level 4, a kind of `Phone`.
@Archivable
final class Pager: Phone {
  var place: String
  var neighbors: [Asset] = []
  var isListed: Bool
  var level: Grade

  required init(reading source: inout MixedSource) {
    place = source.text()
    isListed = source.flag()
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
    walk.digest.fold(place)
    walk.reach(all: neighbors)
    walk.digest.fold(isListed)
    walk.digest.fold(level.rawValue)
  }
}

/// Level 4, a kind of `Phone`.
@Archivable
final class Intercom: Phone {
  var place: String
  weak var rival: Asset?

  required init(reading source: inout MixedSource) {
    place = source.text()
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
    walk.digest.fold(place)
    walk.reach(Reference(rival))
  }
}

/// Level 3, a kind of `Device`.
@Archivable
class Sensor: Device {
  var parent: Asset?
  var batch: Int32
  var price: Double
  var margin: Double?

  required init(reading source: inout MixedSource) {
    batch = source.shortInteger()
    price = source.double()
    margin = source.optionalDouble()
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
    walk.digest.fold(batch)
    walk.digest.fold(price)
    walk.digest.fold(margin)
  }
}

/// Level 4, a kind of `Sensor`.
@Archivable
final class Thermometer: Sensor {
  var color: Int32
  var rate: Double
  var volume: Int
  weak var rival: Asset?

  required init(reading source: inout MixedSource) {
    color = source.shortInteger()
    rate = source.double()
    volume = source.integer()
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
    walk.digest.fold(color)
    walk.digest.fold(rate)
    walk.digest.fold(volume)
    walk.reach(Reference(rival))
  }
}

/// Level 4, a kind of `Sensor`.
@Archivable
final class Barometer: Sensor {
  var origin: String?
  var color: Int32

  required init(reading source: inout MixedSource) {
    origin = source.optionalText()
    color = source.shortInteger()
    super.init(reading: &source)
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    walk.digest.fold(origin)
    walk.digest.fold(color)
  }
}

/// Level 4, a kind of `Sensor`.
@Archivable
final class Camera: Sensor {
  var anchor: Position
  var twin: Asset?
  var neighbors: [Asset] = []

  required init(reading source: inout MixedSource) {
    anchor = source.position()
    super.init(reading: &source)
  }

  override func connect(by links: inout MixedLinks) {
    super.connect(by: &links)
    twin = links.optionalTarget()
    neighbors = links.targets()
  }

  override func cutLinks() {
    super.cutLinks()
    twin = nil
    neighbors = []
  }

  override func visit(_ walk: inout Walk) {
    super.visit(&walk)
    anchor.fold(into: &walk.digest)
    walk.reach(Reference(twin))
    walk.reach(all: neighbors)
  }
}
