import ArcArchive
import ArcFormat
import ArcRuntime

// Finds the references of a class's objects before the objects are built.

/// Columns whose references are followed before any object is built.
struct FollowedColumns {
  let set: ColumnReaderSet
  /// The columns that contain references. `root` is the index of such a column in the set, and `nodes` are
  /// the nodes of its references.
  let roots: [(root: Int, nodes: [Int])]

  /// Follows the references in some nodes of the columns of a set. `nodes` returns these nodes for the column
  /// at an index.
  init(_ set: ColumnReaderSet, nodes: (_ root: Int) -> [Int]) {
    self.set = set
    self.roots = set.layout.roots.indices.compactMap { root in
      let nodes = nodes(root)
      return nodes.isEmpty ? nil : (root, nodes)
    }
  }

  /// Follows all references in the columns of a set, except weak references.
  init(_ set: ColumnReaderSet) { self.init(set) { set.referenceNodes(ofRoot: $0) } }

  /// Follows all references in the columns of a file, except weak references. The columns are read with the
  /// types of the file.
  init(reading layout: ColumnLayout) { self.init(ColumnReaderSet(reading: layout)) }
}

extension ClassReader {
  /// Returns the columns that contain the references of the class's objects: the columns of its properties,
  /// and the columns that may be read by key. Columns that are read by key have the types of the file, whose
  /// layout is `layout`.
  func columnsToFollow(in layout: ColumnLayout) -> [FollowedColumns] {
    guard keys != nil, let resolution else { return [FollowedColumns(set)] }
    let asked = resolution.requestableColumns
    let byKey = FollowedColumns(ColumnReaderSet(reading: layout)) { root in
      asked.contains(root) ? nodesReadByKey(ofColumn: root, in: layout) : []
    }
    return [FollowedColumns(set), byKey]
  }

  /// Returns the nodes of a column in the file whose references may retain their targets if the column is
  /// read by key.
  ///
  /// For a hand-written coder, the nodes of weak references are omitted, because a weak reference remains
  /// weak. A conversion of older values may convert a weak reference to a strong reference.
  private func nodesReadByKey(ofColumn position: Int, in layout: ColumnLayout) -> [Int] {
    layout.nodes(ofRoot: position).filter {
      let kind = layout.nodes[$0].kind
      return kind == .reference || kind == .weak && !programClass.isKeyed
    }
  }

  /// The columns of the properties whose references retain their targets.
  var keepingColumns: FollowedColumns {
    FollowedColumns(set) { slot in
      programClass.slots[slot].property.traits.contains(.unowned) ? [] : set.referenceNodes(ofRoot: slot)
    }
  }

  /// Whether the class has columns in the file that contain references and that the program does not read.
  var leavesReferencesUnread: Bool {
    guard let resolution else { return false }
    let read = resolution.readColumns.union(resolution.requestableColumns)
    return resolution.layout.roots.indices.contains {
      !read.contains($0) && resolution.layout.containsReference($0)
    }
  }

  /// Returns the use of references in the class's objects, for each node of the file's columns. If a property
  /// has one of the keys `keys`, its references do not add objects to a part of the file.
  func uses(leavingOut keys: Set<ExactName>) -> [ReferenceUse] {
    guard let resolution else { return [] }
    let layout = resolution.layout
    let slots = programClass.slots
    var detached: Set<Int> = []
    for (index, slot) in slots.enumerated() where !slot.detachedNodes.isEmpty {
      let shift = set.wantedValueNode(ofRoot: index) - slot.root
      detached.formUnion(slot.detachedNodes.map { $0 + shift })
    }
    var uses = set.uses(ofNodesIn: layout, detached: detached)
    let isOmitted = { (slot: Int) in keys.contains(ExactName(slots[slot].property.keys[0])) }
    // A property that is not left out may be converted from the same column of older values.
    var omitted = Set(slots.indices.filter(isOmitted).flatMap(resolution.columns(ofSlot:)))
    if !omitted.isEmpty {
      omitted.subtract(slots.indices.filter { !isOmitted($0) }.flatMap(resolution.columns(ofSlot:)))
    }
    if self.keys != nil {
      // These references are followed, because it is not known in advance which of them the program's code
      // reads.
      for position in resolution.requestableColumns {
        for node in nodesReadByKey(ofColumn: position, in: layout) { uses[node] = .followed }
        let key = resolution.fileClass.columns[position].key
        if programClass.isKeyed, keys.contains(ExactName(key)) { omitted.insert(position) }
      }
    }
    for slot in slots.indices where slots[slot].property.traits.contains(.weak) {
      if let node = set.fileNode(ofNode: set.valueNode(ofRoot: slot)) { uses[node] = .weak }
    }
    for position in omitted {
      for node in layout.nodes(ofRoot: position) { uses[node] = .incidental }
    }
    return uses
  }
}
