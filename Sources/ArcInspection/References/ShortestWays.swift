/// The shortest ways from the roots to all objects, over references that keep their targets.
struct ShortestWays {
  /// By row, the row that leads to it, and how many references the way has; `nobody` where no root keeps it.
  private var finders: [UInt32]
  private var lengths: [UInt32]
  /// No row: rows are below 2^32 - 1.
  private static let nobody = UInt32.max

  /// - Complexity: O(rows + references), without recursion.
  init(_ graph: ReferenceGraph) {
    finders = Array(repeating: Self.nobody, count: graph.rowCount)
    lengths = Array(repeating: Self.nobody, count: graph.rowCount)
    guard graph.rowCount > 0 else { return }
    // Row 0 is its own, so that it is found by nobody else.
    (finders[0], lengths[0]) = (0, 0)
    var found: [UInt32] = [0]
    var next = 0
    while next < found.count {
      let owner = found[next]
      next += 1
      graph.forEachOwned(by: Int(owner)) { target in
        guard finders[target] == Self.nobody else { return }
        finders[target] = owner
        lengths[target] = lengths[Int(owner)] + 1
        found.append(UInt32(target))
      }
    }
  }

  /// The row that leads to another on a shortest way from the roots; nil if no root keeps it.
  func finder(of row: Int) -> Int? { finders[row] == Self.nobody ? nil : Int(finders[row]) }

  /// The number of references on a shortest way; nil if no root keeps the object.
  func length(to row: Int) -> Int? { lengths[row] == Self.nobody ? nil : Int(lengths[row]) }

  /// The number of objects that no root keeps.
  var lostCount: Int { finders.count { $0 == Self.nobody } }
}
