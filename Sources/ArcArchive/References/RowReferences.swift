/// The references of consecutive rows to other rows, as numbers. Row 0 contains the roots.
///
///     let references = try RowReferences(of: file)
///     for reference in references[1] {
///       print(references.target(reference), references.strength(reference))
///     }
///
/// Uses 8 bytes per row and 4 bytes per reference, and 1 more byte per reference if some references are not
/// strong.
package struct RowReferences {
  /// The effect of a reference on the lifetime of its target.
  package enum Strength: UInt8 {
    /// The reference retains its target.
    case strong
    /// The reference does not retain its target, and is never nil.
    case unowned
    /// The reference does not retain its target, and may be nil.
    case weak
  }

  /// The references of row *r* are at `starts[r]..<starts[r + 1]` in `targets`.
  private var starts: [Int] = [0]
  private var targets: [UInt32] = []
  /// The strengths of the references; empty if all of them are strong.
  private var strengths: [Strength] = []

  /// Creates an empty list without rows.
  package init() {}

  /// Sorts the references of a log by row. References of rows from `rowCount` on are omitted. The references
  /// of one row keep their order.
  ///
  /// - Complexity: O(rows + references).
  package init(_ log: ReferenceLog, rowCount: Int) { appendRows(rowCount, log) }

  /// The number of rows.
  package var rowCount: Int { starts.count - 1 }
  /// The number of references.
  package var count: Int { targets.count }

  /// The indices of the references of a row.
  package subscript(row: Int) -> Range<Int> { starts[row]..<starts[row + 1] }

  /// Returns the row to which a reference refers.
  package func target(_ reference: Int) -> Int { Int(targets[reference]) }

  /// Returns the effect of a reference on the lifetime of its target.
  package func strength(_ reference: Int) -> Strength {
    strengths.isEmpty ? .strong : strengths[reference]
  }

  /// Whether a reference retains its target.
  package func isStrong(_ reference: Int) -> Bool { strengths.isEmpty || strengths[reference] == .strong }

  /// Calls a closure with the target of each strong reference of a row.
  package func forEachRetained(by row: Int, _ body: (Int) -> Void) {
    for reference in self[row] where isStrong(reference) { body(target(reference)) }
  }

  // MARK: Building

  /// Adds a reference to the current row, which the next call of `endRow` ends.
  package mutating func append(_ target: UInt32, _ strength: Strength = .strong) {
    if strength != .strong, strengths.isEmpty {
      strengths = Array(repeating: .strong, count: targets.count)
    }
    targets.append(target)
    if strength != .strong || !strengths.isEmpty { strengths.append(strength) }
  }

  /// Ends the current row. The row contains the references that were appended since the previous call.
  package mutating func endRow() { starts.append(targets.count) }

  /// Returns the references with renumbered targets. References are omitted if `number` returns nil for their
  /// target.
  ///
  /// - Complexity: O(rows + references), without the calls of `number`.
  package func renumberingTargets(_ number: (_ target: Int) -> Int?) -> RowReferences {
    var renumbered = RowReferences()
    for row in 0..<rowCount {
      for reference in self[row] {
        guard let number = number(target(reference)) else { continue }
        renumbered.append(UInt32(truncatingIfNeeded: number), strength(reference))
      }
      renumbered.endRow()
    }
    return renumbered
  }

  /// Adds rows with the references of a log. In the log, owners are numbered from the first of these rows.
  ///
  /// - Complexity: O(rows + references).
  package mutating func appendRows(_ rowCount: Int, _ log: ReferenceLog) {
    appendRows(rowCount, areStrong: log.strengths.isEmpty) { append in
      for (index, entry) in log.entries.enumerated() {
        append(Int(entry.owner), entry.target, log.strengths.isEmpty ? .strong : log.strengths[index])
      }
    }
  }

  /// Returns the reversed references: the targets of a row are the rows that refer to it. References to rows
  /// that are not in the list are omitted.
  ///
  /// - Complexity: O(rows + references).
  package func reversed() -> RowReferences {
    var reversed = RowReferences()
    reversed.appendRows(rowCount, areStrong: strengths.isEmpty) { append in
      for row in 0..<rowCount {
        for reference in self[row] {
          append(target(reference), UInt32(truncatingIfNeeded: row), strength(reference))
        }
      }
    }
    return reversed
  }

  /// Adds rows with references in any order, and sorts them by counting. `forEach` is called twice and must
  /// supply the same references each time.
  @inline(__always)
  private mutating func appendRows(
    _ rowCount: Int, areStrong: Bool,
    _ forEach: (_ append: (_ owner: Int, _ target: UInt32, _ strength: Strength) -> Void) -> Void
  ) {
    var next = [Int](repeating: 0, count: rowCount + 1)
    forEach { owner, _, _ in if owner < rowCount { next[owner + 1] += 1 } }
    next[0] = count
    for row in 0..<rowCount { next[row + 1] += next[row] }
    starts += next.dropFirst()
    let addedCount = next[rowCount] - count
    if !areStrong || !strengths.isEmpty {
      strengths += repeatElement(.strong, count: count - strengths.count + addedCount)
    }
    targets += repeatElement(0, count: addedCount)
    forEach { owner, target, strength in
      guard owner < rowCount else { return }
      targets[next[owner]] = target
      if !areStrong { strengths[next[owner]] = strength }
      next[owner] += 1
    }
  }

  // MARK: Reached rows

  /// Returns, for each row, whether a path of strong references from row 0 reaches the row.
  ///
  /// - Complexity: O(rows + references), without recursion.
  package func rowsReachedFromRoots() -> [Bool] {
    var isReached = [Bool](repeating: false, count: rowCount)
    if rowCount > 0 { markRows(reachedFrom: 0, in: &isReached) }
    return isReached
  }

  /// Marks a row, and the rows that paths of strong references reach from it. A path ends before a row that
  /// is already marked.
  ///
  /// - Complexity: O(newly marked rows and their references), without recursion.
  package func markRows(reachedFrom start: Int, in isReached: inout [Bool]) {
    var pending = [start]
    isReached[start] = true
    while let row = pending.popLast() {
      for reference in self[row] where isStrong(reference) {
        let target = target(reference)
        guard target < isReached.count, !isReached[target] else { continue }
        isReached[target] = true
        pending.append(target)
      }
    }
  }

  /// Returns row 0 and the rows that strong references reach from it. Each row comes after the rows that it
  /// reaches. In a cycle, this is not possible for all rows.
  ///
  /// - Complexity: O(rows + references), without recursion.
  package func rowsFromLeavesToRoots() -> [Int] {
    guard rowCount > 0 else { return [] }
    var rows: [Int] = []
    var isKnown = [Bool](repeating: false, count: rowCount)
    isKnown[0] = true
    var order = DependencyOrder(0, needs: self[0].makeIterator())
    while let step = order.next() {
      switch step {
      case .need(let reference):
        let target = target(reference)
        guard isStrong(reference), target < rowCount, !isKnown[target] else { continue }
        isKnown[target] = true
        order.begin(target, needs: self[target].makeIterator())
      case .ready(let row): rows.append(row)
      }
    }
    return rows
  }
}
