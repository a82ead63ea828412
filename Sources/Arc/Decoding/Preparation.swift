import ArcArchive
import ArcFormat
import ArcRuntime

/// Prepares the reading of an archive: creates the columns of the roots, and finds the program's classes for
/// the classes of the file.
struct Preparation {
  let rows: GraphRows
  private var file: ArchiveFile { rows.file }
  private var schema: ResolvedSchema { rows.schema }

  private let steps: ReadingSteps
  /// The class and the columns from which row 0 is read, if they differ from the class and the columns of row
  /// 0 in the file. Otherwise nil. Row 0 contains the roots.
  private let otherRow: (description: ClassDescription, layout: ColumnLayout)?

  init(rows: GraphRows, steps: ReadingSteps) {
    self.rows = rows
    self.steps = steps
    otherRow = nil
  }

  /// Prepares to read row 0 with a class and columns that differ from row 0 in the file.
  init(rows: GraphRows, steps: ReadingSteps, _ description: ClassDescription, _ layout: ColumnLayout) {
    self.rows = rows
    self.steps = steps
    otherRow = (description, layout)
  }

  // The description and the layout are computed, because only a decoder that reads its first archive needs
  // them.
  /// The class of row 0, whose columns are the roots.
  private var description: ClassDescription {
    otherRow?.description ?? schema.renamedRoots?.description ?? file.classes[0]
  }

  /// The columns of row 0.
  private var layout: ColumnLayout {
    otherRow?.layout ?? schema.renamedRoots?.layout ?? file.layouts[0]
  }

  /// Stores the readers of the classes in the schema. Returns the columns of the roots, positioned at their
  /// beginning.
  func run(logsReferences: Bool) throws -> ColumnReaderSet {
    let roots = try rootColumns()
    do { try ClassMatching(rows: rows, steps: steps).run(roots: roots) } catch { throw comparingRoots(error) }
    // Matching classes may have revised the rows.
    let view = rows.view
    if view.isRevised { try rows.bind(roots) }
    if !logsReferences, schema.needs.contains(.firstHolders) {
      rows.references.value.holders.storeFirstHolders()
    }
    view.forEachUnreferencedRow { rows.references.value.holders.note($0, by: 0) }
    return roots
  }

  // MARK: Roots

  /// If an error is about an unknown class, and a root has another type in the file than the program
  /// requested, adds a note about the two types: with the right type, the program may find the class. Returns
  /// any other error unchanged.
  private func comparingRoots(_ error: any Error) -> any Error {
    guard let error = error as? ArchiveError, error.code == .unknownClass else { return error }
    for root in schema.request.roots {
      // A second error would hide the first error, so errors are ignored here.
      guard let encoding = try? __TypeEncodingContext().encoding(of: root.type),
        let position = try? position(of: root.name),
        let type = file.classes[0].columns[position].attributes.type, type != encoding
      else { continue }
      let (stored, wanted) = TypeWords.different(type, encoding)
      var error = error
      let root = "the root '\(root.name)' is of type \(stored), not of type \(wanted) as asked for"
      error.remedy = [error.remedy, root].compactMap { $0 }.joined(separator: "; ")
      return error
    }
    return error
  }

  /// Returns the columns of the roots with the requested types, bound to the values of the roots.
  private func rootColumns() throws -> ColumnReaderSet {
    let schema = schema
    let set: ColumnReaderSet
    if let known = schema.rootSet {
      set = known
    } else {
      set = try makeRootSet(schema.request.roots).set
      schema.rootSet = set
    }
    try schema.rootIsolation.check()
    try rows.bind(set)
    return set
  }

  /// Returns the columns of the roots. Also returns, for each node of the file's layout, how these columns
  /// use the references in the node.
  ///
  /// Throws `missingRoot` for a root that the file does not have, and `typeMismatch` for a root of another
  /// type. The reasons of all roots are reported together. Classes are not looked up after such an error,
  /// because the right types may reach classes that are unknown now. Spec: 06-evolution, rules M2 and M4.
  func makeRootSet(
    _ roots: [ResolvedSchema.Root]
  ) throws -> (set: ColumnReaderSet, uses: [ReferenceUse]) {
    let fileLayout = self.layout
    var layout = ColumnLayout()
    var sources: [ResolvedColumn] = []
    var detached: Set<Int> = []
    var reasons = RefusalReasons()
    for root in roots {
      try reasons.collect { sources += try self.sources(of: root, appendingTo: &layout, &detached) }
    }
    try reasons.check()
    let set = ColumnReaderSet(
      layout, sources: sources, in: fileLayout,
      locations: roots.map { ColumnLocation(className: "root", key: $0.name) },
      strings: schema.file.strings, context: rows.references.opaque)
    if !schema.request.unknownContent.refuses { omitUnknown(of: roots, from: set) }
    return (set, set.uses(ofNodesIn: fileLayout, detached: detached))
  }

  /// Prepares the columns of the roots so that reading omits each value whose case or raw value the program
  /// does not have.
  private func omitUnknown(of roots: [ResolvedSchema.Root], from set: ColumnReaderSet) {
    var marks: [Int: ColumnMark] = [:]
    for (index, root) in roots.enumerated() {
      let first = set.wantedValueNode(ofRoot: index)
      for (node, mark) in ColumnMarks.of(root.type) { marks[first + node] = mark }
    }
    set.omitUnknown(marks)
  }

  /// Appends the columns of a root's type to a layout. Returns their sources in the file. Adds the nodes
  /// whose references are read on demand or are unowned to `detached`.
  private func sources(
    of root: ResolvedSchema.Root, appendingTo layout: inout ColumnLayout, _ detached: inout Set<Int>
  ) throws -> [ResolvedColumn] {
    let position = try position(of: root.name)
    let context = __TypeEncodingContext()
    let encoding = try context.encoding(of: root.type)
    if let type = context.mainActorType { schema.rootIsolation = ActorIsolation(mainActorType: type) }
    let firstNode = layout.nodes.count
    try layout.append(context.readEncoding(of: root.type, encoding), includesOlderFields: true)
    let plain = try ColumnLayout(of: encoding)
    detached.formUnion(context.detachedNodes(of: plain, from: 0, since: 0).map { $0 + firstNode })
    var resolver = ColumnResolver(
      wanted: layout, file: self.layout, olderNames: context.olderNames, hasInitialValues: true)
    guard let resolved = resolver.resolve(root: layout.roots.count - 1, fileRoot: position) else {
      let type = description.columns[position].attributes.type
      let (stored, wanted) = TypeWords.different(type, encoding)
      throw ArchiveError(
        .typeMismatch,
        found: "\(schema.target.description(root.name)) of type \(stored)\(resolver.failure)",
        expected: "\(schema.target == .object ? "an" : "a") \(schema.target) of type \(wanted)",
        remedy: "read the \(schema.target) as the type that was archived",
        key: schema.target == .root ? root.name : nil)
    }
    return resolved
  }

  /// Returns the index of a root in the file. Throws `missingRoot` if the file does not have the root.
  private func position(of root: String) throws(ArchiveError) -> Int {
    let columns = description.columns
    guard let position = columns.firstIndex(where: { $0.key.hasSameBytes(as: root) }) else {
      let names = columns.prefix(20).map { "'\($0.key)'" }.joined(separator: ", ")
      throw ArchiveError(
        .missingRoot,
        found: columns.isEmpty
          ? "a file without roots"
          : "a file with \(plural(columns.count, "root")): \(names)\(columns.count > 20 ? ", …" : "")",
        expected: "a root with the name '\(root)'", remedy: "pass the name of a root of the file as 'root:'",
        key: root)
    }
    return position
  }
}

extension ColumnReaderSet {
  /// For each node of a file's layout, returns how the program uses the references in the node when it reads
  /// the file with these columns. `detached` contains those nodes of the columns whose references are read
  /// lazily or are unowned.
  func uses(ofNodesIn file: ColumnLayout, detached: Set<Int>) -> [ReferenceUse] {
    var uses = [ReferenceUse](repeating: .incidental, count: file.nodes.count)
    let detached = Set(detached.map(node(ofWanted:)))
    for node in layout.roots.indices.flatMap(referenceNodes(ofRoot:)) {
      guard let source = fileNode(ofNode: node), uses.indices.contains(source) else { continue }
      uses[source] = detached.contains(node) ? .detached : .followed
    }
    return uses
  }
}
