import ArcArchive
import ArcFormat

extension ValuePath.Step {
  /// Converts a negative index, which counts from the end, to the index from the start of the collection
  /// `value`. Returns any other step unchanged.
  func counted(from value: ArchiveValue) -> ValuePath.Step {
    guard case .index(let number) = self, number < 0, value.elements != nil, let count = value.elementCount
    else {
      return self
    }
    return .index(number + Int128(count))
  }

  /// Returns the words of an error for a step that selects no value. `found` describes what `value` contains.
  /// `expected` describes what the step requires.
  func wordsIfMissing(in value: ArchiveValue) -> (found: String, expected: String?) {
    guard let name else {
      if let entries = value.entries {
        return ("a dictionary of \(plural(entries.count, "entry", "entries"))", words(isKey: true))
      }
      if let elements = value.elements {
        return ("a collection of \(plural(elements.count, "element"))", words())
      }
      return (value.nilInWords ?? "a value without elements", "a collection with \(words())")
    }
    if let fields = value.fields {
      let labels = fields.enumerated().map { $1.name.isEmpty ? "\($0)" : $1.name }
      return (
        "a value without the field '\(name.text)'", "a field of the value: \(QueryError.choice(labels))"
      )
    }
    if case .enumeration(_, let label, let payload) = value {
      let rest = payload == nil ? " without associated values" : ""
      return ("the case '\(label)'\(rest)", "the case '\(name.text)'")
    }
    return (
      value.nilInWords ?? "a value without properties, fields or elements", "a value with '\(name.text)'"
    )
  }

  /// Returns the name of the value that the step selects, for an error message: "an element with index 3".
  private func words(isKey: Bool = false) -> String {
    switch self {
    case .name(let name): "'\(name.text)'"
    case .index(let index): isKey ? "an entry with the key \(index)" : "an element with index \(index)"
    case .key(.text(let text)): "an entry with the key '\(text.text)'"
    case .key(.bool(let flag)): "an entry with the key \(flag)"
    case .key(.enumerationCase(let name)): "an entry with the key .\(name.text)"
    }
  }
}

extension ArchiveValue {
  fileprivate var nilInWords: String? { isNil ? "nil" : Optional.none }
}
