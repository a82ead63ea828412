import ArcRuntime

/// Merges the changes of a program to a value with the parts of the stored value that the program does not
/// know.
///
/// Three values are compared: the stored value, the value that the program read from it, and the current
/// value of the program. Parts of the stored value that the program did not read are added to the current
/// value.
struct ValueMerge {
  /// The older fields that the program converts to fields of its structures.
  let convertedFields: ConvertedFields
  /// The objects that the program did not read.
  let unread: UnreadObjects

  /// Returns the current value, extended by the parts of the stored value that were lost when the program
  /// read it. If the program read a part as another type and did not change it, the stored part replaces this
  /// part.
  ///
  /// The three values may have different kinds, because a reader converts some kinds, and each combination
  /// has its own rule. Recursive over the value, whose nesting is limited.
  func merged(
    _ current: ArchiveValue, unchanged: ArchiveValue, stored: ArchiveValue
  ) -> ArchiveValue {
    if unchanged.isSame(as: stored) { return current }
    if let tree = current.mergedTree(unchanged: unchanged, stored: stored, by: self) { return tree }
    switch (current, unchanged, stored) {
    case (.structure(let name, let fields), .structure, .structure(_, let others)):
      guard let before = ChildPairs(current, unchanged), let origins = ChildPairs(current, stored) else {
        return current
      }
      return .structure(name: name, fields: self.fields(fields, before, others, origins, of: name))
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
      losses?.lost[0].removeAll { known.contains(ValueIdentity(value: $0)) }
      var elements = CompletedElements(unchanged, merge: self)
      if let lost = losses?.lost[0] { losses?.lost[0] = lost.map { elements.completed($0) } }
      return .set(self.elements(current, unchanged, losses))
    case (.dictionary(let entries), .dictionary(let before), .dictionary(let others)):
      guard let pairs = ChildPairs(current, unchanged) else { return current }
      return .dictionary(self.entries(entries, before, pairs, others))
    case _ where current.isSame(as: unchanged): return stored
    case (.set, .set, .array(let elements)):
      let set = merged(current, unchanged: unchanged, stored: .set(elements.unique))
      return .array(set.inOrder(of: elements))
    case (.array(let current), .array(let unchanged), .set(let stored)):
      let losses = CollectionLosses(unordered: unchanged, of: stored, unread: unread)
      return .array(elements(current, unchanged, losses))
    case (.array, _, .data): return current
    // The single stored value was read as a collection.
    case (.array(let current), .array(let unchanged), _):
      let losses = CollectionLosses(unchanged, of: stored.alone, unread: unread)
      return .array(elements(current, unchanged, losses))
    case (.set, .set, _): return merged(current, unchanged: unchanged, stored: .set(stored.alone))
    default: return current
    }
  }

  /// Returns the merged fields of a structure, followed by the stored fields that the program does not have.
  private func fields(
    _ current: [ArchiveValue.Field], _ unchanged: ChildPairs, _ stored: [ArchiveValue.Field],
    _ origins: ChildPairs, of name: String
  ) -> [ArchiveValue.Field] {
    let converted = convertedFields.keys(of: name)
    let unknown = origins.onlyInSecond.filter { !converted.contains(ExactName(stored[$0].name)) }
    let known = current.indices.compactMap { index -> ArchiveValue.Field? in
      let field = current[index]
      guard let before = unchanged[index] else { return field }
      guard let other = origins[index] else {
        // An unknown field may be this field under a newer name. Its value is preferred unless the program
        // has changed this field, or has converted it from fields that it does not write.
        let older = convertedFields.keys(of: name, convertedTo: field.name)
        let isConverted = !older.isEmpty && stored.contains { older.contains(ExactName($0.name)) }
        return unknown.isEmpty || isConverted || !before.isSame(as: field.value) ? field : nil
      }
      return ArchiveValue.Field(
        name: field.name, value: merged(field.value, unchanged: before, stored: other))
    }
    return known + unknown.map { stored[$0] }
  }

  /// Returns the merged elements of an array. If lost elements followed an element in the stored array, they
  /// also follow this element in the result.
  private func elements(
    _ current: [ArchiveValue], _ unchanged: [ArchiveValue], _ losses: CollectionLosses?
  ) -> [ArchiveValue] {
    guard var losses else { return current }
    let changes = ElementChanges(from: unchanged, to: current)
    // Lost elements that followed a removed element follow the element before it.
    var last = 0
    for index in unchanged.indices {
      if changes.isRemoved[index] {
        losses.lost[last] += losses.lost[index + 1]
      } else {
        last = index + 1
      }
    }
    var result = losses.lost[0]
    for (index, element) in current.enumerated() {
      guard let before = changes.before[index] else {
        result.append(element)
        continue
      }
      result.append(merged(element, unchanged: unchanged[before], stored: losses.stored[before]))
      result += losses.lost[before + 1]
    }
    return result
  }

  /// Returns the merged entries, followed by the lost entries. A lost entry is omitted if the program added
  /// an entry with an equal key.
  private func entries(
    _ current: [ArchiveValue.Entry], _ unchanged: [ArchiveValue.Entry], _ pairs: ChildPairs,
    _ stored: [ArchiveValue.Entry]
  ) -> [ArchiveValue.Entry] {
    guard
      let losses = CollectionLosses(
        unordered: unchanged.map(\.key), of: stored.map(\.key), unread: unread)
    else { return current }
    let values = Dictionary(stored.map { (ValueIdentity(value: $0.key), $0.value) }) { first, _ in first }
    var keys = Set<ValueIdentity>()
    var entries = current.enumerated().map { index, entry in
      guard let before = pairs.partner(of: index),
        let other = values[ValueIdentity(value: losses.stored[before])]
      else {
        keys.insert(ValueIdentity(value: entry.key))
        return entry
      }
      let key = merged(entry.key, unchanged: unchanged[before].key, stored: losses.stored[before])
      keys.insert(ValueIdentity(value: key))
      return ArchiveValue.Entry(
        key: key, value: merged(entry.value, unchanged: unchanged[before].value, stored: other))
    }
    var completed = CompletedElements(unchanged.map(\.key), merge: self)
    for stored in losses.lost[0] {
      guard let value = values[ValueIdentity(value: stored)] else { continue }
      let key = completed.completed(stored)
      if keys.insert(ValueIdentity(value: key)).inserted { entries.append(.init(key: key, value: value)) }
    }
    return entries
  }
}

extension ArchiveValue {
  /// The elements of the collection that a reader creates from a single value: no element for nil, otherwise
  /// the value.
  fileprivate var alone: [ArchiveValue] {
    switch self {
    case .null, .nestedNull, .reference(nil): []
    default: [self]
    }
  }

  /// Returns the elements of a set. Elements that are also in the array `elements` are first, in the array's
  /// order.
  fileprivate func inOrder(of elements: [ArchiveValue]) -> [ArchiveValue] {
    guard case .set(let own) = self else { return [] }
    var indices: [ValueIdentity: Int] = [:]
    for (index, element) in elements.enumerated() where indices[ValueIdentity(value: element)] == nil {
      indices[ValueIdentity(value: element)] = index
    }
    let order = own.enumerated().map { index, element in
      (element, indices[ValueIdentity(value: element)] ?? elements.count + index)
    }
    return order.sorted { $0.1 < $1.1 }.map(\.0)
  }
}

extension [ArchiveValue] {
  /// The elements without duplicates.
  fileprivate var unique: [ArchiveValue] {
    var known: Set<ValueIdentity> = []
    return filter { known.insert(ValueIdentity(value: $0)).inserted }
  }
}
