import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Finding which JSON objects are the same object.

extension ReadingSession {
  /// Finds all objects that can be reached from the added objects, and determines which objects must be built
  /// before each object.
  mutating func findGraph() throws {
    var (next, nextReference) = (0, 0)
    while true {
      if next < graph.sources.count {
        try findMembers(of: graph.sources[next])
        next += 1
      } else if nextReference < graph.references.count {
        // The search for objects that no property contains starts when all other objects are known.
        try findTarget(of: graph.references[nextReference])
        nextReference += 1
      } else {
        break
      }
    }
    for reference in graph.references { try resolve(reference) }
    for constant in graph.constants { try compare(constant) }
    for number in graph.nodes.indices { try findNeeds(of: number) }
    if rules.reportsUnknownKeys { try noteUnknownMembers(in: issues) }
  }

  /// Adds issues to `log`: an issue for each member that no property reads, in all JSON objects of the graph.
  /// Skips members at or after the document index `end`.
  func noteUnknownMembers(in log: IssueLog, before end: Int = .max) throws {
    for source in graph.sources where source.index < end {
      let plan = plans[graph.nodes[graph.number(ofObjectAt: source.index) ?? source.number].plan]
      // The value in a box reports its own unknown members.
      if plan.plan.isBox { continue }
      for key in document.keys(of: source.index)
      where key < end && plan.keys.number(at: key, in: document) == nil {
        try plan.plan.noteUnknown(key, of: source.index, in: document, log)
      }
    }
  }

  /// Finds the objects that must be built before an object.
  private mutating func findNeeds(of number: Int) throws {
    let node = graph.nodes[number]
    guard node.state == .found, node.firstMember >= 0 else { return }
    let plan = plans[node.plan]
    let firstNeed = graph.needs.count
    for slot in plan.slotsWithObjects
    where plan.rows.slots[slot].isSetEarly && members[node.firstMember + slot] >= 0 {
      try plan.filler.findObjects(plan.slots[slot].node, members[node.firstMember + slot], &pending)
    }
    graph.needs += pending.map(\.index)
    pending.removeAll(keepingCapacity: true)
    graph.nodes[number].needs = firstNeed..<graph.needs.count
  }

  /// Finds the members of a JSON object, and the JSON objects in their values.
  private mutating func findMembers(of source: TextGraph.Source) throws {
    let firstMember = members.count
    do { try findMembers(of: source.index, plans[graph.nodes[source.number].plan]) } catch {
      if graph.nodes[source.number].firstMember < 0 { graph.nodes[source.number].firstMember = firstMember }
      throw error
    }
    guard let number = try identify(source, members: firstMember) else { return }
    let plan = plans[graph.nodes[number].plan]
    if graph.nodes[number].firstMember < 0 {
      graph.nodes[number].firstMember = firstMember
    } else {
      try merge(firstMember, into: number)
    }
    for slot in plan.slotsWithObjects where members[firstMember + slot] >= 0 {
      let value = members[firstMember + slot]
      if try addUpdated(inSlot: slot, of: number, value) { continue }
      try plan.filler.findObjects(plan.slots[slot].node, value, &pending)
      try addPending(in: plan.filler)
    }
  }

  /// Adds all pending objects to the graph.
  mutating func addPending(in filler: JSONRowFiller) throws {
    for object in pending { try add(object, in: filler) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Adds the object that a JSON object describes. For a JSON object with a `$ref`, adds a reference instead.
  private mutating func add(_ object: JSONRowFiller.PendingObject, in filler: JSONRowFiller) throws {
    guard !graph.isKnown(object.index) else { return }
    graph.setNumber(nil, ofObjectAt: object.index)
    let marks = try marks(of: object.index, isReported: true)
    if let name = marks.reference {
      return graph.references.append(
        TextGraph.Reference(index: object.index, name: name, node: object.node, filler: filler))
    }
    guard let plan = try plan(of: object, in: filler) else { return }
    guard try !isRefusedAsPreparing(plan, object.index) else { return }
    try note(marks.identifier, of: graph.addNode(ofObjectAt: object.index, plan: plan))
  }

  /// Whether an object must be rejected because its class preprocesses JSON, which graphs do not support. If
  /// true, reports an issue.
  func isRefusedAsPreparing(_ plan: Int, _ index: Int) throws -> Bool {
    guard plans[plan].preparing != nil, index != preparedIndex else { return false }
    try issues.note(
      .refused, at: index,
      found: "an object of class '\(plans[plan].rows.type)', which conforms to JSONPreprocessing",
      expected: "an object of a class without JSONPreprocessing, because ModelReader.references is set")
    return true
  }

  /// Records the `$id` of an object, if there is one. Reports an `$id` that is invalid or is already used.
  mutating func note(_ name: Int?, of number: Int) throws {
    guard let name else { return }
    guard let text = identifier(at: name) else {
      return try issues.note(.typeMismatch, at: name, expected: "a string or a number for '$id'")
    }
    guard graph.identified[text] == nil else {
      return try issues.note(.duplicateIdentifier, at: name, expected: "an '$id' that no other object has")
    }
    graph.identified[text] = number
  }

  // MARK: Marks

  /// Returns the document indices of the `$id` and `$ref` values of a JSON object. A value is nil if there is
  /// no such member. If `isReported` is true, reports repeated marks and other members next to `$ref`.
  func marks(
    of index: Int, isReported: Bool
  ) throws -> (identifier: Int?, reference: Int?) {
    guard rules.references.contains(.marked) else { return (nil, nil) }
    var identifier: Int?
    var reference: Int?
    for key in document.keys(of: index) {
      let isReference = document.isString(at: key, ModelReferences.referenceName)
      guard isReference || document.isString(at: key, ModelReferences.identifierName) else { continue }
      if (isReference ? reference : identifier) != nil {
        if document.duplicateKeys == .first { continue }
        if isReported { try issues.noteDuplicate(ofKeyAt: key) }
      }
      if isReference { reference = key + 1 } else { identifier = key + 1 }
    }
    if let reference, isReported {
      for key in document.keys(of: index) where key + 1 != reference {
        if document.isString(at: key, ModelReferences.referenceName) { continue }
        try issues.note(
          .unknownKey, at: key + 1, found: "a member next to '$ref'",
          expected: "'$ref' as the only member of its object")
      }
    }
    return (identifier, reference)
  }

  /// Returns the text of an `$id` or `$ref` value. Returns nil if it is neither a string nor a number.
  private func identifier(at index: Int) -> String? {
    let word = document.word(at: index)
    return word.isString || word.isNumber ? document.string(at: index) : nil
  }

  // MARK: References

  /// Finds the JSON object to which a `$ref` refers. If no property reads this JSON object, adds its object
  /// to the graph.
  private mutating func findTarget(of reference: TextGraph.Reference) throws {
    guard let name = identifier(at: reference.name), graph.identified[name] == nil else { return }
    let unreferenced = try graph.unreferenced ?? unreferencedObjects()
    graph.unreferenced = unreferenced
    guard let target = unreferenced.entries[name], !graph.isKnown(target) else { return }
    if let second = unreferenced.duplicates[name] {
      try issues.note(.duplicateIdentifier, at: second, expected: "an '$id' that no other object has")
    }
    try add(JSONRowFiller.PendingObject(index: target, node: reference.node), in: reference.filler)
  }

  /// Searches the text for the JSON objects that have an `$id`, but that no property reads.
  private func unreferencedObjects() throws -> TextGraph.UnreferencedObjects {
    var unreferenced = TextGraph.UnreferencedObjects()
    var index = 0
    while index < document.wordCount {
      let word = document.word(at: index)
      // An object with `$id` and `$values` is an array.
      if word.kind == .object, !graph.isKnown(index),
        document.member(ModelReferences.valuesName, of: index) == nil
      {
        let marks = try marks(of: index, isReported: false)
        if marks.reference == nil, let name = marks.identifier, let text = identifier(at: name) {
          if unreferenced.entries[text] == nil {
            unreferenced.entries[text] = index
          } else {
            unreferenced.duplicates[text] = name
          }
        }
      }
      index += word.isContainer ? 2 : 1
    }
    return unreferenced
  }

  /// Records that a JSON object with a `$ref` describes the object with the same `$id`. Reports an issue if
  /// no object has this `$id`, or if the object's class is not suitable.
  private mutating func resolve(_ reference: TextGraph.Reference) throws {
    guard let name = identifier(at: reference.name) else {
      return try issues.note(
        .typeMismatch, at: reference.name, expected: "a string or a number for '$ref'")
    }
    guard let marked = graph.identified[name],
      let number = graph.number(ofObjectAt: graph.nodes[marked].index)
    else {
      return try issues.note(
        .danglingReference, at: reference.index, found: "a '$ref' to \(issues.words(at: reference.name))",
        expected: "a '$ref' to the '$id' of an object in the text")
    }
    let type = plans[graph.nodes[number].plan].rows.type
    if let wanted = reference.filler.shape.type(ofReference: reference.node),
      !ClassTable.isSubclass(type, of: wanted)
    {
      return try issues.note(
        .danglingReference, at: reference.index,
        found: "a '$ref' to an object of class '\(type)'",
        expected: "a '$ref' to an object of class '\(wanted)' or a subclass")
    }
    graph.setNumber(number, ofObjectAt: reference.index)
  }
}
