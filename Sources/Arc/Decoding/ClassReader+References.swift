import ArcFormat
import ArcRuntime

// What objects of a class lead to, asked before they are built.

/// Columns whose references are followed, before anything is built.
struct FollowedColumns {
  let set: ColumnReaderSet
  /// The roots of the set of which some node is a reference, each with these nodes.
  let roots: [(root: Int, nodes: [Int])]

  /// The columns of a set; of all its roots, or of some.
  init(_ set: ColumnReaderSet, roots: Set<Int>? = nil) {
    self.set = set
    self.roots = set.layout.roots.indices.compactMap { root in
      guard roots?.contains(root) ?? true else { return nil }
      let nodes = set.layout.nodes(ofRoot: root).filter { set.layout.nodes[$0].kind == .reference }
      return nodes.isEmpty ? nil : (root, nodes)
    }
  }

  /// All columns of a layout as a file has them.
  init(reading layout: ColumnLayout, roots: Set<Int>? = nil) {
    self.init(ColumnReaderSet(reading: layout), roots: roots)
  }
}

extension ClassReader {
  /// The columns to follow for what its objects lead to: those of its properties, and as the file has them,
  /// in a `layout`, those whose keys may be asked for.
  func columnsToFollow(in layout: ColumnLayout) -> [FollowedColumns] {
    guard keys != nil else { return [FollowedColumns(set)] }
    return [FollowedColumns(set), FollowedColumns(reading: layout, roots: resolution?.columnsAskedFor)]
  }

  /// Whether the file has references in columns of the class that the program does not read.
  var leavesReferencesUnread: Bool {
    guard let resolution else { return false }
    let read = resolution.takenColumns.union(resolution.columnsAskedFor)
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
      let shift = set.valueNode(ofRoot: index) - slot.root
      detached.formUnion(slot.detachedNodes.map { $0 + shift })
    }
    var uses = set.uses(ofNodesIn: layout, detached: detached)
    var leftOut = Set(
      slots.indices.compactMap {
        keys.contains(ExactName(slots[$0].property.keys[0])) ? resolution.positions[$0] : nil
      })
    if self.keys != nil {
      // What is made of these references, nobody knows before.
      for position in resolution.columnsAskedFor {
        for node in layout.nodes(ofRoot: position) where layout.nodes[node].kind == .reference {
          uses[node] = .followed
        }
        let key = resolution.fileClass.columns[position].key
        if programClass.isKeyed, keys.contains(ExactName(key)) { leftOut.insert(position) }
      }
    }
    for slot in slots.indices where slots[slot].property.traits.contains(.weak) {
      guard let position = resolution.positions[slot] else { continue }
      let root = layout.roots[position]
      if [.weak, .reference].contains(layout.nodes[root].kind) { uses[root] = .weak }
    }
    for position in leftOut {
      for node in layout.nodes(ofRoot: position) { uses[node] = .incidental }
    }
    return uses
  }
}
