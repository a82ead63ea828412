/// References between rows in the order in which a reader encounters them. `RowReferences` sorts them by row.
///
/// Uses 8 bytes per reference, and 1 more byte per reference if some references are not strong.
package struct ReferenceLog {
  @usableFromInline var entries: ContiguousArray<(owner: UInt32, target: UInt32)> = []
  /// The strengths of the references; empty if all of them are strong.
  @usableFromInline var strengths: ContiguousArray<RowReferences.Strength> = []

  /// Creates an empty log.
  @inlinable package init() {}

  /// The number of references.
  @inlinable package var count: Int { entries.count }

  /// Adds a strong reference from one row to another.
  @inlinable package mutating func add(owner: Int, target: Int) {
    entries.append((UInt32(truncatingIfNeeded: owner), UInt32(truncatingIfNeeded: target)))
    if !strengths.isEmpty { strengths.append(.strong) }
  }

  /// Adds a reference of any strength from one row to another.
  @inlinable package mutating func add(owner: Int, target: Int, _ strength: RowReferences.Strength) {
    if strength != .strong, strengths.isEmpty {
      strengths = ContiguousArray(repeating: .strong, count: entries.count)
    }
    entries.append((UInt32(truncatingIfNeeded: owner), UInt32(truncatingIfNeeded: target)))
    if strength != .strong || !strengths.isEmpty { strengths.append(strength) }
  }

  /// Adds the references of another log.
  package mutating func add(_ other: ReferenceLog) {
    if !other.strengths.isEmpty, strengths.isEmpty {
      strengths = ContiguousArray(repeating: .strong, count: entries.count)
    }
    entries += other.entries
    if !strengths.isEmpty {
      strengths += other.strengths
      strengths += repeatElement(.strong, count: entries.count - strengths.count)
    }
  }

  /// Calls a closure with each reference in the order of the log.
  @inlinable package func forEachReference<Failure: Error>(
    _ body: (_ owner: Int, _ target: Int) throws(Failure) -> Void
  ) throws(Failure) {
    for (owner, target) in entries { try body(Int(owner), Int(target)) }
  }
}
