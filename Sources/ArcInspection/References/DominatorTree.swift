import ArcArchive

/// Which object alone keeps another: the *dominator* of an object is the nearest one that is on all ways from
/// the roots to it. If that one went, the object would go with it.
///
/// By Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), with path
/// compression: no graph makes it slow, as some do with simpler algorithms.
struct DominatorTree {
  /// Rows in the order in which a walk into the depth meets them, from row 0 on; what no root keeps is not
  /// among them.
  private var order: [UInt32] = []
  /// By row, its place in `order`.
  private var places: [UInt32]
  /// By place, that of the dominator; that of row 0 is its own.
  private var dominators: [UInt32] = []
  /// By place, the number of objects that would go with one, itself included, and of their bits.
  private var objectCounts: [Int] = []
  private var bitCounts: [Int] = []
  /// How often a step was made, for tests of how the time grows.
  private(set) var stepCount = 0

  private static let nobody = UInt32.max

  /// Finds the dominators of all rows; `reverse` contains the same references, reversed.
  ///
  /// - Complexity: O(references · log rows) time, O(rows) memory, without recursion.
  init(_ references: RowReferences, reversed reverse: RowReferences, _ sizes: RowSizes) {
    places = Array(repeating: Self.nobody, count: references.rowCount)
    guard references.rowCount > 0 else { return }
    let parents = walk(references)
    dominators = Array(repeating: 0, count: order.count)
    findDominators(reverse, parents)
    objectCounts = Array(repeating: 1, count: order.count)
    bitCounts = order.map { sizes.bitCounts[Int($0)] }
    for place in order.indices.dropFirst().reversed() {
      let dominator = Int(dominators[place])
      objectCounts[dominator] += objectCounts[place]
      bitCounts[dominator] &+= bitCounts[place]
    }
  }

  /// Walks into the depth, and returns by place that of the row from which one was met.
  private mutating func walk(_ references: RowReferences) -> [UInt32] {
    var parents: [UInt32] = [0]
    (order, places[0]) = ([0], 0)
    var walk = DependencyOrder(0, needs: references[0].makeIterator())
    while let step = walk.next() {
      guard case .need(let reference) = step, let place = walk.last else { continue }
      stepCount += 1
      let target = references.target(reference)
      guard references.isStrong(reference), places[target] == Self.nobody else { continue }
      places[target] = UInt32(order.count)
      parents.append(UInt32(place))
      walk.begin(order.count, needs: references[target].makeIterator())
      order.append(UInt32(target))
    }
    return parents
  }

  private mutating func findDominators(_ reverse: RowReferences, _ parents: [UInt32]) {
    let all = order.indices.map { UInt32($0) }
    var forest = Forest(ancestors: all.map { _ in Self.nobody }, labels: all, semidominators: all)
    // Lists of places by their semidominators.
    var firsts = all.map { _ in Self.nobody }
    var nexts = firsts
    for place in order.indices.dropFirst().reversed() {
      for reference in reverse[Int(order[place])] where reverse.isStrong(reference) {
        let source = places[reverse.target(reference)]
        guard source != Self.nobody else { continue }
        let best = forest.semidominators[Int(forest.best(Int(source)))]
        forest.semidominators[place] = min(forest.semidominators[place], best)
      }
      let semidominator = Int(forest.semidominators[place])
      (nexts[place], firsts[semidominator]) = (firsts[semidominator], UInt32(place))
      let parent = Int(parents[place])
      forest.ancestors[place] = UInt32(parent)
      while firsts[parent] != Self.nobody {
        let waiting = Int(firsts[parent])
        firsts[parent] = nexts[waiting]
        let best = forest.best(waiting)
        let isBetter = forest.semidominators[Int(best)] < forest.semidominators[waiting]
        dominators[waiting] = isBetter ? best : UInt32(parent)
      }
    }
    for place in order.indices.dropFirst() where dominators[place] != forest.semidominators[place] {
      dominators[place] = dominators[Int(dominators[place])]
    }
    stepCount += forest.stepCount
  }

  /// Trees that grow from the ends of the walk on, whose paths are made short when they are asked for.
  private struct Forest {
    var ancestors: [UInt32]
    var labels: [UInt32]
    var semidominators: [UInt32]
    private(set) var stepCount = 0
    private var way: [Int] = []

    init(ancestors: [UInt32], labels: [UInt32], semidominators: [UInt32]) {
      self.ancestors = ancestors
      self.labels = labels
      self.semidominators = semidominators
    }

    /// Of a place and those above it in its tree but for the root, the one with the least semidominator.
    mutating func best(_ place: Int) -> UInt32 {
      stepCount += 1
      guard ancestors[place] != DominatorTree.nobody else { return labels[place] }
      way.removeAll(keepingCapacity: true)
      var next = place
      while ancestors[Int(ancestors[next])] != DominatorTree.nobody {
        way.append(next)
        next = Int(ancestors[next])
      }
      stepCount += way.count
      for place in way.reversed() {
        let above = Int(ancestors[place])
        if semidominators[Int(labels[above])] < semidominators[Int(labels[place])] {
          labels[place] = labels[above]
        }
        ancestors[place] = ancestors[above]
      }
      return labels[place]
    }
  }

  // MARK: Answers

  /// Whether a root keeps an object.
  func isKept(_ row: Int) -> Bool { places[row] != Self.nobody }

  /// The object that alone keeps another, row 0 if it takes several; nil if no root keeps it.
  func dominator(of row: Int) -> Int? {
    guard isKept(row), row > 0 else { return nil }
    return Int(order[Int(dominators[Int(places[row])])])
  }

  /// What would go with an object, itself included: the number of objects, and the bytes of their values in
  /// plain columns, rounded up; nil if no root keeps it.
  func retained(by row: Int) -> (objectCount: Int, byteCount: Int)? {
    guard isKept(row) else { return nil }
    let place = Int(places[row])
    return (objectCounts[place], (bitCounts[place] &+ 7) / 8)
  }

  /// The objects that retain most, by bytes and then by number; at most as many as asked for.
  ///
  /// - Complexity: O(rows · log rows).
  func largest(_ count: Int) -> [Int] {
    let sorted = order.indices.dropFirst().sorted {
      (bitCounts[$1], objectCounts[$1], order[$0]) < (bitCounts[$0], objectCounts[$0], order[$1])
    }
    return sorted.prefix(count).map { Int(order[$0]) }
  }
}
