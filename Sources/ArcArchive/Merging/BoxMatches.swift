import ArcFormat
import ArcRuntime

/// The boxes of a graph, each with the box of an archive from which it was read.
///
/// A box is an object in an archive and a value in the program, which creates new boxes each time it writes
/// the value. So boxes are identified by their paths and contents: for each column of each object that was
/// read, the stored value, the value of the unchanged graph and the value of the current graph are compared,
/// with the contents of boxes instead of references, as `ValueMerge` compares values. The boxes are then
/// merged like other objects.
struct BoxMatches {
  /// A box of the unchanged graph, with what it was read from, or what it is now, or both.
  struct Match {
    let source: Int
    /// The row of the graph; nil for a box that is gone, or that is another one now.
    let graph: UInt32?
    let unchanged: UInt32
    /// The row of the source; nil for a box that the program made itself and did not change.
    let stored: UInt32?
  }

  /// All boxes that were found.
  private(set) var all: [Match] = []
  private let nodes: MergedNodes
  private let values: MergedValues
  private var columns: [MergedValues.Shape: [MergedValues.Column]] = [:]

  /// Finds the boxes of all objects that were read, and those in these boxes.
  ///
  /// - Complexity: O(values of these objects and boxes).
  init(in nodes: MergedNodes) throws {
    self.nodes = nodes
    values = MergedValues(nodes: nodes)
    let graph = UnboxedValues(of: nodes)
    for source in nodes.sources.indices {
      let unchanged = UnboxedValues(ofUnchanged: source, of: nodes)
      guard let unchanged, graph.hasBoxes || unchanged.hasBoxes else { continue }
      try addMatches(
        Trio(source: source, graph: graph, unchanged: unchanged, stored: UnboxedValues(source, of: nodes)))
    }
  }

  /// The three archives that are compared.
  private struct Trio {
    let source: Int
    let graph: UnboxedValues
    let unchanged: UnboxedValues
    let stored: UnboxedValues
  }

  /// An object in all of the three.
  private struct Owner {
    let graph: UInt32
    let unchanged: UInt32
    let stored: UInt32
  }

  private mutating func addMatches(_ trio: Trio) throws {
    for row in 0..<nodes.graph.rowCount {
      guard case .graph(_, let origin?) = nodes.origin(of: row), origin.source == trio.source else {
        continue
      }
      let rows = nodes.sources[origin.source].rowsInUnchanged
      let unchanged = origin.row < rows.count ? rows[origin.row] : 0
      guard row == 0 || unchanged > 0 else { continue }
      let owner = Owner(
        graph: UInt32(truncatingIfNeeded: row), unchanged: unchanged,
        stored: UInt32(truncatingIfNeeded: origin.row))
      var next = all.count
      try match(owner, trio)
      // Boxes in these boxes.
      while next < all.count {
        let box = all[next]
        next += 1
        guard let row = box.graph, let stored = box.stored else { continue }
        try match(Owner(graph: row, unchanged: box.unchanged, stored: stored), trio)
      }
    }
  }

  /// Matches the boxes in the values of an object.
  private mutating func match(_ owner: Owner, _ trio: Trio) throws {
    func classIndex(_ row: UInt32, _ values: UnboxedValues) -> Int? {
      values.file.classIndex(ofRow: Int(row))
    }
    let shape = MergedValues.Shape(
      graphClass: classIndex(owner.graph, trio.graph), source: trio.source,
      storedClass: classIndex(owner.stored, trio.stored))
    let columns = columnsWithReferences(of: shape)
    if columns.isEmpty { return }
    let current = try trio.graph.object(owner.graph)
    let unchanged = try trio.unchanged.object(owner.unchanged)
    let stored = try trio.stored.object(owner.stored)
    for column in columns {
      guard let position = column.unchanged,
        let before = trio.unchanged.value(inColumn: position, of: unchanged)
      else {
        continue
      }
      let now = column.graph.flatMap { trio.graph.value(inColumn: $0, of: current) }
      let read = column.stored.flatMap { trio.stored.value(inColumn: $0, of: stored) }
      match(
        try now.map { try trio.graph.unboxed($0) }, try trio.unchanged.unboxed(before),
        try read.map { try trio.stored.unboxed($0) }, trio)
    }
  }

  /// The columns of a shape that all archives have and that lead to objects.
  private mutating func columnsWithReferences(of shape: MergedValues.Shape) -> [MergedValues.Column] {
    if let known = columns[shape] { return known }
    let layout = nodes.graph.layouts[shape.graphClass ?? 0]
    let columnsOfShape = values.columns(of: shape).filter { column in
      guard let position = column.graph, column.stored != nil, column.unchanged != nil else { return false }
      return layout.containsReference(layout.roots[position])
    }
    columns[shape] = columnsOfShape
    return columnsOfShape
  }

  // MARK: Values

  /// Matches the boxes in a value.
  ///
  /// Recursive over the value, as deep as values nest.
  private mutating func match(
    _ current: ArchiveValue?, _ unchanged: ArchiveValue, _ stored: ArchiveValue?, _ trio: Trio
  ) {
    if current == nil && stored == nil { return }
    if let row = trio.unchanged.row(ofBox: unchanged) {
      return add(row, current, unchanged, stored, trio)
    }
    // Most values contain no others.
    guard unchanged.containerKind != nil else { return }
    let now = current.flatMap { unchanged.partnersOfChildren(now: $0) }
    let before = stored.flatMap { unchanged.partnersOfChildren(stored: $0) }
    for (index, child) in unchanged.children.enumerated() {
      match(now.flatMap { $0[index] }, child.value, before.flatMap { $0[index] }, trio)
    }
  }

  /// Notes what a box of the unchanged graph was read from, and what it is now.
  private mutating func add(
    _ row: UInt32, _ current: ArchiveValue?, _ unchanged: ArchiveValue, _ stored: ArchiveValue?, _ trio: Trio
  ) {
    let label = unchanged.label
    func partner(_ value: ArchiveValue?, _ values: UnboxedValues) -> UInt32? {
      value.flatMap { value in value.label == label ? values.row(ofBox: value) : nil }
    }
    var now = partner(current, trio.graph)
    let read = partner(stored, trio.stored)
    // What the program made itself is known again only if it is the same.
    if read == nil, !(current?.isSame(as: unchanged) ?? false) { now = nil }
    guard now != nil || read != nil, trio.unchanged.take(row) else { return }
    let stored = read.flatMap { trio.stored.take($0) ? $0 : nil }
    let graph = now.flatMap { trio.graph.take($0) ? $0 : nil }
    guard stored != nil || graph != nil else { return }
    all.append(Match(source: trio.source, graph: graph, unchanged: row, stored: stored))
  }
}

extension ArchiveValue {
  /// The name of a case.
  fileprivate var label: ExactName? {
    if case .enumeration(_, let label, _) = self { return ExactName(label) }
    return nil
  }

  /// For each of `children`, what it is in a changed value. Nil if the changed value is of another kind or
  /// case.
  fileprivate func partnersOfChildren(now current: ArchiveValue) -> [ArchiveValue?]? {
    guard let elements else { return partnersOfChildren(ChildPairs(self, current), in: current) }
    guard let others = current.elements else { return nil }
    var now = [ArchiveValue?](repeating: Optional.none, count: elements.count)
    for (index, before) in ElementChanges(from: elements, to: others).before.enumerated() {
      if let before { now[before] = others[index] }
    }
    return now
  }

  /// For each of `children`, what it was read from. Nil if the value was not read from the stored value.
  fileprivate func partnersOfChildren(stored: ArchiveValue) -> [ArchiveValue?]? {
    guard containerKind == stored.containerKind else { return nil }
    if let keys, let others = stored.keys {
      guard let losses = CollectionLosses(unordered: keys, of: others) else { return nil }
      guard let entries = stored.entries else { return losses.stored }
      let values = Dictionary(entries.map { (ValueIdentity(value: $0.key), $0.value) }) { _, last in last }
      return losses.stored.flatMap { key -> [ArchiveValue?] in [key, values[ValueIdentity(value: key)]] }
    }
    if let elements, let others = stored.elements {
      guard let losses = CollectionLosses(elements, of: others) else { return nil }
      return losses.stored
    }
    return partnersOfChildren(ChildPairs(self, stored), in: stored)
  }

  private func partnersOfChildren(_ pairs: ChildPairs?, in other: ArchiveValue) -> [ArchiveValue?]? {
    guard let pairs else { return nil }
    guard let others = other.entries else { return (0..<pairs.count).map { pairs[$0] } }
    return (0..<pairs.count).flatMap { index -> [ArchiveValue?] in
      let entry = pairs.partner(of: index).map { others[$0] }
      return [entry?.key, entry?.value]
    }
  }
}
