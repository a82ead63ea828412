import ArcFormat
import ArcRuntime

/// Finds the program's class for a name in a file. The search order is: registered classes; classes that are
/// reached from the declared types of the roots, of registered classes and of known classes; other types of
/// the program that a declared type permits. A file cannot bring in any other class. Spec: 06-evolution, rule
/// M1.
final class ReachableClasses {
  private let registered: ClassTable
  private var found = ShortMap<ExactName, any Archivable.Type>()
  private var pending: [any Archivable.Type]
  private var seen = ShortMap<ObjectIdentifier, Bool>()
  private var isSearched = false
  /// The types that no declaration names, by coded name. They are searched last. Nil until all other searches
  /// for a name have failed. Several types may have the same name.
  private var undeclared: [ExactName: [any Archivable.Type]]?
  /// The other types of the program: no declared type permits their values. Set together with `undeclared`.
  private var refused: [Any.Type] = []
  /// The declared types, such as `any P`, of properties whose values can have types that no declaration
  /// names. Contains the declared types in the roots and in known classes.
  private var interfaces: [Any.Type]
  /// The classes that have another name in older files. The keys are these older names, in which type
  /// arguments have their Swift names, as in `Box<Item>`.
  private var former: [ExactName: [any Archivable.Type]] = [:]
  /// The classes by the names that `@Archivable(formerly:)` declares.
  private var renamed: [ExactName: [any Archivable.Type]] = [:]
  /// The names of the file for which a class with this current name was found.
  private var foundNames: [ExactName] = []

  /// The reasons why types of the program cannot be archived, by the name of the type. A reason is relevant
  /// only if a file contains the name.
  private var failures: [ExactName: any Error] = [:]

  /// The maximum number of types to search. It is greater than the number of types that any program declares.
  /// A limit is needed, because generic classes may be nested without end.
  private static let searchLimit = 10_000

  init(_ registered: ClassTable, roots: [any ArchivableValue.Type]) {
    self.registered = registered
    let context = __TypeEncodingContext(includingOlderFields: ())
    for root in roots { _ = root.__typeEncoding(in: context) }
    pending = context.classes.reversed()
    interfaces = context.interfaces
    // Before the first search, no conflict can occur.
    for type in context.renamedClasses { try? noteFormerNames(of: type) }
  }

  /// Returns the class for a coded name. Nil if there is none. Throws if a class that is examined cannot be
  /// archived, and throws `nameConflict` if several classes have or had the name. Spec: 06-evolution, rule
  /// M1.
  func type(named name: String) throws -> (any Archivable.Type)? {
    try plainType(named: name) ?? composedType(named: name)
  }

  /// Returns the class with a coded name. Nil if there is none. Does not find the boxes of composed values,
  /// such as arrays: `composedType(named:)` finds these.
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

  /// Returns the class whose current name is `name`. Nil if there is none.
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

  /// Records the names that `@Archivable(formerly:)` declares for a class.
  ///
  /// - Throws: `nameConflict` if another class was already found for one of the names.
  private func noteFormerNames(of type: any Archivable.Type) throws {
    for name in type.archiveSchema.codedName.formerNames {
      guard !renamed[ExactName(name), default: []].contains(where: { $0 == type }) else { continue }
      renamed[ExactName(name), default: []].append(type)
      if foundNames.contains(ExactName(name)) { _ = try self.type(named: name) }
    }
  }

  /// Returns the class that represents values of a composed type, such as `Array<Int>`, in a file. Nil if
  /// `name` is not the name of a composed type. Also nil if no declared type is `Any`, or if the scope of the
  /// class table is `declared`.
  private func composedType(named name: String) throws -> (any Archivable.Type)? {
    guard registered.scope != .declared, interfaces.contains(where: { $0 == Any.self }) else { return nil }
    let composed = ComposedTypes { part in
      if part == "Any" { return __Existential<Any>.self }
      guard let type = try self.plainType(named: String(part)) else { return nil }
      return (type as? any AnyValueBox.Type)?.valueType as? any ArchivableValue.Type ?? type
    }
    guard let values = try composed.type(named: name[...]) else { return nil }
    let type = archivableClass(of: values)
    // The name must be the current name of the type, because the same type can be written in several forms.
    guard type.archiveSchema.codedName.includes(name) else { return nil }
    try add(type)
    return type
  }

  /// Returns the name that a class of a file has in the program. If there is no such class, returns `name`.
  /// Throws as `type(named:)` does.
  func schemaName(of name: String) throws -> String {
    try type(named: name).map { try ProgramClass.of($0).schema.name } ?? name
  }

  /// Adds the types that no declaration names, but to which a reference may refer: subclasses of known
  /// classes, and types that conform to `P` if a property has the type `any P`. Properties of the added types
  /// may refer to further types. These are added too.
  private func addUndeclared() {
    undeclared = [:]
    var candidates = ProgramTypes.all
    // The types that conform to a declared protocol, without the subclasses of these types. Nil if every type
    // is permitted.
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
        // If the conformance of a type is isolated to an actor, the type does not conform on other actors.
        if let type = type as? any ArchivableValue.Type { pending.append(archivableClass(of: type)) }
      }
      candidates.removeSubrange(allowed...)
    }
    refused = candidates
  }

  /// If the program has a type with the coded name `name`, but no declared type permits it, returns the
  /// declared types, such as `any P`, for an error. Values of such a type are not built. Otherwise, returns
  /// an empty array.
  func interfaces(refusing name: String) -> [Any.Type] {
    let isRefused = refused.contains { type in
      (type as? any ArchivableValue.Type).map {
        archivableClass(of: $0).archiveSchema.codedName.includes(name)
      } ?? false
    }
    return isRefused ? interfaces : []
  }

  // MARK: Substitutes

  /// Whether values of the type `values` can contain references to objects of the class `type`.
  func canHold(_ type: any Archivable.Type, in values: any ArchivableValue.Type) -> Bool {
    let context = __TypeEncodingContext()
    _ = values.__typeEncoding(in: context)
    let lineage = Set(Self.lineage(of: type))
    return context.classes.contains { lineage.contains(ObjectIdentifier($0)) }
      || !context.interfaces.isEmpty
        && context.interfaces.allSatisfy { Self.conforms(type, to: $0) ?? true }
  }

  /// Whether a property or a root of the program can contain objects of a class.
  func canHold(_ type: any Archivable.Type) -> Bool {
    Self.lineage(of: type).contains { seen[$0] != nil }
      || interfaces.contains { Self.conforms(type, to: $0) ?? true }
  }

  /// Whether a class or a superclass conforms to the protocol that a property declares as its type, such as
  /// `any P`. Nil if the declared type, such as `Any`, permits every type.
  private static func conforms(_ type: any Archivable.Type, to interface: Any.Type) -> Bool? {
    guard let conforming = ProgramTypes.conforming(to: interface) else { return nil }
    let identities = Set(conforming.map(ObjectIdentifier.init))
    return lineage(of: type).contains(where: identities.contains)
  }

  /// Returns a class and its superclasses, including superclasses that are not archivable.
  private static func lineage(of type: any Archivable.Type) -> [ObjectIdentifier] {
    var lineage: [ObjectIdentifier] = []
    var next: AnyClass? = type as AnyClass
    while let type = next {
      lineage.append(ObjectIdentifier(type))
      next = _getSuperclass(type)
    }
    return lineage
  }

  /// Whether values of a type may be built. `conforming` contains the types that conform to the declared
  /// type. True for these types, and for subclasses of these types or of known classes. If `conforming` is
  /// nil, the declared type permits every type.
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

  /// Returns the class that represents values of a type in a file: the type itself if it is an archivable
  /// class, otherwise the class of boxes for its values.
  private func archivableClass<Value: ArchivableValue>(of type: Value.Type) -> any Archivable.Type {
    type as? any Archivable.Type ?? ValueBox<Value>.self
  }

  /// Returns all classes that may be built.
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

  /// Adds a class, and schedules the classes that it reaches.
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

  /// Whether a type is declared by the standard library or Foundation. The values of these types run no code
  /// of the program.
  private static func isOfStandardLibrary(_ type: Any.Type) -> Bool {
    let name = _typeName(type, qualified: true)
    return ["Swift.", "Foundation.", "FoundationEssentials."].contains(where: name.hasPrefix)
  }

  /// Whether a type is private, so that only one source file of the program can name it. The function does
  /// not call `String(reflecting:)`, which returns the same name as `_typeName` but first searches all
  /// conformances of the program.
  static func isPrivate(_ type: Any.Type) -> Bool {
    _typeName(type, qualified: true).contains("(unknown context at ")
  }

  /// Returns the name of a class with its module. For a box, returns the name of the type of its values.
  private static func nameWithModule(of type: any Archivable.Type) -> String {
    if let box = type as? any AnyValueBox.Type { return String(reflecting: box.valueType) }
    return String(reflecting: type)
  }

  /// Returns the only class in `types`. Nil if there is none. Throws `nameConflict` if there are several.
  private func one(of types: [any Archivable.Type]?, named name: String) throws -> (any Archivable.Type)? {
    guard let types, types.count > 1 else { return types?.first }
    var names = types.map { $0.archiveSchema.name }
    // Types with the same coded name have different modules.
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
