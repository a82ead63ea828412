import ArcFormat
import ArcRuntime
import Synchronization

/// Warns of classes whose objects can be archived but perhaps not read again. These are classes that no
/// declared type reaches, that are not found among the types of the program, and that no class table
/// contains.
///
/// Each class is reported only once per process, because a program may archive often.
struct ReadabilityCheck {
  /// The classes that were checked.
  private static let checked = CheckedClasses()
  /// The classes for which the program received a warning.
  private static let warned = Mutex<Set<ObjectIdentifier>>([])

  private let warn: @Sendable (ArchiveError) -> Void
  private let roots: [any ArchivableValue.Type]
  private lazy var declared = Self.classes(from: roots, scope: .declared)
  private lazy var found = Self.classes(from: roots, scope: .program)
  private lazy var programTypes = Set(ProgramTypes.all.map(ObjectIdentifier.init))

  /// Begins the check of an archive with roots of certain types.
  init(roots: [any ArchivableValue.Type], warn: @escaping @Sendable (ArchiveError) -> Void) {
    self.roots = roots
    self.warn = warn
  }

  /// Finds the classes that `roots` declare, and the classes that the program registered with any class
  /// table.
  static func classes(
    from roots: [any ArchivableValue.Type], scope: ClassTable.Scope
  ) -> ReachableClasses {
    let tables = ClassTable(scope: scope)
    for type in ClassTable.everRegistered {
      // If a name has two meanings, the reader reports it.
      if let type = type as? any Archivable.Type { try? tables.register(type) }
    }
    return ReachableClasses(tables, roots: roots)
  }

  /// Warns of a class if a reader would not find it.
  mutating func check(_ type: any Archivable.Type) {
    guard Self.checked.insert(type, roots: roots) else { return }
    let name = type.archiveSchema.name
    // Errors are ignored here, because the reader reports them.
    if let known = try? declared.type(named: name), known == type { return }
    // A reader finds each type of the program that the declared type of the reference permits. The declared
    // types permit all objects of an archive.
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
