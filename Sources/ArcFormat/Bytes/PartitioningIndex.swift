extension RandomAccessCollection {
  /// The first index of the second part of a collection, where all elements of the first part are before
  /// those of the second; `endIndex` if the second part is empty.
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
