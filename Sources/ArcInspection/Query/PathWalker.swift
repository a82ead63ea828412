import ArcArchive
import ArcFormat
import ArcRuntime

/// Follows the steps of a path from a value, and calls a closure with each value that the path selects.
///
/// A path branches at a step that selects several values. Several branches may reach one object, and their
/// number may grow with each step. So a walk remembers the objects from which it followed each step.
///
/// Steps that select one value are followed in a loop. Steps that select several values are followed
/// recursively, so the depth of the stack depends on the path, not on the file.
struct PathWalker {
  /// The maximum number of branching steps on the stack.
  private static let maximumBranchCount = 64

  let catalog: ObjectCatalog
  let conditions: ConditionEvaluator

  init(_ catalog: ObjectCatalog) {
    self.catalog = catalog
    conditions = ConditionEvaluator(catalog)
  }

  /// A value on a path, the remaining steps, and the text of the path to the value.
  struct Position {
    var value: TypedValue
    var steps: ArraySlice<QueryPath.Step>
    /// The path to the value. Nil if the caller does not need it.
    var path: PathText?
    /// Whether the value was read from a box. A box is an object that contains a value of type `any P`. The
    /// step through a box is implicit, and the value in a box is not itself a box.
    fileprivate var isInBox = false
    /// Whether a missing step is an error. True until the path branches.
    var isStrict: Bool
    fileprivate var depth = 0
    /// Whether `body` is called once for each path to a value. If false, the walk only determines which
    /// values are reachable, and follows one path to each object.
    fileprivate let countsPaths: Bool
    /// The objects from which the walk already followed certain remaining steps. Nil until the path branches.
    var memory: WalkMemory?

    init(
      _ value: TypedValue, _ steps: some Sequence<QueryPath.Step>, path: PathText? = nil,
      isStrict: Bool = false, countsPaths: Bool = true
    ) {
      self.value = value
      self.steps = Array(steps)[...]
      self.path = path
      self.isStrict = isStrict
      self.countsPaths = countsPaths
    }

    /// Returns the position of `value`, which is one of several values that a step selects.
    fileprivate func branch(to value: TypedValue, _ step: @autoclosure () -> String?) -> Position {
      var branch = self
      branch.value = value
      branch.isInBox = false
      branch.path = path.flatMap { path in step().map { path.appending($0) } }
      branch.isStrict = false
      return branch
    }

    /// Moves to the value that the first remaining step selects, and removes the step.
    fileprivate mutating func go(to value: TypedValue, _ step: () -> String?) {
      self.value = value
      isInBox = false
      if !steps.isEmpty { steps.removeFirst() }
      path = path.flatMap { path in step().map { path.appending($0) } }
    }

    /// Throws an error because the first remaining step selects no value. Does nothing if the path has
    /// branched.
    fileprivate func throwNoResult(
      _ code: QueryError.Code, remedy: String? = nil, _ words: () -> (found: String, expected: String?)
    ) throws {
      guard isStrict else { return }
      let (found, expected) = words()
      throw QueryError(
        code, found: found + (path.map { " at '\($0.text)'" } ?? ""), expected: expected,
        remedy: remedy ?? "list the values with arcdump tree")
    }
  }

  /// Calls `body` with each value that the path selects, and with the path to this value. `body` returns
  /// whether to continue.
  ///
  /// - Returns: false if `body` ended the walk.
  /// - Throws: `missingKey`, `nilReference` or `typeMismatch` if a step selects no value before the path
  ///   branches; `ArchiveError` if the file is damaged; or the error of `body`.
  @discardableResult
  func walk(
    from start: Position, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool {
    var visited: [WalkMemory.Step] = []
    guard let memory = start.memory, start.countsPaths else { return try go(from: start, &visited, body) }
    let count = memory.resultCount
    let continues = try go(from: start, &visited) { value, path in
      memory.resultCount += 1
      return try body(value, path)
    }
    // No value was found after these objects and steps. So other paths to the same objects find none either,
    // and are not followed.
    if continues, memory.resultCount == count { memory.finish(visited) }
    return continues
  }

  /// Follows the steps as `walk` does. Appends each object from which a step was followed to `visited`.
  /// Returns whether to continue.
  private func go(
    from start: Position, _ visited: inout [WalkMemory.Step],
    _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool {
    var position = start
    position.depth += 1
    guard position.depth <= Self.maximumBranchCount else {
      throw QueryError(
        .malformedExpression,
        found: "a path with more than \(Self.maximumBranchCount) steps that each select several values",
        expected: "at most \(plural(Self.maximumBranchCount, "step")) that select several values")
    }
    while true {
      if position.value.isOnlyValueOfCase {
        position.value = position.value.child(0)
        continue
      }
      guard let step = position.steps.first else { return try body(position.value, position.path) }
      if let memory = position.memory, case .reference(let id?) = position.value.value {
        let next = WalkMemory.Step(id: id, stepsLeft: position.steps.count)
        if memory.isDone(next) { return true }
        // If `countsPaths` is false, only the first path to an object is followed.
        if position.countsPaths { visited.append(next) } else { memory.finish([next]) }
      }
      switch step {
      case .step(.name(let name)):
        guard let isDone = try self.step(to: name, &position, body) else { continue }
        return isDone
      case .step(let step): guard try self.step(to: step, &position) else { return true }
      case .filter(let condition):
        if position.value.isCollection {
          position.steps.removeFirst()
          return try forEachElement(of: position) { element in
            guard try conditions.holds(condition, for: .value(element.value)) else { return true }
            return try walk(from: element, body)
          }
        }
        guard try conditions.holds(condition, for: .value(position.value)) else { return true }
        position.steps.removeFirst()
      case .count, .className, .id:
        if position.value.isCollection, !step.isCount {
          return try forEachElement(of: position) { try walk(from: $0, body) }
        }
        guard try compute(step, &position) else { return true }
      case .text:
        position.steps.removeFirst()
        return try forEachText(in: position) { try walk(from: $0, body) }
      }
    }
  }

  // MARK: Steps

  /// Goes to the property, field or case with a name. For a collection, goes to this member of all elements.
  /// If the step selects one value, moves the position to this value and returns nil. Otherwise returns
  /// whether to continue.
  private func step(
    to name: ValuePath.Name, _ position: inout Position, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool? {
    let value = position.value
    switch value.value {
    case .reference(let id?):
      let object = try catalog.file.object(id)
      if let property = catalog.property(name, of: object) {
        position.go(to: catalog.value(of: property, in: object)) { catalog.step(to: property, of: object) }
        return nil
      }
      // The object may be a box. Paths have no step for a box, so its value is read without removing the
      // step.
      if !position.isInBox, object.properties.count == 1, object.properties[0].key == "value" {
        position.path = position.path?.appending(".value")
        position.value = catalog.value(of: object.properties[0], in: object)
        position.isInBox = true
        return nil
      }
      try position.throwNoResult(.missingKey) {
        (
          "an object of class '\(object.className)' without the property '\(name.text)'",
          "a property of the class: \(QueryError.choice(catalog.names(ofClass: object.classIndex)))"
        )
      }
      return true
    case .dictionary(let entries):
      guard ["keys", "values"].contains(name.text) else {
        return try step(to: name, inValuesOf: entries, position, body)
      }
      position.steps.removeFirst()
      return try stepToAll(ofEntries: name.text == "keys", &position, body)
    case .array, .set: return try forEachElement(of: position) { try walk(from: $0, body) }
    default: return try step(to: .name(name), &position) ? nil : true
    }
  }

  /// Goes to a property, field or case of all values of a dictionary. Returns whether to continue. If the
  /// dictionary has a key with this name, but its values have no such member, the error suggests the step
  /// that selects the value of the key.
  private func step(
    to name: ValuePath.Name, inValuesOf entries: [ArchiveValue.Entry], _ position: Position,
    _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool {
    var hasResult = false
    let continues = try forEachElement(of: position) { element in
      try walk(from: element) { value, path in
        hasResult = true
        return try body(value, path)
      }
    }
    let key = ValuePath.Step.key(.text(name))
    guard !hasResult, entries.index(ofKey: key) != nil else { return continues }
    let step = key.printedText ?? ""
    try position.throwNoResult(
      .missingKey, remedy: position.path.map { "write '\($0.text)\(step)' for the value of the key" }
    ) {
      ("a dictionary whose values have no '\(name.text)'", "the step \(step) for the value of this key")
    }
    return continues
  }

  /// Goes to all keys or all values of a dictionary, and returns whether to continue. If the next step is an
  /// index, moves the position to the key or value at this index instead, and returns nil.
  private func stepToAll(
    ofEntries areKeys: Bool, _ position: inout Position, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool? {
    let dictionary = position.value
    func value(_ index: Int) -> TypedValue {
      areKeys ? dictionary.key(index) ?? dictionary : dictionary.child(index)
    }
    func step(_ index: Int) -> String? {
      let steps: [ValuePath.Step] = areKeys ? .key(at: index) : .value(nil, at: index)
      return steps.printedText
    }
    if case .step(.index(let number))? = position.steps.first {
      guard let index = Int(exactly: number), (0..<dictionary.childCount).contains(index) else {
        try position.throwNoResult(.missingKey) {
          (
            "a dictionary of \(plural(dictionary.childCount, "entry", "entries"))",
            "an entry with index \(number)"
          )
        }
        return true
      }
      position.go(to: value(index)) { step(index) }
      return nil
    }
    for index in 0..<dictionary.childCount {
      guard try walk(from: position.branch(to: value(index), step(index)), body) else { return false }
    }
    return true
  }

  /// Goes to the nested value that a step selects. Returns whether this value exists. If the value does not
  /// exist and the path has not branched, throws.
  private func step(to step: ValuePath.Step, _ position: inout Position) throws -> Bool {
    let value = position.value
    let next = value.value.step(for: step.counted(from: value.value))
    guard let next else {
      let code: QueryError.Code = value.value.isNil ? .nilReference : .missingKey
      try position.throwNoResult(code) { step.wordsIfMissing(in: value.value) }
      return false
    }
    position.go(to: value.child(at: next)) { next.printedText() }
    return true
  }

  /// Goes to the value that a computed step selects: `@count`, `@class` or `@id`. Returns whether this value
  /// exists. If the value does not exist and the path has not branched, throws.
  private func compute(_ step: QueryPath.Step, _ position: inout Position) throws -> Bool {
    let value = position.value
    switch (step, value.value) {
    case (.className, .reference(let id?)):
      position.go(to: TypedValue(.string(try catalog.className(of: id)))) { ".@class" }
    case (.id, .reference(let id?)):
      position.go(to: TypedValue(.integer(Int128(id.rawValue)))) { ".@id" }
    case (.count, _) where value.isCollection:
      position.go(to: TypedValue(.integer(Int128(value.childCount)))) { ".@count" }
    case (.count, .string(let text)):
      let count = catalog.characterCounts.number(of: text) { UInt32(clamping: text.count) }
      position.go(to: TypedValue(.integer(Int128(count)))) { ".@count" }
    case (.count, .data(let bytes)): position.go(to: TypedValue(.integer(Int128(bytes.count)))) { ".@count" }
    case (_, let content) where content.isNil:
      try position.throwNoResult(.nilReference) { ("nil", "an object or a collection") }
      return false
    default:
      try position.throwNoResult(.typeMismatch) {
        step.isCount
          ? ("a value that cannot be counted", "a collection, a string or data for @count")
          : ("a value that is not an object", "an object for @class and @id")
      }
      return false
    }
    return true
  }

  // MARK: Several values

  /// Calls `body` with the position of each element of a collection. For a dictionary, the elements are its
  /// values. Returns whether to continue.
  private func forEachElement(of start: Position, _ body: (Position) throws -> Bool) throws -> Bool {
    var position = start
    let collection = position.value
    if position.memory == nil, collection.childCount > 0, collection.child(0).canContinue {
      position.memory = WalkMemory()
    }
    var seen: Set<ArchiveValue> = []
    for index in 0..<collection.childCount {
      var step = ValuePath.Step.element(index).printedText
      if position.path != nil, let key = collection.key(index)?.value {
        // If an earlier entry has an equal key, the key selects the earlier entry. So this step uses the
        // index.
        step = [ValuePath.Step].value(for: seen.insert(key).inserted ? key : nil, at: index).printedText
      }
      guard try body(position.branch(to: collection.child(index), step)) else { return false }
    }
    return true
  }

  /// Calls `body` with the position of each string in an object or a value. Returns whether to continue.
  private func forEachText(in position: Position, _ body: (Position) throws -> Bool) throws -> Bool {
    guard case .reference(let id?) = position.value.value else {
      return try forEachText(inside: position, body)
    }
    let object = try catalog.file.object(id)
    for property in object.properties {
      let value = position.branch(
        to: catalog.value(of: property, in: object), catalog.step(to: property, of: object))
      guard try forEachText(inside: value, body) else { return false }
    }
    return true
  }

  /// Calls `body` with the position of each string in a value. Returns whether to continue. Recursive over
  /// the value, whose nesting is at most `ArchiveLimits.nesting`, but not over objects.
  private func forEachText(inside position: Position, _ body: (Position) throws -> Bool) throws -> Bool {
    switch position.value.value {
    case .string: return try body(position)
    case .url(let url, _):
      var text = position
      text.value = TypedValue(.string(url))
      return try body(text)
    default:
      for (step, child) in position.value.children {
        let branch = position.branch(to: child, step.printedText(namesEntry: false))
        guard try forEachText(inside: branch, body) else { return false }
      }
      return true
    }
  }
}

extension TypedValue {
  /// Whether a path can continue from the value, because it is a reference to an object or contains other
  /// values.
  fileprivate var canContinue: Bool {
    if case .reference = value { true } else { value.containerKind != nil }
  }
}
