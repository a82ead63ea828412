import Arc

/// A container of a root's values of one side, such as a property, an element or a key.
protocol Holding {
  associatedtype S: Side
  associatedtype Root: ArchivableValue
  static var name: String { get }
  /// Whether a root contains a single value.
  static var holdsOne: Bool { get }
  /// Returns the root that contains some values. A nil value is omitted. Returns nil if the container cannot
  /// omit a value, so that reading fails.
  static func root(_ values: [S.Value?]) -> Root?
  /// Whether `differences` can check the types of the values.
  static var isChecked: Bool { get }
  /// Whether a session reads the values lazily.
  static var isLazy: Bool { get }
  /// Whether the program must register the classes of the values, because no declared type reaches them.
  static var hidesClasses: Bool { get }
  /// Whether a class of the holding migrates.
  static var migrates: Bool { get }
  /// Whether the holding stores a value as an optional.
  static var isOptional: Bool { get }
  /// Types that a program must register to read the root.
  static var types: [any ArchivableValue.Type] { get }
  /// Returns the path of a value. Nil if the values have no paths.
  static func path(_ index: Int) -> String?
}

/// A container whose root consists of parts.
protocol PartHolding: Holding {
  /// Reads the parts of the root one by one. Returns them in the form in which the whole root contains them.
  static func parts(_ session: LazyArchive, _ count: Int) throws -> Any
}

extension Holding {
  static var holdsOne: Bool { false }
  static var isChecked: Bool { true }
  static var isLazy: Bool { false }
  static var hidesClasses: Bool { false }
  static var isOptional: Bool { false }
  static var migrates: Bool { false }
  static var types: [any ArchivableValue.Type] { [] }
  static func path(_ index: Int) -> String? { nil }

  /// Returns all values. Nil if one of them is omitted.
  static func all(_ values: [S.Value?]) -> [S.Value]? {
    let all = values.compactMap(\.self)
    return all.count == values.count ? all : nil
  }
}

/// A container whose root is an array of objects that a program can change.
protocol ListHolding: PartHolding where Root == [Element] {
  associatedtype Element: Archivable
  /// Returns an object with a value.
  static func element(_ value: S.Value) -> Element
  /// Replaces the value of an object. Returns whether the object's value can be replaced.
  static func set(_ value: S.Value, in element: Element) -> Bool
}

extension ListHolding {
  static func root(_ values: [S.Value?]) -> [Element]? { all(values)?.map { element($0) } }
  static func set(_ value: S.Value, in element: Element) -> Bool { false }
  static func parts(_ session: LazyArchive, _ count: Int) throws -> Any {
    try (0..<count).map { try session.object(Element.self, at: "root[\($0)]") }
  }
}

enum AsRoot<S: Side>: Holding {
  static var name: String { "root" }
  static var holdsOne: Bool { true }
  static func root(_ values: [S.Value?]) -> S.Value? { all(values)?.first }
}

enum InVariable<S: Side>: ListHolding {
  typealias Root = [Variable<S>]
  static var name: String { "var" }
  static func path(_ index: Int) -> String? { "root[\(index)].value" }
  static func element(_ value: S.Value) -> Variable<S> { Variable(value) }
  static func set(_ value: S.Value, in element: Variable<S>) -> Bool {
    element.value = value
    return true
  }
}

enum InConstant<S: Side>: ListHolding {
  typealias Root = [Constant<S>]
  static var name: String { "let" }
  static func path(_ index: Int) -> String? { "root[\(index)].value" }
  static func element(_ value: S.Value) -> Constant<S> { Constant(value) }
}

enum InOptional<S: Side>: ListHolding {
  static var name: String { "optional" }
  static var isOptional: Bool { true }
  static func root(_ values: [S.Value?]) -> [Maybe<S>]? {
    values.map { value in configured(Maybe()) { $0.value = value } }
  }
  static func element(_ value: S.Value) -> Maybe<S> { configured(Maybe()) { $0.value = value } }
  static func set(_ value: S.Value, in element: Maybe<S>) -> Bool {
    element.value = value
    return true
  }
}

enum InOptionalTwice<S: Side>: Holding {
  static var name: String { "optional of optional" }
  static var isOptional: Bool { true }
  static func root(_ values: [S.Value?]) -> [MaybeTwice<S>]? {
    values.map { value in configured(MaybeTwice()) { $0.value = .some(value) } }
  }
}

enum InField<S: Side>: ListHolding {
  typealias Root = [FieldHolder<S>]
  static var name: String { "field" }
  static func field(_ value: S.Value) -> Field<S> { Field(before: 1, value: value, after: "a") }
  static func path(_ index: Int) -> String? { "root[\(index)].field.value" }
  static func element(_ value: S.Value) -> FieldHolder<S> { FieldHolder(InField.field(value)) }
  static func set(_ value: S.Value, in element: FieldHolder<S>) -> Bool {
    element.field.value = value
    return true
  }
}

enum InPayload<S: Side>: ListHolding {
  static var name: String { "payload" }
  static func root(_ values: [S.Value?]) -> [PayloadHolder<S>]? {
    values.map { value in value.map { element($0) } ?? PayloadHolder() }
  }
  static func element(_ value: S.Value) -> PayloadHolder<S> {
    configured(PayloadHolder()) { $0.payload = .some(value, 2) }
  }
  static func set(_ value: S.Value, in element: PayloadHolder<S>) -> Bool {
    element.payload = .some(value, 2)
    return true
  }
}

enum InElements<S: Side>: Holding {
  static var name: String { "element of a root" }
  static func root(_ values: [S.Value?]) -> [S.Value]? { values.compactMap(\.self) }
  static func path(_ index: Int) -> String? { "root[\(index)]" }
}

enum InLists<S: Side>: Holding {
  static var name: String { "array, dictionary" }
  static var isOptional: Bool { true }
  static func root(_ values: [S.Value?]) -> Lists<S>? {
    let lists = Lists<S>()
    let known = values.compactMap(\.self)
    lists.values = known
    lists.nested = [known, []]
    lists.maybe = values
    for (index, value) in values.enumerated() { lists.byName["n\(index)"] = value }
    lists.fields = known.map { Field(before: 1, value: $0, after: "a") }
    return lists
  }
  static func path(_ index: Int) -> String? { "root.byName[\"n\(index)\"]" }
}

enum InSubclass<S: Side>: ListHolding {
  typealias Root = [Base<S>]
  static var name: String { "inherited" }
  static var types: [any ArchivableValue.Type] { [Derived<S>.self] }
  static func path(_ index: Int) -> String? { "root[\(index)].value" }
  static func element(_ value: S.Value) -> Base<S> { Derived(value) }
  static func set(_ value: S.Value, in element: Base<S>) -> Bool {
    element.value = value
    return true
  }
}

enum InTree<S: Side>: Holding {
  static var name: String { "recursive enumeration" }
  static func root(_ values: [S.Value?]) -> Trees<S>? {
    let trees = Trees<S>()
    // The whole tree is a single value of the property.
    trees.tree = (all(values) ?? []).reduce(Tree<S>.empty) { .node(.leaf($1), $0) }
    return trees
  }
}

enum InBranch<S: Side>: Holding {
  static var name: String { "recursive structure" }
  static func root(_ values: [S.Value?]) -> Trees<S>? {
    let trees = Trees<S>()
    // If an element is omitted, its children are omitted, too.
    trees.branches = values.reduce([]) { branches, value in
      value.map { [Branch(value: $0, children: branches)] } ?? []
    }
    return trees
  }
}

enum InExistential<S: Side>: Holding {
  static var name: String { "any P" }
  static func root(_ values: [S.Value?]) -> Contents<S>? {
    guard let all = all(values) else { return nil }
    let contents = Contents<S>()
    contents.contents = all.map { InField<S>.field($0) } + all.map { Variable<S>($0) }
    contents.content = contents.contents.last
    return contents
  }
  static var types: [any ArchivableValue.Type] { [Field<S>.self, Variable<S>.self] }
}

enum InAny<S: Side>: Holding {
  static var name: String { "@Boxed Any" }
  static func root(_ values: [S.Value?]) -> Contents<S>? {
    let contents = Contents<S>()
    contents.anything = values.compactMap(\.self).map { InField<S>.field($0) }
    return contents
  }
  static var types: [any ArchivableValue.Type] { [Field<S>.self, [Field<S>].self] }
}

enum InPair<S: Side>: ListHolding {
  typealias Root = [Pair<S>]
  static var name: String { "tuple" }
  static func element(_ value: S.Value) -> Pair<S> { Pair(value) }
  static func set(_ value: S.Value, in element: Pair<S>) -> Bool {
    element.pair.0 = value
    return true
  }
}

enum InHandWritten<S: Side>: ListHolding {
  typealias Root = [HandWritten<S>]
  static var name: String { "hand-written class" }
  static var isChecked: Bool { false }
  static var hidesClasses: Bool { true }
  static func element(_ value: S.Value) -> HandWritten<S> { HandWritten(value) }
  static func set(_ value: S.Value, in element: HandWritten<S>) -> Bool {
    (element.value, element.values) = (value, [value])
    return true
  }
}

enum InVersioned<S: Side>: ListHolding {
  typealias Root = [Versioned<S>]
  static var name: String { "migrated class" }
  static var migrates: Bool { true }
  static var isOptional: Bool { true }
  static func element(_ value: S.Value) -> Versioned<S> { Versioned(value) }
  static func set(_ value: S.Value, in element: Versioned<S>) -> Bool {
    (element.value, element.values, element.maybe) = (value, [value], value)
    return true
  }
}

enum InLazy<S: Side>: PartHolding {
  static var name: String { "Lazy" }
  static var isLazy: Bool { true }
  static func root(_ values: [S.Value?]) -> Shelf<S>? {
    guard let all = all(values) else { return nil }
    let shelf = Shelf<S>()
    shelf.items = all.map { Lazy(Variable($0)) }
    return shelf
  }
  static func path(_ index: Int) -> String? { "root.items[\(index)].value" }
  static func parts(_ session: LazyArchive, _ count: Int) throws -> Any {
    let shelf = try session.object(Shelf<S>.self)
    for item in shelf.items.reversed() { try item.load() }
    return shelf
  }
}

// MARK: Keys

enum InKeys<S: Side>: Holding where S.Value: Hashable {
  static var name: String { "key, set" }
  static func root(_ values: [S.Value?]) -> Table<S>? {
    let table = Table<S>()
    for (index, value) in values.enumerated() {
      if let value { (table.keys[value], _) = (index, table.values.insert(value)) }
    }
    return table
  }
}

enum InSet<S: Side>: Holding where S.Value: Hashable {
  static var name: String { "set as root" }
  static func root(_ values: [S.Value?]) -> Set<S.Value>? { Set(values.compactMap(\.self)) }
}

// MARK: Objects

enum InTargets<S: Side>: Holding where S.Value: Archivable {
  static var name: String { "weak" }
  static func root(_ values: [S.Value?]) -> Targets<S>? {
    let targets = Targets<S>()
    targets.owned = values.compactMap(\.self)
    targets.target = values.last ?? nil
    targets.handles = values.map { Handle(target: $0) }
    return targets
  }
}

enum InDependents<S: Side>: Holding where S.Value: Archivable {
  static var name: String { "unowned" }
  static func root(_ values: [S.Value?]) -> Dependents<S>? {
    guard let all = all(values) else { return nil }
    let dependents = Dependents<S>()
    (dependents.owned, dependents.dependents) = (all, all.map { Dependent($0) })
    return dependents
  }
}

func configured<Object: AnyObject>(_ object: Object, _ change: (Object) -> Void) -> Object {
  change(object)
  return object
}
