import ArcFormat
package import ArcRuntime

// Reads values at paths, in the notation in which errors and `arcdump` print them.

extension ArchiveFile {
  /// Returns the value at a path such as `root.albums[3].cover`, and attributes for a column that can store
  /// the value.
  ///
  /// Reads the objects on the path. A path may omit the boxes of values of type `any P`, as in errors.
  ///
  /// - Parameter path: the path. It begins with the name of a root or the number of an object. The name may
  ///   be omitted if the file has only one root.
  /// - Returns: the value; attributes that contain the type of the value and mark absent fields; and the
  ///   index of the root, or nil unless the path consists only of the name of a root.
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

/// A position on a path: the value at the position, the type of the value, and the steps that follow.
private struct PathWalk {
  private(set) var value = ArchiveValue.null
  private var type = TypeEncoding.object(className: nil, protocols: [])
  private let file: ArchiveFile
  private let text: String
  private var path: ValuePath
  /// The number of steps from the start of the path to the value.
  private var stepCount = 0
  /// Whether the last step entered the value of a box (an object that contains a value of type `any P`).
  private var isInBox = false
  /// The structures and enumerations that contain the value, by a key that distinguishes the two kinds.
  private var definitions: [ExactName: TypeEncoding] = [:]

  init(_ path: ValuePath, text: String, in file: ArchiveFile) {
    (self.path, self.text, self.file) = (path, text, file)
  }

  var isAtEnd: Bool { stepCount == path.steps.count }

  private var nextStep: ValuePath.Step { path.steps[stepCount] }

  /// Moves to the start of the path. Returns the index of the root if the path begins with the name of a
  /// root, otherwise nil.
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
    switch value {
    case .null, .nestedNull, .reference(nil): throw error(.nilReference, found: "the value nil")
    case .reference(let id?): return try step(from: file.object(id))
    default: break
    }
    if value.hasOnlyField, type.children.count == 1 { return enterOnlyAssociatedValue() }
    if let entries = value.entries, try step(toIndexIn: entries) { return }
    guard let valueStep = value.step(for: nextStep), let (child, childType) = inside(valueStep) else {
      throw error(.missingKey, found: value.wordsIfStepIsMissing)
    }
    enter(child, childType)
  }

  /// Returns the directly nested value that a step selects, and the type of the nested value. Nil if the
  /// outer value or its type has no such nested value.
  private func inside(_ step: ValueStep) -> (ArchiveValue, TypeEncoding)? {
    guard let child = value.children(keys: .none)[step.index]?.value else { return nil }
    let types = type.children
    switch step {
    case .element, .value, .key: return types.last.map { (child, $0) }
    case .field, .onlyField:
      return types.indices.contains(step.index) ? type.members?[step.index].value(of: child) : nil
    case .payload(let name):
      return type.members?.first { $0.name?.hasSameBytes(as: name) ?? false }.map { (child, $0.type) }
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

  /// If the next two steps have a form such as `.keys[3]`, moves to the key or value of a dictionary that
  /// they select, and returns true. Otherwise, returns false and does not move.
  private mutating func step(toIndexIn entries: [ArchiveValue.Entry]) throws -> Bool {
    guard let name = nextStep.name, name.means("keys") || name.means("values"),
      stepCount + 1 < path.steps.count, case .index(let number) = path.steps[stepCount + 1],
      let index = Int(exactly: number), entries.indices.contains(index), type.children.count == 2
    else { return false }
    let isKey = name.means("keys")
    enter(isKey ? entries[index].key : entries[index].value, type.children[isKey ? 0 : 1], after: 2)
    return true
  }

  /// Moves from an enumeration case to its only associated value. A path has no step for this value.
  mutating func enterOnlyAssociatedValue() {
    while value.hasOnlyField, type.children.count == 1, let inner = inside(.onlyField) {
      (value, type) = inner
    }
  }

  // MARK: Types

  /// If the type of the value only names an enclosing structure or enumeration, replaces the type by the
  /// definition that was recorded for this name. If the type is itself a definition, records the definition.
  private mutating func define() {
    switch type {
    case .structure(let name, nil): type = definitions[ExactName("{" + name)] ?? type
    case .enumeration(let name, nil): type = definitions[ExactName("(" + name)] ?? type
    case .structure(let name, _): definitions[ExactName("{" + name)] = type
    case .enumeration(let name, _): definitions[ExactName("(" + name)] = type
    default: break
    }
  }

  /// The type of the value, in which the names of enclosing types are replaced by definitions.
  var definedType: TypeEncoding { defined(type) }

  private func defined(_ type: TypeEncoding) -> TypeEncoding {
    switch type {
    case .structure(let name, nil): definitions[ExactName("{" + name)] ?? type
    case .enumeration(let name, nil): definitions[ExactName("(" + name)] ?? type
    case .structure, .enumeration: type
    case .weak(let target): target
    default: type.mapChildren { type, _ in defined(type) }
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

extension ArchiveValue {
  /// A description of the value for an error message. The error reports that the next step of the path does
  /// not exist in the value.
  fileprivate var wordsIfStepIsMissing: String {
    if let entries {
      return "a dictionary of \(plural(entries.count, "entry", "entries")) without the next key of the path"
    }
    if let elementCount { return "a collection of \(plural(elementCount, "element"))" }
    if fields != nil { return "a structure without the next field of the path" }
    guard case .enumeration(_, let name, _?) = self else {
      return "a value without properties, fields or elements"
    }
    return "an enumeration with the case '\(printable(name))'"
  }
}

extension TypeEncoding {
  /// The fields of a structure or the cases of an enumeration; nil for other types.
  fileprivate var members: [Field]? {
    switch self {
    case .structure(_, let members), .enumeration(_, let members): members
    default: nil
    }
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
