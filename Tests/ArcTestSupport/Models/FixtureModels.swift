package import Arc
import Foundation

// The classes of the golden files. The contents of a file never change. Change a class only together with its
// files. After version 1.0, every class must still read the old files.

@Archivable package final class Person {
  package let name: String
  package weak var mother: Person?
  package var friends: [Person] = []
  package init(_ name: String) { self.name = name }
}

@Archivable package final class Series {
  package var station = ""
  package var times: [Int] = []
  package var levels: [Int16] = []
  package var states: [UInt8] = []
  package var areValid: [Bool] = []
  package var factors: [Double] = []
  package init() {}
}

@Archivable package class Vehicle {
  private var serial: Int
  let wheels: Int
  package init(serial: Int, wheels: Int) {
    self.serial = serial
    self.wheels = wheels
  }
}

@Archivable package class Car: Vehicle {
  var plate: String?
  private var serial = "none"
  package init(serial: Int, plate: String?) {
    self.plate = plate
    super.init(serial: serial, wheels: 4)
    self.serial = "C\(serial)"
  }
}

@Archivable package final class Truck: Car {
  package var load: Double = 0
  package weak var trailer: Vehicle?
}

@Archivable package final class Knot {
  package let name: String
  package var next: Knot?
  package unowned var home: Knot!
  package init(_ name: String) { self.name = name }
}

@Archivable package final class Sample {
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
  package init() {}
}

@Archivable struct Point: Hashable {
  var x: Double
  var y: Double
}

@Archivable enum Suit: String { case hearts, spades }

@Archivable package indirect enum Formula {
  case number(Int)
  case sum(Formula, Formula)
  case call(name: String, _ arguments: [Formula])
  case owner(Knot)
  case empty
}

@Archivable package struct Watcher {
  package weak var knot: Knot?
  package init(knot: Knot?) { self.knot = knot }
}

@Archivable package final class Shelf {
  var numbers = [1, -200, 70_000]
  var matrix: [[Double]] = [[], [1, 2.5]]
  var words: Set<String> = ["b", "a", "é"]
  var ages = ["Ada": 36, "Bob": 41]
  var nested: [String: [Int: Set<String>]] = ["x": [2: ["b", "a"], 1: []], "y": [:]]
  var optionals: [Int?] = [nil, 1, nil]
  var points: [Point] = [Point(x: 1, y: 2)]
  var suits: [Suit: Int] = [.hearts: 1, .spades: 2]
  var formula = Formula.sum(.number(1), .call(name: "f", [.number(2), .empty]))
  package var watchers: [Watcher] = []
  package var knots: [Knot] = []
  package var knotSet: Set<ObjectKey> = []
  package var formulas: [Formula] = []
  package init() {}
}

/// A key that is hashed by its object.
@Archivable package struct ObjectKey: Hashable {
  package var knot: Knot
  package init(knot: Knot) { self.knot = knot }
  package static func == (left: ObjectKey, right: ObjectKey) -> Bool { left.knot === right.knot }
  package func hash(into hasher: inout Hasher) { hasher.combine(knot.name) }
}

@Archivable package final class Box<Content: ArchivableValue> {
  package var content: Content
  package init(_ content: Content) { self.content = content }
}

/// A hand-written class. Each object chooses its keys.
package final class Note: Archivable {
  package let text: String
  package var tags: [String: Int] = [:]
  package var reply: Note?
  package init(_ text: String) { self.text = text }

  package init(from decoder: borrowing ObjectDecoder) throws {
    text = try decoder.decode(String.self, forKey: "text")
    for tag in ["red", "green", "blue"] {
      if let count = try decoder.decodeIfPresent(Int.self, forKey: tag) { tags[tag] = count }
    }
  }
  package func encode(to encoder: borrowing ObjectEncoder) throws {
    for (tag, count) in tags.sorted(by: { $0.key < $1.key }) { try encoder.encode(count, forKey: tag) }
    try encoder.encode(text, forKey: "text")
    if let reply { try encoder.encode(reply, forKey: "reply") }
  }
  package func link(from decoder: borrowing ObjectDecoder) throws {
    reply = try decoder.decodeIfPresent(Note.self, forKey: "reply")
  }
}
