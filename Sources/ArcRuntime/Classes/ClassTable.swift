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

  /// Made when something is registered: in a program that registers nothing, making the metadata of the maps
  /// would take as long as to read a small archive.
  private let registered = AtomicLazyReference<Registered>()

  private final class Registered: Sendable {
    let classes = PublishedMap<ExactName, AnyClass>()
    let entries = PublishedMap<ObjectIdentifier, Entry>()
    /// What is known of classes by their names, also of such as the program does not have.
    let infos = PublishedMap<ExactName, ClassInfo>()
  }

  private var maps: Registered { registered.load() ?? registered.storeIfNil(Registered()) }

  /// What the table knows of one class.
  private final class Entry: Sendable {
    let type: AnyClass
    let names = PublishedMap<ExactName, Bool>()
    let info = AtomicLazyReference<ClassInfo>()

    init(_ type: AnyClass) { self.type = type }
  }

  /// A number that no other table has, and that this one has not had since its last registration.
  private let latestVersion = Atomic<UInt64>(nextVersion())
  private static let versions = Atomic<UInt64>(0)
  private static func nextVersion() -> UInt64 {
    versions.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Tells whether anything was registered since it was asked for: what was found in a table holds while its
  /// version is the same. Whoever reads it sees all that was registered before it was set.
  package var version: UInt64 { latestVersion.load(ordering: .acquiring) }

  /// The types that a reader may create from a file although the program has not registered the types.
  public enum Scope: Sendable {
    /// Types that the declared types refer to, their subclasses, and types that fit a declaration `any P` or
    /// `Any`.
    case program
    /// Classes that the declared types refer to, and their subclasses. In properties of type `any P` and
    /// `Any`, only registered types, the types of the standard library, and collections of them are built.
    case subclasses
    /// Types that the declared types refer to by name. Each subclass must be registered.
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
    // An exchange, so that of two at the same time the later one sees what the other registered.
    _ = latestVersion.exchange(Self.nextVersion(), ordering: .acquiringAndReleasing)
    guard bound == type else {
      throw ClassTableError(code: .nameTaken, name: name, bound: bound, refused: type)
    }
    // Who lost the race for the same pair adds the name too, so that it is there when either returns.
    _ = addEntry(of: type).names.insert(true, for: ExactName(name))
    _ = Self.everyClass.insert(type, for: ObjectIdentifier(type))
  }

  /// The classes that were registered with any table.
  private static let everyClass = PublishedMap<ObjectIdentifier, AnyClass>()

  /// The classes that were registered so far with any table of the process.
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

/// What is known of the classes.
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

/// Which class inherits from which.
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
