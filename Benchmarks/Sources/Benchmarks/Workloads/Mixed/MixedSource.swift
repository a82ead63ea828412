import Arc

/// The quality of an asset.
@Archivable
enum Grade: UInt8, CaseIterable {
  case poor
  case fair
  case good
  case excellent
}

/// The position of an asset.
@Archivable
struct Position: Equatable {
  var latitude: Double
  var longitude: Double
  var altitude: Int32?

  /// Folds all fields.
  func fold(into digest: inout Digest) {
    digest.fold(latitude)
    digest.fold(longitude)
    digest.fold(altitude.map { Int($0) })
  }
}

/// The values of all objects of the mixed workload, in the order in which the initializers request them.
struct MixedSource {
  private var random = SeededGenerator(seed: 6)
  private var integerTape = Tape<Int>()
  private var doubleTape = Tape<Double>()
  private var flagTape = Tape<Bool>()
  private var textTape = TextTape()
  private var poolTape = Tape<UInt8>()
  private let pool: [String]

  init() {
    var words = SeededGenerator(seed: 9)
    pool = (0..<100).map { Words.identifier(words: 1...3, number: $0, &words) }
  }

  mutating func rewind() {
    integerTape.rewind()
    doubleTape.rewind()
    flagTape.rewind()
    textTape.rewind()
    poolTape.rewind()
  }

  mutating func integer() -> Int { integerTape.next { Int.random(in: 0..<1_000_000, using: &random) } }
  mutating func shortInteger() -> Int32 { Int32(integer(below: 10_000)) }
  mutating func double() -> Double { doubleTape.next { Double(random.index(below: 1_000_000)) / 100 } }
  mutating func flag() -> Bool { flagTape.next { random.chance(percent: 50) } }
  mutating func text() -> String {
    textTape.next {
      random.chance(percent: 50) ? Words.personName(&random) : Words.sentence(words: 2...6, &random)
    }
  }
  mutating func optionalText() -> String? { flag() ? text() : nil }
  mutating func optionalDouble() -> Double? { flag() ? double() : nil }
  mutating func integers() -> [Int] { array { $0.integer(below: 1000) } }
  mutating func tags() -> [String] { array { $0.pool[Int($0.poolIndex())] } }
  mutating func grade() -> Grade { Grade.allCases[integer(below: Grade.allCases.count)] }
  mutating func position() -> Position {
    Position(latitude: double(), longitude: double(), altitude: flag() ? shortInteger() : nil)
  }
  /// Returns the class index of the next object, below `bound`.
  mutating func classIndex(below bound: Int) -> Int { integer(below: bound) }

  private mutating func integer(below bound: Int) -> Int { integerTape.next { random.index(below: bound) } }

  private mutating func poolIndex() -> UInt8 { poolTape.next { UInt8(random.index(below: 100)) } }

  /// Returns an array of none to four elements.
  @inline(__always) private mutating func array<Element>(_ element: (inout MixedSource) -> Element)
    -> [Element]
  {
    let count = integer(below: 5)
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      for position in 0..<count { buffer.initializeElement(at: position, to: element(&self)) }
      initialized = count
    }
  }
}

/// The references of all objects of the mixed workload, in the order in which `connect` requests them. Half
/// of them refer to a near object, as in graphs that were built part by part. The other half refers to any
/// object.
struct MixedLinks {
  private var picker: TargetPicker
  private var tape = Tape<Int32>()
  private let objects: [Asset]

  init(objects: [Asset]) {
    self.objects = objects
    picker = TargetPicker(count: objects.count)
  }

  /// Creates the same links for other objects.
  init(_ links: MixedLinks, objects: [Asset]) {
    self.init(objects: objects)
    tape = links.tape
    tape.rewind()
  }

  /// Sets the object whose links are requested next.
  mutating func startObject(at position: Int) { picker.position = position }

  mutating func optionalTarget() -> Asset? {
    let index = Int(tape.next { picker.optionalTarget() })
    return index < 0 ? nil : objects[index]
  }

  mutating func targets() -> [Asset] {
    let count = Int(tape.next { picker.targetCount() })
    guard count > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      for index in 0..<count {
        buffer.initializeElement(at: index, to: objects[Int(tape.next { picker.target() })])
      }
      initialized = count
    }
  }
}

/// Picks the targets of links.
private struct TargetPicker {
  var position = 0
  private let count: Int
  private var random = SeededGenerator(seed: 7)

  init(count: Int) { self.count = count }

  mutating func target() -> Int32 {
    guard random.chance(percent: 50) else { return Int32(random.index(below: count)) }
    return Int32(min(max(position + random.index(below: 200) - 100, 0), count - 1))
  }

  mutating func optionalTarget() -> Int32 { random.chance(percent: 30) ? -1 : target() }

  mutating func targetCount() -> Int32 { Int32(random.index(below: 4)) }
}
