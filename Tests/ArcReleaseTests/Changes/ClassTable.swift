import Arc
import Foundation

/// Adds the rows of the pages *Changes* and *Changing your classes* that concern classes.
extension Matrix {
  /// Runs the task for an object of the older release, and for the object that the newer release reads.
  private func addObject<Old: Archivable, New: Archivable>(
    _ name: String, _ old: Old, _ new: New, types: [any ArchivableValue.Type] = [], isLossy: Bool = false,
    comesBack: Bool = true, newer: [New] = [], filledBy fill: (New) -> Void = { _ in }
  ) {
    fill(new)
    addObjects(Change(name, [(old, new)], types: types, isLossy: isLossy, comesBack: comesBack, newer: newer))
  }

  func addProperties() {
    addObject(
      "property added", Older.Added(), Newer.Added(),
      newer: [
        configured(Newer.Added()) {
          ($0.a, $0.text, $0.maybe, $0.cats) = (9, "newer", 3, [Cat("one"), Cat("two")])
          ($0.cat, $0.other) = ($0.cats[0], $0.cats[0])
        }
      ]
    ) { ($0.a, $0.cat) = (1, Cat("added")) }
    addObject("property removed", Older.Removed(), Newer.Removed(), isLossy: true) { $0.a = 1 }
    addObject(
      "property renamed", Older.Renamed(), Newer.Renamed(), comesBack: false,
      newer: [configured(Newer.Renamed()) { $0.label = "newer" }]
    ) {
      let cat = Cat("renamed")
      ($0.label, $0.pet, $0.pets, $0.index) = ("old", cat, [cat, Cat("two")], ["c": cat])
    }
    addObject("properties reordered", Older.Reordered(), Newer.Reordered()) {
      ($0.a, $0.b, $0.cat, $0.c) = (1, "b", Cat("reordered"), 2.5)
    }
    addObject("`@Key(_:from:)`", Older.Converted(), Newer.Converted(), isLossy: true, comesBack: false) {
      ($0.points, $0.full, $0.sum, $0.catName) = (2.5, "Ada Lovelace", 321, "converted")
      $0.pets = [Cat("two"), Cat("one")]
    }
    addObject("properties of other types", Older.Widened(), Newer.Widened()) {
      ($0.number, $0.text, $0.maybe) = (5, Date(timeIntervalSinceReferenceDate: 10), [7])
      ($0.cat, $0.twice, $0.always) = ([Cat("widened")], Cat("twice"), [Cat("always")])
      ($0.list, $0.cats, $0.null) = ([3, 1], ["a": [Cat("in a")]], .some(nil))
    }
    addObject("weak becomes strong, strong weak", Older.Bound(), Newer.Bound()) {
      $0.owned = [Cat("owned")]
      ($0.weakFirst, $0.strong) = ($0.owned[0], $0.owned[0])
    }
    addObject("`var` becomes `let`, `let` `var`", Older.Thawed(3, Cat("t")), Newer.Thawed(3, Cat("t")))
  }

  func addClasses() {
    addObject("property moves to the superclass", Older.MovedUp(), Newer.MovedUp()) {
      ($0.p, $0.a, $0.cat) = (1, 2, Cat("moved"))
    }
    addObject("property moves to the subclass", Older.MovedDown(), Newer.MovedDown()) {
      ($0.own, $0.a, $0.cat) = (3, 2, Cat("moved"))
    }
    addObject("superclass inserted", Older.Inserted(), Newer.Inserted()) {
      ($0.a, $0.cat) = (2, Cat("below"))
    }
    addObject("superclass removed", Older.Orphan(), Newer.Orphan()) {
      ($0.a, $0.g, $0.cat) = (2, 1, Cat("above"))
    }
    addObject("coded by hand now", Older.ByHand(), Newer.ByHand(), types: [Cat.self]) {
      ($0.a, $0.cat) = (4, Cat("by hand"))
    }
    addObject("coded by hand no longer", Older.NoMoreByHand(), Newer.NoMoreByHand()) {
      ($0.a, $0.cat) = (4, Cat("by hand"))
    }
    var renamed = Change(
      "class renamed", [(Older.Called(), configured(Newer.Called()) { $0.cat = Cat("called") })])
    renamed.register = { try $0.register(Newer.Called.self, formerly: "M.FormerName") }
    addObjects(renamed)
    var dubbed = Change(
      "class renamed, by its declaration",
      [(Older.Dubbed(), configured(Newer.Dubbed()) { $0.cat = Cat("dubbed") })])
    // This program contains the classes of both releases. If no declared type determines which of them the
    // earlier name means, an open table needs a registration.
    dubbed.register = { classes in
      if classes.scope == .program { try classes.register(Newer.Dubbed.self, formerly: "M.EarlierName") }
    }
    addObjects(dubbed)
    addObject(
      "cycles, weak parents", Older.Vertex("a", [Older.Vertex("b"), Older.Vertex("c", [Older.Vertex("d")])]),
      Newer.Vertex("a", [Newer.Vertex("b"), Newer.Vertex("c", [Newer.Vertex("d")])]), comesBack: false)
    addObject(
      "`any P` and `Any`", Older.Owner(), Newer.Owner(), types: [Newer.Fish.self, Newer.Dog.self, Int.self],
      comesBack: false
    ) {
      ($0.pet, $0.pets) = (Newer.Fish(n: 1), [Newer.Fish(n: 2), Newer.Dog("rex")])
      ($0.maybe, $0.info) = ([Newer.Dog("maybe")], ["fish": Newer.Fish(n: 3), "n": 1])
    }
    addObject("sets with objects in keys", Older.Tagged(), Newer.Tagged(), comesBack: false) {
      ($0.marks, $0.cats) = ([Tag("a"), Tag("b")], [Tag("c"): [Cat("c")]])
    }
    addObject(
      "`@Coded` value with a new member", Older.Coding(), Newer.Coding(),
      newer: [configured(Newer.Coding()) { $0.style.note = "newer" }]
    ) {
      ($0.style.x, $0.style.text) = (1, "s")
    }
    addObject("`@Coded` becomes archivable", Older.Uncoded(), Newer.Uncoded(), comesBack: false) {
      ($0.tint.red, $0.tint.green) = (0.5, 0.25)
    }
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
    addObject("property is observed now", Older.Observed(), Newer.Observed()) {
      ($0.items, $0.selected) = ([Cat("a"), Cat("b")], nil)
      ($0.upper, $0.lower) = (9, 5)
      $0.selected = $0.items[1]
      $0.changes = 3
    }
    addObject("property is overridden now", Older.Overridden(), Newer.Overridden()) {
      // The setter stores 105.
      ($0.price, $0.owner, $0.n) = (205, Cat("owner"), 1)
    }
  }

  func addMigrations() {
    addObject("`migrate`: values", Older.Line(), Newer.Line(), comesBack: false) {
      ($0.width, $0.untouched, $0.list, $0.cat) = (2.5, .some(nil), [nil, .some(nil), 3], Cat("line"))
    }
    addObject(
      "`migrate`: an object is split", Older.Customer(), Newer.Customer(), isLossy: true, comesBack: false
    ) {
      ($0.name, $0.contact, $0.cat) = ("Ada", Newer.Contact(), Cat("customer"))
      $0.contact?.mail = "a@b"
    }
    addObject(
      "`migrate`: objects are removed", Older.Folder(), Newer.Folder(), isLossy: true, comesBack: false
    ) {
      ($0.notes, $0.bins) = ([Newer.Note("a"), Newer.Note("z")], [Newer.Bin()])
      $0.bins[0].count = 1
    }
    addObject(
      "`migrate`: objects become structures", Older.Polygon(), Newer.Polygon(), isLossy: true,
      comesBack: false
    ) {
      $0.corners = [Newer.Corner(x: 1, y: 2), Newer.Corner(x: 1, y: 2)]
    }
    addObject(
      "`migrate`: two objects become one", Older.Book(), Newer.Book(), isLossy: true, comesBack: false
    ) {
      let author = Newer.Author()
      author.name = "a"
      ($0.author, $0.editor) = (author, author)
    }
    addVersions()
  }

  /// Adds a class that has a version in both releases. Each release reads the files of the other.
  private func addVersions() {
    let newer = configured(Newer.Gauge()) { gauge in
      (gauge.points, gauge.cat, gauge.more) = (7, Cat("newer"), [Cat("one"), Cat("two")])
    }
    addObject(
      "`migrate`: from version 1 to version 3", Older.Gauge(), Newer.Gauge(), comesBack: false, newer: [newer]
    ) { ($0.points, $0.cat) = (2.5, Cat("gauge")) }
    // In histories, the older release reads the files of the newer release anyway.
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
