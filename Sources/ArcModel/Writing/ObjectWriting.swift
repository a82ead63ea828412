import Arc
import ArcFormat
import ArcJSON
import ArcMemory

/// One writing of a value: each object that it meets encodes itself as a row, which then becomes text.
///
/// A class has one set of columns, whatever it is inside of: a row that is begun while another of the class
/// is read lies behind that, and is taken off when it is written.
struct ObjectWriting: ~Copyable {
  var json: JSONWriter
  let rules: WritingRules
  private let plans: WritingPlans
  private let encoder: RowEncoder
  /// The objects that are written more than once, or are being counted; nil where each is written anew.
  let marks: ObjectMarks?
  private var around = ObjectsAround()
  /// Whether fields in memory are checked for changes that go on.
  let exclusivity = ExclusivityCheck.now()
  /// How many arrays and objects are around the text of `json`, which goes into another one.
  var outerDepth = 0
  /// The way to an error, from its end.
  private var steps: [Step] = []
  /// What begins the way from the root, of an object that is inside of itself: how many steps are not.
  private var cycle: Cycle?

  /// A step of the way to an error.
  enum Step {
    case name(String)
    case element(Int)
    /// Several steps as text.
    case text(String)
  }

  private struct Cycle {
    /// How many objects are around the one that was met again.
    let target: Int
    /// How many steps there are from it to where it was met again; nil while it is not known.
    var stepCount: Int?
  }

  init(_ rules: WritingRules, _ plans: WritingPlans, _ marks: ObjectMarks? = nil) {
    self.rules = rules
    self.marks = marks
    self.plans = plans
    json = JSONWriter(isPretty: rules.isPretty, escaping: rules.escaping)
    encoder = plans.encoder
  }

  /// Writes a value.
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

  /// Writes the object of a reference.
  mutating func reference(_ number: Int, from node: Int, _ plan: WritingPlan) throws {
    try encoder.withObject(number) { object in
      guard let object else { return json.null() }
      try reference(object, from: node, plan)
    }
  }

  /// Writes an object that a node refers to, which need not be kept alive by the caller's reference.
  mutating func reference(_ object: AnyObject, from node: Int, _ plan: WritingPlan) throws {
    let address = UInt(bitPattern: ObjectIdentifier(type(of: object)))
    if plan.nodes[node].lastClass.address != address {
      return try firstReference(object, from: node, plan)
    }
    try unsafe self.plan(of: object, from: node, plan)._withUnsafeGuaranteedRef { try write(object, $0) }
  }

  /// Writes an object of a class that is met first: code of the program runs before the object is one of
  /// those around others.
  @inline(never) private mutating func firstReference(
    _ object: AnyObject, from node: Int, _ plan: WritingPlan
  ) throws {
    around.keepAlive()
    let kept = unsafe Unmanaged.passRetained(object)
    defer { unsafe kept.release() }
    try unsafe self.plan(of: object, from: node, plan)._withUnsafeGuaranteedRef { try write(object, $0) }
  }

  /// Whether the object of a reference has a member `_0`.
  mutating func hasMemberZero(_ number: Int, from node: Int, _ plan: WritingPlan) throws -> Bool {
    try encoder.withObject(number) { object in
      guard let object else { return false }
      let plan = unsafe try self.plan(of: object, from: node, plan).takeUnretainedValue()
      // Of what a box has in it nothing is known.
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
    guard around.enter(address) else {
      cycle = Cycle(target: around.index(of: address))
      throw Failure.cycle
    }
    do {
      if readsFields {
        try membersInMemory(of: object, plan)
        return around.leave()
      }
    } catch { throw left(error) }
    // From here on code of the program runs.
    around.keepAlive()
    let objectCount = encoder.objectCount
    do {
      try begin(object, plan)
      if let node = plan.boxedNode {
        try boxedValue(node, plan)
      } else if plan.isChanging {
        try changed(object, plan)
      } else {
        try members(of: plan)
      }
    } catch { throw left(error) }
    plan.rows.end()
    encoder.forgetObjects(after: objectCount)
    around.leave()
  }

  /// Leaves an object because of an error.
  private mutating func left(_ error: any Error) -> any Error {
    around.leave()
    if cycle?.target == around.count { cycle?.stepCount = steps.count }
    return error
  }

  /// Writes what tells who an object is.
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

  /// Writes the members of an object that has them all in its memory.
  private mutating func membersInMemory(of object: AnyObject, _ plan: WritingPlan) throws {
    try container { writing throws in
      writing.beginObject(plan)
      try writing.fields(of: object, plan)
      writing.json.end()
    }
  }

  /// Begins an object: what tells who it is, and its class.
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

  /// The plan of an object's class, which a node refers to; kept by `plans`.
  @inline(__always) mutating func plan(
    of object: AnyObject, from node: Int, _ plan: WritingPlan
  ) throws -> Unmanaged<WritingPlan> {
    let address = UInt(bitPattern: ObjectIdentifier(type(of: object)))
    let last = plan.nodes[node].lastClass
    if last.address == address { return unsafe .passUnretained(plans[last.plan]) }
    let part = around.count == 0 && rules.only != nil ? ObjectPart.outermost : .whole
    let number = try planNumber(of: object, part, from: node, plan, in: plans)
    plan.nodes[node].lastClass = (address, number)
    return unsafe .passUnretained(plans[number])
  }

  // MARK: Nesting

  /// Calls `body`, which writes one array or object, with as much stack as it needs.
  @inline(__always) mutating func container(_ body: (inout ObjectWriting) throws -> Void) throws {
    let depth = json.depth &+ outerDepth
    guard depth < rules.depth else { throw Failure.tooDeep }
    // Each time a few more levels fit into the stack that is certain.
    if depth & 7 == 7 { try extended(body) } else { try body(&self) }
  }

  @inline(never) private mutating func extended(_ body: (inout ObjectWriting) throws -> Void) throws {
    try StackExtension.call { try body(&self) }
  }

  // MARK: Errors

  /// What no JSON stands for; the way to it is found while the error passes what is around it.
  enum Failure: Error {
    case cycle
    case tooDeep
    case notFinite(String)
    case noNotation(String, expected: String)
  }

  /// Notes a step to what an error is about.
  mutating func note(_ step: Step) { steps.append(step) }

  /// An error with the way from the root to what it is about.
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

  /// How many steps of a long way are shown at its beginning, and at its end.
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
