import Arc
import Foundation

// The classes of the golden files. What a file holds is fixed: change a class here only together with its files,
// and after version 1.0 never in a way that the old files do not survive.

@Archivable
final class Person {
  let name: String
  weak var mother: Person?
  var friends: [Person] = []
  init(_ name: String) { self.name = name }
}

@Archivable
final class Series {
  var station = ""
  var times: [Int] = []
  var levels: [Int16] = []
  var states: [UInt8] = []
  var areValid: [Bool] = []
  var factors: [Double] = []
}

@Archivable
class Vehicle {
  private var serial: Int
  let wheels: Int
  init(serial: Int, wheels: Int) {
    self.serial = serial
    self.wheels = wheels
  }
}

@Archivable
class Car: Vehicle {
  var plate: String?
  private var serial = "none"
  init(serial: Int, plate: String?) {
    self.plate = plate
    super.init(serial: serial, wheels: 4)
    self.serial = "C\(serial)"
  }
}

@Archivable
final class Truck: Car {
  var load: Double = 0
  weak var trailer: Vehicle?
}

@Archivable
final class Knot {
  let name: String
  var next: Knot?
  unowned var home: Knot!
  init(_ name: String) { self.name = name }
}

@Archivable
final class Sample {
  var bool = true
  var int8: Int8 = .min
  var int16: Int16 = .min
  var int32: Int32 = .min
  var int64: Int64 = .min
  var int128: Int128 = .min
  var uint8: UInt8 = .max
  var uint16: UInt16 = .max
  var uint32: UInt32 = .max
  var uint64: UInt64 = .max
  var uint128: UInt128 = .max
  var int = -1
  var float = Float(bitPattern: 0x7FA0_0001)
  var double = -0.0
  var string = "e\u{301}\u{0}é\u{1F408}"
  var character: Character = "ß"
  var date = Date(timeIntervalSinceReferenceDate: 800_000_000.5)
  var data = Data([0, 1, 254, 255])
  var url = URL(string: "https://example.org/a?b=c#d")
  var relative = URL(string: "x/y", relativeTo: URL(string: "https://example.org/"))
  var uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
  var decimal = Decimal(string: "-12345678901234567890.0123456789") ?? 0
  var some: Float? = 1.5
  var none: Float?
  var nested: Int?? = .some(nil)
}

@Archivable
struct Point: Hashable {
  var x: Double
  var y: Double
}

@Archivable
enum Suit: String { case hearts, spades }

@Archivable
indirect enum Formula {
  case number(Int)
  case sum(Formula, Formula)
  case call(name: String, _ arguments: [Formula])
  case owner(Knot)
  case empty
}

@Archivable
struct Watcher { weak var knot: Knot? }

@Archivable
final class Shelf {
  var numbers = [1, -200, 70_000]
  var matrix: [[Double]] = [[], [1, 2.5]]
  var words: Set<String> = ["b", "a", "é"]
  var ages = ["Ada": 36, "Bob": 41]
  var nested: [String: [Int: Set<String>]] = ["x": [2: ["b", "a"], 1: []], "y": [:]]
  var optionals: [Int?] = [nil, 1, nil]
  var points: [Point] = [Point(x: 1, y: 2)]
  var suits: [Suit: Int] = [.hearts: 1, .spades: 2]
  var formula = Formula.sum(.number(1), .call(name: "f", [.number(2), .empty]))
  var watchers: [Watcher] = []
  var knots: [Knot] = []
  var knotSet: Set<ObjectKey> = []
  var formulas: [Formula] = []
}

/// A key that hashes by the object in it.
@Archivable
struct ObjectKey: Hashable {
  var knot: Knot
  static func == (left: ObjectKey, right: ObjectKey) -> Bool { left.knot === right.knot }
  func hash(into hasher: inout Hasher) { hasher.combine(knot.name) }
}

@Archivable
final class Box<Content: ArchivableValue> {
  var content: Content
  init(_ content: Content) { self.content = content }
}

/// Coded by hand; keys differ from object to object.
final class Note: Archivable {
  let text: String
  var tags: [String: Int] = [:]
  var reply: Note?
  init(_ text: String) { self.text = text }

  init(from decoder: borrowing ObjectDecoder) throws {
    text = try decoder.decode(String.self, forKey: "text")
    for tag in ["red", "green", "blue"] {
      if let count = try decoder.decodeIfPresent(Int.self, forKey: tag) { tags[tag] = count }
    }
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    for (tag, count) in tags.sorted(by: { $0.key < $1.key }) { try encoder.encode(count, forKey: tag) }
    try encoder.encode(text, forKey: "text")
    if let reply { try encoder.encode(reply, forKey: "reply") }
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    reply = try decoder.decodeIfPresent(Note.self, forKey: "reply")
  }
}
