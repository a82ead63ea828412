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
  /// Whether parts that the program converted without loss are of its types from now on, because no type has
  /// both. Otherwise they stay as they are in the archive unless the program changed them.
  var keepsConverted = false

  /// The value as the program changed it, with what was lost when it was read.
  ///
  /// Recursive over the value, as deep as values nest.
  func merged(
    _ current: ArchiveValue, unchanged: ArchiveValue, stored: ArchiveValue
  ) -> ArchiveValue {
    if unchanged.isSame(as: stored) { return current }
    if let tree = current.mergedTree(unchanged: unchanged, stored: stored, by: self) { return tree }
    switch (current, unchanged, stored) {
    case (.structure(let name, let fields), .structure(_, let before), .structure(_, let others)):
      // Where the program read nothing of a value and has another one now, that is all of it.
      let converted = convertedFields[ExactName(name)] ?? []
      let sharesFields =
        fields.indices.contains { others.partner(of: $0, in: fields) != nil }
        || others.contains { converted.contains(ExactName($0.name)) }
      if !sharesFields, !current.isSame(as: unchanged) { return current }
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
    default:
      let isConverted = keepsConverted && current.hasAll(of: stored, convertedFields: convertedFields)
      return current.isSame(as: unchanged) && !isConverted ? stored : current
    }
  }

  /// The fields of a structure, and those that the program does not have.
  private func fields(
    _ current: [ArchiveValue.Field], _ unchanged: [ArchiveValue.Field], _ stored: [ArchiveValue.Field],
    _ converted: Set<ExactName>
  ) -> [ArchiveValue.Field] {
    let known = current.indices.map { index in
      guard let before = unchanged.partner(of: index, in: current),
        let other = stored.partner(of: index, in: current)
      else { return current[index] }
      return ArchiveValue.Field(
        name: current[index].name,
        value: merged(current[index].value, unchanged: before.value, stored: other.value))
    }
    let unknown = stored.indices.filter {
      current.partner(of: $0, in: stored) == nil && !converted.contains(ExactName(stored[$0].name))
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
