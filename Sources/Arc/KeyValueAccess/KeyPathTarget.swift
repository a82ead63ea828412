import ArcFormat

/// The part of a value that a step of a key path selects: a property, a field, an entry or all elements.
enum KeyPathTarget {
  /// A property of an object.
  case property(NamedProperty, of: any Archivable)
  /// A field of a structure.
  case field(any FieldAccess, name: String, StructureFields, of: Any)
  /// An entry of a collection.
  case entry(ValuePath.Step, of: any EntryContainer)
  /// All elements of a collection.
  case elements(of: any ElementContainer)

  /// Parses the next step of a path. The step selects a part of `value`. `target` is the target of the
  /// previous step, which has this value; nil if `value` is the object at the start of the path.
  private init(_ rest: inout KeyPathScanner, in value: Any, within target: Self?) throws(KeyAccessError) {
    do throws(KeyAccessError) { self = try Self(&rest, in: value) } catch {
      throw error.className.isEmpty ? target?.located(error) ?? error : error
    }
  }

  private init(_ rest: inout KeyPathScanner, in value: Any) throws(KeyAccessError) {
    if let object = value as? any Archivable, rest.awaitsKey {
      self = .property(try rest.parseProperty(of: NamedProperties.of(type(of: object))), of: object)
    } else if let container = value as? any EntryContainer, let entry = try rest.parseEntry(of: container) {
      self = .entry(entry, of: container)
    } else if let container = value as? any ElementContainer, rest.awaitsKey {
      self = .elements(of: container)
    } else if let value = value as? any ArchivableValue, let fields = StructureFields.of(type(of: value)),
      let name = try rest.parseKey()
    {
      self = .field(try fields.field(name), name: name, fields, of: value)
    } else {
      let isIndex = rest.isAtBracket
      throw KeyAccessError(
        .hasNoKeys,
        found: "a key path that continues with '\(rest.shortText)' after a value of type "
          + "'\(type(of: value))', which has no \(isIndex ? "indices" : "keys")",
        expected: "a key path that continues with '\(rest.shortText)' after "
          + (isIndex ? "an array or a dictionary" : "an object, a structure or a collection"))
    }
  }

  // MARK: Paths

  /// The maximum number of nested collections on a path.
  private static let maximumDepth = 64
  /// The maximum number of elements that a path may reach. Each key can multiply the number.
  private static let maximumCount = 1_000_000

  /// Returns the value at the end of a path. Nil if a value on the path is nil.
  static func value(at path: KeyPathScanner, from object: any Archivable) throws(KeyAccessError) -> Any? {
    var count = 0
    return try value(at: path, from: object, at: nil, depth: 0, &count)
  }

  private static func value(
    at path: KeyPathScanner, from start: Any?, at startTarget: Self?, depth: Int, _ count: inout Int
  ) throws(KeyAccessError) -> Any? {
    try check(depth, path, &count)
    var (rest, current, previous) = (path, start, startTarget)
    while !rest.isEnd {
      guard let value = current else { return nil }
      let target = try Self(&rest, in: value, within: previous)
      defer { previous = target }
      guard case .elements(let container) = target else {
        current = try target.value()
        continue
      }
      var values: [Any?] = []
      for element in container.elements {
        values.append(try Self.value(at: rest, from: element, at: previous, depth: depth + 1, &count))
      }
      return values
    }
    return current
  }

  /// Sets the value at the end of a path. `newValue` gets the declared type of the value at the end of the
  /// path, and returns the value to set.
  static func change(
    _ object: any Archivable, at path: KeyPathScanner, _ newValue: (Any.Type) throws(KeyAccessError) -> Any?
  ) throws(KeyAccessError) {
    var count = 0
    _ = try changed(object, at: path, at: nil, depth: 0, &count, newValue)
  }

  /// Returns a copy of a value in which the value at the end of a path is replaced. Nil if no copy is needed,
  /// because the change was made directly in an object on the path.
  private static func changed(
    _ start: Any, at path: KeyPathScanner, at startTarget: Self?, depth: Int, _ count: inout Int,
    _ newValue: (Any.Type) throws(KeyAccessError) -> Any?
  ) throws(KeyAccessError) -> Any? {
    try check(depth, path, &count)
    var (rest, value, previous) = (path, start, startTarget)
    while true {
      let target = try Self(&rest, in: value, within: previous)
      defer { previous = target }
      if case .elements(let container) = target {
        return try container.changing { (element) throws(KeyAccessError) in
          guard let element else { return nil }
          return try changed(element, at: rest, at: previous, depth: depth + 1, &count, newValue)
        }
      }
      if rest.isEnd { return try target.setting(toResultOf: newValue) }
      guard let inner = try target.value() else {
        throw target.located(
          KeyAccessError(
            .nilOnPath, found: "a key path that continues with '\(rest.shortText)' after the value nil"))
      }
      // A loop instead of recursion, because a path may contain any number of objects.
      if inner is any Archivable {
        value = inner
        continue
      }
      guard let changed = try changed(inner, at: rest, at: target, depth: depth + 1, &count, newValue) else {
        return nil
      }
      return try target.setting(toResultOf: { (_) throws(KeyAccessError) in changed })
    }
  }

  private static func check(
    _ depth: Int, _ path: KeyPathScanner, _ count: inout Int
  ) throws(KeyAccessError) {
    count += 1
    guard depth > maximumDepth || count > maximumCount else { return }
    throw KeyAccessError(
      .badPath,
      found: "a key path that reaches too many nested levels or elements before '\(path.shortText)'",
      expected: "at most \(maximumDepth) nested levels and \(maximumCount) elements")
  }

  // MARK: Values

  /// The type of the values at the target.
  private var valueType: Any.Type {
    switch self {
    case .property(let property, _): property.property.access.valueType
    case .field(let field, _, _, _): field.valueType
    case .entry(_, let container): type(of: container).entryType
    case .elements: Never.self
    }
  }

  private func value() throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      switch self {
      case .property(let property, let object): return try property.value(of: object)
      case .field(let field, _, _, let structure): return try field.value(of: structure)
      case .entry(let entry, let container): return try container.value(of: entry)
      case .elements: return nil
      }
    } catch {
      throw located(error)
    }
  }

  /// Replaces the value at this target. If the target is a part of a structure or collection, returns a copy
  /// that contains the new value. If the target is a property of an object, sets the property and returns
  /// nil.
  private func setting(
    toResultOf newValue: (Any.Type) throws(KeyAccessError) -> Any?
  ) throws(KeyAccessError) -> Any? {
    do throws(KeyAccessError) {
      let value = try newValue(valueType)
      switch self {
      case .property(let property, let object):
        try property.set(value, of: object)
        return nil
      case .field(let field, _, _, let structure): return try field.setting(value, of: structure)
      case .entry(let entry, let container): return try container.setting(value, of: entry)
      case .elements: return nil
      }
    } catch {
      throw located(error)
    }
  }

  private func located(_ error: KeyAccessError) -> KeyAccessError {
    switch self {
    case .property(let property, _): error.located(className: property.className, key: property.property.name)
    case .field(_, let name, let fields, _): error.located(className: fields.typeName, key: name)
    case .entry(let entry, let container):
      error.located(className: "\(type(of: container))", key: entry.text)
    case .elements(let container): error.located(className: "\(type(of: container))", key: "")
    }
  }
}
