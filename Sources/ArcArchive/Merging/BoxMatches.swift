import ArcFormat
import ArcRuntime

/// The boxes of a graph, each paired with the box of a source from which it was read. A box is an object that
/// contains a value of type `any P`.
///
/// An archive stores a box as an object. In the program, a box is only a value, so the program creates a new
/// box each time it writes the value. Therefore, boxes are identified by their paths and contents. In each
/// object that was read, the stored value, the unchanged value and the current value of each column are
/// compared, as in `ValueMerge`. For this comparison, references to boxes are replaced by the contents of the
/// boxes. The boxes are then merged like other objects.
struct BoxMatches {
  /// A box of the unchanged graph, paired with the corresponding box in the source, in the current graph, or
  /// in both.
  struct Match {
    let source: Int
    /// The box's row in the current graph. Nil if the box was removed or replaced.
    let graph: UInt32?
    let unchanged: UInt32
    /// The box's row in the source. Nil if the source does not contain the box, because the program created
    /// it.
    let stored: UInt32?
  }

  /// All matches that were found.
  private(set) var all: [Match] = []
  private let nodes: MergedNodes
  private let values: MergedValues
  private var columns: [MergedValues.Shape: [MergedValues.Column]] = [:]

  /// Finds the boxes in all objects that were read, and the boxes nested in these boxes.
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

  /// The three archives whose values are compared: the current graph, the unchanged graph, and the source
  /// (`stored`).
  private struct Trio {
    let source: Int
    let graph: UnboxedValues
    let unchanged: UnboxedValues
    let stored: UnboxedValues
  }

  /// The rows of an object in the current graph, in the unchanged graph, and in the source (`stored`).
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
      // Boxes that are nested in the boxes found so far.
      while next < all.count {
        let box = all[next]
        next += 1
        guard let row = box.graph, let stored = box.stored else { continue }
        try match(Owner(graph: row, unchanged: box.unchanged, stored: stored), trio)
      }
    }
  }

  /// Adds matches for the boxes in the values of an object. The object exists in all three archives.
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

  /// Returns the columns of a shape that contain references and exist in all three archives.
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
  /// Recursive over the value, whose nesting is limited.
  private mutating func match(
    _ current: ArchiveValue?, _ unchanged: ArchiveValue, _ stored: ArchiveValue?, _ trio: Trio
  ) {
    if current == nil && stored == nil { return }
    if let row = trio.unchanged.row(ofBox: unchanged) {
      return add(row, current, unchanged, stored, trio)
    }
    // Most values contain no other values, so this check saves time.
    guard unchanged.containerKind != nil else { return }
    let now = current.flatMap { unchanged.partnersOfChildren(now: $0) }
    let before = stored.flatMap { unchanged.partnersOfChildren(stored: $0) }
    for (index, child) in unchanged.children.enumerated() {
      match(now.flatMap { $0[index] }, child.value, before.flatMap { $0[index] }, trio)
    }
  }

  /// Adds a match for a box of the unchanged graph, unless the box already has a match.
  private mutating func add(
    _ row: UInt32, _ current: ArchiveValue?, _ unchanged: ArchiveValue, _ stored: ArchiveValue?, _ trio: Trio
  ) {
    let label = unchanged.label
    func partner(_ value: ArchiveValue?, _ values: UnboxedValues) -> UInt32? {
      value.flatMap { value in value.label == label ? values.row(ofBox: value) : nil }
    }
    var now = partner(current, trio.graph)
    let read = partner(stored, trio.stored)
    // A box that the program created has no stored box, so it is identified only if it is unchanged.
    if read == nil, !(current?.isSame(as: unchanged) ?? false) { now = nil }
    guard now != nil || read != nil, trio.unchanged.take(row) else { return }
    let stored = read.flatMap { trio.stored.take($0) ? $0 : nil }
    let graph = now.flatMap { trio.graph.take($0) ? $0 : nil }
    guard stored != nil || graph != nil else { return }
    all.append(Match(source: trio.source, graph: graph, unchanged: row, stored: stored))
  }
}

extension ArchiveValue {
  /// The name of the case of an enumeration. Nil for other values.
  fileprivate var label: ExactName? {
    if case .enumeration(_, let label, _) = self { return ExactName(label) }
    return nil
  }

  /// Returns the child of the changed value `current` that corresponds to each of the value's `children`. An
  /// element is nil if there is no corresponding child. The array is nil if `current` has another kind or
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

  /// Returns the stored value from which each of the value's `children` was read. An element is nil if a
  /// child was not read from a stored value. The array is nil if the value itself was not read from `stored`.
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
