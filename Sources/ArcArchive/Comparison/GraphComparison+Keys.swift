import ArcFormat

// Compares sets and dictionaries: matches the elements or keys of one with the elements or keys of the other.

extension GraphComparison {
  /// Returns the first difference of two sets, or of two dictionaries. Nil if they are equal.
  func compareKeys(_ left: TypedValue, _ right: TypedValue) throws -> FoundDifference? {
    let (keys, others) = (left.keys, right.keys)
    var matching = KeyMatching(self)
    try matching.match(keys, others)
    let (missing, extra) = matching.unmatched(keys.count, others.count)
    if left.value.containerKind == .dictionary {
      let (values, otherValues) = (left.children(keys: .none), right.children(keys: .none))
      if let (step, value) = missing.first.flatMap({ values[$0] }) {
        return FoundDifference(words(value.value, .first), "nothing").after(step)
      }
      if let (step, value) = extra.first.flatMap({ otherValues[$0] }) {
        return FoundDifference("nothing", words(value.value, .second)).after(step)
      }
      for (index, other) in matching.pairs {
        if let found = try compare(keys[index], others[other]) { return found.after(.key(index)) }
        guard let (step, value) = values[index], let partner = otherValues[other]?.value else { continue }
        if let found = try compare(value, partner) { return found.after(step) }
      }
      return nil
    }
    guard missing.isEmpty, extra.isEmpty else {
      return FoundDifference(
        list(missing.map { keys[$0].value }, .first), list(extra.map { others[$0].value }, .second))
    }
    for (index, other) in matching.pairs {
      if let found = try compare(keys[index], others[other]) { return found.after(.element(index)) }
    }
    return nil
  }

  /// Returns a description of the elements that only one set has.
  private func list(_ elements: [ArchiveValue], _ side: Side) -> String {
    guard !elements.isEmpty else { return "nothing else" }
    let shown = elements.prefix(3).map { words($0, side) }.sorted()
    let rest = elements.count - shown.count
    return "also " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension TypedValue {
  /// The elements of a set or the keys of a dictionary.
  fileprivate var keys: [TypedValue] {
    children.compactMap { step, child in if case .value = step { nil } else { child } }
  }
}

/// Matches the keys of two collections by digests of their contents.
///
/// In a digest, a reference to an object with a partner is represented by the common row of the two objects.
/// A reference to any other object is represented by the class of the object and, if necessary, its values.
private struct KeyMatching {
  private let comparison: GraphComparison
  private(set) var pairs: [(Int, Int)] = []
  /// The maximum number of consecutive references that a digest follows.
  private static let maximumDepth = 4

  init(_ comparison: GraphComparison) { self.comparison = comparison }

  /// Returns the positions of the keys without a partner, for each of the two collections.
  func unmatched(_ count: Int, _ otherCount: Int) -> (missing: [Int], extra: [Int]) {
    let (known, others) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
    return ((0..<count).filter { !known.contains($0) }, (0..<otherCount).filter { !others.contains($0) })
  }

  mutating func match(_ keys: [TypedValue], _ others: [TypedValue]) throws {
    let (left, right) = try match(
      (keys, Array(keys.indices)), (others, Array(others.indices)), depth: 1, isAlike: false)
    // If a single object of each collection remains, the two are compared, instead of being reported as a
    // missing and an extra object.
    if left.count == 1, right.count == 1, isOfOneClass(keys[left[0]], others[right[0]]) {
      pairs.append((left[0], right[0]))
    }
    pairs.sort { $0.0 < $1.0 }
  }

  private func isOfOneClass(_ key: TypedValue, _ other: TypedValue) -> Bool {
    guard case .reference(let one?) = key.value, case .reference(let two?) = other.value,
      comparison.common(one, .first) == nil, comparison.common(two, .second) == nil
    else { return false }
    return comparison.className(one, .first) == comparison.className(two, .second)
  }

  /// Matches the keys at some positions by their contents, including the contents of objects up to `depth`
  /// references away. Returns the positions of the keys without a partner. If `isAlike` is true, all these
  /// keys had equal digests with a smaller `depth`; keys without a partner are then matched in their order.
  private mutating func match(
    _ left: (keys: [TypedValue], positions: [Int]), _ right: (keys: [TypedValue], positions: [Int]),
    depth: Int, isAlike: Bool
  ) throws -> (left: [Int], right: [Int]) {
    let groups = try Dictionary(grouping: left.positions) { try digest(left.keys[$0], .first, depth) }
    let others = try Dictionary(grouping: right.positions) { try digest(right.keys[$0], .second, depth) }
    var rest: (left: [Int], right: [Int]) = ([], [])
    for (digest, positions) in others where groups[digest] == nil { rest.right += positions }
    for (digest, positions) in groups {
      guard let partners = others[digest] else {
        rest.left += positions
        continue
      }
      let isOnlyOne = positions.count == 1 && partners.count == 1
      if isOnlyOne || depth == Self.maximumDepth || !left.keys[positions[0]].mayReferToObjects {
        rest.left += positions.dropFirst(partners.count)
        rest.right += partners.dropFirst(positions.count)
        pairs += zip(positions, partners)
      } else {
        let inner = try match(
          (left.keys, positions), (right.keys, partners), depth: depth + 1, isAlike: true)
        rest.left += inner.left
        rest.right += inner.right
      }
    }
    rest = (rest.left.sorted(), rest.right.sorted())
    guard isAlike else { return rest }
    pairs += zip(rest.left, rest.right)
    let count = min(rest.left.count, rest.right.count)
    return (Array(rest.left.dropFirst(count)), Array(rest.right.dropFirst(count)))
  }

  private func digest(_ key: TypedValue, _ side: GraphComparison.Side, _ depth: Int) throws -> Int {
    var hasher = Hasher()
    try comparison.digest(key, side, depth, into: &hasher)
    return hasher.finalize()
  }
}

extension TypedValue {
  /// Whether the digest of the value can depend on objects to which the value refers.
  fileprivate var mayReferToObjects: Bool { layout.containsAnyReference(node) }
}

extension GraphComparison {
  /// Returns the name of an object's class. Nil if there is no such object, or if its segment cannot be read.
  fileprivate func className(_ id: ObjectID, _ side: Side) -> String? {
    file(side).className(ofRow: Int(id.rawValue))
  }

  /// Feeds the content of a value to a hasher. Two objects that are partners feed equal content. Numbers feed
  /// their bits. The order of sets and dictionaries has no effect.
  fileprivate func digest(
    _ value: TypedValue, _ side: Side, _ depth: Int, into hasher: inout Hasher
  ) throws {
    switch value.value {
    case .float(let number): hasher.combine(number.bitPattern)
    case .double(let number), .date(let number): hasher.combine(number.bitPattern)
    case .string(let text), .decimal(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .reference(let id?): try digest(id, side, depth, into: &hasher)
    case .set, .dictionary: hasher.combine(try sumOfDigests(value, side, depth))
    case .enumeration(_, let name, nil): hasher.combine(name)
    default:
      guard value.value.containerKind != nil else { return hasher.combine(value.value) }
      if let count = value.value.elementCount { hasher.combine(count) }
      for (step, child) in value.children {
        if case .payload(let name) = step { hasher.combine(name) }
        try digest(child, side, depth, into: &hasher)
      }
    }
  }

  /// Returns the sum of the digests of the elements of a set, or of the entries of a dictionary. The sum does
  /// not depend on their order.
  private func sumOfDigests(_ value: TypedValue, _ side: Side, _ depth: Int) throws -> Int {
    var total = 0
    var hasher = Hasher()
    for (step, child) in value.children {
      try digest(child, side, depth, into: &hasher)
      // The value of the entry follows.
      if case .key = step { continue }
      total &+= hasher.finalize()
      hasher = Hasher()
    }
    return total
  }

  private func digest(_ id: ObjectID, _ side: Side, _ depth: Int, into hasher: inout Hasher) throws {
    if let row = common(id, side) { return hasher.combine(row) }
    guard depth > 0 else { return hasher.combine(className(id, side)) }
    let object = try file(side).object(id)
    hasher.combine(object.className)
    for property in object.properties {
      hasher.combine(property.key)
      try digest(
        TypedValue(property, in: object, of: file(side)), side, depth - 1, into: &hasher)
    }
  }
}
