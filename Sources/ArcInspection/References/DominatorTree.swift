import ArcArchive

/// The dominator tree of a graph. The *dominator* of an object is the nearest other object that every path
/// from the roots to the object contains. If a program released the dominator, it would also release the
/// object.
///
/// The algorithm is by Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979),
/// with path compression. Simpler algorithms are slow for some graphs.
///
/// The *number* of a row is the index of the row in the order of a depth-first search from row 0.
struct DominatorTree {
  /// The reachable rows in the order of a depth-first search. Only strong references are followed.
  private var order: [UInt32] = []
  /// The number of each row in the search, by row. `none` for a row that no root retains.
  private var numbers: [UInt32]
  /// The number of each row's dominator. The index is the number of the row in the search. Row 0 is its own
  /// dominator.
  private var dominators: [UInt32] = []
  /// For each row, the number of objects that the row retains, including itself. The index is the number of
  /// the row in the search.
  private var objectCounts: [Int] = []
  /// For each row, the total size of the values of all objects that the row retains, in bits. The index is
  /// the number of the row in the search.
  private var bitCounts: [Int] = []
  /// The number of steps of the algorithm. Unit tests check how it grows.
  private(set) var stepCount = 0

  private static let none = UInt32.max

  /// Finds the dominators of all rows. `reverse` contains the reversed references.
  ///
  /// - Complexity: O(references · log rows) time, O(rows) memory, without recursion.
  init(_ references: RowReferences, reversed reverse: RowReferences, _ sizes: RowSizes) {
    numbers = Array(repeating: Self.none, count: references.rowCount)
    guard references.rowCount > 0 else { return }
    let parents = walk(references)
    dominators = Array(repeating: 0, count: order.count)
    findDominators(reverse, parents)
    objectCounts = Array(repeating: 1, count: order.count)
    bitCounts = order.map { sizes.bitCounts[Int($0)] }
    for number in order.indices.dropFirst().reversed() {
      let dominator = Int(dominators[number])
      objectCounts[dominator] += objectCounts[number]
      bitCounts[dominator] &+= bitCounts[number]
    }
  }

  /// Numbers the rows in the order of a depth-first search. Returns, by the number of each row, the number of
  /// its parent in the search.
  private mutating func walk(_ references: RowReferences) -> [UInt32] {
    var parents: [UInt32] = [0]
    (order, numbers[0]) = ([0], 0)
    var walk = DependencyOrder(0, needs: references[0].makeIterator())
    while let step = walk.next() {
      guard case .need(let reference) = step, let number = walk.last else { continue }
      stepCount += 1
      let target = references.target(reference)
      guard references.isStrong(reference), numbers[target] == Self.none else { continue }
      numbers[target] = UInt32(order.count)
      parents.append(UInt32(number))
      walk.begin(order.count, needs: references[target].makeIterator())
      order.append(UInt32(target))
    }
    return parents
  }

  private mutating func findDominators(_ reverse: RowReferences, _ parents: [UInt32]) {
    let all = order.indices.map { UInt32($0) }
    var forest = Forest(ancestors: all.map { _ in Self.none }, labels: all, semidominators: all)
    // Linked lists of the rows with the same semidominator: the first row of each list, and the next row of
    // each row.
    var firsts = all.map { _ in Self.none }
    var nexts = firsts
    for number in order.indices.dropFirst().reversed() {
      for reference in reverse[Int(order[number])] where reverse.isStrong(reference) {
        let source = numbers[reverse.target(reference)]
        guard source != Self.none else { continue }
        let best = forest.semidominators[Int(forest.best(Int(source)))]
        forest.semidominators[number] = min(forest.semidominators[number], best)
      }
      let semidominator = Int(forest.semidominators[number])
      (nexts[number], firsts[semidominator]) = (firsts[semidominator], UInt32(number))
      let parent = Int(parents[number])
      forest.ancestors[number] = UInt32(parent)
      while firsts[parent] != Self.none {
        let waiting = Int(firsts[parent])
        firsts[parent] = nexts[waiting]
        let best = forest.best(waiting)
        let isBetter = forest.semidominators[Int(best)] < forest.semidominators[waiting]
        dominators[waiting] = isBetter ? best : UInt32(parent)
      }
    }
    for number in order.indices.dropFirst() where dominators[number] != forest.semidominators[number] {
      dominators[number] = dominators[Int(dominators[number])]
    }
    stepCount += forest.stepCount
  }

  /// The forest of Lengauer and Tarjan's algorithm. It contains the rows that are already processed. The
  /// algorithm processes rows in descending order of their numbers. `best` compresses the paths in the
  /// forest.
  private struct Forest {
    var ancestors: [UInt32]
    var labels: [UInt32]
    var semidominators: [UInt32]
    private(set) var stepCount = 0
    private var path: [Int] = []

    init(ancestors: [UInt32], labels: [UInt32], semidominators: [UInt32]) {
      self.ancestors = ancestors
      self.labels = labels
      self.semidominators = semidominators
    }

    /// Considers a row and its ancestors in the forest, except the root of the tree. Returns the row with the
    /// minimum semidominator.
    mutating func best(_ number: Int) -> UInt32 {
      stepCount += 1
      guard ancestors[number] != DominatorTree.none else { return labels[number] }
      path.removeAll(keepingCapacity: true)
      var next = number
      while ancestors[Int(ancestors[next])] != DominatorTree.none {
        path.append(next)
        next = Int(ancestors[next])
      }
      stepCount += path.count
      for number in path.reversed() {
        let above = Int(ancestors[number])
        if semidominators[Int(labels[above])] < semidominators[Int(labels[number])] {
          labels[number] = labels[above]
        }
        ancestors[number] = ancestors[above]
      }
      return labels[number]
    }
  }

  // MARK: Answers

  /// Returns whether a root retains an object.
  func isRetained(_ row: Int) -> Bool { numbers[row] != Self.none }

  /// Returns the dominator of an object. Row 0 if several roots or independent paths retain the object. Nil
  /// if no root retains it.
  func dominator(of row: Int) -> Int? {
    guard isRetained(row), row > 0 else { return nil }
    return Int(order[Int(dominators[Int(numbers[row])])])
  }

  /// Returns the number of objects that an object retains, including the object itself, and the total size of
  /// their values. The size is the size in plain columns, rounded up to bytes. Nil if no root retains the
  /// object.
  func retained(by row: Int) -> (objectCount: Int, byteCount: Int)? {
    guard isRetained(row) else { return nil }
    let number = Int(numbers[row])
    return (objectCounts[number], (bitCounts[number] &+ 7) / 8)
  }

  /// Returns at most `count` objects with the largest retained sizes, in descending order of bytes, then of
  /// objects.
  ///
  /// - Complexity: O(rows · log rows).
  func largest(_ count: Int) -> [Int] {
    let sorted = order.indices.dropFirst().sorted {
      (bitCounts[$1], objectCounts[$1], order[$0]) < (bitCounts[$0], objectCounts[$0], order[$1])
    }
    return sorted.prefix(count).map { Int(order[$0]) }
  }
}
