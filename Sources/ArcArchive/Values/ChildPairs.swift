import ArcFormat
import ArcRuntime

/// The pairs of values nested directly in two values of one kind. Elements of arrays are paired by index,
/// elements of sets and values of dictionaries by key, fields by label, and the payloads of one enumeration
/// case with each other.
///
///     guard let pairs = ChildPairs(old, new, key: { $0 }) else { return }   // two kinds, or two cases
///     for (index, child) in old.children(keys: .none).enumerated() {
///       print(child.value, pairs[index] ?? "removed")
///     }
///     print("added", pairs.onlyInSecond)
///
/// Indices are positions in `ArchiveValue.children(keys: .none)`.
package struct ChildPairs {
  /// The number of values nested directly in the first value.
  package let count: Int
  /// The number of values nested directly in the second value.
  private let secondCount: Int
  private let second: ArchiveValue.Children
  /// For each nested value of the first value, the index of its partner. The whole array is nil if all
  /// partners have equal indices.
  private let partners: [Int?]?

  /// Pairs the values nested directly in two values. Nil if the values have different kinds or cases, or
  /// contain no values.
  ///
  /// `key` must return equal keys for elements of sets that are partners, and for keys of dictionaries whose
  /// values are partners.
  ///
  /// - Complexity: O(*n*) in the number of directly nested values.
  package init?<Key: Hashable>(
    _ first: ArchiveValue, _ second: ArchiveValue, key: (ArchiveValue) -> Key
  ) {
    switch (first, second) {
    case (.array, .array): partners = nil
    case (.enumeration(_, let label, _), .enumeration(_, let other, _)):
      guard label.hasSameBytes(as: other) else { return nil }
      partners = nil
    case (.structure(_, let fields), .structure(_, let others)):
      partners = Self.partners(ofLabels: fields.lazy.map(\.name), in: others.lazy.map(\.name))
    default:
      guard let keys = first.keys, let others = second.keys, first.containerKind == second.containerKind
      else { return nil }
      var indices: [Key: Int] = [:]
      for (index, other) in others.enumerated().reversed() { indices[key(other)] = index }
      partners = keys.map { indices[key($0)] }
    }
    (count, secondCount) = (first.childCount, second.childCount)
    self.second = second.children(keys: .none)
  }

  /// Returns for each label the index of its partner in `others`, or nil for a label without a partner. The
  /// result is nil if all partners have equal indices.
  ///
  /// If a label occurs several times, its first occurrences are partners, then its second occurrences, and so
  /// on.
  package static func partners<
    Labels: RandomAccessCollection<String>, Others: RandomAccessCollection<String>
  >(
    ofLabels labels: Labels, in others: Others
  ) -> [Int?]? where Others.Index == Int {
    if zip(labels, others).allSatisfy({ $0.hasSameBytes(as: $1) }) { return nil }
    var indices: [ExactName: [Int]] = [:]
    for index in others.indices.reversed() { indices[ExactName(others[index]), default: []].append(index) }
    return labels.map { indices[ExactName($0)]?.popLast() }
  }

  /// Returns the index of the partner of a nested value of the first value. Nil if there is no partner.
  package func partner(of index: Int) -> Int? {
    if let partners { return partners[index] }
    return index < secondCount ? index : nil
  }

  /// The partner of a nested value of the first value. Nil if there is no partner.
  package subscript(index: Int) -> ArchiveValue? { partner(of: index).flatMap { second[$0]?.value } }

  /// The indices of the nested values of the second value that have no partner, in order.
  package var onlyInSecond: [Int] {
    guard let partners else { return Array(min(count, secondCount)..<secondCount) }
    let known = Set(partners)
    return (0..<secondCount).filter { !known.contains($0) }
  }

  /// Whether both values contain equally many values, and all of them have partners.
  package var isComplete: Bool { count == secondCount && !(partners?.contains(nil) ?? false) }

  /// Whether both values contain equally many values, and partners have equal indices.
  package var isAligned: Bool { count == secondCount && partners == nil }
}
