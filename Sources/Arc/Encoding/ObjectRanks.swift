import ArcFormat

/// An order of the objects of a graph by what they hold, directly and through others, and by who refers to
/// them. Spec: 05-graph, rule F5.
///
/// Objects that are first reached as keys of a set or dictionary have no rows to be ordered by. They are told
/// apart in rounds, as graphs are compared (colour refinement): objects of one rank get different ones as
/// soon as they differ in their values, in the ranks of what they refer to, or in the ranks of those that
/// refer to them. Objects that stay equal are either proved to be interchangeable, or refused.
final class ObjectRanks {
  private let walker: GraphEncoder
  private let roots: [any ArchivableValue]
  /// The object in row 1 is the first.
  private let objects: ContiguousArray<any Archivable>
  private let names: [String]
  /// Ranks by row; row 0 is that of the roots.
  private var ranks: [UInt32]
  /// The rows of each rank. The rows have no order; that of the ranks depends on the graph alone.
  private var groups: [Set<Int>]
  private var values: [ComparableValues]
  private var edges: [[ObjectComparison.Edge]]
  /// By row, the rows that refer to it, with the positions of their references.
  private var referrers: [[Int: [Int]]]
  /// By row, whether the object's references may be at other positions under other ranks.
  private var dependsOnRanks: [Bool]

  /// The order of what roots reach, in whose archive values have these boxes and objects these hooks.
  init(of roots: [any ArchivableValue], boxes: ValueBoxes, hooks: ArchivingHooks) throws {
    walker = GraphEncoder(options: ArchiveOptions(), boxes: boxes, hooks: hooks)
    self.roots = roots
    objects = try walker.walk(roots)
    let count = objects.count + 1
    names = [""] + objects.map { type(of: $0).archiveSchema.name }
    ranks = Array(repeating: 0, count: count)
    groups = [Set(0..<count)]
    values = Array(repeating: ComparableValues(), count: count)
    edges = Array(repeating: [], count: count)
    referrers = Array(repeating: [:], count: count)
    dependsOnRanks = Array(repeating: true, count: count)
    try refine(Set(0..<count))
  }

  // MARK: Rounds

  /// Compares until nothing changes, beginning with the rows that may differ from others of their rank now.
  private func refine(_ rows: Set<Int>) throws {
    var outdated = rows
    while !outdated.isEmpty {
      // What is referred to from another position than before is compared anew, as is what was outdated.
      var touched = outdated
      for row in outdated where try update(row) { touched.formUnion(edges[row].map(\.target)) }
      let byRank = Dictionary(grouping: touched) { ranks[$0] }
      var changed: [Int] = []
      for (rank, rows) in byRank.sorted(by: { $0.key < $1.key }) {
        changed += split(Int(rank), touched: rows)
      }
      outdated = neighbours(of: changed)
    }
  }

  /// What refers to some rows, and what they refer to.
  private func neighbours(of rows: [Int]) -> Set<Int> {
    var neighbours: Set<Int> = []
    for row in rows {
      neighbours.formUnion(referrers[row].keys)
      neighbours.formUnion(edges[row].map(\.target))
    }
    return neighbours
  }

  /// Encodes an object under the present ranks; returns whether its references are at other positions than
  /// before.
  private func update(_ row: Int) throws -> Bool {
    // Nothing has its rank, so it is not compared any more, and it refers to others as before.
    if groups[Int(ranks[row])].count == 1, !dependsOnRanks[row] { return false }
    let face = try look(at: row, ranks)
    values[row] = face.values
    dependsOnRanks[row] = face.dependsOnRanks
    guard face.edges != edges[row] else { return false }
    edges[row] = face.edges
    for edge in face.edges { referrers[edge.target][row] = [] }
    for edge in face.edges { referrers[edge.target][row]?.append(edge.position) }
    return true
  }

  private func look(at row: Int, _ numbers: [UInt32]) throws -> ComparableFace {
    try walker.canonicalOrder.face(of: row == 0 ? nil : objects[row - 1], roots: roots, numbers: numbers)
  }

  /// What an object is compared with others of its rank by.
  private struct Face: Comparable {
    let name: String
    let values: ComparableValues
    /// The ranks of its referrers, and the positions of their references.
    let incoming: [[UInt32]]

    static func < (left: Face, right: Face) -> Bool {
      if left.name != right.name { return left.name.utf8.lexicographicallyPrecedes(right.name.utf8) }
      if left.values != right.values { return left.values < right.values }
      return left.incoming.lexicographicallyPrecedes(right.incoming) { $0.lexicographicallyPrecedes($1) }
    }
  }

  private func face(of row: Int) -> Face {
    let incoming = referrers[row].flatMap { referrer, positions in
      positions.map { [ranks[referrer], UInt32(truncatingIfNeeded: $0)] }
    }
    return Face(
      name: names[row], values: values[row], incoming: incoming.sorted { $0.lexicographicallyPrecedes($1) })
  }

  /// Divides the objects of one rank by what they are now; returns those with a new rank. Most keep theirs:
  /// those that nothing touched, one of which represents all, or else the largest part.
  private func split(_ rank: Int, touched: [Int]) -> [Int] {
    guard groups[rank].count > 1 else { return [] }
    var parts: [(face: Face, rows: [Int])] = []
    for (row, face) in touched.map({ ($0, face(of: $0)) }).sorted(by: { $0.1 < $1.1 }) {
      if let last = parts.last, last.face == face {
        parts[parts.count - 1].rows.append(row)
      } else {
        parts.append((face, [row]))
      }
    }
    let all = Set(touched)
    let untouched = groups[rank].first { !all.contains($0) }.map { face(of: $0) }
    let kept = untouched ?? parts.max { $0.rows.count < $1.rows.count }?.face
    var changed: [Int] = []
    for part in parts where part.face != kept {
      separate(part.rows, from: rank)
      changed += part.rows
    }
    return changed
  }

  /// Gives some rows of a rank a new one, the last.
  private func separate(_ rows: [Int], from rank: Int) {
    groups[rank].subtract(rows)
    for row in rows { ranks[row] = UInt32(truncatingIfNeeded: groups.count) }
    groups.append(Set(rows))
  }

  // MARK: Keys

  /// The order of keys that are equal but for objects without rows, as positions in the list; nil if they
  /// refer to no objects. Throws `notArchivable` for two that nothing tells apart and that are not
  /// interchangeable.
  func order<Key: ArchivableValue>(_ keys: [Key]) throws -> [Int]? {
    var found = try faces(of: keys)
    if found.allSatisfy({ $0.edges.isEmpty }) { return nil }
    var order = keys.indices.sorted { found[$0].values < found[$1].values }
    var start = 0
    while start < order.count {
      let end = order[start...].firstIndex { found[$0].values != found[order[start]].values } ?? order.count
      if end - start > 1, try tellApart(order[start..<end].map { found[$0].edges }) {
        found = try faces(of: keys)
        order.sort { found[$0].values < found[$1].values }
        start = 0
      } else {
        start = end
      }
    }
    return order
  }

  private func faces<Key: ArchivableValue>(of keys: [Key]) throws -> [ComparableFace] {
    try keys.map { try walker.canonicalOrder.face(ofKey: $0, numbers: ranks) }
  }

  /// Chooses an order of keys that nothing tells apart, so that from now on it tells apart what changes
  /// places with them; returns false if nothing else does, and any order will do. Throws `notArchivable` if
  /// two of them are not interchangeable.
  private func tellApart(_ keys: [[ObjectComparison.Edge]]) throws -> Bool {
    var keyCounts: [Int: Int] = [:]
    for key in keys { for target in Set(key.map(\.target)) { keyCounts[target, default: 0] += 1 } }
    var (movesOthers, areIndependent) = (false, true)
    for (one, other) in zip(keys, keys.dropFirst()) {
      let pairs = self.pairs(one, other)
      guard let image = try exchange(pairs) else { throw ambiguity(pairs) }
      let own = [Set(one.map(\.target)), Set(other.map(\.target))]
      for row in image.keys {
        let ownCount = own.count { $0.contains(row) }
        if ownCount == 0 { movesOthers = true }
        if ownCount != keyCounts[row, default: 0] { areIndependent = false }
      }
    }
    if areIndependent, !movesOthers { return false }
    // If two can change places and the others stay, so can all: their order can be chosen at once. Otherwise
    // the last is chosen, and what follows from that decides about the others.
    let changed = (areIndependent ? keys.dropFirst() : keys.suffix(1)).flatMap { separateTargets(of: $0) }
    if changed.isEmpty { return false }
    try refine(neighbours(of: changed).union(changed))
    return true
  }

  /// Gives what a key refers to new ranks, those at one position with one rank the same; returns the rows
  /// that have another than before.
  private func separateTargets(of key: [ObjectComparison.Edge]) -> [Int] {
    var changed: [Int] = []
    let places = Dictionary(grouping: key) { [$0.position, Int(ranks[$0.target])] }
    for (_, edges) in places.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let rank = Int(ranks[edges[0].target])
      let rows = Set(edges.map(\.target)).intersection(groups[rank])
      guard !rows.isEmpty, rows.count < groups[rank].count else { continue }
      separate(Array(rows), from: rank)
      changed += rows
    }
    return changed
  }

  private func ambiguity(_ pairs: [(Int, Int)]) -> ArchiveError {
    let names = pairs.filter { $0.0 != $0.1 }.map { "'\(self.names[$0.0])'" }
    return ArchiveError(
      .notArchivable,
      found:
        "two objects of class \(names.first ?? "") as keys of a set or dictionary that nothing in the graph tells "
        + "apart, although they are not interchangeable",
      expected: "objects that have an order, for an archive in canonical form",
      remedy: "give them a property that differs, or archive without isCanonical")
  }

  /// What changes places if the objects of each pair are exchanged, and with them what each has for itself;
  /// nil if the graph does not stay the same.
  private func exchange(_ pairs: [(Int, Int)]) throws -> [Int: Int]? {
    guard let image = image(of: pairs) else { return nil }
    // Their ranks are equal, so they can differ only in their references and referrers, and the positions of
    // these.
    func isBefore(_ left: ObjectComparison.Edge, _ right: ObjectComparison.Edge) -> Bool {
      (left.position, left.target) < (right.position, right.target)
    }
    var dependent: Set<Int> = []
    for (row, other) in image {
      let moved = edges[row].map {
        ObjectComparison.Edge(target: image[$0.target] ?? $0.target, position: $0.position)
      }
      if dependsOnRanks[row] {
        dependent.insert(row)
      } else if moved.sorted(by: isBefore) != edges[other].sorted(by: isBefore) {
        return nil
      }
      for (referrer, positions) in referrers[row] where image[referrer] == nil {
        if dependsOnRanks[referrer] {
          dependent.insert(referrer)
        } else if referrers[other][referrer].map({ $0.sorted() }) != positions.sorted() {
          return nil
        }
      }
    }
    if dependent.isEmpty { return image }
    // Where positions depend on ranks, the values themselves are compared.
    let identity = ranks.indices.map { UInt32(truncatingIfNeeded: $0) }
    var exchanged = identity
    for (row, other) in image { exchanged[row] = identity[other] }
    let isSame = try dependent.allSatisfy { row in
      try look(at: image[row] ?? row, identity).values == look(at: row, exchanged).values
    }
    return isSame ? image : nil
  }

  /// Which objects have to be exchanged if those of each pair are; nil if one would have to be exchanged with
  /// two.
  private func image(of pairs: [(Int, Int)]) -> [Int: Int]? {
    var image: [Int: Int] = [:]
    var pending = pairs
    while let (one, other) = pending.popLast() {
      if let known = image[one] {
        guard known == other else { return nil }
        continue
      }
      if one == other { continue }
      guard ranks[one] == ranks[other], image[other] == nil, edges[one].count == edges[other].count,
        referrers[one].count == referrers[other].count
      else { return nil }
      (image[one], image[other]) = (other, one)
      pending += self.pairs(edges[one], edges[other])
      pending += self.pairs(Set(referrers[one].keys), Set(referrers[other].keys))
    }
    return image
  }

  /// The pairs to exchange if the references of one object are to become those of another: position by
  /// position, since references at one position have no order.
  private func pairs(_ left: [ObjectComparison.Edge], _ right: [ObjectComparison.Edge]) -> [(Int, Int)] {
    let (left, right) = (
      Dictionary(grouping: left, by: \.position), Dictionary(grouping: right, by: \.position)
    )
    return left.flatMap { position, edges in
      pairs(Set(edges.map(\.target)), Set((right[position] ?? []).map(\.target)))
    }
  }

  /// The pairs to exchange if one set of rows is to become another; rows in both stay.
  private func pairs(_ left: Set<Int>, _ right: Set<Int>) -> [(Int, Int)] {
    func inOrder(_ rows: Set<Int>) -> [Int] { rows.sorted { (ranks[$0], $0) < (ranks[$1], $1) } }
    return zip(inOrder(left.subtracting(right)), inOrder(right.subtracting(left))).map { ($0, $1) }
  }
}
