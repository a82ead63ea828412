import Synchronization

/// A table of classes and their names in files, searchable by name and by class.
///
///     let table = ClassTable()
///     try table.register(Person.self, as: "Person")
///     try table.register(Person.self, as: "OldPerson")
///     table.names(of: Person.self)   // ["Person", "OldPerson"]
///
/// A class may have several names: the first is its own name, the others are aliases. A name belongs to one
/// class for the lifetime of the table. Several threads may register and search at the same time. Searching
/// needs no lock.
public final class ClassTable: Sendable {
  /// The table that the whole process shares, for programs that need only one table.
  public static let shared = ClassTable()

  /// The maps of the table. The first registration creates them.
  ///
  /// Creating the metadata of the maps takes as long as reading a small archive, so a program that registers
  /// nothing does not create them.
  private let registered = AtomicLazyReference<Registered>()

  private final class Registered: Sendable {
    let classes = PublishedMap<ExactName, AnyClass>()
    let entries = PublishedMap<ObjectIdentifier, Entry>()
    /// The descriptions of classes by name, including classes that the program does not have.
    let infos = PublishedMap<ExactName, ClassInfo>()
  }

  private var maps: Registered { registered.load() ?? registered.storeIfNil(Registered()) }

  /// The names and the description of one class.
  private final class Entry: Sendable {
    let type: AnyClass
    let names = PublishedMap<ExactName, Bool>()
    let info = AtomicLazyReference<ClassInfo>()

    init(_ type: AnyClass) { self.type = type }
  }

  /// A number that no other table has. Each registration replaces it with a new number.
  private let latestVersion = Atomic<UInt64>(nextVersion())
  private static let versions = Atomic<UInt64>(0)
  private static func nextVersion() -> UInt64 {
    versions.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  /// A number that changes at each registration.
  ///
  /// Results of a search in the table stay valid while the number is unchanged. A thread that reads the
  /// number sees every class that was registered before the number was set.
  package var version: UInt64 { latestVersion.load(ordering: .acquiring) }

  /// The types that a reader may create from a file although the program has not registered the types.
  public enum Scope: Sendable {
    /// Types to which the declared types refer, the subclasses of these types, and types that fit a
    /// declaration `any P` or `Any`.
    case program
    /// Classes to which the declared types refer, and the subclasses of these classes. In properties of type
    /// `any P` and `Any`, a reader builds only registered types, the types of the standard library, and
    /// collections of them.
    case subclasses
    /// Types to which the declared types refer by name. A subclass of such a type must be registered.
    case declared
  }

  /// The types that a reader may create from a file although the program has not registered the types.
  public let scope: Scope

  /// Creates a table without registered classes.
  ///
  ///     let classes = ClassTable(scope: .subclasses)          // subclasses need not be registered
  ///     try classes.register(all: Circle.self, Square.self)   // types in a property of type any Shape
  ///     let unarchiver = Unarchiver(classes: classes)
  ///
  /// - Parameter scope: the types that a reader may create from a file although the program has not
  ///   registered the types.
  public init(scope: Scope = .program) { self.scope = scope }

  /// Registers a class under a name. Registering the class under the same name again has no effect.
  ///
  /// - Parameters:
  ///   - type: the class.
  ///   - name: the name.
  /// - Throws: ``ClassTableError`` with code `emptyName` if the name is empty, or `nameTaken` if the name
  ///   belongs to another class.
  public func register(_ type: AnyClass, as name: String) throws(ClassTableError) {
    guard !name.isEmpty else {
      throw ClassTableError(code: .emptyName, name: name, bound: nil, refused: type)
    }
    let bound: AnyClass = maps.classes.insert(type, for: ExactName(name))
    guard bound == type else {
      throw ClassTableError(code: .nameTaken, name: name, bound: bound, refused: type)
    }
    // A thread that lost the race for the same pair also adds the name, so that the name exists when either
    // thread returns.
    _ = addEntry(of: type).names.insert(true, for: ExactName(name))
    _ = Self.everyClass.insert(type, for: ObjectIdentifier(type))
    // Last, so that a thread that reads the new number sees the class and its name. An exchange, so that the
    // later of two simultaneous registrations sees the class of the earlier one.
    _ = latestVersion.exchange(Self.nextVersion(), ordering: .acquiringAndReleasing)
  }

  /// The classes that were registered with any table, by their identifiers.
  private static let everyClass = PublishedMap<ObjectIdentifier, AnyClass>()

  /// The classes that the process has registered with any table so far.
  package static var everRegistered: [AnyClass] { everyClass.entries.map(\.value) }

  /// Returns the class that is registered under a name. Nil if the name is not registered.
  ///
  /// - Parameter name: the name.
  /// - Returns: the class.
  /// - Complexity: O(log *n*) in the number of names, without a lock.
  public func classType(named name: String) -> AnyClass? {
    registered.load()?.classes.value(for: ExactName(name))
  }

  /// Returns the names of a class in the order of registration. Empty if the class was never registered.
  public func names(of type: AnyClass) -> [String] {
    entry(of: type)?.names.entries.map(\.key.text) ?? []
  }

  /// Returns the first registered name of a class. Nil if the class was never registered.
  public func name(of type: AnyClass) -> String? { names(of: type).first }

  /// The registered classes, in the order of their first registration.
  public var registeredClasses: [AnyClass] {
    let entries = registered.load()?.entries.entries ?? []
    return entries.lazy.map(\.value).filter { !$0.names.entries.isEmpty }.map(\.type)
  }

  private func entry(of type: AnyClass) -> Entry? {
    registered.load()?.entries.value(for: ObjectIdentifier(type))
  }

  private func addEntry(of type: AnyClass) -> Entry {
    entry(of: type) ?? maps.entries.insert(Entry(type), for: ObjectIdentifier(type))
  }
}

/// The descriptions of classes.
extension ClassTable {
  /// Returns the description of a class. The first call creates the description; later calls return it.
  ///
  /// - Parameters:
  ///   - type: the class, which need not be registered.
  ///   - make: called to create the description if the class has none. If several threads call `make` at the
  ///     same time, all threads receive the same description.
  /// - Returns: the description.
  /// - Throws: the error that `make` throws.
  public func info(of type: AnyClass, make: () throws -> ClassInfo) rethrows -> ClassInfo {
    let entry = addEntry(of: type)
    if let info = entry.info.load() { return info }
    return entry.info.storeIfNil(try make())
  }

  /// Returns the description of a class. Nil if ``info(of:make:)`` has created no description of the class.
  public func info(of type: AnyClass) -> ClassInfo? {
    entry(of: type)?.info.load()
  }

  /// Registers a class description under the name of the class, unless the name already has a description.
  /// Returns the registered description.
  ///
  /// - Parameter info: the description, from a file or hand-written.
  /// - Returns: `info`, or the description that was registered earlier under the same name.
  @discardableResult public func register(_ info: ClassInfo) -> ClassInfo {
    maps.infos.insert(info, for: ExactName(info.name))
  }

  /// Returns the class description for the name of a class. Nil if the table has no description for the name.
  ///
  /// The name is a registered name, or the name in a description. If several classes that are not registered
  /// have descriptions with the name, the first one is returned.
  ///
  /// - Complexity: O(*n*) in the number of classes if the name is not registered.
  public func info(named name: String) -> ClassInfo? {
    let type: AnyClass? = classType(named: name)
    if let info = type.flatMap({ info(of: $0) }) { return info }
    guard let registered = registered.load() else { return nil }
    if let info = registered.infos.value(for: ExactName(name)) { return info }
    guard type == nil else { return nil }
    return registered.entries.entries.lazy.compactMap { $0.value.info.load() }.first {
      $0.name.hasSameBytes(as: name)
    }
  }
}

/// The superclasses and subclasses of registered classes.
extension ClassTable {
  /// Returns the registered classes that inherit from a class, without the class itself.
  ///
  /// - Parameter type: the class.
  /// - Returns: the direct and indirect subclasses.
  /// - Complexity: O(*n* · *d*) for *n* registered classes with *d* superclasses each.
  public func subclasses(of type: AnyClass) -> [AnyClass] {
    registeredClasses.filter { $0 != type && Self.isSubclass($0, of: type) }
  }

  /// Returns the registered classes whose nearest registered superclass is `type`.
  public func directSubclasses(of type: AnyClass) -> [AnyClass] {
    registeredClasses.filter { candidate in
      registeredSuperclass(of: candidate).map { $0 == type } ?? false
    }
  }

  /// Returns the nearest registered superclass of a class. Nil if no superclass is registered.
  public func registeredSuperclass(of type: AnyClass) -> AnyClass? {
    var next: AnyClass? = _getSuperclass(type)
    while let current = next {
      if name(of: current) != nil { return current }
      next = _getSuperclass(current)
    }
    return nil
  }

  /// Returns whether a class equals `superclass` or inherits from `superclass`.
  public static func isSubclass(_ type: AnyClass, of superclass: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let current = next {
      if current == superclass { return true }
      next = _getSuperclass(current)
    }
    return false
  }
}
