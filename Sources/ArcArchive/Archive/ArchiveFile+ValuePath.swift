import ArcFormat
package import ArcRuntime

// Reads values at paths, in the notation in which errors and `arcdump` print them.

extension ArchiveFile {
  /// Returns the value at a path such as `root.albums[3].cover`, with the attributes of a column for the
  /// value.
  ///
  /// Reads the objects on the path. A path may omit the boxes of values of type `any P`, as in errors.
  ///
  /// - Parameter path: the path. It begins with the name of a root, which it may omit if the file has only
  ///   one root, or with the number of an object.
  /// - Returns: the value; attributes with its type and the marks of absent fields; and the index of the root
  ///   if the path consists only of the name of a root.
  /// - Throws: `missingRoot`; `missingKey` if the path is malformed or a step does not exist; `nilReference`
  ///   if a step starts at nil; or the code of the damage if a segment on the path is damaged.
  package func value(
    atPath path: String
  ) throws -> (value: ArchiveValue, attributes: PropertyAttributes, root: Int?) {
    let parsed: ValuePath
    do throws(ValuePath.SyntaxError) { parsed = try ValuePath(parsing: path) } catch {
      throw ArchiveError(.missingKey, found: error.found, expected: error.expected)
    }
    var walk = PathWalk(parsed, text: path, in: self)
    let root = try walk.begin()
    if let root, walk.isAtEnd {
      return (walk.value, classes[0].columns[root].attributes, root)
    }
    while !walk.isAtEnd { try walk.step() }
    walk.enterOnlyAssociatedValue()
    return (walk.value, try PropertyAttributes(typeWithAbsentFields: walk.definedType), nil)
  }
}

/// A position on a path: the value there, its type and the steps that follow.
private struct PathWalk {
  private(set) var value = ArchiveValue.null
  private var type = TypeEncoding.object(className: nil, protocols: [])
  private let file: ArchiveFile
  private let text: String
  private var path: ValuePath
  /// The number of steps from the start of the path to the value.
  private var stepCount = 0
  /// Whether the last step entered the value of a box.
  private var isInBox = false
  /// The structures and enumerations that contain the value, by a key that distinguishes the two kinds.
  private var definitions: [ExactName: TypeEncoding] = [:]

  init(_ path: ValuePath, text: String, in file: ArchiveFile) {
    (self.path, self.text, self.file) = (path, text, file)
  }

  var isAtEnd: Bool { stepCount == path.steps.count }

  private var nextStep: ValuePath.Step { path.steps[stepCount] }

  /// Moves to the start of the path. Returns the index of the root if the path names the root.
  mutating func begin() throws -> Int? {
    if case .object(let id) = path.start {
      (value, type) = (.reference(id), .object(className: try file.object(id).className, protocols: []))
      return nil
    }
    let roots = try file.roots().properties
    let named: ArchiveObject.Property?
    if case .root(let name) = path.start { named = roots.first(named: name) { $0.key } } else { named = nil }
    guard let property = named ?? (roots.count == 1 ? roots.first : nil) else {
      let names = roots.prefix(20).map { "'\($0.key)'" }.joined(separator: ", ")
      throw ArchiveError(
        .missingRoot, found: "the path '\(printable(text))' in a file with the roots \(names)",
        expected: "a path that begins with the name of a root")
    }
    if named == nil, case .root(let name) = path.start {
      path = ValuePath(start: .onlyRoot, steps: [.name(name)] + path.steps)
    }
    try enter(property, ofClass: 0)
    return named?.columnIndex
  }

  /// Moves to the value of a property of an object.
  private mutating func enter(_ property: ArchiveObject.Property, ofClass classIndex: Int) throws {
    value = property.value
    type = try file.classes[classIndex].columns[property.columnIndex].attributes.typeWithAbsentFields()
    definitions = [:]
  }

  private mutating func enter(_ value: ArchiveValue, _ type: TypeEncoding, after steps: Int = 1) {
    (self.value, self.type) = (value, type)
    stepCount += steps
  }

  // MARK: Steps

  /// Moves to the value of the next step.
  mutating func step() throws {
    while case .optional(let wrapped) = type, value != .null { type = wrapped }
    if case .weak(let target) = type { type = target }
    define()
    switch (value, type) {
    case (.null, _), (.nestedNull, _), (.reference(nil), _):
      throw error(.nilReference, found: "the value nil")
    case (.reference(let id?), _): try step(from: file.object(id))
    case (.array(let elements), .list(let element)), (.array(let elements), .set(let element)),
      (.set(let elements), .set(let element)), (.set(let elements), .list(let element)):
      guard let index = index(nextStep, below: elements.count) else {
        throw error(.missingKey, found: "a collection of \(plural(elements.count, "element"))")
      }
      enter(elements[index], element)
    case (.dictionary(let entries), .dictionary(let key, let element)):
      try step(into: entries, key, element)
    case (.structure(_, let fields), .structure(_, let types?)):
      if value.hasOnlyField, types.count == 1 { return enterOnlyAssociatedValue() }
      guard let name = nextStep.name, let position = fields.index(ofField: name),
        types.indices.contains(position)
      else { throw error(.missingKey, found: "a structure without the next field of the path") }
      let (value, type) = types[position].value(of: fields[position].value)
      enter(value, type)
    case (.enumeration(_, let name, let payload?), .enumeration(_, let cases?)):
      guard nextStep.name?.selects(name) ?? false,
        let position = cases.firstIndex(where: { $0.name?.hasSameBytes(as: name) ?? false })
      else { throw error(.missingKey, found: "an enumeration with the case '\(printable(name))'") }
      enter(payload, cases[position].type)
    default: throw error(.missingKey, found: "a value without properties, fields or elements")
    }
  }

  private mutating func step(from object: ArchiveObject) throws {
    let names = file.classes.propertyNames(ofClass: object.classIndex)
    let columns = nextStep.name.map {
      file.classes.columns(named: $0, ofClass: object.classIndex, names: names)
    }
    if let property = object.properties.first(where: { columns?.contains($0.columnIndex) ?? false }) {
      try enter(property, ofClass: object.classIndex)
      (stepCount, isInBox) = (stepCount + 1, false)
    } else if !isInBox, object.properties.count == 1, object.properties[0].key == "value" {
      // A box is not a step. A box never contains another box.
      try enter(object.properties[0], ofClass: object.classIndex)
      isInBox = true
    } else {
      throw error(
        .missingKey,
        found: "an object of class '\(printable(object.className))' without the next property of the path")
    }
  }

  private mutating func step(
    into entries: [ArchiveValue.Entry], _ keyType: TypeEncoding, _ valueType: TypeEncoding
  ) throws {
    if let name = nextStep.name, name.means("keys") || name.means("values"), stepCount + 1 < path.steps.count,
      let index = index(path.steps[stepCount + 1], below: entries.count)
    {
      let isKey = name.means("keys")
      return enter(
        isKey ? entries[index].key : entries[index].value, isKey ? keyType : valueType, after: 2)
    }
    guard let index = entries.index(ofKey: nextStep) else {
      throw error(
        .missingKey,
        found: "a dictionary of \(plural(entries.count, "entry", "entries")) without the next key of the path"
      )
    }
    enter(entries[index].value, valueType)
  }

  private func index(_ step: ValuePath.Step, below count: Int) -> Int? {
    guard case .index(let number) = step, let index = Int(exactly: number), (0..<count).contains(index) else {
      return nil
    }
    return index
  }

  /// Moves to the only associated value of a case, because paths do not name it.
  mutating func enterOnlyAssociatedValue() {
    while value.hasOnlyField, case .structure(_, let fields) = value,
      case .structure(_, let types?) = type, types.count == 1
    {
      (value, type) = types[0].value(of: fields[0].value)
    }
  }

  // MARK: Types

  /// Replaces a type that only mentions an enclosing structure or enumeration by its definition. Records the
  /// type if it is itself a definition.
  private mutating func define() {
    switch type {
    case .structure(let name, nil): type = definitions[ExactName("{" + name)] ?? type
    case .enumeration(let name, nil): type = definitions[ExactName("(" + name)] ?? type
    case .structure(let name, _): definitions[ExactName("{" + name)] = type
    case .enumeration(let name, _): definitions[ExactName("(" + name)] = type
    default: break
    }
  }

  /// The type of the value, in which mentions of enclosing types are replaced by their definitions.
  var definedType: TypeEncoding { defined(type) }

  private func defined(_ type: TypeEncoding) -> TypeEncoding {
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

  private func error(_ code: ArchiveError.Code, found: String) -> ArchiveError {
    let done = ValuePath(start: path.start, steps: Array(path.steps[..<stepCount])).description
      .withoutFirstPoint
    let location = done.isEmpty ? "the root" : "'\(done)'"
    let rest = path.steps[stepCount...].map(\.text).joined()
    return ArchiveError(
      code, found: "\(found) at \(location), where the path '\(printable(text))' continues with '\(rest)'",
      expected: "a path such as 'root.children[3].name' whose steps all exist")
  }
}

extension String {
  fileprivate var withoutFirstPoint: String {
    unicodeScalars.first == "." ? String(unicodeScalars.dropFirst()) : self
  }
}

extension TypeEncoding.Field {
  /// Returns the value of the field and its type. The value is nil if the field is absent.
  fileprivate func value(of stored: ArchiveValue) -> (ArchiveValue, TypeEncoding) {
    guard mayBeAbsent else { return (stored, type) }
    if let value = stored.unwrapped { return (value, type) }
    if case .optional = type { return (.null, type) }
    return (.null, .optional(type))
  }
}
