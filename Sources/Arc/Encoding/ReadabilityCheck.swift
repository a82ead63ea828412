import ArcFormat
import ArcRuntime
import Synchronization

/// Warns of classes whose objects can be archived but perhaps not read again: those that no declared type
/// leads to, that are not found among the types of the program, and that no class table names. Of each class
/// once in a process, so that a program that archives often hears of it, and once only.
struct ReadabilityCheck {
  /// The classes that were checked, each behind the types of the roots that it was checked with.
  private static let checked = Mutex<Set<[ObjectIdentifier]>>([])
  /// The classes that were warned of.
  private static let warned = Mutex<Set<ObjectIdentifier>>([])

  private let warn: @Sendable (ArchiveError) -> Void
  private let roots: [any ArchivableValue.Type]
  private lazy var declared = Self.classes(from: roots, scope: .declared)
  private lazy var found = Self.classes(from: roots, scope: .program)
  private lazy var programTypes = Set(ProgramTypes.all.map(ObjectIdentifier.init))

  /// Begins a check of an archive with roots of certain types.
  init(roots: [any ArchivableValue.Type], warn: @escaping @Sendable (ArchiveError) -> Void) {
    self.roots = roots
    self.warn = warn
  }

  /// Finds classes by what `roots` declare and by all that the program registered with any class table.
  static func classes(
    from roots: [any ArchivableValue.Type], scope: ClassTable.Scope
  ) -> ReachableClasses {
    let tables = ClassTable(scope: scope)
    for type in ClassTable.everRegistered {
      // That a name has two meanings matters where the file is read.
      if let type = type as? any Archivable.Type { try? tables.register(type) }
    }
    return ReachableClasses(tables, roots: roots)
  }

  /// Warns of a class if it would not be found.
  mutating func check(_ type: any Archivable.Type) {
    let identities = roots.map { ObjectIdentifier($0) } + [ObjectIdentifier(type)]
    guard Self.checked.withLock({ $0.insert(identities).inserted }) else { return }
    let name = type.archiveSchema.name
    // What has gone wrong there will be told where it is read.
    if let known = try? declared.type(named: name), known == type { return }
    // Where its objects are, a declared type allows them.
    let archived = (type as? any AnyValueBox.Type)?.valueType ?? type
    if programTypes.contains(ObjectIdentifier(archived)) { return }
    if let known = try? found.type(named: name), known == type { return }
    guard Self.warned.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    warn(
      ArchiveError(
        .unknownClass,
        found:
          "an object of class '\(name)', a class that the declared types of the roots do not reach",
        expected: "an object whose class is registered or is the declared type of a property",
        remedy:
          "register the class in the class table of the unarchiver: try classes.register(\(archived).self)",
        className: name))
  }
}
