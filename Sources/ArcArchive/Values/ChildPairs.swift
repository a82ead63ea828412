import ArcFormat
import ArcRuntime

/// The values directly inside two values of one kind, in pairs: the elements of arrays by index, the elements
/// of sets and the values of dictionaries by key, fields by label, and the associated values of one case.
///
///     guard let pairs = ChildPairs(old, new, key: { $0 }) else { return }   // two kinds, or two cases
///     for (index, child) in old.children(keys: .none).enumerated() {
///       print(child.value, pairs[index] ?? "removed")
///     }
///     print("added", pairs.onlyInSecond)
///
/// Indices count as `ArchiveValue.children(keys: .none)` does.
package struct ChildPairs {
  /// The number of values inside the first value.
  package let count: Int
  /// The number of values inside the second value.
  private let secondCount: Int
  private let second: ArchiveValue.Children
  /// For each value inside the first value, the index of its partner. Nil if the indices of partners are
  /// equal.
  private let partners: [Int?]?

  /// Pairs the values inside two values. Nil if the values are of two kinds or cases, or contain no others.
  ///
  /// `key` returns equal keys for elements of sets that are partners, and for keys of dictionaries whose
  /// values are partners.
  ///
  /// - Complexity: O(*n*) in the number of values directly inside.
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

  /// Returns for each label the index of its partner among other labels, nil for a label without a partner.
  /// Nil if the indices of partners are equal.
  ///
  /// If a label repeats, the first is the partner of the first, and so on.
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

  /// The index of the partner of a value inside the first value; nil if it has none.
  package func partner(of index: Int) -> Int? {
    if let partners { return partners[index] }
    return index < secondCount ? index : nil
  }

  /// The partner of a value inside the first value; nil if it has none.
  package subscript(index: Int) -> ArchiveValue? { partner(of: index).flatMap { second[$0]?.value } }

  /// The indices of the values inside the second value that have no partner, in order.
  package var onlyInSecond: [Int] {
    guard let partners else { return Array(min(count, secondCount)..<secondCount) }
    let known = Set(partners)
    return (0..<secondCount).filter { !known.contains($0) }
  }

  /// Whether both values contain equally many values, and each has a partner.
  package var isComplete: Bool { count == secondCount && !(partners?.contains(nil) ?? false) }

  /// Whether both values contain equally many values, and the indices of partners are equal.
  package var isAligned: Bool { count == secondCount && partners == nil }
}
