package import ArcFormat

// The steps of paths in values.

extension ValueStep {
  /// The steps of a path to the value. Empty if paths have no step for the value.
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
  /// The step to the value for this key; nil if the key has no literal in paths.
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
  /// The index of the entry whose key a step contains; nil if there is none.
  package func index(ofKey step: ValuePath.Step) -> Int? {
    switch step {
    case .name: return nil
    case .index(let number): return firstIndex { $0.key == .integer(number) }
    case .key(.bool(let flag)): return firstIndex { $0.key == .bool(flag) }
    case .key(.text(let text)):
      return indices.first(named: text) { if case .string(let key) = self[$0].key { key } else { nil } }
    case .key(.enumerationCase(let name)):
      return indices.first(named: name) {
        if case .enumeration(_, let key, nil) = self[$0].key { key } else { nil }
      }
    }
  }
}

extension [ArchiveValue.Field] {
  /// The index of the field that a step names; nil if there is none.
  package func index(ofField name: ValuePath.Name) -> Int? {
    indices.first(named: name) { self[$0].name.isEmpty ? "\($0)" : self[$0].name }
  }
}
