import ArcRuntime

/// The elements that a collection lost when the program read it, because the program does not know them.
struct CollectionLosses {
  /// The stored element from which each remaining element was read.
  private(set) var stored: [ArchiveValue] = []
  /// The lost elements, by their position. `lost[0]` contains the lost elements before the first remaining
  /// element, and `lost[i + 1]` the lost elements after remaining element `i`.
  var lost: [[ArchiveValue]] = [[]]

  /// Finds the losses of an array. Nil if `unchanged` was not read from `stored`.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init?(_ unchanged: [ArchiveValue], of stored: [ArchiveValue], unread: UnreadObjects? = nil) {
    for element in stored {
      let next = self.stored.count
      if next < unchanged.count, unchanged[next].isRead(from: element, unread: unread) {
        self.stored.append(element)
        lost.append([])
      } else {
        lost[next].append(element)
      }
    }
    if self.stored.count < unchanged.count { return nil }
  }

  /// Finds the losses of a collection in which the order of elements has no meaning. `lost[0]` then contains
  /// all lost elements. Nil if `unchanged` was not read from `stored`.
  ///
  /// - Complexity: O(*n*) in the number of elements, plus O(*m*²) in the number *m* of elements that
  ///   `pairReduced` pairs.
  init?(unordered unchanged: [ArchiveValue], of stored: [ArchiveValue], unread: UnreadObjects? = nil) {
    var isFound = [Bool](repeating: false, count: stored.count)
    var partners = [Int?](repeating: nil, count: unchanged.count)
    // Equal elements are paired first. Then the fields that the program does not know are ignored.
    for isReduced in [false, true] {
      guard let like = unchanged.indices.first(where: { partners[$0] == nil }).map({ unchanged[$0] }) else {
        break
      }
      var indices: [ValueIdentity: [Int]] = [:]
      for index in stored.indices.reversed() where !isFound[index] {
        let value = isReduced ? stored[index].reduced(like: like) : stored[index]
        indices[ValueIdentity(value: value), default: []].append(index)
      }
      for index in unchanged.indices where partners[index] == nil {
        guard let partner = indices[ValueIdentity(value: unchanged[index])]?.popLast() else { continue }
        partners[index] = partner
        isFound[partner] = true
      }
    }
    Self.pairReduced(unchanged, with: stored, &partners, &isFound, unread)
    for partner in partners {
      guard let partner else { return nil }
      self.stored.append(stored[partner])
      lost.append([])
    }
    lost[0] = stored.indices.filter { !isFound[$0] }.map { stored[$0] }
  }
}

/// Completes the elements that a set or dictionary lost when the program read it. An element is lost if it
/// differs from another element only in fields that the program does not know. The program reads both
/// elements as equal, so only one of them remains. A lost element gets the fields that the program knows from
/// the remaining element, because the program needs these fields when it reads the lost element again.
struct CompletedElements {
  private let unchanged: [ArchiveValue]
  private let merge: ValueMerge
  /// The remaining elements, by case name and by reduced value. A reduced value has only the fields that lost
  /// elements have. The case name is empty for values that are not enumerations.
  private var tables: [ExactName: [ValueIdentity: ArchiveValue]] = [:]

  /// Prepares the completion of lost elements. `unchanged` contains the elements that remained in the
  /// collection when the program read it.
  init(_ unchanged: [ArchiveValue], merge: ValueMerge) { (self.unchanged, self.merge) = (unchanged, merge) }

  /// Returns a lost element, completed with the program's fields of the remaining element that the program
  /// reads as equal. Returns the lost element unchanged if there is no such element.
  ///
  /// - Complexity: O(*n*) in the number of remaining elements for the first element of each case, then
  ///   O(parts).
  mutating func completed(_ lost: ArchiveValue) -> ArchiveValue {
    let name = lost.caseName
    let table = tables[name] ?? table(name, like: lost)
    tables[name] = table
    guard let like = table.first?.value,
      let read = table[ValueIdentity(value: lost.reduced(like: like))],
      read.isRead(from: lost, unread: merge.unread)
    else { return lost }
    return merge.merged(read, unchanged: read, stored: lost)
  }

  private func table(_ name: ExactName, like lost: ArchiveValue) -> [ValueIdentity: ArchiveValue] {
    var table: [ValueIdentity: ArchiveValue] = [:]
    for element in unchanged where element.caseName == name {
      table[ValueIdentity(value: element.reduced(like: lost))] = element
    }
    return table
  }
}

extension CollectionLosses {
  /// Pairs each element that lost nested values with the stored element from which it was read. The elements
  /// with the most nested values are paired first.
  ///
  /// - Complexity: O(*n*²) in the number of such elements.
  private static func pairReduced(
    _ unchanged: [ArchiveValue], with stored: [ArchiveValue], _ partners: inout [Int?],
    _ isFound: inout [Bool], _ unread: UnreadObjects?
  ) {
    var candidates: [ExactName: [Int]] = [:]
    for index in stored.indices where !isFound[index] {
      candidates[stored[index].caseName, default: []].append(index)
    }
    let open = unchanged.indices.filter { partners[$0] == nil }.map {
      (index: $0, size: unchanged[$0].partCount)
    }
    for (index, _) in open.sorted(by: { $0.size > $1.size }) {
      let name = unchanged[index].caseName
      guard let known = candidates[name],
        let position = known.firstIndex(where: { unchanged[index].isRead(from: stored[$0], unread: unread) })
      else { continue }
      candidates[name]?.remove(at: position)
      partners[index] = known[position]
      isFound[known[position]] = true
    }
  }
}

extension ArchiveValue {
  /// The name of the case of an enumeration. Empty for other values.
  fileprivate var caseName: ExactName {
    if case .enumeration(_, let name, _) = self { ExactName(name) } else { ExactName("") }
  }

  /// The number of nested values, including the value itself.
  ///
  /// Recursive over the value, whose nesting is limited.
  fileprivate var partCount: Int { children.reduce(1) { $0 + $1.value.partCount } }
}

/// The correspondence between the elements of a collection before and after the program changed it.
struct ElementChanges {
  /// The previous index of each current element. Nil for a new element.
  private(set) var before: [Int?]
  /// Whether each previous element was removed.
  private(set) var isRemoved: [Bool]

  /// The maximum number of removed elements that are compared with a new element, to find the removed element
  /// that the new element replaces.
  private static let maximumTries = 16

  /// Pairs the elements of two versions of a collection: equal elements first, then changed elements.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init(from unchanged: [ArchiveValue], to current: [ArchiveValue]) {
    before = Array(repeating: nil, count: current.count)
    isRemoved = Array(repeating: true, count: unchanged.count)
    var (start, end) = (0, 0)
    let shorter = min(unchanged.count, current.count)
    while start < shorter, unchanged[start].isSame(as: current[start]) {
      pair(start, start)
      start += 1
    }
    while end < shorter - start,
      unchanged[unchanged.count - 1 - end].isSame(as: current[current.count - 1 - end])
    {
      end += 1
      pair(unchanged.count - end, current.count - end)
    }
    var indices: [ValueIdentity: [Int]] = [:]
    for index in (start..<unchanged.count - end).reversed() {
      indices[ValueIdentity(value: unchanged[index]), default: []].append(index)
    }
    for index in start..<current.count - end {
      if let old = indices[ValueIdentity(value: current[index])]?.popLast() { pair(old, index) }
    }
    findChanged(unchanged, current)
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    before[new] = old
    isRemoved[old] = false
  }

  /// Pairs each new element with the removed element that it replaces. Elements that have an equal field are
  /// paired first. Then elements with equal indices are paired.
  private mutating func findChanged(_ unchanged: [ArchiveValue], _ current: [ArchiveValue]) {
    let gone = unchanged.indices.filter { isRemoved[$0] }
    if gone.isEmpty { return }
    var next = 0
    for index in current.indices where before[index] == nil && next < gone.count {
      let tries = gone[next...].prefix(Self.maximumTries)
      guard let position = tries.firstIndex(where: { current[index].isSimilar(to: unchanged[$0]) }) else {
        continue
      }
      pair(gone[position], index)
      next = position + 1
    }
    for index in current.indices
    where before[index] == nil && index < unchanged.count && isRemoved[index] { pair(index, index) }
  }
}

extension ArchiveValue {
  /// Whether two structures have an equal field, or two values are the same enumeration case and their
  /// associated values have an equal field.
  fileprivate func isSimilar(to other: ArchiveValue) -> Bool {
    guard elementCount == nil, let pairs = ChildPairs(self, other) else { return false }
    return children.enumerated().contains { index, child in
      pairs[index].map { fields == nil ? child.value.isSimilar(to: $0) : child.value.isSame(as: $0) } ?? false
    }
  }
}
