import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Several JSON objects that are one object because their identities are equal, and updates of existing
// objects.

extension ReadingSession {
  // MARK: Identity

  /// Adds existing objects that the text can update. If two objects have the same identity, the text updates
  /// only the first.
  mutating func identify(_ objects: [any ModelIdentifiable]) {
    for object in objects {
      guard let key = ObjectKey(of: object), identified[key] == nil else { continue }
      identified[key] = object
    }
  }

  /// Returns the number of the object that a JSON object describes. Called when the members of the JSON
  /// object are found. If an earlier object has the same identity, returns the number of the earlier object.
  /// If the class of the earlier object does not fit, reports an issue and returns nil.
  mutating func identify(_ source: TextGraph.Source, members first: Int) throws -> Int? {
    let node = graph.nodes[source.number]
    let plan = plans[node.plan]
    guard node.firstMember < 0, node.state == .found, let identity = plan.identity,
      let key = key(identity, plan, members: first)
    else { return source.number }
    if let other = graph.keyed[key] {
      graph.nodes[source.number].state = .merged
      guard try adoptPlan(graph.nodes[other].plan, source, members: first) else { return nil }
      graph.setNumber(other, ofObjectAt: source.index)
      return other
    }
    graph.keyed[key] = source.number
    guard let object = identified[key] else { return source.number }
    let own = try self.plan(of: type(of: object))
    guard try adoptPlan(own, source, members: first) else { return nil }
    graph.nodes[source.number].plan = own
    graph.nodes[source.number].state = .updated
    graph.updatedNumbers[ObjectIdentifier(object)] = source.number
    updated[source.index] = object
    return source.number
  }

  /// Finds the members of a JSON object again. The JSON object describes an existing or earlier object, and
  /// `plan` is the plan of this object. If the class of this object is neither the expected class nor a
  /// subclass, reports an issue and returns false.
  private mutating func adoptPlan(_ plan: Int, _ source: TextGraph.Source, members first: Int) throws -> Bool
  {
    let wanted = graph.nodes[source.number].plan
    if wanted == plan { return true }
    guard ClassTable.isSubclass(plans[plan].rows.type, of: plans[wanted].rows.type) else {
      graph.nodes[source.number].state = .failed
      graph.setNumber(nil, ofObjectAt: source.index)
      try issues.note(
        .typeMismatch, at: source.index,
        found: "the identity of an object of class '\(plans[plan].rows.type)'",
        expected: "the identity of an object of class '\(plans[wanted].rows.type)' or a subclass")
      return false
    }
    members.removeLast(members.count - first)
    try findMembers(of: source.index, plans[plan])
    return true
  }

  /// Returns the identity of a JSON object. Returns nil if an identifying property has no value. Does not
  /// report issues of the property values, because these issues are reported when the object is built.
  mutating func key(
    _ identity: ObjectKey.Properties, _ plan: ClassReadingState, members first: Int
  ) -> ObjectKey? {
    let wasSilent = issues.isSilent
    issues.isSilent = true
    defer { issues.isSilent = wasSilent }
    plan.beginRow()
    do {
      var values: [Any?] = []
      for slot in identity.slots {
        let value = members[first + slot]
        guard value >= 0, document.word(at: value).kind != .null, try fill(slot, of: plan, plan.filler, value)
        else {
          return nil
        }
        plan.rows.setAbsent(false, slot: slot)
        values.append(try decoder.value(ofSlot: slot, of: plan.rows))
      }
      return ObjectKey(identity.owner, values)
    } catch {
      return nil
    }
  }

  // MARK: Merging

  /// Adds the members of a further JSON object to an object. In `members`, they begin at the position
  /// `first`.
  mutating func merge(_ first: Int, into number: Int) throws {
    let node = graph.nodes[number]
    let plan = plans[node.plan]
    for slot in plan.slots.indices where members[first + slot] >= 0 {
      let (value, target) = (members[first + slot], node.firstMember + slot)
      let other = members[target]
      if other < 0 {
        members[target] = value
      } else if plan.rows.slots[slot].isConstant {
        graph.constants.append(
          TextGraph.Constant(
            value: max(value, other), other: min(value, other), node: plan.slots[slot].node,
            filler: plan.filler))
      } else if try !mergeObject(value, into: other, plan.slots[slot].node, plan.filler) {
        members[target] = max(value, other)
      }
    }
  }

  /// Records that two JSON values describe one object, if both are JSON objects without an identity. Returns
  /// whether the method recorded this.
  private mutating func mergeObject(
    _ value: Int, into other: Int, _ node: Int, _ filler: JSONRowFiller
  ) throws -> Bool {
    guard filler.nodes[node].buildsObjects, document.word(at: value).kind == .object,
      document.word(at: other).kind == .object, let number = graph.number(ofObjectAt: other),
      graph.nodes[number].index == other, plans[graph.nodes[number].plan].identity == nil,
      !graph.isKnown(value)
    else { return false }
    let marks = try marks(of: value, isReported: true)
    guard marks.reference == nil,
      try plan(of: JSONRowFiller.PendingObject(index: value, node: node), in: filler)
        == graph.nodes[number].plan
    else { return false }
    graph.addSource(value, of: number)
    try note(marks.identifier, of: number)
    return true
  }

  /// Reports a constant whose values differ in two JSON objects that describe one object.
  func compare(_ constant: TextGraph.Constant) throws {
    let filler = constant.filler
    if filler.nodes[constant.node].holdsReferences {
      var (objects, others): ([JSONRowFiller.PendingObject], [JSONRowFiller.PendingObject]) = ([], [])
      try filler.findObjects(constant.node, constant.value, &objects)
      try filler.findObjects(constant.node, constant.other, &others)
      let numbers = objects.map { graph.number(ofObjectAt: $0.index) }
      if numbers == others.map({ graph.number(ofObjectAt: $0.index) }), !numbers.isEmpty { return }
    }
    guard let value = try value(at: constant.value), let other = try self.value(at: constant.other),
      value != other
    else { return }
    try issues.note(
      .conflictingValue, at: constant.value,
      expected: "\(issues.words(at: constant.other)), as in an earlier JSON object for the same object")
  }

  // MARK: Existing objects

  /// Adds an existing object that a JSON object updates. Returns the object's number. Returns nil and reports
  /// an issue if the object's class preprocesses its JSON.
  mutating func addUpdated(_ object: any Archivable, ofObjectAt index: Int) throws -> Int? {
    let plan = try plan(of: type(of: object))
    graph.setNumber(nil, ofObjectAt: index)
    guard try !isRefusedAsPreparing(plan, index) else { return nil }
    if rules.references.contains(.identified) { try identifyElements(of: object) }
    let number = graph.addNode(ofObjectAt: index, plan: plan, .updated)
    graph.updatedNumbers[ObjectIdentifier(object)] = number
    updated[index] = object
    if plans[plan].identity != nil, let key = ObjectKey(ofAny: object) {
      graph.keyed[key] = number
    }
    try note(try marks(of: index, isReported: true).identifier, of: number)
    return number
  }

  /// Adds the object to which a property of an updated object refers. The JSON value of the property then
  /// updates the added object. Returns false if the JSON value does not update that object, or if the reader
  /// finds the object by its identity instead.
  mutating func addUpdated(inSlot slot: Int, of number: Int, _ value: Int) throws -> Bool {
    let node = graph.nodes[number]
    let plan = plans[node.plan]
    guard node.state == .updated, plan.filler.nodes[plan.slots[slot].node].buildsObjects,
      !plan.rows.slots[slot].isConstant, !plan.slots[slot].isReplaced,
      document.word(at: value).kind == .object, !graph.isKnown(value),
      try marks(of: value, isReported: false).reference == nil, let owner = updated[node.index],
      let object = try owner.value(forKey: plan.rows.slots[slot].name) as? any Archivable
    else { return false }
    if try isOfOtherClass(value, than: object) { return false }
    if let identifiable = object as? any ModelIdentifiable {
      if !rules.references.contains(.identified) {
        if try isOtherObject(value, than: object) { return false }
      } else {
        switch try identity(ofObjectAt: value, as: type(of: object)) {
        case .key:
          // The object is matched by its identity, at any position in the text.
          identify([identifiable])
          return false
        case .null: return false
        case .missing: break
        }
      }
    }
    if let known = graph.updatedNumbers[ObjectIdentifier(object)] {
      graph.addSource(value, of: known)
      try note(try marks(of: value, isReported: true).identifier, of: known)
    } else {
      _ = try addUpdated(object, ofObjectAt: value)
    }
    return true
  }
}
