import Arc
import Foundation

/// Adds the rows of the page *Changes* that concern types, with more values for each row.
extension Matrix {
  func addNumbers() {
    addWithKeys(
      Change<Int, Double>(
        "`Int` → `Double`", [(5, 5.0), (-7, -7.0)], refused: [(9_007_199_254_740_993, .valueOutOfRange)]))
    addWithKeys(
      Change<Int, Int8>("`Int` → `Int8`", [(100, 100), (-1, -1)], refused: [(300, .valueOutOfRange)]))
    addWithKeys(Change<Int, UInt>("`Int` → `UInt`", [(1, 1)], refused: [(-1, .valueOutOfRange)]))
    addWithKeys(Change<Int32, Int>("`Int32` → `Int`", [(7, 7), (-7, -7)]))
    addWithKeys(Change<Double, Int>("`Double` → `Int`", [(2.0, 2)], refused: [(2.5, .valueOutOfRange)]))
    addWithKeys(Change<Double, Float>("`Double` → `Float`", [(0.5, 0.5)], refused: [(0.1, .valueOutOfRange)]))
    addWithKeys(Change<Bool, Int>("`Bool` → `Int`", [(true, 1), (false, 0)]))
    addWithKeys(
      Change<Int, Bool>("`Int` → `Bool`", [(1, true), (0, false)], refused: [(2, .valueOutOfRange)]))
    addWithKeys(Change<Int, Decimal>("`Int` → `Decimal`", [(12, 12)]))
    addWithKeys(Change<Double, Decimal>("`Double` → `Decimal`", [(0.5, 0.5), (2, 2)]))
    addWithKeys(Change<Int, String>("`Int` → `String`", [], refused: [(5, .typeMismatch)]))
  }

  func addTexts() throws {
    let text = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    guard let id = UUID(uuidString: text), let url = URL(string: "https://swift.org") else { return }
    let date = Date(timeIntervalSinceReferenceDate: 10)
    addWithKeys(
      Change<String, UUID>("`String` → `UUID`", [(text, id)], refused: [("mine", .valueOutOfRange)]))
    addWithKeys(Change<UUID, String>("`UUID` → `String`", [(id, text)]))
    addWithKeys(Change<String, URL>("`String` → `URL`", [("https://swift.org", url)]))
    addWithKeys(Change<URL, String>("`URL` → `String`", [(url, "https://swift.org")]))
    addWithKeys(
      Change<String, Date>(
        "`String` → `Date`", [("2001-01-01T00:00:10Z", date)], refused: [("now", .valueOutOfRange)]))
    addWithKeys(Change<Date, String>("`Date` → `String`", [(date, "2001-01-01T00:00:10Z")]))
    addWithKeys(Change<Date, Double>("`Date` → `Double`", [(date, 10)]))
    addWithKeys(Change<Double, Date>("`Double` → `Date`", [], refused: [(10, .typeMismatch)]))
    addWithKeys(
      Change<String, Decimal>(
        "`String` → `Decimal`", [("1.50", 1.5)], refused: [("a", .valueOutOfRange)], comesBack: false))
    addWithKeys(
      Change<String, Newer.Weekday>(
        "`String` → `Weekday`", [("monday", .monday)], unknown: [("someday", .unknownCase, nil)],
        isVisible: false))
    addWithKeys(Change<Newer.Weekday, String>("`Weekday` → `String`", [(.monday, "monday")]))
    addWithKeys(Change<String, Int>("`String` → `Int`", [], refused: [("5", .typeMismatch)]))
  }

  func addPresence() {
    addWithKeys(Change<Int, Int?>("`Int` → `Int?`", [(5, 5), (0, 0)]))
    addWithKeys(Change<Int?, Int>("`Int?` → `Int`", [(5, 5)], refused: [(nil, .valueOutOfRange)]))
    addWithKeys(Change<Int, [Int]>("`Int` → `[Int]`", [(5, [5])]))
    addWithKeys(Change<Int?, [Int]>("`Int?` → `[Int]`", [(5, [5]), (nil, [])]))
    addWithKeys(Change<[Int], Int>("`[Int]` → `Int`", [], refused: [([5], .typeMismatch)]))
    addWithKeys(Change<Int?, [Int]?>("`Int?` → `[Int]?`", [(5, [5]), (nil, nil)]))
    addWithKeys(Change<Int?, [Double?]>("`Int?` → `[Double?]`", [(5, [5])]))
    addWithKeys(Change<Int??, Int??>("`Int??` → `Int??`", [(5, 5), (nil, nil), (.some(nil), .some(nil))]))
    addWithKeys(Change<Int?, Double?>("`Int?` → `Double?`", [(5, 5), (nil, nil)]))
    addWithKeys(Change<Int, Double??>("`Int` → `Double??`", [(5, 5)]))
  }

  func addCollections() {
    addWithKeys(
      Change<[Int], Set<Int>>("`[Int]` → `Set<Int>`", [([5], [5])], refused: [([5, 5], .duplicateKey)]))
    addWithKeys(Change<Set<Int>, [Int]>("`Set<Int>` → `[Int]`", [([5], [5]), ([], [])]))
    addWithKeys(Change<[Int], [Double]>("`[Int]` → `[Double]`", [([1, 2], [1, 2]), ([], [])]))
    addWithKeys(
      Change<[String: Int], [String: Double]>("`[String: Int]` → `[String: Double]`", [(["a": 1], ["a": 1])]))
    addWithKeys(Change<[UInt8], Data>("`[UInt8]` → `Data`", [([1, 2], Data([1, 2]))]))
    addWithKeys(Change<Data, [UInt8]>("`Data` → `[UInt8]`", [(Data([1, 2]), [1, 2])]))
    addWithKeys(
      Change<[Int], [String: Int]>("`[Int]` → `[String: Int]`", [], refused: [([1], .typeMismatch)]))
    addWithKeys(
      Change<[Int: [Int]], [Double: Set<Int>]>(
        "`[Int: [Int]]` → `[Double: Set<Int>]`", [([1: [2]], [1: [2]])]))
  }

  func addValues() {
    let place = Newer.Place(y: 2, x: 1, name: nil)
    addWithKeys(
      Change<Older.Spot, Newer.Place>(
        "`Spot` → `Place`", [(.init(x: 1, y: 2), place)], newer: [.init(y: 2, x: 1, name: "newer")]))
    addWithKeys(
      Change<Newer.Place, Older.Spot>("`Place` → `Spot`", [(place, .init(x: 1, y: 2))], isLossy: true))
    addWithKeys(
      Change<Older.Spot, [Older.Spot]>("`Spot` → `[Spot]`", [(.init(x: 1, y: 2), [.init(x: 1, y: 2)])]))
    addWithKeys(Change<Older.Spot, Int>("`Spot` → `Int`", [], refused: [(.init(x: 1, y: 2), .typeMismatch)]))
    addWithKeys(
      Change<Older.Mood, Newer.Mood>(
        "`Mood` → `Temper`", [(.glad(2), .glad(2))], unknown: [(.sad, .unknownCase, nil)],
        newer: [.calm, .glad(2, reason: "newer")]))
    addWithKeys(
      Change<Older.Style, Newer.Style>(
        "fields renamed, added, widened",
        [(.init(name: "s", breadth: 3), .init(width: 3, title: "s", note: nil))],
        newer: [.init(width: 4, title: "n", note: "newer")]))
    addWithKeys(
      Change<Older.Size, Newer.Size>(
        "all fields renamed",
        [(.init(breadth: 3, depth: 4), .init(width: 3, extent: 4)), (.init(), .init())], comesBack: false,
        newer: [.init(width: 5, extent: 6), .init(width: 7, extent: 8)]))
    addWithKeys(
      Change<Older.Crate, Newer.Crate>(
        "fields converted",
        [
          (
            .init(tenths: 30, first: "A", last: "B", weight: 7),
            .init(full: "A B", weight: 7, points: 3, isBig: true)
          ), (.init(), .init(full: "a b", points: 0.1, isBig: false)),
        ], comesBack: false, newer: [.init(full: "newer", points: 9, isBig: nil)]))
    add(
      Change<Older.Branch, Newer.Branch>(
        "fields of a recursive structure converted",
        [
          (
            .init(tenths: 20, children: [.init(tenths: 30, children: [.init(mark: 6)], mark: 5)], mark: 4),
            .init(
              children: [.init(children: [.init(points: 0.1, word: "6")], points: 3, word: "5")], points: 2,
              word: "4")
          )
        ], comesBack: false, newer: [.init(children: [.init(word: "newer")], points: 4)]))
    addAddedFields()
    addWithKeys(
      Change<Older.Style?, Newer.Style?>(
        "optional structure",
        [(.init(name: "s", breadth: 3), .init(width: 3, title: "s", note: nil)), (nil, nil)],
        newer: [Newer.Style(width: 4, title: "n", note: "newer")]))
    add(
      Change<[Older.Style], [Newer.Style]>(
        "array of structures",
        [([.init(name: "s", breadth: 3)], [.init(width: 3, title: "s", note: nil)]), ([], [])],
        newer: [[.init(width: 4, title: "n", note: "newer")]]))
  }

  /// Fields and associated values with initial values, which an older release does not write.
  private func addAddedFields() {
    addWithKeys(
      Change<Older.Label, Newer.Label>(
        "fields added with initial values", [(.init(text: "a"), .init(text: "a")), (.init(), .init())],
        newer: [.init(note: "newer", spot: .init(x: 5, y: 6), numbers: [], date: .distantPast, size: 3)]))
    addWithKeys(
      Change<Older.Signal, Newer.Signal>(
        "associated values added with initial values", [(.on(1), .on(1)), (.off, .off())],
        newer: [.on(2, note: "newer", labels: [.init(note: "n"), .init()]), .off(note: "newer")]))
    addWithKeys(
      Change<Older.Twig, Newer.Twig>(
        "fields added to a recursive structure",
        [
          (.init(mark: 2, children: [.init(mark: 3)]), .init(children: [.init(mark: 3)], mark: 2)),
          (.init(), .init()),
        ],
        newer: [
          .init(children: [.init(word: "newer")], more: [.init(children: [.init(mark: 5)])], word: "newest")
        ]))
    addWithKeys(
      Change<Older.Stem, Newer.Stalk>(
        "recursive structure renamed",
        [(.init(mark: 2, children: [.init(mark: 3)]), .init(mark: 2, children: [.init(mark: 3)]))],
        newer: [.init(mark: 4, word: "newer", children: [.init(word: "newest")])]))
    addWithKeys(
      Change<Older.Rule, Newer.Law>(
        "recursive enumeration renamed", [(.both(.value(1), .value(2)), .both(.value(1), .value(2)))],
        newer: [.not(.value(3)), .both(.not(.value(4)), .value(5))]))
    add(
      Change<Older.Kennel, Newer.Kennel>(
        "references added", [(.init(name: "k"), .init(name: "k"))],
        classes: [Cat.self],
        newer: [.init(guest: Cat("guest"), cats: [Cat("newer")]), .init(name: "newest")]))
  }

  func addEnumerations() {
    addWithKeys(
      Change<Older.Paint, Newer.Paint>(
        "cases renamed, added, removed", [(.none, .none), (.solid(hex: 7), .color(hex: 7))],
        unknown: [(.gone(1), .unknownCase, nil)], newer: [.fresh("newer")]))
    addCaseList()
    add(
      Change<Older.Paint?, Newer.Paint?>(
        "optional case",
        [(nil, nil), (Older.Paint.none, Newer.Paint.none), (.solid(hex: 1), .color(hex: 1))],
        unknown: [(.gone(1), .unknownCase, .some(nil))], newer: [Newer.Paint.fresh("newer")]))
    addRawValues()
  }

  private func addCaseList() {
    var list = Change<[Older.Paint], [Newer.Paint]>(
      "array of cases", [([.none, .solid(hex: 1)], [.none, .color(hex: 1)])],
      unknown: [([.none, .gone(1), .solid(hex: 2)], .unknownCase, [.none, .color(hex: 2)])],
      newer: [[.fresh("newer"), .none, .fresh("newest"), .color(hex: 3)]])
    // The older release reads `[.none]`. Therefore, setting `[.none, .solid(hex: 1)]` appends an element.
    list.replacement = [.none, .color(hex: 1), .color(hex: 1)]
    add(list)
  }

  private func addRawValues() {
    addWithKeys(
      Change<Older.Weekday, Newer.Weekday>(
        "raw value removed", [(.monday, .monday)], unknown: [(.sunday, .unknownCase, nil)], isVisible: false))
    add(
      Change<[Older.Weekday: [Older.Weekday]], [Newer.Weekday: [Newer.Weekday]]>(
        "raw values in a dictionary", [([.monday: [.tuesday]], [.monday: [.tuesday]])],
        unknown: [
          ([.monday: [.sunday, .tuesday], .sunday: [.monday]], .unknownCase, [.monday: [.tuesday]])
        ], isVisible: false))
    addWithKeys(
      Change<Older.Formula, Newer.Formula>(
        "recursive enumeration",
        [
          (.number(1), .number(1)),
          (.sum(.number(1), .sum(.number(2), .number(3))), .sum(.number(1), .sum(.number(2), .number(3)))),
        ],
        unknown: [
          (.pi, .unknownCase, nil), (.sum(.number(1), .pi), .unknownCase, nil),
          (.product(.number(1), .number(2)), .unknownCase, nil),
        ]))
    add(
      Change<[Older.Formula], [Newer.Formula]>(
        "array of recursive enumerations",
        [([.number(1), .sum(.number(1), .number(2))], [.number(1), .sum(.number(1), .number(2))])],
        unknown: [
          ([.pi, .sum(.number(1), .number(2))], .unknownCase, [.sum(.number(1), .number(2))]),
          ([.sum(.number(1), .pi), .number(4)], .unknownCase, [.number(4)]),
          (
            [.product(.pi, .number(2)), .number(4), .product(.number(1), .number(2))], .unknownCase,
            [.number(4)]
          ),
        ]))
    add(
      Change<Older.Formula?, Newer.Formula?>(
        "optional recursive enumeration", [(.number(1), .number(1)), (nil, nil)],
        unknown: [(.pi, .unknownCase, .some(nil)), (.sum(.pi, .number(1)), .unknownCase, .some(nil))]))
    add(
      Change<Older.Outline, Newer.Outline>(
        "recursive structure",
        [
          (
            .init(value: 1, children: [.init(value: 2, children: [])]),
            .init(value: 1, children: [.init(value: 2, children: [])])
          )
        ]))
  }

  func addReferences() {
    let cats: [any ArchivableValue.Type] = [Cat.self, Tag.self]
    addObjects(
      Change<Lion, Cat>("`Lion` → `Cat`", [(Lion("a"), Lion("a"))], types: [Lion.self], classes: cats))
    add(Change<Cat, Cat?>("`Cat` → `Cat?`", [(Cat("a"), Cat("a"))], classes: cats))
    add(Change<Cat, [Cat]>("`Cat` → `[Cat]`", [(Cat("a"), [Cat("a")])], classes: cats))
    add(
      Change<Cat?, [Cat]>("`Cat?` → `[Cat]`", [(Cat("a"), [Cat("a")]), (nil, [])], classes: cats))
    add(
      Change<[Cat], Cat>("`[Cat]` → `Cat`", [], refused: [([Cat("a")], .typeMismatch)], classes: cats))
    add(
      Change<Cat, Older.Spot>("`Cat` → `Spot`", [], refused: [(Cat("a"), .typeMismatch)], classes: cats))
    add(
      Change<Cat?, Cat>(
        "`Cat?` → `Cat`", [(Cat("a"), Cat("a"))], refused: [(nil, .nilReference)],
        classes: cats, isVisible: false))
    add(
      Change<Cat??, Cat?>(
        "`Cat??` → `Cat?`", [(Cat("a"), Cat("a")), (.some(nil), nil)], refused: [(nil, .valueOutOfRange)],
        classes: cats))
    add(Change<Cat?, Cat??>("`Cat?` → `Cat??`", [(Cat("a"), Cat("a")), (nil, .some(nil))], classes: cats))
    add(Change<Cat?, [Cat]?>("`Cat?` → `[Cat]?`", [(Cat("a"), [Cat("a")]), (nil, [])], classes: cats))
    add(
      Change<[Cat], [[Cat]]>("`[Cat]` → `[[Cat]]`", [([Cat("a")], [[Cat("a")]]), ([], [])], classes: cats))
    add(
      Change<[Cat?], [[Cat]]>("`[Cat?]` → `[[Cat]]`", [([Cat("a"), nil], [[Cat("a")], []])], classes: cats))
    add(
      Change<[String: Cat], [String: [Cat]]>(
        "`[String: Cat]` → `[String: [Cat]]`", [(["a": Cat("a")], ["a": [Cat("a")]])],
        classes: cats))
    add(
      Change<[Tag: Cat], [Tag: [Cat]]>(
        "`[Tag: Cat]` → `[Tag: [Cat]]`", [([Tag("t"): Cat("a")], [Tag("t"): [Cat("a")]])],
        classes: cats))
    add(
      Change<[Tag], Set<Tag>>("`[Tag]` → `Set<Tag>`", [([Tag("t")], [Tag("t")]), ([], [])], classes: cats)
    )
    addWithKeys(Change<Tag, [Tag]>("`Tag` → `[Tag]`", [(Tag("a"), [Tag("a")])], classes: cats))
    addWithKeys(Change<Tag?, Tag>("`Tag?` → `Tag`", [(Tag("a"), Tag("a"))], classes: cats))
    add(
      Change<Older.Perch, Newer.Perch>(
        "field `Cat?` → `[Cat]`",
        [
          (.init(cat: Cat("a"), height: 2), .init(height: 2, cat: [Cat("a")])),
          (.init(cat: nil, height: 2), .init(height: 2, cat: [])),
        ], classes: cats))
    add(
      Change<Older.Choice, Newer.Choice>(
        "payload `Cat?` → `[Cat]`",
        [
          (.none, .none), (.some(Cat("a")), .some([Cat("a")])), (.some(nil), .some([])),
          (.two(Cat("b"), [Cat("c")]), .two([Cat("b")], [Cat("c")])),
        ], classes: cats))
  }
}
