// Values are compared and hashed without recursion, because values may be nested `ArchiveLimits.nesting`
// levels deep, and the stack may be small.

extension ArchiveValue {
  /// Returns whether two values have the same case and equal nested values in the same order. The order of
  /// the elements of sets and dictionaries is compared too.
  ///
  /// - Complexity: O(number of nested values).
  public static func == (left: ArchiveValue, right: ArchiveValue) -> Bool {
    var pending: [(ArchiveValue, ArchiveValue)] = []
    var next: (ArchiveValue, ArchiveValue)? = (left, right)
    while let (left, right) = next {
      switch (left, right) {
      case (.null, .null): break
      case (.nestedNull(let one), .nestedNull(let two)): if one != two { return false }
      case (.bool(let one), .bool(let two)): if one != two { return false }
      case (.integer(let one), .integer(let two)): if one != two { return false }
      case (.unsigned(let one), .unsigned(let two)): if one != two { return false }
      case (.float(let one), .float(let two)): if one != two { return false }
      case (.double(let one), .double(let two)), (.date(let one), .date(let two)):
        if one != two { return false }
      case (.string(let one), .string(let two)), (.decimal(let one), .decimal(let two)):
        if one != two { return false }
      case (.data(let one), .data(let two)), (.uuid(let one), .uuid(let two)): if one != two { return false }
      case (.url(let one, let base), .url(let two, let other)):
        if one != two || base != other { return false }
      case (.reference(let one), .reference(let two)): if one != two { return false }
      case (.array(let one), .array(let two)), (.set(let one), .set(let two)):
        guard one.count == two.count else { return false }
        pending += zip(one, two)
      case (.dictionary(let one), .dictionary(let two)):
        guard one.count == two.count else { return false }
        for (entry, other) in zip(one, two) {
          pending.append((entry.key, other.key))
          pending.append((entry.value, other.value))
        }
      case (.structure(let name, let one), .structure(let other, let two)):
        guard name == other, one.count == two.count else { return false }
        for (field, other) in zip(one, two) {
          guard field.name == other.name else { return false }
          pending.append((field.value, other.value))
        }
      case (.enumeration(let name, let label, let one), .enumeration(let other, let otherLabel, let two)):
        guard name == other, label == otherLabel else { return false }
        switch (one, two) {
        case (nil, nil): break
        case (let one?, let two?): pending.append((one, two))
        default: return false
        }
      default: return false
      }
      next = pending.popLast()
    }
    return true
  }

  /// Hashes the value and all nested values, in their order.
  public func hash(into hasher: inout Hasher) {
    var pending: [ArchiveValue] = []
    var next: ArchiveValue? = self
    while let value = next {
      switch value {
      case .null: hasher.combine(0)
      case .nestedNull(let depth):
        hasher.combine(3)
        hasher.combine(depth)
      case .bool(let value): hasher.combine(value)
      case .integer(let value): hasher.combine(value)
      case .unsigned(let value): hasher.combine(value)
      case .float(let value): hasher.combine(value)
      case .double(let value): hasher.combine(value)
      case .string(let text): hasher.combine(text)
      case .data(let bytes), .uuid(let bytes): hasher.combine(bytes)
      case .date(let seconds):
        hasher.combine(1)
        hasher.combine(seconds)
      case .decimal(let text):
        hasher.combine(2)
        hasher.combine(text)
      case .url(let text, let base):
        hasher.combine(text)
        hasher.combine(base)
      case .reference(let id): hasher.combine(id)
      case .array(let elements):
        hasher.combine(elements.count)
        pending += elements
      case .set(let elements):
        hasher.combine(elements.count)
        pending += elements
      case .dictionary(let entries):
        hasher.combine(entries.count)
        for entry in entries {
          pending.append(entry.key)
          pending.append(entry.value)
        }
      case .structure(let name, let fields):
        hasher.combine(name)
        hasher.combine(fields.count)
        for field in fields {
          hasher.combine(field.name)
          pending.append(field.value)
        }
      case .enumeration(let name, let label, let payload):
        hasher.combine(name)
        hasher.combine(label)
        if let payload { pending.append(payload) }
      }
      next = pending.popLast()
    }
  }
}
