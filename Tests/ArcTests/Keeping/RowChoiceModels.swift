import Arc

/// A later release of a program, with properties that have other keys or other types in the earlier release.
enum LaterRelease {
  @Archivable("Rows.Nib") struct Nib: Hashable {
    @Key("width", "breadth") var width = 1
    @Key("angle", "slope") var angle: Int?
  }
  @Archivable("Rows.Paint") enum Paint: Hashable {
    case none
    @Key("plain", "flat") case plain
    @Key("color", "solid") case color(hex: Int)
    @Key("tipped", "pointed") case tipped(Nib)
  }
  @Archivable("Rows.Base") class Base {
    @Key("serial") var serial = 0
  }
  @Archivable("Rows.Item") final class Item: Base {
    @Key("title", "caption", "name") var title = "initial"
    @Key("points") @Key("tenths", from: Int.self, { Double($0) / 10 }) var points = 1.0
    @Key("full") @Key("first", "last", from: (String, String).self, { "\($0) \($1)" }) var full = "initial"
    @Key("sum")
    @Key("a", "b", "c", from: (Int, Int, Int).self, { $0 + $1 + $2 })
    var sum = -1
    @Key("remark", "note") var remark: String?
    @Key("peer", "friend") var peer: Item?
    var nib = Nib()
    var nibs: [Nib] = []
    var uses: [Nib: Paint] = [:]
    var spare: Nib?
    var paint = Paint.none
    var paints: [Paint] = []
    var maybe: Paint?
  }
  @Archivable("Rows.Sheet") final class Sheet {
    var items: [Item] = []
    init() {}
    init(_ items: [Item]) { self.items = items }
  }
}

/// An earlier release of the same program.
enum EarlierRelease {
  @Archivable("Rows.Nib") struct Nib: Hashable {
    var breadth = 1
    var slope: Int?
  }
  @Archivable("Rows.Paint") enum Paint: Hashable {
    case none
    case flat
    case solid(hex: Int)
    case pointed(Nib)
  }
  @Archivable("Rows.Base") class Base {}
  @Archivable("Rows.Item") final class Item: Base {
    var serial = 0
    var name = ""
    var tenths = 10
    var first = "F"
    var last = "L"
    var a = 1
    var b = 2
    var c = 3
    var note: String?
    var friend: Item?
    var nib = Nib()
    var nibs: [Nib] = []
    var uses: [Nib: Paint] = [:]
    var spare: Nib?
    var paint = Paint.none
    var paints: [Paint] = []
    var maybe: Paint?
  }
  @Archivable("Rows.Sheet") final class Sheet {
    var items: [Item] = []
    init() {}
  }
}

extension LaterRelease.Item {
  /// Returns an item whose values differ from all initial values.
  static func made() -> LaterRelease.Item {
    let item = LaterRelease.Item()
    item.serial = 5
    (item.title, item.points, item.full, item.sum) = ("later", 2.5, "Ada L", 60)
    item.remark = "r"
    item.nib = .init(width: 5, angle: 50)
    item.nibs = [.init(width: 6), .init(width: 7, angle: 70)]
    item.spare = .init(width: 10)
    item.paint = .color(hex: 7)
    item.paints = [.none, .color(hex: 1), .tipped(.init(width: 2)), .plain]
    item.maybe = .tipped(.init(width: 3, angle: 30))
    return item
  }

  /// Returns the item that this release reads from an item of the earlier release.
  static func fromEarlier() -> LaterRelease.Item {
    let item = LaterRelease.Item()
    item.serial = 6
    (item.title, item.points, item.full, item.sum) = ("earlier", 4, "Bob M", 6)
    item.remark = "n"
    item.nib = .init(width: 15, angle: 51)
    item.nibs = [.init(width: 16)]
    item.uses = [.init(width: 18): .color(hex: 18), .init(width: 19, angle: 1): .plain]
    item.spare = .init(width: 20)
    item.paint = .color(hex: 17)
    item.paints = [.color(hex: 11), .tipped(.init(width: 12)), .plain, .none]
    item.maybe = .tipped(.init(width: 13, angle: 31))
    return item
  }

  /// All values but references, by name.
  var values: [String] {
    [
      "serial \(serial)", "title \(title)", "points \(points)", "full \(full)", "sum \(sum)",
      "remark \(remark ?? "nil")", "nib \(nib)", "nibs \(nibs)",
      "uses \(uses.map { "\($0): \($1)" }.sorted())", "spare \(spare.map { "\($0)" } ?? "nil")",
      "paint \(paint)", "paints \(paints)", "maybe \(maybe.map { "\($0)" } ?? "nil")",
    ]
  }
}

extension EarlierRelease.Item {
  static func made() -> EarlierRelease.Item {
    let item = EarlierRelease.Item()
    item.serial = 6
    (item.name, item.tenths, item.first, item.last) = ("earlier", 40, "Bob", "M")
    item.note = "n"
    item.nib = .init(breadth: 15, slope: 51)
    item.nibs = [.init(breadth: 16)]
    item.uses = [.init(breadth: 18): .solid(hex: 18), .init(breadth: 19, slope: 1): .flat]
    item.spare = .init(breadth: 20)
    item.paint = .solid(hex: 17)
    item.paints = [.solid(hex: 11), .pointed(.init(breadth: 12)), .flat, .none]
    item.maybe = .pointed(.init(breadth: 13, slope: 31))
    return item
  }
}

/// A class whose values have another meaning since version 2.
enum NewerVersion {
  @Archivable("Rows.Line") class Line {
    static let archiveVersion = 2
    var points = 1.0
    static func migrate(_ line: inout MigratedObject, from version: Int) throws {
      guard let tenths = line["tenths"]?.int else { return }
      line["tenths"] = nil
      line["points"] = .double(Double(tenths) / 10)
    }
  }
  @Archivable("Rows.Arrow") final class Arrow: Line { var isDouble = false }
}

/// Version 1 of the class.
enum OlderVersion {
  @Archivable("Rows.Line") class Line {
    static let archiveVersion = 1
    var tenths = 10
  }
  @Archivable("Rows.Arrow") final class Arrow: Line { var isDouble = false }
}
