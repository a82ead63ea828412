import ArcArchive
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
    /// What becomes of objects of newer versions of classes. Classes are kept for the next archive only where
    /// they are refused.
    var newerVersions = NewerVersionPolicy.refuse
    /// For a copy of objects in memory, what is known of their classes; nil for an archive.
    var liveClasses: LiveClasses?
  }

  let file: FileSchema
  let request: Request
  /// What builds the objects; the columns of the readers refer to it.
  let decoder: GraphDecoder
  /// The objects of the decoder.
  let references: Handle<ObjectLookup>
  /// Readers by index in the class table of the view; nil for classes that had no rows so far.
  var readers: [ClassReader?] {
    @inline(__always) _read { yield currentReaders.value }
    set {
      currentReaders.value = newValue
      knownNeeds = nil
    }
  }
  /// `readers`. Out of line, so that accesses are not checked for overlap.
  private let currentReaders = Cell<[ClassReader?]>([])
  private var knownNeeds: DecodingNeeds?
  /// The rows of the archive that is read.
  var view: RowsView { didSet { decoder.view = view } }
  /// Whether objects were migrated to rows of the revision.
  var isMigrated: Bool { !migratedClasses.isEmpty }
  /// The indices of classes of the file whose objects were migrated.
  var migratedClasses: Set<Int> = []
  /// The columns of the file whose values the program's code removed or replaced when it migrated objects, by
  /// their rows.
  var touchedColumns: [Int: Set<Int>] = [:]
  /// How rows of classes of the file were read that differ in where their values are, by the indices of the
  /// classes.
  var columnChoices: [Int: ColumnChoice] = [:]
  /// The row of the roots with the program's names of fields and cases; nil if it is read as it is.
  let renamedRoots: RenamedRoots?
  /// The row that was made of `renamedRoots`, whose memory the columns of the roots read.
  var rootRow: RowsSegment?
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
  let readersByNeed = Cell<[ClassReader]>([])
  /// The columns of the roots.
  var rootSet: ColumnReaderSet?
  /// Objects of a copy that stay shared, by their rows: they are not built.
  var sharedObjects: [SharedObject] = []
  /// Which actor the values of the roots belong to.
  var rootIsolation = ActorIsolation(mainActorType: nil)

  init(_ view: RowsView, _ request: Request) {
    self.view = view
    file = view.file.schema
    self.request = request
    currentReaders.value = Array(repeating: nil, count: view.classes.count)
    renamedRoots = request.renamedRoots(of: file.classes[0])
    decoder = GraphDecoder(
      nestingLimit: view.file.limits.nesting, view: view, context: ArchiveContext())
    references = decoder.references
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
    request.unknownContent.refuses && request.newerVersions == .refuse && !view.isRevised
      && !mayLeaveClassesOut
      && !needs.contains(.keys) && renamedRoots == nil
  }

  /// Forgets the archive that was read.
  func prepareForReuse() {
    decoder.end()
    decoder.context = ArchiveContext()
    if rootRow != nil { rootRow = nil }
    if !readersByNeed.value.isEmpty { readersByNeed.value = [] }
    for case let reader? in readers { reader.set.prepareForReuse() }
    rootSet?.prepareForReuse()
  }
}

extension ResolvedSchema.Request {
  /// The names that the program has in roots, by the indices of their columns, where it has others than the
  /// file.
  func names(ofRootsIn description: ClassDescription) -> [Int: CurrentNames] {
    var names: [Int: CurrentNames] = [:]
    for root in roots {
      guard let position = description.columns.firstIndex(where: { $0.key.hasSameBytes(as: root.name) }),
        let type = description.columns[position].attributes.type, type.containsRecord
      else { continue }
      let context = __TypeEncodingContext()
      // What is wrong with the type is told when the root is read.
      guard let wanted = try? context.encoding(of: root.type) else { continue }
      let current = CurrentNames(
        description.columns[position].attributes, as: wanted, olderNames: context.olderNames)
      if current.isChanged { names[position] = current }
    }
    return names
  }

  fileprivate func renamedRoots(of description: ClassDescription) -> RenamedRoots? {
    if liveClasses != nil { return nil }
    let names = names(ofRootsIn: description)
    // What is wrong with the roots is reported when they are read.
    return names.values.contains { $0.joinsSeveral } ? try? RenamedRoots(description, names) : nil
  }
}

extension TypeEncoding {
  /// Whether values of the type have fields or cases.
  fileprivate var containsRecord: Bool {
    switch self {
    case .structure, .enumeration: true
    default: children.contains { $0.containsRecord }
    }
  }
}
