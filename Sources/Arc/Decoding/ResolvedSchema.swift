import ArcArchive
import ArcFormat
import ArcRuntime

/// The program's classes for the classes of one class table, and the columns that read the objects of these
/// classes and the requested roots. A resolved schema is reused for further archives with the same class
/// table.
final class ResolvedSchema: @unchecked Sendable {  // Used only by the caller that took it from the pool.
  typealias Root = (name: String, type: any ArchivableValue.Type)

  /// The requested roots, class table, limits and policies. A resolved schema is reused only for an equal
  /// request.
  struct Request {
    let roots: [Root]
    let classes: ClassTable
    /// The version that the class table `classes` had before any class was looked up. Each registration of a
    /// class increases the version.
    let classesVersion: UInt64
    let limits: ArchiveLimits
    /// The policy for objects, cases and raw values that the program does not have. The schema is reused only
    /// if the policy refuses them.
    var unknownContent = UnknownContentPolicy.refuse
    /// The policy for objects of newer versions of classes. The schema is reused only if the policy refuses
    /// them.
    var newerVersions = NewerVersionPolicy.refuse
    /// If the request copies objects in memory: the classes of these objects. Nil if the request reads an
    /// archive.
    var liveClasses: LiveClasses?
  }

  let file: FileSchema
  let request: Request
  /// The decoder that builds the objects. The columns of the readers refer to it.
  let decoder: GraphDecoder
  /// The objects of the decoder.
  let references: Handle<ObjectLookup>
  /// For each class in the class table of the view, its reader. Nil if the class has had no rows so far, or
  /// if its objects are omitted.
  var readers: [ClassReader?] {
    @inline(__always) _read { yield currentReaders.value }
    set {
      currentReaders.value = newValue
      knownNeeds = nil
    }
  }
  /// The storage of `readers`. The readers are in a cell, so that Swift does not check the accesses for
  /// exclusivity.
  private let currentReaders = Cell<[ClassReader?]>([])
  private var knownNeeds: DecodingNeeds?
  /// The rows of the archive that is read.
  var view: RowsView { didSet { decoder.view = view } }
  /// Whether objects were migrated, so that new rows replace rows of the file.
  var isMigrated: Bool { !migratedClasses.isEmpty }
  /// The indices of classes of the file whose objects were migrated.
  var migratedClasses: Set<Int> = []
  /// The indices of the file's columns whose values the program removed or replaced in `migrate(_:from:)`, by
  /// the row of the migrated object.
  var touchedColumns: [Int: Set<Int>] = [:]
  /// For each class whose rows are not all read from the same columns: the rule that chooses the columns for
  /// a row. The key is the class index.
  var columnChoices: [Int: ColumnChoice] = [:]
  /// The row of the roots, rewritten with the program's names for fields and cases. Nil if the row is read
  /// unchanged.
  let renamedRoots: RenamedRoots?
  /// The row that `renamedRoots` created. Nil if `renamedRoots` is nil. The row is stored, because the
  /// columns of the roots read its memory.
  var rootRow: RowsSegment?
  /// The indices of the file's classes whose objects are built as objects of substitute classes.
  var substitutedClasses: Set<Int> = []
  /// For each object that a migration removed or replaced, the name of the class whose `migrate(_:from:)` did
  /// this. The key is the row of the object.
  var removers: [Int: String] = [:]
  /// For each object that a migration removed or replaced, the row of its replacement. 0 if it has no
  /// replacement. The key is the row of the object.
  var migrationTargets: [Int: Int] = [:]
  /// Whether the file has roots that are not requested.
  var omitsRoots: Bool { request.roots.count < file.classes[0].columns.count }
  /// Whether the classes to read depend on the rows of the file, not only on its class table. If true, the
  /// schema is not reused for another file.
  var mayOmitClasses = false
  /// The readers of single segments that `ConstructionByNeed` created. They are stored, because key checks
  /// and later errors refer to their columns.
  let segmentReaders = Cell<[ClassReader]>([])
  /// The kind of value that the caller requested, for errors.
  var target = RequestedTarget.root
  /// The columns of the roots. Nil before they are created for the first archive.
  var rootSet: ColumnReaderSet?
  /// The objects that a copy shares with the original graph, in the order of rows. They are not built.
  var sharedObjects: [SharedObject] = []
  /// The actor to which the values of the roots belong, if any.
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

  /// The steps that at least one class requires. O(1), or O(readers) if the readers changed.
  var needs: DecodingNeeds {
    if let knownNeeds { return knownNeeds }
    let needs = readers.reduce(into: DecodingNeeds()) { $0.formUnion($1?.needs ?? []) }
    knownNeeds = needs
    return needs
  }

  /// Whether the schema depends only on the request and the class table, so that it can be reused.
  var isReusable: Bool {
    request.unknownContent.refuses && request.newerVersions == .refuse && !view.isRevised
      && !mayOmitClasses
      && !needs.contains(.keys) && renamedRoots == nil
  }

  /// Releases the objects and columns of the archive that was read.
  func prepareForReuse() {
    decoder.end()
    decoder.context = ArchiveContext()
    if rootRow != nil { rootRow = nil }
    if !segmentReaders.value.isEmpty { segmentReaders.value = [] }
    for case let reader? in readers { reader.set.prepareForReuse() }
    rootSet?.prepareForReuse()
  }
}

extension ResolvedSchema.Request {
  /// Returns the program's names for fields and cases in roots, by column index. Contains only roots in which
  /// the names of the program and the file differ.
  func names(ofRootsIn description: ClassDescription) -> [Int: CurrentNames] {
    var names: [Int: CurrentNames] = [:]
    for root in roots {
      guard let position = description.columns.firstIndex(where: { $0.key.hasSameBytes(as: root.name) }),
        let type = description.columns[position].attributes.type, type.containsRecord
      else { continue }
      let context = __TypeEncodingContext()
      // An error in the type is reported when the root is read.
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
    // An error in the roots is reported when they are read.
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
