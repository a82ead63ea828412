import ArcFormat

/// Where a step of a key path leads in a value.
enum KeyPathTarget {
  /// A property of an object.
  case property(NamedProperty, of: any Archivable)
  /// A field of a structure.
  case field(any FieldAccess, name: String, StructureFields, of: Any)
  /// An entry of a collection.
  case entry(ValuePath.Step, of: any EntryContainer)
  /// All elements of a collection.
  case elements(of: any ElementContainer)

  /// Takes the step that comes next off a path, in the value at a place; in an object where there is none.
  private init(_ rest: inout KeyPathRest, in value: Any, at place: Self?) throws(KeyAccessError) {
    do throws(KeyAccessError) { self = try Self(&rest, in: value) } catch {
      throw error.className.isEmpty ? place?.located(error) ?? error : error
    }
  }

  private init(_ rest: inout KeyPathRest, in value: Any) throws(KeyAccessError) {
    if let object = value as? any Archivable, rest.awaitsKey {
      self = .property(try rest.takeProperty(of: NamedProperties.of(type(of: object))), of: object)
    } else if let container = value as? any EntryContainer, let entry = try rest.takeEntry(of: container) {
      self = .entry(entry, of: container)
    } else if let container = value as? any ElementContainer, rest.awaitsKey {
      self = .elements(of: container)
    } else if let value = value as? any ArchivableValue, let fields = StructureFields.of(type(of: value)),
      let name = try rest.takeKey()
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

  // MARK: Ways

  /// How many collections may be inside of each other on a path.
  private static let maximumDepth = 64
  /// How many elements a path may lead to: with each key it may be several times as many.
  private static let maximumCount = 1_000_000

  /// The value at the end of a path; nil where there is nil on the way.
  static func value(at path: KeyPathRest, from object: any Archivable) throws(KeyAccessError) -> Any? {
    var count = 0
    return try value(at: path, from: object, at: nil, depth: 0, &count)
  }

  private static func value(
    at path: KeyPathRest, from start: Any?, at startPlace: Self?, depth: Int, _ count: inout Int
  ) throws(KeyAccessError) -> Any? {
    try check(depth, path, &count)
    var (rest, current, former) = (path, start, startPlace)
    while !rest.isEnd {
      guard let value = current else { return nil }
      let place = try Self(&rest, in: value, at: former)
      defer { former = place }
      guard case .elements(let container) = place else {
        current = try place.value()
        continue
      }
      var values: [Any?] = []
      for element in container.elements {
        values.append(try Self.value(at: rest, from: element, at: former, depth: depth + 1, &count))
      }
      return values
    }
    return current
  }

  /// Sets what is at the end of a path to what `newValue` gives for the type that is there.
  static func change(
    _ object: any Archivable, at path: KeyPathRest, _ newValue: (Any.Type) throws(KeyAccessError) -> Any?
  ) throws(KeyAccessError) {
    var count = 0
    _ = try changed(object, at: path, at: nil, depth: 0, &count, newValue)
  }

  /// A value with another one at the end of a path; nil if objects inside took it.
  private static func changed(
    _ start: Any, at path: KeyPathRest, at startPlace: Self?, depth: Int, _ count: inout Int,
    _ newValue: (Any.Type) throws(KeyAccessError) -> Any?
  ) throws(KeyAccessError) -> Any? {
    try check(depth, path, &count)
    var (rest, value, former) = (path, start, startPlace)
    while true {
      let place = try Self(&rest, in: value, at: former)
      defer { former = place }
      if case .elements(let container) = place {
        return try container.changing { (element) throws(KeyAccessError) in
          guard let element else { return nil }
          return try changed(element, at: rest, at: former, depth: depth + 1, &count, newValue)
        }
      }
      if rest.isEnd { return try place.setting(toResultOf: newValue) }
      guard let inner = try place.value() else {
        throw place.located(
          KeyAccessError(
            .nilOnPath, found: "a key path that continues with '\(rest.shortText)' after the value nil"))
      }
      // Not by recursion: a path may lead through any number of objects.
      if inner is any Archivable {
        value = inner
        continue
      }
      guard let changed = try changed(inner, at: rest, at: place, depth: depth + 1, &count, newValue) else {
        return nil
      }
      return try place.setting(toResultOf: { (_) throws(KeyAccessError) in changed })
    }
  }

  private static func check(
    _ depth: Int, _ path: KeyPathRest, _ count: inout Int
  ) throws(KeyAccessError) {
    count += 1
    guard depth > maximumDepth || count > maximumCount else { return }
    throw KeyAccessError(
      .badPath,
      found: "a key path that reaches too many nested levels or elements before '\(path.shortText)'",
      expected: "at most \(maximumDepth) nested levels and \(maximumCount) elements")
  }

  // MARK: Values

  /// The type that values there have.
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

  /// What is around the place with another value there; nil for an object, which has it then.
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
