import Arc
import ArcFormat
import ArcJSON
import ArcMemory

/// One writing of a value. Each object is encoded as a row, and the row is then converted to JSON.
///
/// All objects of a class share one set of columns. If an object is nested in an object of its class, its row
/// is appended after the outer object's row, and is removed after the nested object is written.
struct ObjectWriting: ~Copyable {
  var json: JSONWriter
  let rules: WritingRules
  private let plans: WritingPlans
  private let encoder: RowEncoder
  /// The objects that several references refer to. Nil if the writer has no `references`, so that an object
  /// is written again at each reference.
  let marks: ObjectMarks?
  /// The objects whose members are being written, outermost first.
  private var enclosing = EnclosingObjects()
  /// Detects that other code is changing a field while the field is read.
  let exclusivity = ExclusivityCheck.now()
  /// The number of arrays and objects that enclose the text of `json`. Not 0 if `json` writes a nested value
  /// separately.
  var outerDepth = 0
  /// The steps of the path to the location of an error. The last step of the path comes first.
  private var steps: [Step] = []
  /// The cycle that caused an error. Nil if there is none.
  private var cycle: Cycle?

  /// A step of the path to the location of an error.
  enum Step {
    case name(String)
    case element(Int)
    /// Several steps as one string.
    case text(String)
  }

  private struct Cycle {
    /// The number of objects that enclose the object at which the cycle ends.
    let target: Int
    /// The number of path steps in the cycle, from the object at which the cycle ends to the reference back
    /// to this object. Nil until the thrown error reaches the object.
    var stepCount: Int?
  }

  init(_ rules: WritingRules, _ plans: WritingPlans, _ marks: ObjectMarks? = nil) {
    self.rules = rules
    self.marks = marks
    self.plans = plans
    json = JSONWriter(isPretty: rules.isPretty, escaping: rules.escaping)
    encoder = plans.encoder
  }

  mutating func write(_ value: some ArchivableValue) throws {
    do {
      let plan = try plans.plan(ofValues: type(of: value), rules)
      if marks == nil, type(of: value) is any ListOfReferences.Type {
        let objects = unsafe ObjectArray.objects(of: value)
        return try references(objects, from: plan.nodes[0].firstChild, plan)
      }
      try encoder.begin(value, in: plan.rows)
      try self.value(0, plan)
      plan.rows.end()
    } catch {
      throw located(error)
    }
  }

  // MARK: Objects

  /// Writes the object that has a number in the encoder, or `null` if there is no object.
  mutating func reference(_ number: Int, from node: Int, _ plan: WritingPlan) throws {
    try encoder.withObject(number) { object in
      guard let object else { return json.null() }
      try reference(object, from: node, plan)
    }
  }

  /// Writes an object to which a reference of a node refers. The caller does not have to retain the object.
  mutating func reference(_ object: AnyObject, from node: Int, _ plan: WritingPlan) throws {
    let address = UInt(bitPattern: ObjectIdentifier(type(of: object)))
    if plan.nodes[node].lastClass.address != address {
      return try firstReference(object, from: node, plan)
    }
    try unsafe self.plan(of: object, from: node, plan)._withUnsafeGuaranteedRef { try write(object, $0) }
  }

  /// Writes an object whose class is not the class of the node's previous object. Retains the object until it
  /// is one of the enclosing objects, because creating a plan can run code of the program, which could
  /// release the object.
  @inline(never) private mutating func firstReference(
    _ object: AnyObject, from node: Int, _ plan: WritingPlan
  ) throws {
    enclosing.retainAll()
    let retained = unsafe Unmanaged.passRetained(object)
    defer { unsafe retained.release() }
    try unsafe self.plan(of: object, from: node, plan)._withUnsafeGuaranteedRef { try write(object, $0) }
  }

  /// Whether the JSON of an object can have a member `_0`. `number` is the number of the object in the
  /// encoder.
  mutating func hasMemberZero(_ number: Int, from node: Int, _ plan: WritingPlan) throws -> Bool {
    try encoder.withObject(number) { object in
      guard let object else { return false }
      let plan = unsafe try self.plan(of: object, from: node, plan).takeUnretainedValue()
      // The members of the value in a box are not known.
      return plan.hasMemberZero || plan.boxedNode != nil
    }
  }

  mutating func write(_ object: AnyObject, _ plan: WritingPlan) throws {
    if let marks, plan.boxedNode == nil, try reference(to: object, plan, marks) { return }
    try writeWhole(object, plan)
  }

  private mutating func writeWhole(_ object: AnyObject, _ plan: WritingPlan) throws {
    let readsFields = plan.fields.count > 0 && marks == nil
    let address = UInt(bitPattern: ObjectIdentifier(object))
    guard enclosing.enter(address) else {
      cycle = Cycle(target: enclosing.index(of: address))
      throw Failure.cycle
    }
    do {
      if readsFields {
        try membersInMemory(of: object, plan)
        return enclosing.leave()
      }
    } catch { throw leave(with: error) }
    // Code of the program can run from here on.
    enclosing.retainAll()
    let objectCount = encoder.objectCount
    do {
      try begin(object, plan)
      if let node = plan.boxedNode {
        try boxedValue(node, plan)
      } else if plan.editsMembers {
        try editedMembers(of: object, plan)
      } else {
        try members(of: plan)
      }
    } catch { throw leave(with: error) }
    plan.rows.end()
    encoder.forgetObjects(after: objectCount)
    enclosing.leave()
  }

  /// Removes an object from the enclosing objects after an error, and returns the error for the caller to
  /// throw.
  private mutating func leave(with error: any Error) -> any Error {
    enclosing.leave()
    if cycle?.target == enclosing.count { cycle?.stepCount = steps.count }
    return error
  }

  /// Writes an object with only its identifying members.
  mutating func identity(of object: AnyObject, _ tag: TypeTag?) throws {
    let plan = plans[try plans.number(of: object, .identity, tag, rules)]
    try begin(object, plan)
    try members(of: plan)
    plan.rows.end()
  }

  /// Writes the members of the object whose row was begun last.
  mutating func members(of plan: WritingPlan) throws {
    try container { writing throws in
      writing.beginObject(plan)
      try writing.members(plan.objectMembers, plan)
      writing.json.end()
    }
  }

  /// Writes the members of an object directly from its memory.
  private mutating func membersInMemory(of object: AnyObject, _ plan: WritingPlan) throws {
    try container { writing throws in
      writing.beginObject(plan)
      try writing.fields(of: object, plan)
      writing.json.end()
    }
  }

  /// Begins the JSON of an object, and writes its `$id` and its tag if it has them.
  @inline(__always) mutating func beginObject(_ plan: WritingPlan) {
    json.beginObject()
    identifier()
    if plan.beginsWithTag { writeTag(plan) }
  }

  private mutating func begin(_ object: AnyObject, _ plan: WritingPlan) throws {
    do { try plan.objects?.begin(object) } catch let error as ArchiveError {
      if let path = error.objectPath { steps.append(.text(path)) }
      throw error
    }
  }

  /// Returns the plan for the class of `object`. `node` is the node of the reference to the object. `plans`
  /// retains the plan.
  @inline(__always) mutating func plan(
    of object: AnyObject, from node: Int, _ plan: WritingPlan
  ) throws -> Unmanaged<WritingPlan> {
    let address = UInt(bitPattern: ObjectIdentifier(type(of: object)))
    let last = plan.nodes[node].lastClass
    if last.address == address { return unsafe .passUnretained(plans[last.plan]) }
    let part = enclosing.count == 0 && rules.only != nil ? ObjectPart.outermost : .whole
    let number = try planNumber(of: object, part, from: node, plan, in: plans)
    plan.nodes[node].lastClass = (address, number)
    return unsafe .passUnretained(plans[number])
  }

  // MARK: Nesting

  /// Calls `body`, which writes one array or object, and extends the stack first if necessary.
  @inline(__always) mutating func container(_ body: (inout ObjectWriting) throws -> Void) throws {
    let depth = json.depth &+ outerDepth
    guard depth < rules.depth else { throw Failure.tooDeep }
    // The stack is checked only at every eighth level, because the reserve that always exists is enough for
    // eight levels.
    if depth & 7 == 7 { try extended(body) } else { try body(&self) }
  }

  @inline(never) private mutating func extended(_ body: (inout ObjectWriting) throws -> Void) throws {
    try StackExtension.call { try body(&self) }
  }

  // MARK: Errors

  /// A reason why JSON cannot represent a value. `located(_:)` converts it to an error with the path of the
  /// value.
  enum Failure: Error {
    case cycle
    case tooDeep
    case notFinite(String)
    case noNotation(String, expected: String)
  }

  /// Adds a step to the path of an error. The innermost step is added first.
  mutating func note(_ step: Step) { steps.append(step) }

  /// Returns an error with the path from the root to the location of the error.
  private func located(_ error: any Error) -> any Error {
    let path = Self.path(steps.reversed())
    switch error {
    case Failure.cycle:
      let outer = Self.path(steps.dropFirst(cycle?.stepCount ?? steps.count).reversed())
      return ModelWritingError(
        code: .cycle, path: path,
        found: "a cycle back to the object at \(outer.isEmpty ? "the root" : outer)",
        expected: "a tree of objects",
        remedy:
          "declare the property that refers back as weak, or create the ModelWriter with references: .marked")
    case Failure.tooDeep:
      return ModelWritingError(
        code: .tooDeep, path: path, found: "arrays and objects nested more than \(rules.depth) levels deep",
        expected: "at most \(plural(rules.depth, "level"))",
        remedy: "raise maximumDepth of the ModelWriter and limits.depth of the ModelReader")
    case Failure.notFinite(let number):
      return ModelWritingError(
        code: .notFinite, path: path, found: "the number \(number)", expected: "a finite number",
        remedy: "set nonFinite of the ModelWriter to .null or .text")
    case Failure.noNotation(let found, let expected):
      return ModelWritingError(
        code: .noNotation, path: path, found: found, expected: expected,
        remedy: "use a @JSONFormat that can represent the value")
    case let error as ModelWritingError:
      return ModelWritingError(
        code: error.code, path: path, found: error.found, expected: error.expected, remedy: error.remedy)
    case var error as ArchiveError:
      if !path.isEmpty { error.objectPath = path }
      return error
    default: return error
    }
  }

  /// The number of steps at each end of a long path that an error shows.
  private static let shownStepCount = 20

  private static func path(_ steps: some Collection<Step>) -> String {
    var path = ""
    for (number, step) in steps.enumerated() {
      if number >= shownStepCount, number < steps.count - shownStepCount {
        if number == shownStepCount { path += "…" }
        continue
      }
      switch step {
      case .name(let name): path += JSONDocument.step(to: name, isFirst: path.isEmpty)
      case .element(let index): path += "[\(index)]"
      case .text(let text): path += (path.isEmpty || text.first == "[" ? "" : ".") + text
      }
    }
    return path
  }
}
