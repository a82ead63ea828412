import ArcFormat
import ArcRuntime

/// How the program's classes relate to those of one class table, for certain roots, with the columns to read
/// them. Serves one decoder after another.
final class ResolvedSchema: @unchecked Sendable {  // Belongs to who took it out of the pool.
  typealias Root = (name: String, type: any ArchivableValue.Type)

  /// The requested roots, class table and limits: the key under which resolved classes are kept.
  struct Request {
    let roots: [Root]
    let classes: ClassTable
    /// The version of `classes` before any class was looked for; what is registered later belongs to another
    /// version.
    let classesVersion: UInt64
    let limits: ArchiveLimits
    /// What becomes of objects, cases and raw values that the program does not have. Classes are kept for
    /// the next archive only where they are refused.
    var unknownContent = UnknownContentPolicy.refuse
    /// For a copy of objects in memory, what is known of their classes; nil for an archive.
    var liveClasses: LiveClasses?
  }

  let file: FileSchema
  let request: Request
  /// What generated code needs to read a reference; columns lead to it.
  let references: Handle<ObjectLookup>
  /// Readers by index in the file's class table; nil for classes that had no rows so far.
  var readers: [ClassReader?] { didSet { knownNeeds = nil } }
  private var knownNeeds: DecodingNeeds?
  /// What was made of the file's rows before they are read; nil if they are read as they are.
  var revision: ArchiveRevision?
  /// Whether objects were migrated to rows of the revision.
  var isMigrated: Bool { !migratedClasses.isEmpty }
  /// The indices of classes of the file whose objects were migrated.
  var migratedClasses: Set<Int> = []
  /// The indices of classes of the file as which others stand in.
  var standIns: Set<Int> = []
  /// The classes that left out or merged the objects of these rows when they migrated others.
  var removers: [Int: String] = [:]
  /// For each of these rows, the row of the object that takes the place of its object; 0 for none.
  var migrationTargets: [Int: Int] = [:]
  /// Whether the file has roots that nobody asked for.
  var leavesRootsOut: Bool { request.roots.count < file.classes[0].columns.count }
  /// Whether it depends on the rows of a file which classes are read.
  var mayLeaveClassesOut = false
  /// Readers of single segments: columns that errors are told of, and keys checked in, belong to them.
  var readersByNeed: [ClassReader] = []
  /// The columns of the roots.
  var rootSet: ColumnReaderSet?
  /// Objects of a copy that stay shared, by their rows: they are not built.
  var sharedObjects: [SharedObject] = []
  /// Which actor the values of the roots belong to.
  var rootIsolation = ActorIsolation(mainActorType: nil)

  init(_ file: FileSchema, _ request: Request) {
    self.file = file
    self.request = request
    readers = Array(repeating: nil, count: file.classes.count)
    references = Handle(ObjectLookup())
  }

  deinit {
    references.value.objects.releaseAll()
    references.value.free()
    references.free()
  }

  /// What any of the classes needs. O(1), but where readers changed O(readers).
  var needs: DecodingNeeds {
    if let knownNeeds { return knownNeeds }
    let needs = readers.reduce(into: DecodingNeeds()) { $0.formUnion($1?.needs ?? []) }
    knownNeeds = needs
    return needs
  }

  /// Whether all that it contains follows from the class table.
  var isReusable: Bool {
    request.unknownContent.refuses && revision == nil && !mayLeaveClassesOut
      && !needs.contains(.keys)
  }

  /// Forgets the archive that was read.
  func prepareForReuse() {
    references.value.prepareForReuse()
    readersByNeed = []
    for case let reader? in readers { reader.set.prepareForReuse() }
    rootSet?.prepareForReuse()
  }
}
