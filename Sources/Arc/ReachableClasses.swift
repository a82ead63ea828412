/// Finds the program's class for a name in a file: registered ones first, then those that the declared types of the
/// roots and of known classes lead to. Nothing in a file can bring in any other class.
final class ReachableClasses {
  private let registered: ClassTable
  private var found = ShortMap<String, any Archivable.Type>()
  private var pending: [any Archivable.Type]
  private var seen = ShortMap<ObjectIdentifier, Bool>()

  /// More types than any program declares: where generic classes nest without end, the search stops here.
  private static let searchLimit = 10_000

  init(_ registered: ClassTable, roots: [any ArchivableValue.Type]) {
    self.registered = registered
    let context = TypeEncodingContext()
    for root in roots { _ = root.__typeEncoding(in: context) }
    pending = context.classes.reversed()
  }

  /// The class for a coded name, if there is one. Throws when a class on the way cannot be archived.
  func type(named name: String) throws -> (any Archivable.Type)? {
    if let type = registered.classType(named: name) as? any Archivable.Type {
      if seen.insert(true, for: ObjectIdentifier(type)) {
        pending.append(contentsOf: try reached(from: type))
      }
      return type
    }
    while found[name] == nil, seen.count < Self.searchLimit, let next = pending.popLast() {
      guard seen.insert(true, for: ObjectIdentifier(next)) else { continue }
      _ = found.insert(next, for: try ClassShape.of(next).schema.name)
      pending.append(contentsOf: try reached(from: next))
    }
    return found[name]
  }

  private func reached(from type: any Archivable.Type) throws -> [any Archivable.Type] {
    let shape = try ClassShape.of(type)
    var superclasses: [any Archivable.Type] = []
    var level = shape.schema.superclass
    while let schema = level {
      superclasses.append(schema.type)
      level = schema.superclass
    }
    return superclasses + shape.reachedClasses
  }
}

extension ClassTable {
  /// Registers a class under its coded name, or under another, such as one that it had in older files.
  ///
  /// Classes that the declared types of the root reach need no registration; subclasses that stand behind a
  /// reference to their superclass do. Throws `ClassTableError` if the name stands for another class.
  public func register<Class: Archivable>(_ type: Class.Type, as name: String? = nil) throws {
    try register(type as AnyClass, as: name ?? type.archiveSchema.name)
  }
}
