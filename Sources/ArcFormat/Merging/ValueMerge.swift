import ArcRuntime

/// Merges what a program changed in a value with what it did not see of it.
///
/// Three values are compared: the one that an archive has, the one that the program made of it, and the one
/// that it has now. What is in the first and not in the second is put into the third.
enum ValueMerge {
  /// The value as the program changed it, with what was lost when it was read.
  ///
  /// Recursive over the value, as deep as values nest.
  static func merged(
    _ current: ArchiveValue, unchanged: ArchiveValue, stored: ArchiveValue
  ) -> ArchiveValue {
    if unchanged.isSame(as: stored) { return current }
    switch (current, unchanged, stored) {
    case (.structure(let name, let current), .structure(_, let unchanged), .structure(_, let stored)):
      return .structure(name: name, fields: merged(current, unchanged, stored))
    case (
      .enumeration(let name, let label, let current?), .enumeration(_, let before, let unchanged?),
      .enumeration(_, let storedLabel, let stored?)
    )
    where label == before && label == storedLabel:
      return .enumeration(
        name: name, case: label, payload: merged(current, unchanged: unchanged, stored: stored))
    case (.array(let current), .array(let unchanged), .array(let stored)):
      return .array(merged(current, unchanged, stored))
    case (.set(let current), .set(let unchanged), .set(let stored)):
      let known = Set(unchanged)
      return .set(current + stored.filter { !known.contains($0) && !current.contains($0) })
    case (.dictionary(let current), .dictionary(let unchanged), .dictionary(let stored)):
      return .dictionary(merged(current, unchanged, stored))
    default: return current.isSame(as: unchanged) ? stored : current
    }
  }

  /// The fields of a structure, and those that the program does not have.
  private static func merged(
    _ current: [ArchiveValue.Field], _ unchanged: [ArchiveValue.Field], _ stored: [ArchiveValue.Field]
  ) -> [ArchiveValue.Field] {
    let fields = current.map { field in
      guard let before = unchanged.value(of: field.name), let value = stored.value(of: field.name) else {
        return field
      }
      return ArchiveValue.Field(
        name: field.name, value: merged(field.value, unchanged: before, stored: value))
    }
    return fields + stored.filter { current.value(of: $0.name) == nil }
  }

  /// The elements, and after each those that followed it and were lost.
  private static func merged(
    _ current: [ArchiveValue], _ unchanged: [ArchiveValue], _ stored: [ArchiveValue]
  ) -> [ArchiveValue] {
    guard let losses = Losses(unchanged, of: stored) else { return current }
    var result = losses.behind[0]
    for step in ElementChanges(from: unchanged, to: current).steps {
      switch step {
      case .inserted(let now): result.append(current[now])
      case .removed(let before): result += losses.behind[before + 1]
      case .kept(let before, let now):
        result.append(
          merged(current[now], unchanged: unchanged[before], stored: losses.stored[before]))
        result += losses.behind[before + 1]
      }
    }
    return result
  }

  /// The entries, and those that were lost under keys that are free.
  private static func merged(
    _ current: [ArchiveValue.Entry], _ unchanged: [ArchiveValue.Entry], _ stored: [ArchiveValue.Entry]
  ) -> [ArchiveValue.Entry] {
    let before = Dictionary(unchanged.map { ($0.key, $0.value) }) { first, _ in first }
    let kept = Dictionary(stored.map { ($0.key, $0.value) }) { first, _ in first }
    let entries = current.map { entry in
      guard let unchanged = before[entry.key], let stored = kept[entry.key] else { return entry }
      return ArchiveValue.Entry(
        key: entry.key, value: merged(entry.value, unchanged: unchanged, stored: stored))
    }
    let keys = Set(current.map(\.key))
    return entries + stored.filter { before[$0.key] == nil && !keys.contains($0.key) }
  }
}

/// What elements an array lost when it was read.
private struct Losses {
  /// For each element that was read, what it was read from.
  private(set) var stored: [ArchiveValue] = []
  /// For each element that was read, what followed it and was lost, after what preceded all at 0.
  private(set) var behind: [[ArchiveValue]] = [[]]

  /// Nil if the elements were not read from those: they are other values by now.
  init?(_ unchanged: [ArchiveValue], of stored: [ArchiveValue]) {
    for element in stored {
      let next = self.stored.count
      if next < unchanged.count, unchanged[next].isRead(from: element) {
        self.stored.append(element)
        behind.append([])
      } else {
        behind[next].append(element)
      }
    }
    if self.stored.count < unchanged.count { return nil }
  }
}

/// What a program did to the elements of an array, in the order of these.
private struct ElementChanges {
  private(set) var steps: [Step] = []

  /// What became of an element, by its index before and its index now.
  enum Step {
    case removed(Int)
    case inserted(Int)
    /// It stayed, or is another form of what it was.
    case kept(Int, Int)
  }

  /// - Complexity: O(*n* + *d*²) for *d* elements that were removed or inserted.
  init(from unchanged: [ArchiveValue], to current: [ArchiveValue]) {
    var isRemoved = [Bool](repeating: false, count: unchanged.count)
    var isInserted = [Bool](repeating: false, count: current.count)
    for change in current.difference(from: unchanged, by: { $0.isSame(as: $1) }) {
      switch change {
      case .remove(let offset, _, _): isRemoved[offset] = true
      case .insert(let offset, _, _): isInserted[offset] = true
      }
    }
    var (before, now) = (0, 0)
    while before < unchanged.count || now < current.count {
      let (firstRemoved, firstInserted) = (before, now)
      while before < unchanged.count, isRemoved[before] { before += 1 }
      while now < current.count, isInserted[now] { now += 1 }
      pair(unchanged, firstRemoved..<before, current, firstInserted..<now)
      if before < unchanged.count, now < current.count {
        steps.append(.kept(before, now))
        (before, now) = (before + 1, now + 1)
      }
    }
  }

  /// Finds those that were inserted in place of others as changed forms of them: each of them, if there are
  /// as many, otherwise those that have something in common.
  private mutating func pair(
    _ unchanged: [ArchiveValue], _ removed: Range<Int>, _ current: [ArchiveValue], _ inserted: Range<Int>
  ) {
    var before = removed.lowerBound
    for now in inserted {
      let isPaired = removed.count == inserted.count
      let other = (before..<removed.upperBound).first {
        isPaired || current[now].isSimilar(to: unchanged[$0])
      }
      guard let other else {
        steps.append(.inserted(now))
        continue
      }
      steps += (before..<other).map { .removed($0) }
      steps.append(.kept(other, now))
      before = other + 1
    }
    steps += (before..<removed.upperBound).map { .removed($0) }
  }
}

extension [ArchiveValue.Field] {
  /// The value of the field with a name; nil if there is none.
  fileprivate func value(of name: String) -> ArchiveValue? {
    first { $0.name.hasSameBytes(as: name) }?.value
  }
}

extension ArchiveValue {
  /// Whether the value is another one, or what is left of it when some of it is not known.
  fileprivate func isRead(from stored: ArchiveValue) -> Bool {
    switch (self, stored) {
    case (.null, _), (.reference(nil), _): true
    case (.array(let elements), .array(let others)): Losses(elements, of: others) != nil
    case (.set(let elements), .set(let others)): Set(elements).isSubset(of: others)
    case (.dictionary(let entries), .dictionary(let others)):
      Set(entries.map(\.key)).isSubset(of: others.map(\.key))
    case (.structure(_, let fields), .structure(_, let others)):
      fields.allSatisfy { field in others.value(of: field.name).map(field.value.isRead) ?? true }
    case (.enumeration(_, let label, let payload?), .enumeration(_, let other, let otherPayload?)):
      label.hasSameBytes(as: other) && payload.isRead(from: otherPayload)
    default: isSame(as: stored)
    }
  }

  /// Whether two structures have the same value in some field.
  fileprivate func isSimilar(to other: ArchiveValue) -> Bool {
    guard case .structure(_, let fields) = self, case .structure(_, let others) = other else { return false }
    return fields.contains { field in others.value(of: field.name).map(field.value.isSame) ?? false }
  }

  /// Whether both are one value: order has no meaning in sets and dictionaries, and numbers that are none are
  /// the same if they have the same bits.
  fileprivate func isSame(as other: ArchiveValue) -> Bool {
    switch (self, other) {
    case (.double(let value), .double(let other)): value.bitPattern == other.bitPattern
    case (.float(let value), .float(let other)): value.bitPattern == other.bitPattern
    case (.null, .reference(nil)), (.reference(nil), .null): true
    case (.set(let elements), .set(let others)):
      elements.count == others.count && Set(elements) == Set(others)
    case (.dictionary(let entries), .dictionary(let others)):
      entries.count == others.count && Set(entries) == Set(others)
    case (.array(let elements), .array(let others)):
      elements.count == others.count && zip(elements, others).allSatisfy { $0.isSame(as: $1) }
    case (.structure(_, let fields), .structure(_, let others)):
      fields.count == others.count
        && fields.allSatisfy { others.value(of: $0.name).map($0.value.isSame) ?? false }
    case (.enumeration(_, let label, let payload), .enumeration(_, let other, let otherPayload)):
      label.hasSameBytes(as: other)
        && (payload.flatMap { value in otherPayload.map(value.isSame) } ?? (payload == otherPayload))
    default: self == other
    }
  }
}
