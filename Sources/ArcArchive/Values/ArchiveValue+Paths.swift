package import ArcFormat

// Conversions between the steps of paths (`ValuePath.Step`) and the steps in values (`ValueStep`).

extension ArchiveValue {
  /// Converts a step of a path to the step to a nested value of this value. Nil if the step selects no nested
  /// value.
  package func step(for step: ValuePath.Step) -> ValueStep? {
    if let entries { return entries.index(ofKey: step).map { .value($0, key: entries[$0].key) } }
    if let elementCount {
      guard case .index(let number) = step, let index = Int(exactly: number),
        (0..<elementCount).contains(index)
      else { return nil }
      return .element(index)
    }
    guard let name = step.name else { return nil }
    if let fields {
      let index = fields.index(ofField: name)
      return index.map { hasOnlyField ? .onlyField : .field($0, name: fields[$0].name) }
    }
    guard case .enumeration(_, let label, _?) = self, name.selects(label) else { return nil }
    return .payload(caseName: label)
  }
}

extension ValueStep {
  /// The corresponding steps in the notation of paths. Empty for a nested value for which paths have no step.
  package var pathSteps: [ValuePath.Step] {
    switch self {
    case .element(let index): [.element(index)]
    case .key(let index): .key(at: index)
    case .value(let index, let key): .value(key.keyStep, at: index)
    case .field(let index, let name): [.field(name, at: index)]
    case .onlyField: []
    case .payload(let name): [.name(name)]
    }
  }
}

extension ArchiveValue {
  /// The step of a path that selects a dictionary's value by this key. Nil if paths have no literal for the
  /// key.
  package var keyStep: ValuePath.Step? {
    switch self {
    case .string(let text): .key(.text(ValuePath.Name(text)))
    case .integer(let number): .index(number)
    case .bool(let flag): .key(.bool(flag))
    case .enumeration(_, let name, nil): .key(.enumerationCase(ValuePath.Name(name)))
    default: nil
    }
  }
}

extension [ArchiveValue.Entry] {
  /// Returns the index of the entry that a step of a path selects by its key. Nil if there is no such entry.
  package func index(ofKey step: ValuePath.Step) -> Int? {
    switch step {
    case .name: return nil
    case .index(let number): return firstIndex { $0.key == .integer(number) }
    case .key(.bool(let flag)): return firstIndex { $0.key == .bool(flag) }
    case .key(.text(let text)):
      func key(_ index: Int) -> String? { if case .string(let key) = self[index].key { key } else { nil } }
      // Swift dictionaries find a key also in another form of Unicode, such as one that a keyboard produces.
      return indices.first(named: text, key) ?? indices.first { key($0) == text.text }
    case .key(.enumerationCase(let name)):
      return indices.first(named: name) {
        if case .enumeration(_, let key, nil) = self[$0].key { key } else { nil }
      }
    }
  }
}

extension [ArchiveValue.Field] {
  /// Returns the index of the field that a step names. A field without a label is named by its index. Nil if
  /// there is no such field.
  package func index(ofField name: ValuePath.Name) -> Int? {
    indices.first(named: name) { self[$0].name.isEmpty ? "\($0)" : self[$0].name }
  }
}
