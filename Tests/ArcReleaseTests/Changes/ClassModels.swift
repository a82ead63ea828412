import Arc
import Foundation

// Classes in which a property was changed. The properties contain references.

extension Older {
  @Archivable("M.Added") final class Added { var a = 1, cat: Cat? = Cat("added") }
  @Archivable("M.Removed") final class Removed {
    var a = 1
    var text = "gone"
    var list: [Stray] = [Stray()]
    var cat: Cat? = Cat("removed")
  }
  /// A class that the newer release does not have.
  @Archivable("M.Stray") final class Stray { var n = 1 }
  @Archivable("M.Renamed") final class Renamed {
    var name = "old"
    var cat: Cat?
    var cats: [Cat] = []
    var byName: [String: Cat] = [:]
    init() {
      let cat = Cat("renamed")
      (self.cat, cats, byName) = (cat, [cat, Cat("two")], ["c": cat])
    }
  }
  @Archivable("M.Reordered") final class Reordered {
    var a = 1
    var b = "b"
    var cat: Cat? = Cat("reordered")
    var c = 2.5
  }
  @Archivable("M.Converted") final class Converted {
    var tenths = 25
    var first = "Ada"
    var last = "Lovelace"
    var r = 1, g = 2, b = 3
    var cat: Cat? = Cat("converted")
    var cats = [Cat("one"), Cat("two")]
  }
  @Archivable("M.Widened") final class Widened {
    var number = 5
    var text = "2001-01-01T00:00:10Z"
    var maybe: Int? = 7
    var cat: Cat? = Cat("widened")
    var twice: Cat?? = Cat("twice")
    var always = Cat("always")
    var list: [Int] = [3, 1]
    var cats = ["a": Cat("in a")]
    var null: Int?? = .some(nil)
  }
  @Archivable("M.Parent") class Parent { var p = 1 }
  @Archivable("M.MovedUp") final class MovedUp: Parent {
    var a = 2
    var cat: Cat? = Cat("moved")
  }
  @Archivable("M.OtherParent") class OtherParent {
    var a = 2
    var cat: Cat? = Cat("moved")
  }
  @Archivable("M.MovedDown") final class MovedDown: OtherParent { var own = 3 }
  @Archivable("M.Inserted") final class Inserted {
    var a = 2
    var cat: Cat? = Cat("below")
  }
  @Archivable("M.Gone") class Gone {
    var g = 1
    var cat: Cat? = Cat("above")
  }
  @Archivable("M.Orphan") final class Orphan: Gone { var a = 2 }
  @Archivable("M.Bound") final class Bound {
    var owned: [Cat] = []
    weak var weakFirst: Cat?
    var strong: Cat?
    init() {
      owned = [Cat("owned")]
      (weakFirst, strong) = (owned[0], owned[0])
    }
  }
  @Archivable("M.Thawed") final class Thawed {
    let a: Int
    let cat: Cat
    var b: Int
    var other: Cat
    init(_ a: Int, _ cat: Cat) { (self.a, self.cat, b, other) = (a, cat, a, cat) }
  }
  @Archivable("M.ByHand") final class ByHand {
    var a = 4
    var cat: Cat? = Cat("by hand")
  }
  final class NoMoreByHand: Archivable {
    var a = 4
    var cat: Cat? = Cat("by hand")
    init() {}
    init(from decoder: borrowing ObjectDecoder) throws { a = try decoder.decode(Int.self, forKey: "a") }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(a, forKey: "a", during: .construction)
      try encoder.encode(cat, forKey: "cat", during: .linking)
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      cat = try decoder.decode(Cat?.self, forKey: "cat")
    }
    static var archiveSchema: ClassSchema { ClassSchema(NoMoreByHand.self, name: "M.NoMoreByHand") }
  }
  @Archivable("M.FormerName") final class Called { var cat: Cat? = Cat("called") }
  @Archivable("M.EarlierName") final class Dubbed { var cat: Cat? = Cat("dubbed") }
  @Archivable("M.Vertex") final class Vertex {
    var name: String
    weak var parent: Vertex?
    var children: [Vertex] = []
    var partner: Vertex?
    init(_ name: String, _ children: [Vertex] = []) {
      (self.name, self.children) = (name, children)
      for child in children { child.parent = self }
      partner = self
    }
  }
  @Archivable("M.Owner") final class Owner {
    var pet: any Pet = Fish(n: 1)
    var pets: [any Pet] = [Fish(n: 2), Dog("rex")]
    var maybe: (any Pet)? = Dog("maybe")
    @Boxed var info: [String: Any] = ["fish": Fish(n: 3), "n": 1]
  }
  @Archivable("M.Fish") struct Fish: Pet { var n: Int }
  @Archivable("M.Dog") final class Dog: Pet {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("M.Tagged") final class Tagged {
    var tags: Set<Tag> = [Tag("a"), Tag("b")]
    var cats: [Tag: Cat] = [Tag("c"): Cat("c")]
  }
  @Archivable("M.Coding") final class Coding { @Coded var style = CodedStyle() }
  struct CodedStyle: Codable { var x = 1, text = "s" }
  @Archivable("M.Uncoded") final class Uncoded { @Coded var tint = Tint() }
  struct Tint: Codable { var red = 0.5, green = 0.25 }
  @Archivable("M.Zoo") final class Zoo {
    var best: Animal?
    var animals: [Animal] = []
    var byName: [String: Animal] = [:]
    init() {
      let tiger = Tiger<Int>("tiger")
      let animal = Animal("animal")
      (best, animals, byName) = (tiger, [tiger, animal, tiger], ["t": tiger, "a": animal])
    }
  }
  @Archivable("M.Animal") class Animal {
    var name: String
    init(_ name: String) { self.name = name }
  }
  /// The class is generic, so that the newer release does not find it in this program.
  @Archivable("M.Tiger") final class Tiger<Stripes: ArchivableValue>: Animal { var stripes: Stripes? }
  @Archivable("M.PriceBase") class PriceBase {
    var price = 105
    var owner: Cat? = Cat("owner")
  }
  @Archivable("M.Overridden") final class Overridden: PriceBase { var n = 1 }
  @Archivable("M.Observed") final class Observed {
    var lower = 5.0
    var upper = 9.0
    var items = [Cat("a"), Cat("b")]
    var selected: Cat?
    var changes = 3
    init() { selected = items[1] }
  }
}

/// The type of the things that owners have.
protocol Pet {}

extension Newer {
  @Archivable("M.Added") final class Added {
    var a = 0
    var cat: Cat?
    var text = "initial"
    var maybe: Int?
    var cats: [Cat] = []
    var other: Cat?
  }
  @Archivable("M.Removed") final class Removed { var a = 0 }
  @Archivable("M.Renamed") final class Renamed {
    @Key("label", "title", "name") var label = "initial"
    @Key("pet", "cat") var pet: Cat?
    @Key("pets", "cats") var pets: [Cat] = []
    @Key("index", "byName") var index: [String: Cat] = [:]
  }
  @Archivable("M.Reordered") final class Reordered {
    var c = 0.0
    var cat: Cat?
    var b = ""
    var a = 0
  }
  @Archivable("M.Converted") final class Converted {
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points = 1.0
    @Key("full") @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var full = ""
    @Key("sum") @Key("r", "g", "b", from: (Int, Int, Int).self, { $0 + 10 * $1 + 100 * $2 }) var sum = 0
    @Key("catName") @Key("cat", from: Cat?.self, { $0?.name }) var catName: String?
    @Key("pets") @Key("cats", from: [Cat].self, { Array($0.reversed()) }) var pets: [Cat] = []
  }
  @Archivable("M.Widened") final class Widened {
    var number = 0.0
    var text = Date(timeIntervalSinceReferenceDate: 0)
    var maybe: [Int] = []
    var cat: [Cat] = []
    var twice: Cat?
    var always: [Cat] = []
    var list: Set<Int> = []
    var cats: [String: [Cat]] = [:]
    var null: Int?? = 9
  }
  @Archivable("M.Parent") class Parent {
    var a = 0
    var cat: Cat?
    var p = 0
  }
  @Archivable("M.MovedUp") final class MovedUp: Parent {}
  @Archivable("M.OtherParent") class OtherParent {}
  @Archivable("M.MovedDown") final class MovedDown: OtherParent {
    var own = 0
    var a = 0
    var cat: Cat?
  }
  @Archivable("M.New") class New { var n = "new" }
  @Archivable("M.Inserted") final class Inserted: New {
    var a = 0
    var cat: Cat?
  }
  @Archivable("M.Orphan") final class Orphan {
    var a = 0
    var g = 0
    var cat: Cat?
  }
  @Archivable("M.Bound") final class Bound {
    var owned: [Cat] = []
    var weakFirst: Cat?
    weak var strong: Cat?
  }
  @Archivable("M.Thawed") final class Thawed {
    var a = 0
    var cat: Cat?
    let b: Int
    let other: Cat
    init(_ a: Int, _ cat: Cat) { (self.a, self.cat, b, other) = (a, cat, a, cat) }
  }
  final class ByHand: Archivable {
    var a = 0
    var cat: Cat?
    init() {}
    init(from decoder: borrowing ObjectDecoder) throws { a = try decoder.decode(Int.self, forKey: "a") }
    func encode(to encoder: borrowing ObjectEncoder) throws {
      try encoder.encode(a, forKey: "a", during: .construction)
      try encoder.encode(cat, forKey: "cat", during: .linking)
    }
    func link(from decoder: borrowing ObjectDecoder) throws {
      cat = try decoder.decode(Cat?.self, forKey: "cat")
    }
    static var archiveSchema: ClassSchema { ClassSchema(ByHand.self, name: "M.ByHand") }
  }
  @Archivable("M.NoMoreByHand") final class NoMoreByHand {
    var a = 0
    var cat: Cat?
  }
  @Archivable("M.Called") final class Called { var cat: Cat? }
  @Archivable("M.Dubbed", formerly: "M.EarlierName") final class Dubbed { var cat: Cat? }
  @Archivable("M.Vertex") final class Vertex {
    @Key("title", "name") var title: String
    weak var parent: Vertex?
    @Key("below", "children") var below: [Vertex] = []
    var partner: [Vertex] = []
    init(_ title: String, _ below: [Vertex] = []) {
      (self.title, self.below) = (title, below)
      for child in below { child.parent = self }
      partner = [self]
    }
  }
  @Archivable("M.Owner") final class Owner {
    var pet: (any Pet)?
    var pets: [any Pet] = []
    var maybe: [any Pet] = []
    @Boxed var info: [String: Any] = [:]
  }
  @Archivable("M.Fish") struct Fish: Pet {
    var depth: Int?
    var n: Double
  }
  @Archivable("M.Dog") final class Dog: Pet {
    @Key("title", "name") var title: String
    init(_ title: String) { self.title = title }
  }
  @Archivable("M.Tagged") final class Tagged {
    @Key("marks", "tags") var marks: Set<Tag> = []
    @Key("cats") var cats: [Tag: [Cat]] = [:]
  }
  @Archivable("M.Coding") final class Coding { @Coded var style = CodedStyle() }
  struct CodedStyle: Codable { var text = "", x = 0, note: String? }
  @Archivable("M.Uncoded") final class Uncoded {
    @Key("paint") @Key("tint", from: CodableValue<Tint>.self, { $0.value }) var tint = Tint()
  }
  @Archivable("M.Tint") struct Tint: Codable { var red = 0.0, green = 0.0 }
  @Archivable("M.Zoo") final class Zoo {
    var best: Animal?
    var animals: [Animal] = []
    var byName: [String: Animal] = [:]
  }
  @Archivable("M.Animal") class Animal {
    var name: String
    init(_ name: String) { self.name = name }
  }
  @Archivable("M.PriceBase") class PriceBase {
    var price = 0
    var owner: Cat?
    init() {}
  }
  @Archivable("M.Overridden") final class Overridden: PriceBase {
    override var price: Int {
      get { super.price + 100 }
      set { super.price = newValue - 100 }
    }
    override var owner: Cat? {
      get { nil }
      set { super.owner = newValue }
    }
    var n = 0
    override init() { super.init() }
  }
  @Archivable("M.Observed") final class Observed {
    var lower = 0.0 { didSet { (lower, changes) = (min(lower, upper), changes + 1) } }
    var upper = 1.0 { didSet { (upper, changes) = (max(lower, upper), changes + 1) } }
    var items: [Cat] = [] { didSet { selected = nil } }
    var selected: Cat? { didSet { changes += 1 } }
    var changes = 0
    init() {}
  }
}
