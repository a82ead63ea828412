import ArcRuntime

/// Merges what a program changed in a value with what it did not see of it.
///
/// Three values are compared: the one that an archive has, the one that the program made of it, and the one
/// that it has now. What is in the first and not in the second is put into the third.
struct ValueMerge {
  /// The keys of older fields that structures of the program convert, by the name of the structure. The
  /// converted fields replace them.
  let convertedFields: [ExactName: Set<ExactName>]
  /// The objects that the program did not read.
  let unread: UnreadObjects

  /// The value as the program changed it, with what was lost when it was read. Parts that the program read as
  /// values of other types and did not change are as they are in the archive.
  ///
  /// Recursive over the value, as deep as values nest.
  func merged(
    _ current: ArchiveValue, unchanged: ArchiveValue, stored: ArchiveValue
  ) -> ArchiveValue {
    if unchanged.isSame(as: stored) { return current }
    if let tree = current.mergedTree(unchanged: unchanged, stored: stored, by: self) { return tree }
    switch (current, unchanged, stored) {
    case (.structure(let name, let fields), .structure(_, let before), .structure(_, let others)):
      let converted = convertedFields[ExactName(name)] ?? []
      return .structure(name: name, fields: self.fields(fields, before, others, converted))
    case (
      .enumeration(let name, let label, let current?), .enumeration(_, let before, let unchanged?),
      .enumeration(_, let storedLabel, let stored?)
    )
    where label.hasSameBytes(as: before) && label.hasSameBytes(as: storedLabel):
      return .enumeration(
        name: name, case: label, payload: merged(current, unchanged: unchanged, stored: stored))
    case (.array(let current), .array(let unchanged), .array(let stored)):
      return .array(elements(current, unchanged, CollectionLosses(unchanged, of: stored, unread: unread)))
    case (.set(let current), .set(let unchanged), .set(let stored)):
      let known = Set(current.map(ValueIdentity.init))
      var losses = CollectionLosses(unordered: unchanged, of: stored, unread: unread)
      losses?.behind[0].removeAll { known.contains(ValueIdentity(value: $0)) }
      var elements = CompletedElements(unchanged, merge: self)
      if let lost = losses?.behind[0] { losses?.behind[0] = lost.map { elements.completed($0) } }
      return .set(self.elements(current, unchanged, losses))
    case (.dictionary(let current), .dictionary(let unchanged), .dictionary(let stored)):
      return .dictionary(entries(current, unchanged, stored))
    case _ where current.isSame(as: unchanged): return stored
    case (.set, .set, .array(let elements)):
      let set = merged(current, unchanged: unchanged, stored: .set(elements.unique))
      return .array(set.inOrder(of: elements))
    case (.array(let current), .array(let unchanged), .set(let stored)):
      let losses = CollectionLosses(unordered: unchanged, of: stored, unread: unread)
      return .array(elements(current, unchanged, losses))
    case (.array, _, .data): return current
    // A single value that was read as a collection of it.
    case (.array(let current), .array(let unchanged), _):
      let losses = CollectionLosses(unchanged, of: stored.alone, unread: unread)
      return .array(elements(current, unchanged, losses))
    case (.set, .set, _): return merged(current, unchanged: unchanged, stored: .set(stored.alone))
    default: return current
    }
  }

  /// The fields of a structure, and those that the program does not have.
  private func fields(
    _ current: [ArchiveValue.Field], _ unchanged: [ArchiveValue.Field], _ stored: [ArchiveValue.Field],
    _ converted: Set<ExactName>
  ) -> [ArchiveValue.Field] {
    let unknown = stored.indices.filter {
      current.partner(of: $0, in: stored) == nil && !converted.contains(ExactName(stored[$0].name))
    }
    let known = current.indices.compactMap { index -> ArchiveValue.Field? in
      guard let before = unchanged.partner(of: index, in: current) else { return current[index] }
      guard let other = stored.partner(of: index, in: current) else {
        // An unknown field may be this one under a newer name. It counts unless the program has set its own.
        return unknown.isEmpty || !before.value.isSame(as: current[index].value) ? current[index] : nil
      }
      return ArchiveValue.Field(
        name: current[index].name,
        value: merged(current[index].value, unchanged: before.value, stored: other.value))
    }
    return known + unknown.map { stored[$0] }
  }

  /// The elements, and after each those that followed it and were lost.
  private func elements(
    _ current: [ArchiveValue], _ unchanged: [ArchiveValue], _ losses: CollectionLosses?
  ) -> [ArchiveValue] {
    guard var losses else { return current }
    let changes = ElementChanges(from: unchanged, to: current)
    // What followed an element that is gone follows the one before it.
    var last = 0
    for index in unchanged.indices {
      if changes.isRemoved[index] {
        losses.behind[last] += losses.behind[index + 1]
      } else {
        last = index + 1
      }
    }
    var result = losses.behind[0]
    for (index, element) in current.enumerated() {
      guard let before = changes.before[index] else {
        result.append(element)
        continue
      }
      result.append(merged(element, unchanged: unchanged[before], stored: losses.stored[before]))
      result += losses.behind[before + 1]
    }
    return result
  }

  /// The entries, and those that were lost under keys that are free.
  private func entries(
    _ current: [ArchiveValue.Entry], _ unchanged: [ArchiveValue.Entry], _ stored: [ArchiveValue.Entry]
  ) -> [ArchiveValue.Entry] {
    guard
      let losses = CollectionLosses(
        unordered: unchanged.map(\.key), of: stored.map(\.key), unread: unread)
    else { return current }
    let values = Dictionary(stored.map { (ValueIdentity(value: $0.key), $0.value) }) { first, _ in first }
    var places: [ValueIdentity: Int] = [:]
    for (index, entry) in unchanged.enumerated() { places[ValueIdentity(value: entry.key)] = index }
    var keys = Set<ValueIdentity>()
    var entries = current.map { entry in
      guard let place = places[ValueIdentity(value: entry.key)],
        let other = values[ValueIdentity(value: losses.stored[place])]
      else {
        keys.insert(ValueIdentity(value: entry.key))
        return entry
      }
      let key = merged(entry.key, unchanged: unchanged[place].key, stored: losses.stored[place])
      keys.insert(ValueIdentity(value: key))
      return ArchiveValue.Entry(
        key: key, value: merged(entry.value, unchanged: unchanged[place].value, stored: other))
    }
    var completed = CompletedElements(unchanged.map(\.key), merge: self)
    for stored in losses.behind[0] {
      guard let value = values[ValueIdentity(value: stored)] else { continue }
      let key = completed.completed(stored)
      if keys.insert(ValueIdentity(value: key)).inserted { entries.append(.init(key: key, value: value)) }
    }
    return entries
  }
}

extension ArchiveValue {
  /// The elements of a collection that a reader makes of a single value.
  fileprivate var alone: [ArchiveValue] {
    switch self {
    case .null, .nestedNull, .reference(nil): []
    default: [self]
    }
  }

  /// The elements of a set: first those of an array, in its order.
  fileprivate func inOrder(of elements: [ArchiveValue]) -> [ArchiveValue] {
    guard case .set(let own) = self else { return [] }
    var places: [ValueIdentity: Int] = [:]
    for (index, element) in elements.enumerated() where places[ValueIdentity(value: element)] == nil {
      places[ValueIdentity(value: element)] = index
    }
    let order = own.enumerated().map { index, element in
      (element, places[ValueIdentity(value: element)] ?? elements.count + index)
    }
    return order.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension [ArchiveValue] {
  /// The elements without repetitions.
  fileprivate var unique: [ArchiveValue] {
    var known: Set<ValueIdentity> = []
    return filter { known.insert(ValueIdentity(value: $0)).inserted }
  }
}
