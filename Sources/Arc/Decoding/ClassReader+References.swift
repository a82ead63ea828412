import ArcFormat
import ArcRuntime

// What objects of a class lead to, asked before they are built.

extension ClassReader {
  /// The columns to follow for what its objects lead to: of a class coded by hand any key may be asked for,
  /// so that these are all that the file has, in a `layout`.
  func columnsToFollow(in layout: ColumnLayout) -> ColumnReaderSet {
    keys == nil ? set : ColumnReaderSet(reading: layout)
  }

  /// Whether the file has references in columns of the class that the program does not read.
  var leavesReferencesUnread: Bool {
    guard let resolution, keys == nil else { return false }
    let taken = resolution.takenColumns
    return resolution.layout.roots.indices.contains {
      !taken.contains($0) && resolution.layout.containsReference($0)
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
      // What a coder by hand asks for, nobody knows before.
      let taken = resolution.takenColumns
      for (position, column) in resolution.fileClass.columns.enumerated() where !taken.contains(position) {
        for node in layout.nodes(ofRoot: position) where layout.nodes[node].kind == .reference {
          uses[node] = .followed
        }
        if programClass.isKeyed, keys.contains(ExactName(column.key)) { leftOut.insert(position) }
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
