extension RandomAccessCollection {
  /// Returns the index of the first element for which the predicate is true. The predicate must be false for
  /// all elements before that element and true for all elements after it. Returns `endIndex` if the predicate
  /// is false for all elements.
  ///
  /// - Complexity: O(log *n*).
  @inlinable package func partitioningIndex(
    where belongsInSecondPart: (Element) throws -> Bool
  ) rethrows -> Index {
    var (low, count) = (startIndex, self.count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try belongsInSecondPart(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
