import ArcFormat
import ArcRuntime

/// Finds the program's class for a name in a file: registered ones first, then those that the declared types
/// of the roots, of registered and of known classes lead to. Nothing in a file can bring in any other class.
/// Spec: 06-evolution, rule M1.
final class ReachableClasses {
  private let registered: ClassTable
  private var found = ShortMap<ExactName, any Archivable.Type>()
  private var pending: [any Archivable.Type]
  private var seen = ShortMap<ObjectIdentifier, Bool>()
  private var isSearched = false
  /// Classes by the names of older files, where type arguments were called by Swift's names, if these differ.
  private var former: [ExactName: [any Archivable.Type]] = [:]

  /// The maximum number of types to search, more than any program declares: generic classes may nest without
  /// end.
  private static let searchLimit = 10_000

  init(_ registered: ClassTable, roots: [any ArchivableValue.Type]) {
    self.registered = registered
    let context = TypeEncodingContext()
    for root in roots { _ = root.__typeEncoding(in: context) }
    pending = context.classes.reversed()
  }

  /// The class for a coded name, nil if there is none. Throws if a class on the way cannot be archived, and
  /// `nameConflict` for a name of older files that several classes had. Spec: 06-evolution, rule M1.
  func type(named name: String) throws -> (any Archivable.Type)? {
    if let type = registered.classType(named: name) as? any Archivable.Type {
      try add(type)
      return type
    }
    if let known = try search(for: name) { return known }
    if !isSearched {
      isSearched = true
      for case let type as any Archivable.Type in registered.registeredClasses.reversed() {
        pending.append(type)
      }
      if let known = try search(for: name) { return known }
    }
    return try formerType(named: name)
  }

  /// All classes that may be built.
  func all() throws -> [ProgramClass] {
    for case let type as any Archivable.Type in registered.registeredClasses { pending.append(type) }
    while seen.count < Self.searchLimit, let next = pending.popLast() { try add(next) }
    var types: [any Archivable.Type] = []
    found.forEachValue { types.append($0) }
    return try types.map(ProgramClass.of)
  }

  private func search(for name: String) throws -> (any Archivable.Type)? {
    while found[ExactName(name)] == nil, seen.count < Self.searchLimit, let next = pending.popLast() {
      try add(next)
    }
    return found[ExactName(name)]
  }

  /// Notes a class, and those that it leads to.
  private func add(_ type: any Archivable.Type) throws {
    guard seen.insert(true, for: ObjectIdentifier(type)) else { return }
    let schema = try ProgramClass.of(type).schema
    _ = found.insert(type, for: ExactName(schema.name))
    if !schema.codedName.formerText.hasSameBytes(as: schema.name) {
      former[ExactName(schema.codedName.formerText), default: []].append(type)
    }
    pending.append(contentsOf: try reached(from: type))
  }

  /// The class that had a name in older files. Throws `nameConflict` if several had it.
  private func formerType(named name: String) throws -> (any Archivable.Type)? {
    guard let types = former[ExactName(name)] else { return nil }
    guard types.count == 1 else {
      let names = types.map { "'\($0.archiveSchema.name)'" }.joined(separator: " or ")
      throw ArchiveError(
        .nameConflict, found: "objects of class '\(name)', which may be \(names)", expected: "one of them",
        remedy: "say which: try classes.register(\(types[0].archiveSchema.name).self, as: \"\(name)\")",
        className: name)
    }
    return types[0]
  }

  private func reached(from type: any Archivable.Type) throws -> [any Archivable.Type] {
    let programClass = try ProgramClass.of(type)
    return programClass.schema.lineage.dropFirst().map(\.type) + programClass.reachedClasses
  }
}
