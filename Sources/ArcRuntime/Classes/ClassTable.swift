import Synchronization

/// The classes that names in a file may mean, both ways: names to classes, and classes to names.
///
/// A class may have several names, the first of which is its own and the others aliases; a name means one
/// class for as long as the table lives. Threads may register and look up at the same time, without a lock.
///
///     let table = ClassTable()
///     try table.register(Person.self, as: "Person")
///     try table.register(Person.self, as: "OldPerson")
///     table.names(of: Person.self)   // ["Person", "OldPerson"]
public final class ClassTable: Sendable {
  /// The table of the process, for programs that need only one.
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

  /// Whether nothing is built that is not registered or named by a declaration. With a table that is not
  /// closed, a file may also name archivable types of the program that nobody registered, where the declared
  /// types allow them: subclasses of classes that these lead to, and what conforms to `P` for a property of
  /// type `any P`.
  public let isClosed: Bool

  /// Makes a table without registered classes.
  ///
  /// - Parameter isClosed: whether nothing is built that is not registered or named by a declaration.
  public init(isClosed: Bool = false) { self.isClosed = isClosed }

  /// Binds a name to a class; binding the same pair again changes nothing.
  ///
  /// - Throws: ``ClassTableError`` where the name is empty or already means another class.
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

  /// The class that the name means, `nil` for an unknown name.
  ///
  /// - Complexity: O(log *n*) in the number of names; no lock.
  public func classType(named name: String) -> AnyClass? {
    registered.load()?.classes.value(for: ExactName(name))
  }

  /// The names of the class in order of registration, none for a class that was never registered.
  public func names(of type: AnyClass) -> [String] {
    entry(of: type)?.names.entries.map(\.key.text) ?? []
  }

  /// The name under which the class was registered first.
  public func name(of type: AnyClass) -> String? { names(of: type).first }

  /// All classes that have a name, in the order of their first registration.
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
  /// The description of a class, made on first use and shared from then on.
  ///
  /// - Parameters:
  ///   - type: the class, registered or not.
  ///   - make: makes the description; of several threads that do so at once, one wins and all get its result.
  /// - Returns: the description that the class has from then on.
  public func info(of type: AnyClass, make: () throws -> ClassInfo) rethrows -> ClassInfo {
    let entry = addEntry(of: type)
    if let info = entry.info.load() { return info }
    return entry.info.storeIfNil(try make())
  }

  /// The description of a class, `nil` where none was made.
  public func info(of type: AnyClass) -> ClassInfo? {
    entry(of: type)?.info.load()
  }

  /// Keeps the description of a class that is known from a file or by hand, under its name.
  ///
  /// - Returns: the description that the name has: the given one, or another that was there before.
  @discardableResult public func register(_ info: ClassInfo) -> ClassInfo {
    maps.infos.insert(info, for: ExactName(info.name))
  }

  /// The description of the class with a name: of the class that it means, or one that was registered.
  public func info(named name: String) -> ClassInfo? {
    classType(named: name).flatMap { info(of: $0) } ?? registered.load()?.infos.value(for: ExactName(name))
  }
}

/// Which class inherits from which.
extension ClassTable {
  /// The registered classes that inherit from a class, directly or not; the class itself is not among them.
  ///
  /// - Complexity: O(*n* · *d*) for *n* registered classes with *d* superclasses each.
  public func subclasses(of type: AnyClass) -> [AnyClass] {
    registeredClasses.filter { $0 != type && Self.isSubclass($0, of: type) }
  }

  /// The registered classes whose next registered superclass is the class.
  public func directSubclasses(of type: AnyClass) -> [AnyClass] {
    registeredClasses.filter { candidate in
      registeredSuperclass(of: candidate).map { $0 == type } ?? false
    }
  }

  /// The nearest superclass that is registered.
  public func registeredSuperclass(of type: AnyClass) -> AnyClass? {
    var next: AnyClass? = _getSuperclass(type)
    while let current = next {
      if name(of: current) != nil { return current }
      next = _getSuperclass(current)
    }
    return nil
  }

  /// Whether a class is the other one or inherits from it.
  public static func isSubclass(_ type: AnyClass, of superclass: AnyClass) -> Bool {
    var next: AnyClass? = type
    while let current = next {
      if current == superclass { return true }
      next = _getSuperclass(current)
    }
    return false
  }
}
