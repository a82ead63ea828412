import ArcFormat
package import ArcRuntime

// What a path leads to, as errors and `arcdump` print it.

extension ArchiveFile {
  /// The value at the end of a path such as `root.albums[3].cover`, as a column with attributes has it.
  ///
  /// Reads the objects on the way. Values of any type in a place of type `any P`, whose boxes errors do not
  /// print, are found as well.
  ///
  /// - Parameter path: the path. It begins with the name of a root; where the file has only one, it may be
  ///   left out.
  /// - Returns: the value, its type and marks of absent fields, and the index of the root if the path names
  ///   no more than it.
  /// - Throws: `missingRoot`, `missingKey` for a step that leads nowhere, `nilReference` for one from nil, or
  ///   what is wrong with a segment on the way.
  package func value(
    atPath path: String
  ) throws -> (value: ArchiveValue, attributes: PropertyAttributes, root: Int?) {
    var walk = PathWalk(path)
    let roots = try roots()
    let columns = classes[0].columns
    var value: ArchiveValue
    var type: TypeEncoding
    if let property = walk.take(oneOf: roots.properties) {
      let attributes = columns[property.columnIndex].attributes
      if walk.isAtEnd { return (property.value, attributes, property.columnIndex) }
      (value, type) = (property.value, try attributes.typeWithAbsentFields())
    } else if roots.properties.count == 1, let property = roots.properties.first {
      let attributes = columns[property.columnIndex].attributes
      (value, type) = (property.value, try attributes.typeWithAbsentFields())
    } else {
      let names = roots.properties.prefix(20).map { "'\($0.key)'" }.joined(separator: ", ")
      throw ArchiveError(
        .missingRoot, found: "the path '\(printable(path))' in a file with the roots \(names)",
        expected: "a path that begins with the name of a root")
    }
    while !walk.isAtEnd { try step(&walk, &value, &type) }
    // The only associated value of a case is no step.
    while case .structure(_, let fields) = value, fields.count == 1, fields[0].name.isEmpty,
      case .structure(_, let types?) = type, types.count == 1
    {
      (value, type) = types[0].value(of: fields[0].value)
    }
    return (value, try PropertyAttributes(typeWithAbsentFields: walk.defined(type)), nil)
  }

  /// Goes one step.
  private func step(_ walk: inout PathWalk, _ value: inout ArchiveValue, _ type: inout TypeEncoding) throws {
    while case .optional(let wrapped) = type, value != .null { type = wrapped }
    if case .weak(let target) = type { type = target }
    walk.define(&type)
    switch (value, type) {
    case (.null, _), (.nestedNull, _), (.reference(nil), _):
      throw walk.error(.nilReference, found: "the value nil")
    case (.reference(let id?), _):
      let object = try object(id)
      // A box is no step; what is in it is no box again.
      guard let property = walk.take(oneOf: object.properties) ?? walk.boxed(object) else {
        throw walk.error(
          .missingKey,
          found: "an object of class '\(printable(object.className))' without the next property of the path")
      }
      value = property.value
      type = try classes[object.classIndex].columns[property.columnIndex].attributes.typeWithAbsentFields()
      walk.leaveColumn()
    case (.array(let elements), .list(let element)), (.array(let elements), .set(let element)),
      (.set(let elements), .set(let element)), (.set(let elements), .list(let element)):
      guard let index = walk.takeIndex(below: elements.count) else {
        throw walk.error(.missingKey, found: "a collection of \(plural(elements.count, "element"))")
      }
      (value, type) = (elements[index], element)
    case (.dictionary(let entries), .dictionary(let key, let element)):
      try step(&walk, into: entries, key, element, &value, &type)
    case (.structure(_, let fields), .structure(_, let types?)):
      let isOnly = fields.count == 1 && fields[0].name.isEmpty
      let position = fields.indices.first {
        isOnly || walk.take(ObjectPath.step(toField: fields[$0].name, at: $0))
      }
      guard let position, types.indices.contains(position) else {
        throw walk.error(.missingKey, found: "a structure without the next field of the path")
      }
      (value, type) = types[position].value(of: fields[position].value)
    case (.enumeration(_, let name, let payload?), .enumeration(_, let cases?)):
      guard walk.take(ObjectPath.step(to: name)),
        let position = cases.firstIndex(where: { $0.name?.hasSameBytes(as: name) ?? false })
      else { throw walk.error(.missingKey, found: "an enumeration with the case '\(printable(name))'") }
      (value, type) = (payload, cases[position].type)
    default: throw walk.error(.missingKey, found: "a value without properties, fields or elements")
    }
  }

  private func step(
    _ walk: inout PathWalk, into entries: [ArchiveValue.Entry], _ keyType: TypeEncoding,
    _ valueType: TypeEncoding, _ value: inout ArchiveValue, _ type: inout TypeEncoding
  ) throws {
    for (position, entry) in entries.enumerated() {
      let isBoolean = if case .bool(let key) = entry.key { walk.take("[\(key)]") } else { false }
      if isBoolean || walk.take(ObjectPath.step(toValueFor: entry.key.keyText, at: position)) {
        (value, type) = (entry.value, valueType)
        return
      }
      if walk.take(ObjectPath.step(toKey: position)) {
        (value, type) = (entry.key, keyType)
        return
      }
    }
    throw walk.error(
      .missingKey,
      found: "a dictionary of \(plural(entries.count, "entry", "entries")) without the next key of the path")
  }
}

extension TypeEncoding.Field {
  /// The value of the field with its type. A field that is absent has nil.
  fileprivate func value(of stored: ArchiveValue) -> (ArchiveValue, TypeEncoding) {
    guard mayBeAbsent else { return (stored, type) }
    if let value = stored.unwrapped { return (value, type) }
    if case .optional = type { return (.null, type) }
    return (.null, .optional(type))
  }
}

/// A path that is gone along, step by step: a step is known by what errors print for it.
private struct PathWalk {
  private let path: String
  private let bytes: [UInt8]
  /// The number of bytes that were gone along.
  private var position = 0
  /// The last object was a box.
  private var isInBox = false
  /// The records around the value, by their names.
  private var definitions: [ExactName: TypeEncoding] = [:]

  init(_ path: String) {
    self.path = path
    bytes =
      path.utf8.first == UInt8(ascii: ".") || path.utf8.first == UInt8(ascii: "[")
      ? Array(path.utf8) : Array(".\(path)".utf8)
  }

  var isAtEnd: Bool { position == bytes.count }

  /// Takes a step if it is the next one.
  mutating func take(_ step: String) -> Bool {
    let end = position + step.utf8.count
    guard end <= bytes.count, bytes[position..<end].elementsEqual(step.utf8),
      end == bytes.count || bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: "[")
    else { return false }
    position = end
    return true
  }

  mutating func take(oneOf properties: [ArchiveObject.Property]) -> ArchiveObject.Property? {
    guard let property = properties.first(where: { take(ObjectPath.step(to: $0.key)) }) else { return nil }
    isInBox = false
    return property
  }

  /// The value of a box, which is not a step.
  mutating func boxed(_ object: ArchiveObject) -> ArchiveObject.Property? {
    guard !isInBox, object.properties.count == 1, object.properties[0].key == "value" else { return nil }
    isInBox = true
    return object.properties[0]
  }

  /// Takes an index in brackets.
  mutating func takeIndex(below count: Int) -> Int? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "["),
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")),
      let index = Int(String(decoding: bytes[position + 1..<end], as: UTF8.self)),
      (0..<count).contains(index), take("[\(index)]")
    else { return nil }
    return index
  }

  // MARK: Types

  /// Says that another column begins: no record is around its values.
  mutating func leaveColumn() { definitions = [:] }

  /// Has a mention of an enclosing record be the record, and remembers one that has its members.
  mutating func define(_ type: inout TypeEncoding) {
    switch type {
    case .structure(let name, nil): type = definitions[ExactName("{" + name)] ?? type
    case .enumeration(let name, nil): type = definitions[ExactName("(" + name)] ?? type
    case .structure(let name, _): definitions[ExactName("{" + name)] = type
    case .enumeration(let name, _): definitions[ExactName("(" + name)] = type
    default: break
    }
  }

  /// A type that may mention enclosing records, as one that stands alone.
  func defined(_ type: TypeEncoding) -> TypeEncoding {
    switch type {
    case .structure(let name, nil): definitions[ExactName("{" + name)] ?? type
    case .enumeration(let name, nil): definitions[ExactName("(" + name)] ?? type
    case .optional(let wrapped): .optional(defined(wrapped))
    case .list(let element): .list(defined(element))
    case .set(let element): .set(defined(element))
    case .dictionary(let key, let value): .dictionary(key: defined(key), value: defined(value))
    case .weak(let target): target
    default: type
    }
  }

  func error(_ code: ArchiveError.Code, found: String) -> ArchiveError {
    let done = String(decoding: bytes[..<position], as: UTF8.self).drop { $0 == "." }
    let place = done.isEmpty ? "the root" : "'\(printable(String(done)))'"
    let rest = printable(String(decoding: bytes[position...], as: UTF8.self))
    return ArchiveError(
      code, found: "\(found) at \(place), where the path '\(printable(path))' continues with '\(rest)'",
      expected: "a path such as 'root.children[3].name' whose steps all exist")
  }
}
