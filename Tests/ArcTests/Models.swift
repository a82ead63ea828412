import Arc
import Foundation

// The classes that the tests archive. Each class has a different form of declaration.

@Archivable class Biology {
  private var hairCount = 0
  var intro: String?

  init(hairCount: Int = 0) { self.hairCount = hairCount }
  var hairs: Int { hairCount }
}

@Archivable class Person: Biology, CustomStringConvertible {
  let name: String
  var age = 0
  weak var mother: Person?
  var friends: [Person] = []
  var height: Float?
  var weight: Float?
  private var hairCount = 7

  init(_ name: String, hairCount: Int = 0) {
    self.name = name
    super.init(hairCount: hairCount)
  }
  var ownHairs: Int {
    get { hairCount }
    set { hairCount = newValue }
  }
  var description: String { name }
}

@Archivable final class Employee: Person {
  var salary: Decimal = 0
  var boss: Person!
}

/// A subclass without `@Archivable`, which inherits the schema of its superclass.
final class Impostor: Person {}

@Archivable final class ChainNode {
  var value: Int
  var next: ChainNode?
  init(_ value: Int) { self.value = value }
}

/// A chain of construction references.
@Archivable final class LetNode {
  let value: Int
  let next: LetNode?
  init(_ value: Int, _ next: LetNode?) {
    self.value = value
    self.next = next
  }
}

@Archivable final class Spouse {
  var partner: Spouse!
  var other: Holder
  init(_ other: Holder) { self.other = other }
}

@Archivable final class Holder {
  var spouse: Spouse?
  init() {}
}

@Archivable final class Scalars: Equatable {
  var int8: Int8 = 0
  var int16: Int16 = 0
  var int32: Int32 = 0
  var int64: Int64 = 0
  var int128: Int128 = 0
  var uint8: UInt8 = 0
  var uint16: UInt16 = 0
  var uint32: UInt32 = 0
  var uint64: UInt64 = 0
  var uint128: UInt128 = 0
  var int = 0
  var uint: UInt = 0
  var float: Float = 0
  var double = 0.0
  var bool = false
  var string = ""
  var character: Character = "x"
  var date = Date(timeIntervalSinceReferenceDate: 0)
  var data = Data()
  var url: URL?
  var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  var decimal = Decimal(0)

  static func == (left: Scalars, right: Scalars) -> Bool { left.fields == right.fields }
  var fields: [AnyHashable?] {
    [
      int8, int16, int32, int64, int128, uint8, uint16, uint32, uint64, uint128, int, uint, float.bitPattern,
      double.bitPattern, bool, Array(string.utf8), character, date, data, url, uuid, decimal,
    ]
  }
}

@Archivable struct Point: Hashable {
  var x: Double
  var y = 0.0
  private var secret = 1
  init(x: Double, y: Double = 0, secret: Int = 1) {
    self.x = x
    self.y = y
    self.secret = secret
  }
}

@Archivable enum Color: String { case red, green }

@Archivable enum Weekday { case monday, tuesday }

@Archivable indirect enum Expression: Equatable {
  case number(Int)
  case variable(name: String)
  case sum(Expression, Expression)
  case call(function: String, _ arguments: [Expression])
  case nothing
}

@Archivable enum Target {
  case person(Person)
  case place(Point, named: String?)
  case nowhere
}

@Archivable struct Branch: Equatable {
  var label: String
  var children: [Branch] = []
}

@Archivable struct Observer { weak var person: Person? }

@Archivable final class Box<Content: ArchivableValue> {
  var content: Content
  var more: [Content] = []
  init(_ content: Content) { self.content = content }
}

@Archivable struct Pair<First: ArchivableValue, Second: ArchivableValue> {
  var first: First
  var second: Second
}

@Archivable final class Collections {
  var numbers: [Int] = []
  var matrix: [[Double]] = []
  var names: Set<String> = []
  var ages: [String: Int] = [:]
  var nested: [String: [Int: Set<String>]] = [:]
  var maybe: [Int?] = []
  var points: [Point] = []
  var targets: [Target] = []
  var colors: [Color: Weekday] = [:]
  var expression = Expression.nothing
  var tree = Branch(label: "")
  var observers: [Observer] = []
  var people: [Person] = []
  var byPerson: [Member: Int] = [:]
  var doubleOptional: Int??
  var optionalPeople: [Person?] = []
}

/// Hashes by the name of its owner. The reader links the owner after it builds the member.
@Archivable final class Member: Hashable {
  let id: Int
  unowned var club: Club
  init(_ id: Int, in club: Club) {
    self.id = id
    self.club = club
  }
  static func == (left: Member, right: Member) -> Bool {
    left.id == right.id && left.club.name == right.club.name
  }
  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(club.name)
  }
}

@Archivable final class Club {
  var name: String
  var members: Set<Member> = []
  init(_ name: String) { self.name = name }
}

/// Hashes by the elements of its set. Therefore, a set of nests must be filled after the sets of its
/// elements.
@Archivable final class Nest: Hashable {
  var id: Int
  var inner: Set<Nest> = []
  init(_ id: Int) { self.id = id }
  static func == (left: Nest, right: Nest) -> Bool { left === right }
  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(inner.count)
    for nest in inner.sorted(by: { $0.id < $1.id }) { hasher.combine(nest) }
  }
}

@propertyWrapper
struct Clamped {
  private var value: Int
  var wrappedValue: Int {
    get { value }
    set { value = min(max(newValue, 0), 100) }
  }
  init(wrappedValue: Int) { value = min(max(wrappedValue, 0), 100) }
}

@Archivable class Declarations {
  static let shared = 1
  static nonisolated(unsafe) var counter = 0
  let constant: Int
  var defaulted = 5
  @Clamped var clamped: Int = 50
  @Clamped var bare: Int
  var observed = 0 { didSet { observations += 1 } }
  var observedLink: Person? { didSet { observations += 1 } }
  @Transient var observations = 0
  lazy var expensive = defaulted * 2
  var computed: Int { defaulted + 1 }
  var implicitly: String!
  unowned var owner: Person
  private(set) var hidden: [String] = ["h"]
  @Key("renamed", "oldName", "olderName") var modern = "m"
  @Transient var cache: () -> Int = { 42 }
  init(constant: Int, bare: Int, owner: Person) {
    self.constant = constant
    self.bare = bare
    self.owner = owner
  }
  func hide(_ text: String) { hidden.append(text) }
}

enum Outer {
  @Archivable final class Inner { var text = "inner" }
}

/// A class with hand-written coding. Its keys differ between objects.
final class Contact: Archivable {
  let name: String
  var extras: [String: String] = [:]
  var next: Contact?
  weak var previous: Contact?

  init(_ name: String) { self.name = name }
  init(from decoder: borrowing ObjectDecoder) throws {
    // The keys are decoded in another order than they are encoded, and one key is decoded twice.
    for key in ["phone", "mail", "fax"] where try decoder.contains(key) {
      extras[key] = try decoder.decode(String.self, forKey: key)
    }
    name = try decoder.decode(String.self, forKey: "name")
    if try decoder.decode(String.self, forKey: "name") != name { extras["changed"] = "yes" }
  }
  func encode(to encoder: borrowing ObjectEncoder) throws {
    try encoder.encode(name, forKey: "name")
    for (key, value) in extras.sorted(by: { $0.key < $1.key }) { try encoder.encode(value, forKey: key) }
    try encoder.encode(next, forKey: "next")
    try encoder.encodeWeak(previous, forKey: "previous")
  }
  func link(from decoder: borrowing ObjectDecoder) throws {
    next = try decoder.decode(Contact?.self, forKey: "next")
    previous = try decoder.decode(Contact?.self, forKey: "previous")
  }
}
