import Arc

/// An item of a board.
protocol BoardItem { var text: String { get } }

/// A program that knows all items of a board.
enum WholeBoard {
  @Archivable("KeptBox.Dot") struct Dot: BoardItem {
    var x: Int
    var z: Int?
    var text: String { "dot \(x) \(z ?? -1)" }
  }
  @Archivable("KeptBox.Coil") struct Coil: BoardItem {
    var size: Int
    init(_ size: Int) { self.size = size }
    var text: String { "coil \(size)" }
  }
  @Archivable("KeptBox.Lamp") enum Lamp: String, BoardItem {
    case red, blue
    var text: String { rawValue }
    init(_ lamp: Lamp) { self = lamp }
  }
  @Archivable("KeptBox.Mark") struct Mark: BoardItem {
    var name: String
    var note: String?
    init(_ name: String, note: String?) { (self.name, self.note) = (name, note) }
    var text: String { "mark \(name) \(note ?? "-")" }
  }
  @Archivable("KeptBox.Bunch") struct Bunch: BoardItem {
    var items: [any BoardItem]
    var note: String?
    var text: String { "\(note ?? "-")(\(items.map(\.text).joined(separator: ", ")))" }
  }
  @Archivable("KeptBox.Hook") struct Hook: BoardItem {
    var pin: Pin?
    var wire: Pin?
    var text: String { "hook" }
  }
  @Archivable("KeptBox.Pin") final class Pin: BoardItem {
    var name: String
    var hidden: String?
    init(_ name: String) { self.name = name }
    var text: String { "pin \(name) \(hidden ?? "-")" }
  }
  @Archivable("KeptBox.Nail") final class Nail: BoardItem {
    init() {}
    var text: String { "nail" }
  }
  @Archivable("KeptBox.Shelf") struct Shelf {
    var items: [any BoardItem]
    var label: String
    var first: any BoardItem
  }
  @Archivable("KeptBox.State") enum State {
    case item(any BoardItem)
    case bare(Int)
  }
  @Archivable("KeptBox.Board") final class Board {
    var title = ""
    var items: [any BoardItem] = []
    var best: (any BoardItem)?
    var other: (any BoardItem)?
    var state = State.item(Dot(x: -1))
    var maybe: [(any BoardItem)?] = []
    var byName: [String: any BoardItem] = [:]
    var lists: [String: [any BoardItem]] = [:]
    var shelf = Shelf(items: [], label: "", first: Dot(x: 0))
    init() {}
  }
  static var types: [any ArchivableValue.Type] {
    [Dot.self, Coil.self, Lamp.self, Mark.self, Bunch.self, Hook.self, Pin.self, Nail.self]
  }
}

/// A program without coils and nails, with only one kind of lamp and fewer fields.
enum HalfBoard {
  @Archivable("KeptBox.Dot") struct Dot: BoardItem {
    var x: Int
    var text: String { "dot \(x)" }
  }
  @Archivable("KeptBox.Lamp") enum Lamp: String, BoardItem {
    case red
    var text: String { rawValue }
  }
  @Archivable("KeptBox.Mark") struct Mark: BoardItem {
    var name: String
    var text: String { name }
  }
  @Archivable("KeptBox.Bunch") struct Bunch: BoardItem {
    var items: [any BoardItem]
    var text: String { "bunch" }
  }
  @Archivable("KeptBox.Hook") struct Hook: BoardItem {
    var pin: Pin?
    var text: String { "hook" }
  }
  @Archivable("KeptBox.Pin") final class Pin: BoardItem {
    var name: String
    init(_ name: String) { self.name = name }
    var text: String { name }
  }
  @Archivable("KeptBox.Shelf") struct Shelf {
    var items: [any BoardItem]
    var label: String
    var first: any BoardItem
  }
  @Archivable("KeptBox.State") enum State {
    case item(any BoardItem)
  }
  @Archivable("KeptBox.Board") final class Board {
    var title = ""
    var items: [any BoardItem] = []
    var best: (any BoardItem)?
    var other: (any BoardItem)?
    var state = State.item(Dot(x: -1))
    var maybe: [(any BoardItem)?] = []
    var byName: [String: any BoardItem] = [:]
    var lists: [String: [any BoardItem]] = [:]
    var shelf = Shelf(items: [], label: "", first: Dot(x: 0))
    init() {}
  }
  static var types: [any ArchivableValue.Type] {
    [Dot.self, Lamp.self, Mark.self, Bunch.self, Hook.self, Pin.self]
  }
}
