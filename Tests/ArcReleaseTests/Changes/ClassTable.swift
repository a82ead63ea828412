import Arc
import Foundation

/// The rows of the pages *Changes* and *Changing your classes* on classes.
extension Matrix {
  func addProperties() {
    addObjects(
      Change(
        "property added", [(Older.Added(), configured(Newer.Added()) { ($0.a, $0.cat) = (1, Cat("added")) })],
        newer: [
          configured(Newer.Added()) {
            ($0.a, $0.text, $0.maybe, $0.cats) = (9, "newer", 3, [Cat("one"), Cat("two")])
            ($0.cat, $0.other) = ($0.cats[0], $0.cats[0])
          }
        ])
    )
    addObjects(
      Change("property removed", [(Older.Removed(), configured(Newer.Removed()) { $0.a = 1 })], isLossy: true)
    )
    addObjects(
      Change(
        "property renamed",
        [
          (
            Older.Renamed(),
            configured(Newer.Renamed()) {
              let cat = Cat("renamed")
              ($0.label, $0.pet, $0.pets, $0.index) = ("old", cat, [cat, Cat("two")], ["c": cat])
            }
          )
        ], comesBack: false, newer: [configured(Newer.Renamed()) { $0.label = "newer" }]))
    addObjects(
      Change(
        "properties reordered",
        [
          (
            Older.Reordered(),
            configured(Newer.Reordered()) {
              ($0.a, $0.b, $0.cat, $0.c) = (1, "b", Cat("reordered"), 2.5)
            }
          )
        ]))
    addObjects(
      Change(
        "`@Key(_:from:)`",
        [
          (
            Older.Converted(),
            configured(Newer.Converted()) {
              ($0.points, $0.full, $0.sum, $0.catName) = (2.5, "Ada Lovelace", 321, "converted")
              $0.pets = [Cat("two"), Cat("one")]
            }
          )
        ], isLossy: true, comesBack: false))
    addObjects(
      Change(
        "properties of other types",
        [
          (
            Older.Widened(),
            configured(Newer.Widened()) {
              ($0.number, $0.text, $0.maybe) = (5, Date(timeIntervalSinceReferenceDate: 10), [7])
              ($0.cat, $0.twice, $0.always) = ([Cat("widened")], Cat("twice"), [Cat("always")])
              ($0.list, $0.cats, $0.null) = ([3, 1], ["a": [Cat("in a")]], .some(nil))
            }
          )
        ]))
    addObjects(
      Change(
        "weak becomes strong, strong weak",
        [
          (
            Older.Bound(),
            configured(Newer.Bound()) {
              $0.owned = [Cat("owned")]
              ($0.weakFirst, $0.strong) = ($0.owned[0], $0.owned[0])
            }
          )
        ]))
    addObjects(
      Change("`var` becomes `let`, `let` `var`", [(Older.Thawed(3, Cat("t")), Newer.Thawed(3, Cat("t")))]))
  }

  func addClasses() {
    addObjects(
      Change(
        "property moves to the superclass",
        [
          (
            Older.MovedUp(),
            configured(Newer.MovedUp()) {
              ($0.p, $0.a, $0.cat) = (1, 2, Cat("moved"))
            }
          )
        ]))
    addObjects(
      Change(
        "property moves to the subclass",
        [
          (
            Older.MovedDown(),
            configured(Newer.MovedDown()) {
              ($0.own, $0.a, $0.cat) = (3, 2, Cat("moved"))
            }
          )
        ]))
    addObjects(
      Change(
        "superclass inserted",
        [
          (
            Older.Inserted(),
            configured(Newer.Inserted()) {
              ($0.a, $0.cat) = (2, Cat("below"))
            }
          )
        ]))
    addObjects(
      Change(
        "superclass removed",
        [
          (
            Older.Orphan(),
            configured(Newer.Orphan()) {
              ($0.a, $0.g, $0.cat) = (2, 1, Cat("above"))
            }
          )
        ]))
    addObjects(
      Change(
        "coded by hand now",
        [
          (
            Older.ByHand(),
            configured(Newer.ByHand()) {
              ($0.a, $0.cat) = (4, Cat("by hand"))
            }
          )
        ], types: [Cat.self]))
    addObjects(
      Change(
        "coded by hand no longer",
        [
          (
            Older.NoMoreByHand(),
            configured(Newer.NoMoreByHand()) {
              ($0.a, $0.cat) = (4, Cat("by hand"))
            }
          )
        ]))
    var renamed = Change(
      "class renamed", [(Older.Called(), configured(Newer.Called()) { $0.cat = Cat("called") })])
    renamed.register = { try $0.register(Newer.Called.self, formerly: "M.FormerName") }
    addObjects(renamed)
    var dubbed = Change(
      "class renamed, by its declaration",
      [(Older.Dubbed(), configured(Newer.Dubbed()) { $0.cat = Cat("dubbed") })])
    // This program has the classes of both releases. Where no declared type decides which one the earlier
    // name means, an open table needs a registration.
    dubbed.register = { classes in
      if classes.scope == .program { try classes.register(Newer.Dubbed.self, formerly: "M.EarlierName") }
    }
    addObjects(dubbed)
    addObjects(
      Change(
        "cycles, weak parents",
        [
          (
            Older.Vertex("a", [Older.Vertex("b"), Older.Vertex("c", [Older.Vertex("d")])]),
            Newer.Vertex("a", [Newer.Vertex("b"), Newer.Vertex("c", [Newer.Vertex("d")])])
          )
        ], comesBack: false))
    addObjects(
      Change(
        "`any P` and `Any`",
        [
          (
            Older.Owner(),
            configured(Newer.Owner()) {
              ($0.pet, $0.pets) = (Newer.Fish(n: 1), [Newer.Fish(n: 2), Newer.Dog("rex")])
              ($0.maybe, $0.info) = ([Newer.Dog("maybe")], ["fish": Newer.Fish(n: 3), "n": 1])
            }
          )
        ], types: [Newer.Fish.self, Newer.Dog.self, Int.self], comesBack: false))
    addObjects(
      Change(
        "sets with objects in keys",
        [
          (
            Older.Tagged(),
            configured(Newer.Tagged()) {
              ($0.marks, $0.cats) = ([Tag("a"), Tag("b")], [Tag("c"): [Cat("c")]])
            }
          )
        ], comesBack: false))
    addObjects(
      Change(
        "`@Coded` value with a new member",
        [
          (
            Older.Coding(),
            configured(Newer.Coding()) {
              ($0.style.x, $0.style.text) = (1, "s")
            }
          )
        ], newer: [configured(Newer.Coding()) { $0.style.note = "newer" }]))
    addObjects(
      Change(
        "`@Coded` becomes archivable",
        [
          (
            Older.Uncoded(),
            configured(Newer.Uncoded()) {
              ($0.tint.red, $0.tint.green) = (0.5, 0.25)
            }
          )
        ], comesBack: false))
    addObjects(
      Change(
        "class removed", [],
        unknown: [
          (
            Older.Zoo(), .unknownClass,
            configured(Newer.Zoo()) {
              let animal = Newer.Animal("animal")
              ($0.animals, $0.byName) = ([animal], ["a": animal])
            }
          )
        ]))
    addObjects(
      Change(
        "property is observed now",
        [
          (
            Older.Observed(),
            configured(Newer.Observed()) {
              ($0.items, $0.selected) = ([Cat("a"), Cat("b")], nil)
              ($0.upper, $0.lower) = (9, 5)
              $0.selected = $0.items[1]
              $0.changes = 3
            }
          )
        ]))
    addObjects(
      Change(
        "property is overridden now",
        [
          (
            Older.Overridden(),
            // The setter stores 105.
            configured(Newer.Overridden()) { ($0.price, $0.owner, $0.n) = (205, Cat("owner"), 1) }
          )
        ]))
  }

  func addMigrations() {
    addObjects(
      Change(
        "`migrate`: values",
        [
          (
            Older.Line(),
            configured(Newer.Line()) {
              ($0.width, $0.untouched, $0.list, $0.cat) = (
                2.5, .some(nil), [nil, .some(nil), 3], Cat("line")
              )
            }
          )
        ], comesBack: false))
    addObjects(
      Change(
        "`migrate`: an object is split",
        [
          (
            Older.Customer(),
            configured(Newer.Customer()) {
              ($0.name, $0.contact, $0.cat) = ("Ada", Newer.Contact(), Cat("customer"))
              $0.contact?.mail = "a@b"
            }
          )
        ], isLossy: true, comesBack: false))
    addObjects(
      Change(
        "`migrate`: objects are removed",
        [
          (
            Older.Folder(),
            configured(Newer.Folder()) {
              ($0.notes, $0.bins) = ([Newer.Note("a"), Newer.Note("z")], [Newer.Bin()])
              $0.bins[0].count = 1
            }
          )
        ], isLossy: true, comesBack: false))
    addObjects(
      Change(
        "`migrate`: objects become structures",
        [
          (
            Older.Polygon(),
            configured(Newer.Polygon()) {
              $0.corners = [Newer.Corner(x: 1, y: 2), Newer.Corner(x: 1, y: 2)]
            }
          )
        ], isLossy: true, comesBack: false))
    addObjects(
      Change(
        "`migrate`: two objects become one",
        [
          (
            Older.Book(),
            configured(Newer.Book()) {
              let author = Newer.Author()
              author.name = "a"
              ($0.author, $0.editor) = (author, author)
            }
          )
        ], isLossy: true, comesBack: false))
    addVersions()
  }

  /// A class with a version in both releases, each of which reads the other one's files.
  private func addVersions() {
    let newer = configured(Newer.Gauge()) { gauge in
      (gauge.points, gauge.cat, gauge.more) = (7, Cat("newer"), [Cat("one"), Cat("two")])
    }
    addObjects(
      Change(
        "`migrate`: from version 1 to version 3",
        [
          (
            Older.Gauge(),
            configured(Newer.Gauge()) { ($0.points, $0.cat) = (2.5, Cat("gauge")) }
          )
        ], comesBack: false, newer: [newer]))
    // In histories, the older release reads what the newer one wrote in any case.
    if runsHistories { return }
    addObjects(
      Change<Newer.Gauge, Older.Gauge>(
        "newer class version", [], refused: [(newer, .newerVersion)], isLossy: true))
    var allowed = Change(
      "newer class version, allowed",
      [(newer, configured(Older.Gauge()) { $0.cat = Cat("newer") })], isLossy: true)
    allowed.newerVersions = .allow
    addObjects(allowed)
  }
}
