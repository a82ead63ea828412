import ArcArchive
import ArcFormat
import ArcRuntime

/// Goes the steps of a path from a value to all values that they lead to.
///
/// Where a path branches, objects that are shared are met on many ways, whose number grows with each step. So
/// a walk remembers of which objects which steps were gone already.
///
/// Steps that lead to one value follow each other in a loop; those to several call themselves, so the stack
/// is as deep as a path has such steps, whatever the file holds.
struct PathWalker {
  /// Steps to several values that may be on the stack at a time.
  private static let maximumBranchCount = 64

  let catalog: ObjectCatalog
  let conditions: ConditionEvaluator

  init(_ catalog: ObjectCatalog) {
    self.catalog = catalog
    conditions = ConditionEvaluator(catalog)
  }

  /// A value on the way, the steps that are left, and what was written of the way.
  struct Position {
    var value: TypedValue
    var steps: ArraySlice<QueryPath.Step>
    /// Nil where nobody asks for it.
    var path: PathText?
    /// Whether the last object is a box of a value of type `any P`. Paths have no step for a box, and the
    /// value in a box is not a box.
    fileprivate var isInBox = false
    /// Whether a step that leads nowhere is an error: as long as there was only one way.
    var isStrict: Bool
    fileprivate var depth = 0
    /// Whether each way to a value counts, and not only whether there is one.
    fileprivate let countsWays: Bool
    /// What the walk remembers; nil as long as there was only one way.
    var memory: WalkMemory?

    init(
      _ value: TypedValue, _ steps: some Sequence<QueryPath.Step>, path: PathText? = nil,
      isStrict: Bool = false, countsWays: Bool = true
    ) {
      self.value = value
      self.steps = Array(steps)[...]
      self.path = path
      self.isStrict = isStrict
      self.countsWays = countsWays
    }

    /// The same on one of several ways.
    fileprivate func branch(to value: TypedValue, _ step: @autoclosure () -> String?) -> Position {
      var branch = self
      branch.value = value
      branch.isInBox = false
      branch.path = path.flatMap { path in step().map { path.appending($0) } }
      branch.isStrict = false
      return branch
    }

    /// Goes to the value that the first step leads to.
    fileprivate mutating func go(to value: TypedValue, _ step: () -> String?) {
      self.value = value
      isInBox = false
      if !steps.isEmpty { steps.removeFirst() }
      path = path.flatMap { path in step().map { path.appending($0) } }
    }

    /// Throws where the first step leads nowhere, unless there are other ways.
    fileprivate func leadsNowhere(
      _ code: QueryError.Code, remedy: String? = nil, _ words: () -> (found: String, expected: String?)
    ) throws {
      guard isStrict else { return }
      let (found, expected) = words()
      throw QueryError(
        code, found: found + (path.map { " at '\($0.text)'" } ?? ""), expected: expected,
        remedy: remedy ?? "list the values with arcdump tree")
    }
  }

  /// Calls `body` with each value at the end, and the way to it; `body` returns whether to go on.
  ///
  /// - Returns: false if `body` ended it.
  /// - Throws: `missingKey`, `nilReference` or `typeMismatch` for a step that leads nowhere on the only way;
  ///   or what is wrong with the file, or what `body` throws.
  @discardableResult
  func walk(
    from start: Position, _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool {
    var visited: [WalkMemory.Step] = []
    guard let memory = start.memory, start.countsWays else { return try go(from: start, &visited, body) }
    let count = memory.resultCount
    let goesOn = try go(from: start, &visited) { value, path in
      memory.resultCount += 1
      return try body(value, path)
    }
    // What leads nowhere does so on each way.
    if goesOn, memory.resultCount == count { memory.finish(visited) }
    return goesOn
  }

  /// Goes the steps as `walk` does, and notes in `visited` from which objects.
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
        // Where ways do not count, the first one is enough.
        if position.countsWays { visited.append(next) } else { memory.finish([next]) }
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

  /// Goes to a property, field or case, or to those of all elements. Returns nil if that was one value, which
  /// is the position then; otherwise whether to go on after all.
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
      // An object that stands for a value is no step.
      if !position.isInBox, object.properties.count == 1, object.properties[0].key == "value" {
        position.path = position.path?.appending(".value")
        position.value = catalog.value(of: object.properties[0], in: object)
        position.isInBox = true
        return nil
      }
      try position.leadsNowhere(.missingKey) {
        (
          "an object of class '\(object.className)' without the property '\(name.text)'",
          "a property of the class: \(QueryError.choice(catalog.names(ofClass: object.classIndex)))"
        )
      }
      return true
    case .dictionary where ["keys", "values"].contains(name.text):
      position.steps.removeFirst()
      return try stepToAll(ofEntries: name.text == "keys", &position, body)
    case .dictionary(let entries): return try step(to: name, inValuesOf: entries, position, body)
    case .array, .set: return try forEachElement(of: position) { try walk(from: $0, body) }
    case .structure(_, let fields):
      guard let index = fields.index(ofField: name) else {
        try position.leadsNowhere(.missingKey) {
          (
            "a value without the field '\(name.text)'",
            "a field of the value: "
              + QueryError.choice(fields.enumerated().map { $1.name.isEmpty ? "\($0)" : $1.name })
          )
        }
        return true
      }
      position.go(to: value.child(index)) {
        ValuePath.Step.field(fields[index].name, at: index).printedText
      }
      return nil
    case .enumeration(_, let label, let payload):
      guard payload != nil, name.selects(label) else {
        try position.leadsNowhere(.missingKey) {
          (
            "the case '\(label)'\(payload == nil ? " without associated values" : "")",
            "the case '\(name.text)'"
          )
        }
        return true
      }
      position.go(to: value.child(0)) { ValuePath.Step.name(label).printedText }
      return nil
    case .null, .nestedNull, .reference(nil):
      try position.leadsNowhere(.nilReference) { ("nil", "a value with '\(name.text)'") }
      return true
    default:
      try position.leadsNowhere(.missingKey) {
        ("a value without properties, fields or elements", "a value with '\(name.text)'")
      }
      return true
    }
  }

  /// Goes to a property, field or case of all values of a dictionary; returns whether to go on. Where no
  /// value has one, that of a key was meant, which is written otherwise.
  private func step(
    to name: ValuePath.Name, inValuesOf entries: [ArchiveValue.Entry], _ position: Position,
    _ body: (TypedValue, PathText?) throws -> Bool
  ) throws -> Bool {
    var isFound = false
    let goesOn = try forEachElement(of: position) { element in
      try walk(from: element) { value, path in
        isFound = true
        return try body(value, path)
      }
    }
    let key = ValuePath.Step.key(.text(name))
    guard !isFound, entries.index(ofKey: key) != nil else { return goesOn }
    let step = key.printedText ?? ""
    try position.leadsNowhere(
      .missingKey, remedy: position.path.map { "write '\($0.text)\(step)' for the value of the key" }
    ) {
      ("a dictionary whose values have no '\(name.text)'", "the step \(step) for the value of this key")
    }
    return goesOn
  }

  /// Goes to the keys or the values of a dictionary: to one of them by its place, or to all.
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
        try position.leadsNowhere(.missingKey) {
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

  /// Goes to an element, or to the value for a key; returns false if there is none and that is no error.
  private func step(to step: ValuePath.Step, _ position: inout Position) throws -> Bool {
    let value = position.value
    switch value.value {
    case .array, .set:
      let count = value.childCount
      guard case .index(let index) = step, let place = index.position(in: count) else {
        try position.leadsNowhere(.missingKey) {
          ("a collection of \(plural(count, "element"))", Self.words(for: step))
        }
        return false
      }
      position.go(to: value.child(place)) { ValuePath.Step.element(place).printedText }
    case .dictionary(let entries):
      guard let place = entries.index(ofKey: step) else {
        try position.leadsNowhere(.missingKey) {
          ("a dictionary of \(plural(entries.count, "entry", "entries"))", Self.words(for: step, isKey: true))
        }
        return false
      }
      position.go(to: value.child(place)) {
        [ValuePath.Step].value(for: entries[place].key, at: place).printedText
      }
    case .null, .nestedNull, .reference(nil):
      try position.leadsNowhere(.nilReference) { ("nil", "a collection with \(Self.words(for: step))") }
      return false
    default:
      try position.leadsNowhere(.missingKey) {
        ("a value without elements", "a collection with \(Self.words(for: step))")
      }
      return false
    }
    return true
  }

  /// What a step in brackets selects, in words.
  private static func words(for step: ValuePath.Step, isKey: Bool = false) -> String {
    switch step {
    case .name(let name): "'\(name.text)'"
    case .index(let index): isKey ? "an entry with the key \(index)" : "an element with index \(index)"
    case .key(.text(let text)): "an entry with the key '\(text.text)'"
    case .key(.bool(let flag)): "an entry with the key \(flag)"
    case .key(.enumerationCase(let name)): "an entry with the key .\(name.text)"
    }
  }

  /// Goes to what is computed of a value; returns false if there is nothing and that is no error.
  private func compute(_ step: QueryPath.Step, _ position: inout Position) throws -> Bool {
    let value = position.value
    switch (step, value.value) {
    case (.className, .reference(let id?)):
      position.go(to: TypedValue(.string(try catalog.className(of: id)))) { ".@class" }
    case (.id, .reference(let id?)):
      position.go(to: TypedValue(.integer(Int128(id.rawValue)))) { ".@id" }
    case (.count, .array), (.count, .set), (.count, .dictionary):
      position.go(to: TypedValue(.integer(Int128(value.childCount)))) { ".@count" }
    case (.count, .string(let text)):
      let count = catalog.characterCounts.number(of: text) { UInt32(clamping: text.count) }
      position.go(to: TypedValue(.integer(Int128(count)))) { ".@count" }
    case (.count, .data(let bytes)): position.go(to: TypedValue(.integer(Int128(bytes.count)))) { ".@count" }
    case (_, .null), (_, .nestedNull), (_, .reference(nil)):
      try position.leadsNowhere(.nilReference) { ("nil", "an object or a collection") }
      return false
    default:
      try position.leadsNowhere(.typeMismatch) {
        step.isCount
          ? ("a value that cannot be counted", "a collection, a string or data for @count")
          : ("a value that is not an object", "an object for @class and @id")
      }
      return false
    }
    return true
  }

  // MARK: Several values

  /// Calls `body` with the position of each element, or of each value of a dictionary; returns whether to go
  /// on.
  private func forEachElement(of start: Position, _ body: (Position) throws -> Bool) throws -> Bool {
    var position = start
    let collection = position.value
    if position.memory == nil, collection.childCount > 0, collection.child(0).canLeadOn {
      position.memory = WalkMemory()
    }
    var seen: Set<ArchiveValue> = []
    for index in 0..<collection.childCount {
      var step = ValuePath.Step.element(index).printedText
      if position.path != nil, let key = collection.key(index)?.value {
        // A key that an earlier entry has too selects that entry.
        step = [ValuePath.Step].value(for: seen.insert(key).inserted ? key : nil, at: index).printedText
      }
      guard try body(position.branch(to: collection.child(index), step)) else { return false }
    }
    return true
  }

  /// Calls `body` with the position of each text in an object, or in a value; returns whether to go on.
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

  /// The same for what is inside of one value. Recursive over the value, which nests as deep as
  /// `ArchiveLimits.nesting`, not over objects.
  private func forEachText(inside position: Position, _ body: (Position) throws -> Bool) throws -> Bool {
    switch position.value.value {
    case .string: return try body(position)
    case .url(let url, _):
      var text = position
      text.value = TypedValue(.string(url))
      return try body(text)
    default:
      for (step, child) in position.value.children {
        let place = position.branch(to: child, step.printedText(namesEntry: false))
        guard try forEachText(inside: place, body) else { return false }
      }
      return true
    }
  }
}

/// Which steps of a path were gone from which objects.
final class WalkMemory {
  /// An object, and the number of steps that were left there.
  struct Step: Hashable {
    let id: ObjectID
    let stepsLeft: Int
  }

  private var done: Set<Step> = []
  /// Grows with each value that is found.
  var resultCount = 0

  /// Whether a step leads to nothing more.
  func isDone(_ step: Step) -> Bool { done.contains(step) }

  /// Remembers steps that lead to nothing more.
  func finish(_ steps: [Step]) { done.formUnion(steps) }
}

extension TypedValue {
  /// Whether steps can lead on from the value: it is an object, or has others inside.
  fileprivate var canLeadOn: Bool {
    if case .reference = value { true } else { value.containerKind != nil }
  }
}
