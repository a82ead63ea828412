import Arc

/// Types of three releases.
enum Earliest {
  @Archivable("M.Item") final class Item {
    var name = "first"
    var number = 1
    var weight = 10
    var cat: Cat? = Cat("first")
  }
  @Archivable("M.Spec") struct Spec { var a: Int }
  @Archivable("M.Mode") enum Mode {
    case off
    case level(Int)
  }
}

enum Middle {
  @Archivable("M.Item") final class Item {
    @Key("title", "name") var title = "initial"
    var number = 0.0
    var weight = 0
    var cat: Cat?
    var more: [Cat] = []
  }
  @Archivable("M.Spec") struct Spec {
    var b: String?
    var a: Int
  }
  @Archivable("M.Mode") enum Mode {
    case dimmed(String)
    case off
    case level(Int)
  }
}

enum Latest {
  @Archivable("M.Item") final class Item {
    @Key("label", "title", "name") var label = "initial"
    var number = 0.0
    var cat: Cat?
    var more: [Cat] = []
    @Key("size") @Key("weight", from: Int.self, { $0 * 10 }) var size = 7
  }
  @Archivable("M.Spec") struct Spec {
    var c: [Int]?
    var a: Int
    var b: String?
  }
  @Archivable("M.Mode") enum Mode {
    @Key("none", "off") case none
    case dimmed(String)
    case level(Double)
    case bright
  }
}

extension Matrix {
  func addThreeReleases() {
    addTurns(
      Turns<Older.Label, Newer.Label, Newer.Label>(
        name: "fields with initial values", old: (.init(text: "a"), .init(text: "a")),
        newest: .init(note: "newest", numbers: [], size: 3)))
    addTurns(Turns<Int, Double, Double?>(name: "`Int`, `Double`, `Double?`", old: (5, 5), newest: 6))
    addTurns(
      Turns<Earliest.Spec, Middle.Spec, Latest.Spec>(
        name: "fields added twice", old: (.init(a: 1), .init(c: nil, a: 1, b: nil)),
        newest: .init(c: [3], a: 1, b: "b")))
    addTurns(
      Turns<[Earliest.Mode], [Middle.Mode], [Latest.Mode]>(
        name: "cases added twice, renamed", old: ([.off, .level(2)], [.none, .level(2)]),
        newest: [.none, .bright, .level(3), .dimmed("d"), .bright]))
    addTurns(
      Turns<Earliest.Item, Middle.Item, Latest.Item>(
        name: "properties added, renamed, converted",
        old: (
          Earliest.Item(),
          configured(Latest.Item()) {
            ($0.label, $0.number, $0.cat, $0.size) = ("first", 1, Cat("first"), 100)
          }
        ),
        newest: configured(Latest.Item()) {
          let cat = Cat("newest")
          ($0.label, $0.number, $0.cat, $0.more, $0.size) = ("newest", 2, cat, [cat, Cat("more")], 3)
        }, types: [Cat.self]))
    addTurns(
      Turns<Cat, Cat?, Cat?>(name: "`Cat`, `Cat?`, `Cat?`", old: (Cat("a"), Cat("a")), newest: Cat("n")))
  }
}
