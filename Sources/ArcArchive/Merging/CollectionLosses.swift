import ArcRuntime

/// What elements a collection lost when it was read.
struct CollectionLosses {
  /// For each element that was read, what it was read from.
  private(set) var stored: [ArchiveValue] = []
  /// For each element that was read, what followed it and was lost, after what preceded all at 0.
  var behind: [[ArchiveValue]] = [[]]

  /// The losses of an array. Nil if its elements were not read from those: they are other values by now.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init?(_ unchanged: [ArchiveValue], of stored: [ArchiveValue], unread: UnreadObjects? = nil) {
    for element in stored {
      let next = self.stored.count
      if next < unchanged.count, unchanged[next].isRead(from: element, unread: unread) {
        self.stored.append(element)
        behind.append([])
      } else {
        behind[next].append(element)
      }
    }
    if self.stored.count < unchanged.count { return nil }
  }

  /// The losses of elements whose order has no meaning, all of them at the beginning. Nil if the elements
  /// were not read from those.
  ///
  /// - Complexity: O(*n*) in the number of elements.
  init?(unordered unchanged: [ArchiveValue], of stored: [ArchiveValue], unread: UnreadObjects? = nil) {
    var isFound = [Bool](repeating: false, count: stored.count)
    var partners = [Int?](repeating: nil, count: unchanged.count)
    // First those that are the same, then those with fields that are not known.
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
      behind.append([])
    }
    behind[0] = stored.indices.filter { !isFound[$0] }.map { stored[$0] }
  }
}

/// Gives elements that a set or dictionary lost the fields that the program has, where these elements became
/// equal to others because the program knows none of the fields in which they differ. The program that reads
/// them again needs its own fields.
struct CompletedElements {
  private let unchanged: [ArchiveValue]
  private let merge: ValueMerge
  /// The elements that were read, reduced to the fields of an element that was lost, by cases.
  private var tables: [ExactName: [ValueIdentity: ArchiveValue]] = [:]

  /// Prepares for elements that were lost from a collection whose other elements were read as these.
  init(_ unchanged: [ArchiveValue], merge: ValueMerge) { (self.unchanged, self.merge) = (unchanged, merge) }

  /// The element with the fields of the equal element that was read; itself if there is none.
  ///
  /// - Complexity: O(*n*) in the number of elements that were read for the first of each case, then O(parts).
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
  /// Pairs elements that have lost parts with what they were read from, those with the most parts first.
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
  /// The name of the case of an enumeration; empty for any other value.
  fileprivate var caseName: ExactName {
    if case .enumeration(_, let name, _) = self { ExactName(name) } else { ExactName("") }
  }

  /// The number of values in it, itself included.
  ///
  /// Recursive over the value, as deep as values nest.
  fileprivate var partCount: Int { children.reduce(1) { $0 + $1.value.partCount } }
}

/// What became of the elements of a collection.
struct ElementChanges {
  /// For each element now the index that it had before; nil for one that is new.
  private(set) var before: [Int?]
  /// For each element before whether it is gone.
  private(set) var isRemoved: [Bool]

  /// How many elements that are gone are looked at for one that a new one may be a changed form of.
  private static let maximumTries = 16

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

  /// Finds new elements that are changed forms of those that are gone: they have something in common, or are
  /// at the same place.
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
  /// Whether two structures have the same value in some field, or are the associated values of one case and
  /// do.
  fileprivate func isSimilar(to other: ArchiveValue) -> Bool {
    guard elementCount == nil, let pairs = ChildPairs(self, other) else { return false }
    return children.enumerated().contains { index, child in
      pairs[index].map { fields == nil ? child.value.isSimilar(to: $0) : child.value.isSame(as: $0) } ?? false
    }
  }
}
