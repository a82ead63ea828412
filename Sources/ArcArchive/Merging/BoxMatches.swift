import ArcFormat
import ArcRuntime

/// Which boxes of a graph are which of those that it was read from.
///
/// Boxes are objects in archives and values in the program, which makes new ones each time that it writes
/// them. So they are told by where they are and what is in them: in each column of each object that was read,
/// what was stored, what the unchanged graph has of it and what the graph has now are compared with the
/// contents of boxes in place of references, as `ValueMerge` compares values. What is found there is merged
/// like any other object.
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
    let found = values.columns(of: shape).filter { column in
      guard let position = column.graph, column.stored != nil, column.unchanged != nil else { return false }
      return layout.containsReference(layout.roots[position])
    }
    columns[shape] = found
    return found
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
    switch unchanged {
    case .structure(_, let fields):
      for index in fields.indices {
        match(
          current?.fields?.partner(of: index, in: fields)?.value, fields[index].value,
          stored?.fields?.partner(of: index, in: fields)?.value, trio)
      }
    case .enumeration(_, let label, let payload?):
      match(current?.payload(of: label), payload, stored?.payload(of: label), trio)
    case .array(let elements):
      var losses: CollectionLosses?
      if case .array(let stored)? = stored { losses = CollectionLosses(elements, of: stored) }
      match(elements, losses, current, trio)
    case .set(let elements):
      var losses: CollectionLosses?
      if case .set(let stored)? = stored { losses = CollectionLosses(unordered: elements, of: stored) }
      match(elements, losses, current, trio)
    case .dictionary(let entries): match(entries, current, stored, trio)
    default: break
    }
  }

  private mutating func match(
    _ elements: [ArchiveValue], _ losses: CollectionLosses?, _ current: ArchiveValue?, _ trio: Trio
  ) {
    var now = [ArchiveValue?](repeating: nil, count: elements.count)
    switch current {
    case .array(let others), .set(let others):
      for (index, before) in ElementChanges(from: elements, to: others).before.enumerated() {
        if let before { now[before] = others[index] }
      }
    default: break
    }
    for (index, element) in elements.enumerated() { match(now[index], element, losses?.stored[index], trio) }
  }

  private mutating func match(
    _ entries: [ArchiveValue.Entry], _ current: ArchiveValue?, _ stored: ArchiveValue?, _ trio: Trio
  ) {
    var losses: CollectionLosses?
    var read: [ValueIdentity: ArchiveValue] = [:]
    if case .dictionary(let stored)? = stored {
      losses = CollectionLosses(unordered: entries.map(\.key), of: stored.map(\.key))
      for entry in stored { read[ValueIdentity(value: entry.key)] = entry.value }
    }
    var now: [ValueIdentity: ArchiveValue.Entry] = [:]
    if case .dictionary(let current)? = current {
      for entry in current { now[ValueIdentity(value: entry.key)] = entry }
    }
    for (index, entry) in entries.enumerated() {
      let key = losses?.stored[index]
      let current = now[ValueIdentity(value: entry.key)]
      match(current?.key, entry.key, key, trio)
      match(current?.value, entry.value, key.flatMap { read[ValueIdentity(value: $0)] }, trio)
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

  /// What a case carries; nil for another case.
  fileprivate func payload(of label: String) -> ArchiveValue? {
    guard case .enumeration(_, let own, let payload) = self, own.hasSameBytes(as: label) else {
      return Optional.none
    }
    return payload
  }
}
