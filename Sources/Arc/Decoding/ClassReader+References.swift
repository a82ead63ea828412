import ArcArchive
import ArcFormat
import ArcRuntime

// What objects of a class lead to, asked before they are built.

/// Columns whose references are followed, before anything is built.
struct FollowedColumns {
  let set: ColumnReaderSet
  /// The roots of the set of which some node is a reference, each with these nodes.
  let roots: [(root: Int, nodes: [Int])]

  /// The columns of a set: of each root the nodes that `nodes` returns.
  init(_ set: ColumnReaderSet, nodes: (_ root: Int) -> [Int]) {
    self.set = set
    self.roots = set.layout.roots.indices.compactMap { root in
      let nodes = nodes(root)
      return nodes.isEmpty ? nil : (root, nodes)
    }
  }

  /// The columns of a set with all their references, weak ones not.
  init(_ set: ColumnReaderSet) { self.init(set) { set.referenceNodes(ofRoot: $0) } }

  /// All columns of a layout as a file has them.
  init(reading layout: ColumnLayout) { self.init(ColumnReaderSet(reading: layout)) }
}

extension ClassReader {
  /// The columns to follow for what its objects lead to: those of its properties, and as the file has them,
  /// in a `layout`, those whose keys may be asked for.
  func columnsToFollow(in layout: ColumnLayout) -> [FollowedColumns] {
    guard keys != nil, let resolution else { return [FollowedColumns(set)] }
    let asked = resolution.requestableColumns
    let byKey = FollowedColumns(ColumnReaderSet(reading: layout)) { root in
      asked.contains(root) ? nodesReadByKey(ofColumn: root, in: layout) : []
    }
    return [FollowedColumns(set), byKey]
  }

  /// The nodes of a column of the file whose references may keep their targets where the column is read by
  /// key.
  ///
  /// The types that a hand-written coder reads are not known before it runs: weak references stay weak. Of
  /// older values a property may be made that keeps what was weak.
  private func nodesReadByKey(ofColumn position: Int, in layout: ColumnLayout) -> [Int] {
    layout.nodes(ofRoot: position).filter {
      let kind = layout.nodes[$0].kind
      return kind == .reference || kind == .weak && !programClass.isKeyed
    }
  }

  /// The columns of its properties whose references keep their targets.
  var keepingColumns: FollowedColumns {
    FollowedColumns(set) { slot in
      programClass.slots[slot].property.traits.contains(.unowned) ? [] : set.referenceNodes(ofRoot: slot)
    }
  }

  /// Whether the file has references in columns of the class that the program does not read.
  var leavesReferencesUnread: Bool {
    guard let resolution else { return false }
    let read = resolution.readColumns.union(resolution.requestableColumns)
    return resolution.layout.roots.indices.contains {
      !read.contains($0) && resolution.layout.containsReference($0)
    }
  }

  /// What becomes of the references of its objects, by node of the file's columns, if the properties with
  /// certain keys bring nothing into a part of the file.
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
    let isLeftOut = { (slot: Int) in keys.contains(ExactName(slots[slot].property.keys[0])) }
    // A column of older values may be read for a property that stays.
    var leftOut = Set(slots.indices.filter(isLeftOut).flatMap(resolution.columns(ofSlot:)))
    if !leftOut.isEmpty {
      leftOut.subtract(slots.indices.filter { !isLeftOut($0) }.flatMap(resolution.columns(ofSlot:)))
    }
    if self.keys != nil {
      // What is made of these references, nobody knows before.
      for position in resolution.requestableColumns {
        for node in nodesReadByKey(ofColumn: position, in: layout) { uses[node] = .followed }
        let key = resolution.fileClass.columns[position].key
        if programClass.isKeyed, keys.contains(ExactName(key)) { leftOut.insert(position) }
      }
    }
    for slot in slots.indices where slots[slot].property.traits.contains(.weak) {
      if let node = set.fileNode(ofNode: set.valueNode(ofRoot: slot)) { uses[node] = .weak }
    }
    for position in leftOut {
      for node in layout.nodes(ofRoot: position) { uses[node] = .incidental }
    }
    return uses
  }
}
