import ArcFormat
import ArcRuntime

/// Finds the program's class for a name in a file: registered ones first, then those that the declared types
/// of the roots, of registered and of known classes lead to, then types of the program that a declared type
/// allows. Nothing in a file can bring in any other class. Spec: 06-evolution, rule M1.
final class ReachableClasses {
  private let registered: ClassTable
  private var found = ShortMap<ExactName, any Archivable.Type>()
  private var pending: [any Archivable.Type]
  private var seen = ShortMap<ObjectIdentifier, Bool>()
  private var isSearched = false
  /// Types of the program by their names, added when a name was not found otherwise; nil before. Several may
  /// have one name.
  private var undeclared: [ExactName: [any Archivable.Type]]?
  /// Types of the program that no declared type allows, added with the others.
  private var refused: [Any.Type] = []
  /// What values of types that no declaration names are declared as, in the roots and in known classes.
  private var interfaces: [Any.Type]
  /// Classes by the names of older files, where type arguments were called by Swift's names, if these differ.
  private var former: [ExactName: [any Archivable.Type]] = [:]
  /// Classes by the names that `@Archivable(formerly:)` gives them.
  private var renamed: [ExactName: [any Archivable.Type]] = [:]
  /// The names for which the class that has them now was found.
  private var foundNames: [ExactName] = []

  /// Why types of the program cannot be archived, which matters only where a file names them.
  private var failures: [ExactName: any Error] = [:]

  /// The maximum number of types to search, more than any program declares: generic classes may nest without
  /// end.
  private static let searchLimit = 10_000

  init(_ registered: ClassTable, roots: [any ArchivableValue.Type]) {
    self.registered = registered
    let context = __TypeEncodingContext(includingOlderFields: ())
    for root in roots { _ = root.__typeEncoding(in: context) }
    pending = context.classes.reversed()
    interfaces = context.interfaces
    // There is no conflict before the first search.
    for type in context.renamedClasses { try? noteFormerNames(of: type) }
  }

  /// The class for a coded name, nil if there is none. Throws if a class on the way cannot be archived, and
  /// `nameConflict` for a name that several classes have or had. Spec: 06-evolution, rule M1.
  func type(named name: String) throws -> (any Archivable.Type)? {
    try plainType(named: name) ?? composedType(named: name)
  }

  /// The class for a coded name, unless it is that of values that are composed of others.
  private func plainType(named name: String) throws -> (any Archivable.Type)? {
    if let type = registered.classType(named: name) as? any Archivable.Type {
      try add(type)
      return type
    }
    if let known = try presentType(named: name) {
      foundNames.append(ExactName(name))
      let others = renamed[ExactName(name), default: []].filter { $0 != known }
      return try one(of: [known] + others, named: name)
    }
    if let error = failures[ExactName(name)] { throw error }
    let renamed = renamed[ExactName(name), default: []]
    let others = former[ExactName(name), default: []].filter { type in !renamed.contains { $0 == type } }
    return try one(of: renamed + others, named: name)
  }

  /// The class that has a coded name now.
  private func presentType(named name: String) throws -> (any Archivable.Type)? {
    if let known = try search(for: name) { return known }
    if !isSearched {
      isSearched = true
      for case let type as any Archivable.Type in registered.registeredClasses.reversed() {
        pending.append(type)
      }
      if let known = try search(for: name) { return known }
    }
    if registered.scope != .declared, undeclared == nil { addUndeclared() }
    return try one(of: undeclared?[ExactName(name)], named: name)
  }

  /// Notes the names of a class that `@Archivable(formerly:)` gives.
  ///
  /// - Throws: `nameConflict` if another class was found for one of them already.
  private func noteFormerNames(of type: any Archivable.Type) throws {
    for name in type.archiveSchema.codedName.formerNames {
      guard !renamed[ExactName(name), default: []].contains(where: { $0 == type }) else { continue }
      renamed[ExactName(name), default: []].append(type)
      if foundNames.contains(ExactName(name)) { _ = try self.type(named: name) }
    }
  }

  /// The class for a type of values that is composed of known ones, where values of any type may be; nil if
  /// there is none, or the table allows only declared types.
  private func composedType(named name: String) throws -> (any Archivable.Type)? {
    guard registered.scope != .declared, interfaces.contains(where: { $0 == Any.self }) else { return nil }
    let composed = ComposedTypes { part in
      if part == "Any" { return __Existential<Any>.self }
      guard let type = try self.plainType(named: String(part)) else { return nil }
      return (type as? any AnyValueBox.Type)?.valueType as? any ArchivableValue.Type ?? type
    }
    guard let values = try composed.type(named: name[...]) else { return nil }
    let type = archivableClass(of: values)
    // Only what it is called itself: the name may be written otherwise.
    guard type.archiveSchema.codedName.includes(name) else { return nil }
    try add(type)
    return type
  }

  /// The name that a class of a file has in the program; its own if there is no such class. Throws as
  /// `type(named:)` does.
  func schemaName(of name: String) throws -> String {
    try type(named: name).map { try ProgramClass.of($0).schema.name } ?? name
  }

  /// Adds the types of the program that a reference may lead to: subclasses of known classes, and those that
  /// conform to what a property of type `any P` asks for. They lead to others in turn.
  private func addUndeclared() {
    undeclared = [:]
    var candidates = ProgramTypes.all
    // The types that conform to some interface, but for subclasses of these; nil where that may be any.
    var conforming: Set<ObjectIdentifier>? = []
    var judgedCount = 0
    if registered.scope == .subclasses {
      conforming = Set(candidates.filter(Self.isOfStandardLibrary).map(ObjectIdentifier.init))
    }
    var isAdding = true
    while isAdding {
      while seen.count < Self.searchLimit, let next = pending.popLast() {
        do { try add(next) } catch {
          let name = next.archiveSchema.codedName
          for name in [name.text] + name.formerNames { failures[ExactName(name)] = error }
        }
      }
      for interface in interfaces[judgedCount...] where registered.scope == .program {
        conforming = ProgramTypes.conforming(to: interface).flatMap { types in
          conforming?.union(types.map(ObjectIdentifier.init))
        }
      }
      judgedCount = interfaces.count
      let allowed = candidates.partition { isAllowed($0, conforming) }
      isAdding = allowed < candidates.count
      for type in candidates[allowed...] {
        // Not of this protocol are types of an actor, elsewhere.
        if let type = type as? any ArchivableValue.Type { pending.append(archivableClass(of: type)) }
      }
      candidates.removeSubrange(allowed...)
    }
    refused = candidates
  }

  /// The protocols to none of which the program's type with a coded name conforms, so that it is not built;
  /// none if there is no such type.
  func interfaces(refusing name: String) -> [Any.Type] {
    let isRefused = refused.contains { type in
      (type as? any ArchivableValue.Type).map {
        archivableClass(of: $0).archiveSchema.codedName.includes(name)
      } ?? false
    }
    return isRefused ? interfaces : []
  }

  // MARK: Substitutes

  /// Whether references in values of a type can be to objects of a class.
  func canHold(_ type: any Archivable.Type, in values: any ArchivableValue.Type) -> Bool {
    let context = __TypeEncodingContext()
    _ = values.__typeEncoding(in: context)
    let lineage = Set(Self.lineage(of: type))
    return context.classes.contains { lineage.contains(ObjectIdentifier($0)) }
      || !context.interfaces.isEmpty
        && context.interfaces.allSatisfy { Self.conforms(type, to: $0) ?? true }
  }

  /// Whether a property or a root of the program can hold objects of a class.
  func canHold(_ type: any Archivable.Type) -> Bool {
    Self.lineage(of: type).contains { seen[$0] != nil }
      || interfaces.contains { Self.conforms(type, to: $0) ?? true }
  }

  /// Whether a class conforms to what a property is declared as; nil if that may be any type.
  private static func conforms(_ type: any Archivable.Type, to interface: Any.Type) -> Bool? {
    guard let conforming = ProgramTypes.conforming(to: interface) else { return nil }
    let identities = Set(conforming.map(ObjectIdentifier.init))
    return lineage(of: type).contains(where: identities.contains)
  }

  /// A class and its superclasses, those that are not archivable too.
  private static func lineage(of type: any Archivable.Type) -> [ObjectIdentifier] {
    var lineage: [ObjectIdentifier] = []
    var next: AnyClass? = type as AnyClass
    while let type = next {
      lineage.append(ObjectIdentifier(type))
      next = _getSuperclass(type)
    }
    return lineage
  }

  /// Whether a type is one of those that conform, or a subclass of one of these or of a known class.
  private func isAllowed(_ type: Any.Type, _ conforming: Set<ObjectIdentifier>?) -> Bool {
    guard let conforming, !conforming.contains(ObjectIdentifier(type)) else { return true }
    var next: AnyClass? = (type as? AnyClass).flatMap(_getSuperclass)
    while let superclass = next {
      let identity = ObjectIdentifier(superclass)
      if seen[identity] != nil || conforming.contains(identity) { return true }
      next = _getSuperclass(superclass)
    }
    return false
  }

  /// The class whose objects values of a type are in a file where no declaration names the type.
  private func archivableClass<Value: ArchivableValue>(of type: Value.Type) -> any Archivable.Type {
    type as? any Archivable.Type ?? ValueBox<Value>.self
  }

  /// All classes that may be built.
  func all() throws -> [ProgramClass] {
    for case let type as any Archivable.Type in registered.registeredClasses { pending.append(type) }
    while seen.count < Self.searchLimit, let next = pending.popLast() { try add(next) }
    if registered.scope != .declared { addUndeclared() }
    var types = undeclared.map { $0.values.flatMap { $0 } } ?? []
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
    let programClass = try ProgramClass.of(type)
    let schema = programClass.schema
    interfaces += programClass.interfaces
    if found[ExactName(schema.name)] == nil, undeclared != nil {
      undeclared?[ExactName(schema.name), default: []].append(type)
    } else {
      _ = found.insert(type, for: ExactName(schema.name))
    }
    if !schema.codedName.formerText.hasSameBytes(as: schema.name) {
      former[ExactName(schema.codedName.formerText), default: []].append(type)
    }
    if !schema.codedName.formerNames.isEmpty { try noteFormerNames(of: type) }
    for type in programClass.renamedClasses { try noteFormerNames(of: type) }
    pending.append(contentsOf: try reached(from: type))
  }

  /// Whether a type is declared by the standard library or Foundation, whose values run no code of the
  /// program.
  private static func isOfStandardLibrary(_ type: Any.Type) -> Bool {
    let name = _typeName(type, qualified: true)
    return ["Swift.", "Foundation.", "FoundationEssentials."].contains(where: name.hasPrefix)
  }

  /// Whether only one source file of the program can name a type. `String(reflecting:)` returns the same
  /// text, but first searches all conformances of the program.
  static func isPrivate(_ type: Any.Type) -> Bool {
    _typeName(type, qualified: true).contains("(unknown context at ")
  }

  /// The name of a class with its module, or that of the type of the values in a box.
  private static func nameWithModule(of type: any Archivable.Type) -> String {
    if let box = type as? any AnyValueBox.Type { return String(reflecting: box.valueType) }
    return String(reflecting: type)
  }

  /// The class that has a name, or had it in older files. Throws `nameConflict` if several have.
  private func one(of types: [any Archivable.Type]?, named name: String) throws -> (any Archivable.Type)? {
    guard let types, types.count > 1 else { return types?.first }
    var names = types.map { $0.archiveSchema.name }
    // Types with one coded name differ in their modules.
    if Set(names.map(ExactName.init)).count < names.count {
      names = types.map(Self.nameWithModule)
    }
    throw ArchiveError(
      .nameConflict,
      found: "objects of class '\(name)', which may be '\(names.joined(separator: "' or '"))'",
      expected: "a class name that belongs to a single class of the program",
      remedy: "register the right class, for example try classes.register(\(names[0]).self, as: \"\(name)\")",
      className: name)
  }

  private func reached(from type: any Archivable.Type) throws -> [any Archivable.Type] {
    let programClass = try ProgramClass.of(type)
    return programClass.schema.lineage.dropFirst().map(\.type) + programClass.reachedClasses
  }
}
