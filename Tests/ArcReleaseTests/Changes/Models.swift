import Arc
import Foundation

// Types of the two releases. A type of one release has the coded name of its counterpart in the other.

enum Older {
  enum Weekday: String, ArchivableValue, CaseIterable { case monday, tuesday, sunday }
  @Archivable("M.Spot") struct Spot: Hashable { var x = 0, y = 0 }
  @Archivable("M.Mood") enum Mood: Hashable {
    case glad(Int)
    case sad
  }
  @Archivable("M.Paint") enum Paint: Hashable {
    case none
    case solid(hex: Int)
    case gone(Int)
  }
  @Archivable("M.Formula") indirect enum Formula: Hashable {
    case number(Int)
    case sum(Formula, Formula)
    case product(Formula, Formula)
    case pi
  }
  @Archivable("M.Outline") struct Outline {
    var value: Int
    var children: [Outline]
  }
  @Archivable("M.Perch") struct Perch {
    var cat: Cat?
    var height: Int
  }
  @Archivable("M.Choice") enum Choice {
    case none
    case some(Cat?)
    case two(Cat, [Cat])
  }
  @Archivable("M.Style") struct Style: Hashable {
    var name: String
    var breadth: Int
  }
  @Archivable("M.Size") struct Size: Hashable { var breadth = 1, depth = 2 }
  @Archivable("M.Crate") struct Crate: Hashable {
    var tenths = 1
    var first = "a"
    var last = "b"
    var weight = 5
  }
  @Archivable("M.Branch") struct Branch: Hashable { var tenths = 1, children: [Branch] = [], mark = 0 }
  @Archivable("M.Label") struct Label: Hashable { var text = "text" }
  @Archivable("M.Signal") enum Signal: Hashable {
    case on(Int)
    case off
  }
  @Archivable("M.Twig") struct Twig: Hashable { var mark = 1, children: [Twig] = [] }
  @Archivable("M.Kennel") struct Kennel { var name = "name" }
  @Archivable("M.Stem") struct Stem: Hashable { var mark = 1, children: [Stem] = [] }
  @Archivable("M.Rule") indirect enum Rule: Hashable {
    case value(Int)
    case both(Rule, Rule)
  }
}

enum Newer {
  enum Weekday: String, ArchivableValue { case monday, tuesday }
  @Archivable("M.Place") struct Place: Hashable { var y = 0.0, x = 0.0, name: String? }
  @Archivable("M.Mood") enum Mood: Hashable {
    case calm
    case glad(Double, reason: String = "none")
  }
  @Archivable("M.Paint") enum Paint: Hashable {
    case fresh(String)
    @Key("color", "solid") case color(hex: Int)
    case none
  }
  @Archivable("M.Formula") indirect enum Formula: Hashable {
    case sum(Formula, Formula)
    case number(Double)
  }
  @Archivable("M.Outline") struct Outline {
    var value: Double
    var children: [Outline]
  }
  @Archivable("M.Perch") struct Perch {
    var height: Double
    var cat: [Cat]
  }
  @Archivable("M.Choice") enum Choice {
    case two([Cat], [Cat?])
    case some([Cat])
    case none
  }
  @Archivable("M.Size") struct Size: Hashable {
    @Key("width", "breadth") var width = 1
    @Key("extent", "depth") var extent = 2
  }
  @Archivable("M.Crate") struct Crate: Hashable {
    @Key("full") @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var full = ""
    var weight = 5
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) let points: Double
    @Key("isBig") @Key("tenths", from: Int.self, { $0 > 10 }) var isBig: Bool?
  }
  @Archivable("M.Branch") struct Branch: Hashable {
    var children: [Branch] = []
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points = 1.0
    @Key("word") @Key("mark", from: Int.self, { "\($0)" }) var word = ""
  }
  @Archivable("M.Label") struct Label: Hashable {
    var note = "none"
    var text = "text"
    var spot = Older.Spot(x: 3, y: 4)
    var numbers = [1]
    var date: Date?
    var size = 2.5
  }
  @Archivable("M.Signal") enum Signal: Hashable {
    case on(Int, note: String = "none", labels: [Label] = [])
    case off(note: String = "none")
  }
  @Archivable("M.Twig") struct Twig: Hashable {
    var children: [Twig] = [], more: [Twig] = [], word = "word", mark = 1
  }
  @Archivable("M.Stalk", formerly: "M.Stem") struct Stalk: Hashable {
    var mark = 1, word = "word", children: [Stalk] = []
  }
  @Archivable("M.Law", formerly: "M.Rule") indirect enum Law: Hashable {
    case both(Law, Law)
    case not(Law)
    case value(Int)
  }
  @Archivable("M.Kennel") struct Kennel {
    var name = "name"
    var guest: Cat?
    var cats: [Cat] = []
  }
  @Archivable("M.Style") struct Style: Hashable {
    @Key("width", "breadth") var width: Double
    @Key("title", "label", "name") var title: String
    var note: String?
  }
}
