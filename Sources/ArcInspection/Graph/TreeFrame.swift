import ArcFormat

/// What is being printed on one level of the tree: an object's properties, or what is inside a value.
struct TreeFrame {
  /// One item to print, perhaps with more below it.
  enum Item {
    case value(TypedValue, label: Label)
    /// An entry of a dictionary.
    case entry(key: TypedValue, value: TypedValue)

    /// The value itself, or the one of the entry.
    var value: TypedValue {
      switch self {
      case .value(let value, _), .entry(_, let value): value
      }
    }
  }

  /// What is printed before a value.
  enum Label {
    case none
    /// The name of a property, ready to be shown.
    case property(String)
    /// The name of a root or field, or what else goes before a colon, ready to be shown.
    case name(String)
    /// The key of an entry, ready to be shown.
    case key(String)
  }

  private enum Content {
    case object(ArchiveObject)
    case inside(TypedValue)
    case entry(key: TypedValue, value: TypedValue)
    case one(Item)
  }

  let level: Int
  /// Objects that are open here.
  let depth: Int
  /// The object whose properties contain the values.
  let owner: ObjectID
  /// Items that `next` gave.
  private(set) var position = 0
  private let content: Content

  /// The properties of an object; of row 0, the named roots.
  init(_ object: ArchiveObject, level: Int, depth: Int) {
    self.init(.object(object), level: level, depth: depth, owner: object.id)
  }

  /// What an item of an outer frame holds.
  init(_ item: Item, inside outer: TreeFrame) {
    let content: Content =
      switch item {
      case .value(let value, _): .inside(value.isCaseWithValues ? value.child(0) : value)
      case .entry(let key, let value): .entry(key: key, value: value)
      }
    self.init(content, level: outer.level + 1, depth: outer.depth, owner: outer.owner)
  }

  /// One value on its own, under a name.
  init(_ value: TypedValue, named name: String) {
    self.init(
      .one(.value(value, label: .name(printableName(name)))), level: 0, depth: 0, owner: ObjectID(rawValue: 0)
    )
  }

  private init(_ content: Content, level: Int, depth: Int, owner: ObjectID) {
    self.content = content
    self.level = level
    self.depth = depth
    self.owner = owner
  }

  /// The object whose properties these are.
  var object: ArchiveObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// Whether the items are elements or entries, of which there can be very many.
  var isCollection: Bool {
    if case .inside(let value) = content { value.isCollection } else { false }
  }

  /// All items.
  var count: Int {
    switch content {
    case .object(let object): object.properties.count
    case .inside(let value): value.childCount
    case .entry: 2
    case .one: 1
    }
  }

  /// The next item, nil at the end.
  mutating func next(_ catalog: ObjectCatalog) -> Item? {
    guard position < count else { return nil }
    defer { position += 1 }
    switch content {
    case .object(let object):
      let property = object.properties[position]
      let (name, value) = (
        catalog.shownName(of: property, in: object), catalog.value(of: property, in: object)
      )
      return .value(value, label: object.id.rawValue == 0 ? .name(name) : .property(name))
    case .inside(let value):
      if let key = value.key(position) { return .entry(key: key, value: value.child(position)) }
      return .value(
        value.child(position), label: value.label(position).map { .name(printableName($0)) } ?? .none)
    case .entry(let key, let value):
      return position == 0 ? .value(key, label: .name("key")) : .value(value, label: .name("value"))
    case .one(let item): return item
    }
  }
}

extension TypedValue {
  /// Whether the value is an enumeration case whose associated values are in a nameless structure: then they
  /// are printed directly below the case.
  fileprivate var isCaseWithValues: Bool {
    if case .enumeration(_, _, .structure("?", _)?) = value { true } else { false }
  }

  /// The name of a field, nil for other things inside a value.
  fileprivate func label(_ position: Int) -> String? {
    guard case .structure(_, let fields) = value, !fields[position].name.isEmpty else { return nil }
    return fields[position].name
  }
}
