// This file contains the only code that determines the values nested directly in a value. All code that
// finds, compares, checks or rewrites values uses it.

extension ArchiveValue {
  /// The values nested directly in a value, in order, each with the step to it. Iteration copies no
  /// collection.
  package struct Children: Sequence, IteratorProtocol {
    /// The order of keys and values of a dictionary's entries in the sequence.
    package enum Keys {
      /// Each key precedes its value.
      case first
      /// Each key follows its value.
      case last
      /// The keys are omitted.
      case none
    }

    private let parent: ArchiveValue
    private let keys: Keys
    private var position = 0

    fileprivate init(_ parent: ArchiveValue, _ keys: Keys) { (self.parent, self.keys) = (parent, keys) }

    /// Returns the next value. Nil after the last value.
    package mutating func next() -> (step: ValueStep, value: ArchiveValue)? {
      defer { position += 1 }
      return self[position]
    }

    /// The value at a position in the sequence. Nil after the last value.
    subscript(position: Int) -> (step: ValueStep, value: ArchiveValue)? {
      switch parent {
      case .array(let elements), .set(let elements):
        return position < elements.count ? (.element(position), elements[position]) : nil
      case .dictionary(let entries):
        let index = keys == .none ? position : position / 2
        guard index < entries.count else { return nil }
        let isKey = keys == .first && position % 2 == 0 || keys == .last && position % 2 == 1
        let entry = entries[index]
        return isKey ? (.key(index), entry.key) : (.value(index, key: entry.key), entry.value)
      case .structure(_, let fields):
        guard position < fields.count else { return nil }
        let field = fields[position]
        return (parent.hasOnlyField ? .onlyField : .field(position, name: field.name), field.value)
      case .enumeration(_, let name, let payload?):
        return position == 0 ? (.payload(caseName: name), payload) : nil
      default: return nil
      }
    }
  }

  /// The values nested directly in the value, in order. Each key of a dictionary precedes its value.
  package var children: Children { Children(self, .first) }

  /// Returns the values nested directly in the value. `keys` determines the order of a dictionary's keys and
  /// values, or omits the keys.
  package func children(keys: Children.Keys) -> Children { Children(self, keys) }

  /// Returns the value with each directly nested value replaced.
  ///
  /// - Parameter transform: Returns the new value for a nested value. `Optional.none` omits the element, the
  ///   entry, the field or the associated values. A literal `nil` would be `ArchiveValue.null`.
  /// - Returns: A value of the same kind. A value without nested values is returned unchanged.
  /// - Throws: The errors of `transform`.
  /// - Complexity: O(directly nested values).
  package func mapChildren<Failure: Error>(
    _ transform: (ValueStep, ArchiveValue) throws(Failure) -> ArchiveValue?
  ) throws(Failure) -> ArchiveValue {
    switch self {
    case .array(let elements): return .array(try Self.map(elements, transform))
    case .set(let elements): return .set(try Self.map(elements, transform))
    case .dictionary(let entries):
      var new: [Entry] = []
      new.reserveCapacity(entries.count)
      for (index, entry) in entries.enumerated() {
        guard let key = try transform(.key(index), entry.key),
          let value = try transform(.value(index, key: entry.key), entry.value)
        else { continue }
        new.append(Entry(key: key, value: value))
      }
      return .dictionary(new)
    case .structure(let name, let fields):
      var new: [Field] = []
      new.reserveCapacity(fields.count)
      for (field, (step, child)) in zip(fields, children) {
        if let value = try transform(step, child) { new.append(Field(name: field.name, value: value)) }
      }
      return .structure(name: name, fields: new)
    case .enumeration(let name, let label, let payload?):
      return .enumeration(
        name: name, case: label, payload: try transform(.payload(caseName: label), payload))
    default: return self
    }
  }

  private static func map<Failure: Error>(
    _ elements: [ArchiveValue], _ transform: (ValueStep, ArchiveValue) throws(Failure) -> ArchiveValue?
  ) throws(Failure) -> [ArchiveValue] {
    var new: [ArchiveValue] = []
    new.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      if let value = try transform(.element(index), element) { new.append(value) }
    }
    return new
  }

  // MARK: Kinds

  /// The kind of a value that may contain other values. Nil for other values.
  package var containerKind: ColumnKind? {
    switch self {
    case .array: .array
    case .set: .set
    case .dictionary: .dictionary
    case .structure: .structure
    case .enumeration: .enumeration
    default: nil
    }
  }

  /// Whether the value is the payload of an enumeration case whose only associated value has no label. Paths
  /// have no step for this associated value.
  package var hasOnlyField: Bool {
    guard case .structure(let name, let fields) = self else { return false }
    return fields.count == 1 && fields[0].name.isEmpty && name == "?"
  }

  /// The number of elements of an array or set, or of entries of a dictionary. Nil for other values.
  package var elementCount: Int? {
    switch self {
    case .array(let elements), .set(let elements): elements.count
    case .dictionary(let entries): entries.count
    default: nil
    }
  }

  /// Whether the value is nil, an optional that contains nil, or a nil reference.
  package var isNil: Bool {
    switch self {
    case .null, .nestedNull, .reference(nil): true
    default: false
    }
  }

  /// The number of directly nested values: elements, entries or fields. The associated values of a case count
  /// as one value.
  package var childCount: Int {
    switch self {
    case .enumeration(_, _, let payload): payload == nil ? 0 : 1
    default: fields?.count ?? elementCount ?? 0
    }
  }

  /// The coded name of the type of a structure or an enumeration. Nil for other values.
  package var typeName: String? {
    switch self {
    case .structure(let name, _), .enumeration(let name, _, _): name
    default: nil
    }
  }

  /// The entries of a dictionary. Nil for other values.
  package var entries: [Entry]? {
    if case .dictionary(let entries) = self { entries } else { nil }
  }

  /// The fields of a structure. Nil for other values.
  package var fields: [Field]? {
    if case .structure(_, let fields) = self { fields } else { nil }
  }

  /// The elements of a set, or the keys of a dictionary. Nil for other values.
  var keys: [ArchiveValue]? {
    switch self {
    case .set(let elements): elements
    case .dictionary(let entries): entries.map(\.key)
    default: nil
    }
  }
}
