/// The columns of one class while it is read. Owns the memory of the columns.
///
/// The nodes of the set are the nodes of the program's type (`layout`). For each node, `sources` contains the
/// node of the file from which the values are read. If the set is created without the program's classes,
/// `layout` is the layout of the file.
package final class ColumnReaderSet {
  let nodes: [Handle<ColumnReaderNode>]
  package let layout: ColumnLayout
  /// The layout that the program reads. It does not contain the optionals that `FieldPresence` adds.
  private let wanted: ColumnLayout
  /// For each node of the program's layout, the corresponding node of `layout`. Nil if the two layouts are
  /// equal.
  private let nodesOfWanted: [Int]?
  /// For each node, whether its values take no bytes. Skipping such values does not change the position of a
  /// column.
  package let areEmpty: [Bool]
  /// Retains the string table to which the nodes point.
  private let strings: StringTable
  let worklist: Handle<Worklist>
  /// The nodes that `addMissingMentions` created. The set must free them.
  private var missingMentions: [Handle<ColumnReaderNode>] = []
  /// The nodes whose values are converted. `source` is the node of the file with the original values.
  private let converted: [(node: Int, source: Int)]
  /// How each node is read from the file.
  let sources: [ResolvedColumn]
  /// The layout of the columns in the file.
  let file: ColumnLayout
  /// Changes columns from which values are omitted, or whose values are reordered. Nil if there are no such
  /// columns.
  var sieved: SievedColumns? { didSet { bindsAsStored = false } }

  /// Creates the columns of a layout. `sources` contains the source of each node, and `locations` contains
  /// the location of each root. The sources are nodes of `file`. If `file` is nil, they are nodes of the
  /// layout itself.
  package init(
    _ wanted: ColumnLayout, sources wantedSources: [ResolvedColumn], in file: ColumnLayout? = nil,
    locations: [ColumnLocation], strings: StringTable, context: OpaqueHandle?
  ) {
    let presence = FieldPresence(wanted, sources: wantedSources)
    let (layout, sources) = (presence?.layout ?? wanted, presence?.sources ?? wantedSources)
    self.layout = layout
    self.sources = sources
    self.wanted = wanted
    nodesOfWanted = presence?.nodes
    self.file = file ?? wanted
    areEmpty = layout.nodesWithoutBytes()
    self.strings = strings
    worklist = Handle(Worklist(nodeCount: layout.nodes.count))
    let containsReferences = layout.nodesThatContainReferences()
    var nodes: [Handle<ColumnReaderNode>] = []
    nodes.reserveCapacity(layout.nodes.count)
    var root = -1
    for (index, (node, source)) in zip(layout.nodes, sources).enumerated() {
      if root + 1 < layout.roots.count, layout.roots[root + 1] == index { root += 1 }
      let handle = unsafe Handle(
        ColumnReaderNode(
          isSigned: source.isSigned, isMissing: source.isMissing, mayBeMissing: source.isMissing,
          isAlwaysPresent: source.isAlwaysPresent,
          isBytes: source.isBytes,
          isRecursive: node.isRecursive, head: nil,
          containsReferences: containsReferences[index],
          isWeak: node.kind == .weak,
          context: context,
          children: HandleBuffer([]),
          builtStrings: strings.built,
          kind: node.kind, isText: node.kind.storage == .text || source.isBytes,
          strings: .passUnretained(strings), source: source.conversion == nil ? source.node : nil,
          cases: source.cases, payloads: node.payloads, caseNames: source.caseNames, labels: node.labels,
          index: index,
          location: locations[root]))
      if node.canContainItself { handle.value.head = handle }
      handle.value.updateReferenceKind()
      nodes.append(handle)
    }
    for (index, node) in layout.nodes.enumerated() {
      nodes[index].value.children.free()
      nodes[index].value.children = HandleBuffer(node.children.map { nodes[$0] })
      for child in node.children {
        if node.kind == .enumeration, node.canContainItself, child > index {
          nodes[child].value.head = nodes[index]
        }
      }
    }
    self.nodes = nodes
    var converted: [(node: Int, source: Int)] = []
    for (index, source) in zip(layout.nodes.indices, sources) {
      guard let conversion = source.conversion, let source = source.node else { continue }
      nodes[index].value.converter = ChunkConverter(
        conversion, to: layout.nodes[index].kind, strings: strings)
      converted.append((index, source))
    }
    self.converted = converted
    bindsAsStored = converted.isEmpty
    for index in layout.nodes.indices { addMissingMentions(to: index) }
    for field in presence?.fields ?? [] {
      nodes[field].value.mayBeMissing = true
      nodes[field].value.isPresence = true
    }
    if sources.contains(where: \.isRearranged) {
      sieved = SievedColumns(nil, in: self, sources: sources, file: self.file)
      bindsAsStored = false
    }
  }

  /// Creates separate nodes, without values, for fields that the file does not have and whose type is the
  /// type of an enclosing structure. Such a field must not read from the node of the enclosing structure,
  /// because this node has values.
  private func addMissingMentions(to index: Int) {
    let (node, source) = (layout.nodes[index], sources[index])
    guard node.kind == .structure, node.isRecursive else { return }
    for (position, child) in node.children.enumerated() where child <= index {
      let isMissing =
        source.isMissing || !source.fieldPositions.isEmpty && source.fieldPositions[position] == nil
      guard isMissing, let location = nodes[index].value.location else { continue }
      let mention = unsafe Handle(
        ColumnReaderNode(
          isMissing: true, mayBeMissing: true, head: nil, context: nodes[index].value.context,
          children: HandleBuffer([]), builtStrings: strings.built, kind: layout.nodes[child].kind,
          isText: false, strings: .passUnretained(strings), index: child, location: location))
      nodes[index].value.children[position] = mention
      missingMentions.append(mention)
    }
  }

  deinit {
    for mention in missingMentions {
      mention.value.children.free()
      mention.free()
    }
    for index in layout.nodes.indices {
      let node = nodes[index]
      node.value.children.free()
      node.value.expanded?.free()
      node.free()
    }
    worklist.value.free()
    worklist.free()
  }

  /// Returns the column of a property, by the property's index among the roots.
  package func column(_ index: Int) -> ColumnReader { ColumnReader(nodes[layout.roots[index]]) }

  /// For each root, the column of its values. The columns are valid as long as the set exists.
  package var columns: [ColumnReader] {
    layout.roots.indices.map { ColumnReader(nodes[valueNode(ofRoot: $0)]) }
  }

  /// Returns the first node of a root's values. If the root begins with an optional that states which rows
  /// have a value, returns the node after this optional.
  package func valueNode(ofRoot root: Int) -> Int {
    let first = layout.roots[root]
    return rootsWithPresence.contains(root) ? layout.nodes[first].children[0] : first
  }

  /// Returns the nodes of a root that store strong or unowned references.
  package func referenceNodes(ofRoot root: Int) -> [Int] {
    layout.nodes(ofRoot: root).filter(isReference)
  }

  /// Whether a root contains strong or unowned references.
  package func holdsReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains(where: isReference)
  }

  /// Whether the values of a node are strong or unowned references.
  private func isReference(_ node: Int) -> Bool { layout.nodes[node].kind == .reference }

  /// Whether a root contains weak references.
  package func holdsWeakReference(ofRoot root: Int) -> Bool {
    layout.nodes(ofRoot: root).contains { layout.nodes[$0].kind == .weak }
  }

  /// Converts the index of a node in the layout that the program reads to the index of this node in `layout`.
  package func node(ofWanted node: Int) -> Int { nodesOfWanted?[node] ?? node }

  /// Returns the first node of a root's values in the layout that the program reads.
  package func wantedValueNode(ofRoot root: Int) -> Int {
    wanted.valueNode(ofRoot: root, isKeyed: rootsWithPresence.contains(root))
  }

  /// Returns the node of the file from which a node reads its values, unchanged or converted. Nil if the file
  /// has no such node.
  package func fileNode(ofNode index: Int) -> Int? {
    nodes[index].value.source ?? converted.first { $0.node == index }?.source
  }

  /// Sets how the values of a root are read.
  ///
  /// - Parameters:
  ///   - phase: the phase of unarchiving in which the values are set; nil if they are not set.
  ///   - isUnowned: whether the values are unowned references.
  ///   - mayBeAbsent: whether rows may have no value. If true, the root's node stores which rows have a
  ///     value.
  ///   - root: the index of the root.
  package func setPhase(_ phase: UInt8?, isUnowned: Bool, mayBeAbsent: Bool = false, of root: Int) {
    for index in layout.nodes(ofRoot: root) { nodes[index].value.phase = phase ?? ColumnReaderNode.noPhase }
    if mayBeAbsent {
      rootsWithPresence.append(root)
      bindsAsStored = false
    }
    nodes[valueNode(ofRoot: root)].value.isUnowned = isUnowned
  }

  /// Reads whether the root has a value in the next row. If it has no value, sets the phase of the value's
  /// node to `noPhase`, so that the unarchiver sets no value. Called only for roots whose values may be
  /// absent.
  package func readPresence(ofRoot root: Int) throws {
    let presence = nodes[layout.roots[root]]
    let isPresent = try ColumnReader(presence).bit()
    nodes[valueNode(ofRoot: root)].value.phase =
      isPresent ? presence.value.phase : ColumnReaderNode.noPhase
  }

  /// Restores the phases of the roots whose values may be absent.
  private func resetPresence() {
    for root in rootsWithPresence {
      nodes[valueNode(ofRoot: root)].value.phase = nodes[layout.roots[root]].value.phase
    }
  }

  /// Accepts equal keys that refer to objects, and uses the first of several equal keys. Keys that differ in
  /// the file may become equal if the program omits the objects or properties in which they differ.
  func acceptEqualKeys() {
    for node in layout.nodes where layout.hashesReferences(node) {
      nodes[node.children[0]].value.mayHaveEqualKeys = true
    }
  }

  /// Omits references that a revision made nil. Applies to collections whose elements cannot be nil.
  package func omitNilReferences() {
    for (index, node) in layout.nodes.enumerated() where node.kind == .reference || node.kind == .weak {
      nodes[index].value.omitsNilReferences = true
    }
    acceptEqualKeys()
  }

  /// Moves all columns to the beginning of the chunks of one class in one segment.
  ///
  /// - Parameters:
  ///   - chunks: the chunks, by node of the file's layout. Nil for a node without values.
  ///   - phases: the phases whose values are read, one bit per phase. Columns of other phases get no values,
  ///     so that their chunks are not expanded needlessly.
  ///   - rowCount: the number of rows of the class. Needed for optional columns that were added to the class
  ///     after the segment was written. The value of such a column is nil in each row.
  package func bind(_ chunks: [Chunk?], phases: UInt8 = .max, rowCount: Int = 0) {
    if !bindsAsStored {
      resetPresence()
      sieved?.removeAll()
    }
    let nodes = nodes
    var hasOwnMemory = hasOwnMemory
    for index in nodes.indices {
      let node = nodes[index]
      guard phases &>> node.value.phase & 1 == 1, let source = node.value.source,
        source < chunks.count, let chunk = chunks[source]
      else {
        node.value.unbind()
        if rowCount > 0, node.value.kind == .optional, node.value.source != nil,
          phases &>> node.value.phase & 1 == 1, layout.isRoot(index)
        {
          hasOwnMemory = true
          node.value.bindAbsent(rowCount)
        }
        continue
      }
      if chunk.form == .plain {
        node.value.bind(plain: chunk)
      } else {
        hasOwnMemory = true
        node.value.bind(chunk)
      }
    }
    self.hasOwnMemory = hasOwnMemory
    if bindsAsStored { return }
    bindConverted(chunks, phases: phases)
    if let sieved { sieve(sieved, chunks) }
  }

  /// Moves the columns whose values are converted to the beginning of the converted values.
  private func bindConverted(_ chunks: [Chunk?], phases: UInt8) {
    for (index, source) in converted {
      let node = nodes[index]
      guard phases &>> node.value.phase & 1 == 1, source < chunks.count, let chunk = chunks[source],
        let converter = node.value.converter
      else { continue }
      hasOwnMemory = true
      node.value.bind(converter.convert(chunk, among: chunks))
    }
  }

  /// Whether all values are read unchanged: no value is converted, absent or omitted.
  private var bindsAsStored: Bool

  /// The roots in which rows may have no value.
  private var rootsWithPresence: [Int] = []

  /// Whether columns may own memory for expanded values.
  private(set) var hasOwnMemory = false

  /// Removes the values from all columns.
  package func prepareForReuse() {
    for index in nodes.indices {
      nodes[index].value.unbind()
      nodes[index].value.freeIfLarge()
    }
    for (index, _) in converted { nodes[index].value.converter?.removeAll() }
    hasOwnMemory = false
  }

  /// Returns the current positions of a root's columns, for `restore`.
  package func state(ofRoot root: Int) -> [Int] {
    layout.nodes(ofRoot: root).flatMap {
      [nodes[$0].value.position, nodes[$0].value.textPosition]
    }
  }

  /// Moves the columns of a root back to positions that `state(ofRoot:)` returned. The same chunks must still
  /// be bound.
  package func restore(_ state: [Int], ofRoot root: Int) {
    for (offset, index) in layout.nodes(ofRoot: root).enumerated() where offset * 2 + 1 < state.count {
      nodes[index].value.position = state[offset * 2]
      nodes[index].value.textPosition = state[offset * 2 + 1]
    }
  }

  /// Returns the rows to which the strong and unowned references in the next value of a root refer. Does not
  /// move the columns.
  package func targets(ofRoot root: Int) throws(ArchiveError) -> [Int] {
    let start = state(ofRoot: root)
    defer { restore(start, ofRoot: root) }
    try skip(root: root, count: 1)
    var rows: [Int] = []
    for (offset, index) in layout.nodes(ofRoot: root).enumerated() where isReference(index) {
      let chunk = chunk(ofNode: index)
      for position in start[offset * 2]..<nodes[index].value.position {
        rows.append(Int(truncatingIfNeeded: chunk.unsigned(position)))
      }
    }
    return rows
  }

  /// Throws unless every column of the file was read to its end. Spec: 04-columns, rule V2.
  package func checkAtEnd() throws(ArchiveError) {
    for index in layout.nodes.indices {
      let node = nodes[index]
      guard node.value.position != node.value.count else { continue }
      throw ColumnReader(node).error(
        .malformedColumn, found: "a column of \(plural(node.value.count, "value"))",
        expected: "\(plural(node.value.position, "value")) for all objects of the class together")
    }
  }

  /// Returns the chunk that is bound to a node, in its plain form. Used for checks of all values.
  package func chunk(ofNode index: Int) -> Chunk { Chunk(bound: nodes[index].value) }

  /// Returns the number of values of a node that were read or skipped.
  package func position(ofNode index: Int) -> Int { nodes[index].value.position }

  /// Returns the row to which a reference referred before a revision omitted the row. `error` is an error
  /// that occurred at the reference. Returns 0 if the revision did not change the reference.
  package func formerRow(of error: ArchiveError) -> Int {
    guard let location = error.valueLocation, nodes.indices.contains(location.node) else { return 0 }
    return nodes[location.node].value.formerRow(location.index)
  }

  /// Returns the kind of a node.
  package func kind(ofNode index: Int) -> ColumnKind { nodes[index].value.kind }

  /// Returns the column of a node.
  package func column(ofNode index: Int) -> ColumnReader { ColumnReader(nodes[index]) }
}

extension Chunk {
  /// Creates a chunk from the plain values that are bound to a node.
  init(bound node: ColumnReaderNode) {
    count = node.count
    width = node.width
    usesStringTable = node.usesStringTable
    values = node.values
    text = node.text
  }
}
