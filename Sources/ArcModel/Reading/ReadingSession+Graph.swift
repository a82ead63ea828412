import Arc
import ArcArchive
import ArcFormat
import ArcJSON

// Reading and updating graphs in which objects can refer back to themselves. The session finds all objects,
// builds them in the order in which they need each other, and then links them.

extension ReadingSession {
  /// Reads the root of a text. In this text, several JSON objects can describe one object.
  mutating func readGraph<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
    try withGraph { reading throws in
      let filler = reading.filler(of: try reading.sharedPlans.shape(ofValues: type))
      reading.rootFiller = filler
      try filler.findObjects(0, reading.root, &reading.pending)
      try reading.addPending(in: filler)
      try reading.makeGraph()
      filler.row.removeAll()
      guard try filler.fill(0, reading.root) else { throw reading.issues.error }
      do { return try reading.decoder.value(type, of: filler.row) } catch {
        throw try reading.refusal(error, reading.root)
      }
    }
  }

  /// Updates an object from the root of a text. In this text, several JSON objects can describe one object.
  mutating func updateGraph(_ object: any Archivable) throws {
    guard document.word(at: root).kind == .object else {
      try issues.note(.typeMismatch, at: root, expected: "an object")
      throw issues.error
    }
    preparedIndex = root
    try noteOtherClass(of: object)
    try withGraph { reading throws in
      _ = try reading.addUpdated(object, ofObjectAt: reading.root)
      try reading.makeGraph()
    }
  }

  /// Adds the identifiable elements of `object`'s merged arrays to the existing objects. A JSON object with
  /// the identity of such an element then updates the element.
  mutating func identifyElements(of object: any Archivable) throws {
    let plan = plans[try plan(of: type(of: object))]
    guard plan.isMerging else { return }
    for number in plan.slots.indices where plan.slots[number].isMerged {
      let elements = try object.value(forKey: plan.rows.slots[number].name) as? [Any] ?? []
      identify(elements.compactMap { $0 as? any ModelIdentifiable })
    }
  }

  private mutating func makeGraph() throws {
    try findGraph()
    try buildGraph()
    try linkGraph()
    do { try decoder.checkKeys() } catch { throw try refusal(error, root) }
    try keepUnknownMembers()
    for node in graph.nodes where node.state == .updated {
      try prepareUpdate(
        Frame(index: node.index, plan: node.plan), plans[node.plan], members: node.firstMember)
    }
  }

  /// Calls `body`, which builds a graph. Afterwards, removes the references in all objects that the result
  /// does not reach, so that cycles are released.
  private mutating func withGraph<Result>(
    _ body: (inout ReadingSession) throws -> Result
  ) throws -> Result {
    try beginRows()
    graph = TextGraph(rowCount: document.wordCount / 2 + 2)
    decoder.logReferences()
    notesUnknownKeys = false
    do {
      let value = try body(&self)
      try finishGraph()
      try applyUpdates()
      // In a cycle, objects that the root does not reach would never be released.
      let isReachable = try decoder.reachableRows()
      try noteIssuesOfFailedObjects()
      if let isReachable { unlinkGraph { !isReachable[$0] } }
      return value
    } catch is ModelReadingError where rules.isLenient {
      defer { unlinkGraph { _ in true } }
      try noteIssuesOfFailedObjects()
      throw issues.error
    } catch {
      unlinkGraph { _ in true }
      throw error
    }
  }

  // MARK: Building

  /// Builds all objects. Each object is built after the objects that must be built before it. Uses an
  /// explicit stack instead of recursion.
  private mutating func buildGraph() throws {
    for node in graph.nodes where node.state == .updated {
      if let object = updated[node.index] {
        decoder.setObject(object, inRow: JSONRowFiller.row(ofObjectAt: node.index))
      }
    }
    for number in graph.nodes.indices where graph.nodes[number].state == .found {
      var order = DependencyOrder(number, needs: needs(of: number))
      graph.nodes[number].state = .waiting
      while let step = order.next() {
        switch step {
        case .ready(let number): try construct(number)
        case .need(let entry):
          guard let needed = graph.number(ofObjectAt: entry) else { continue }
          switch graph.nodes[needed].state {
          case .found:
            graph.nodes[needed].state = .waiting
            order.begin(needed, needs: needs(of: needed))
          case .waiting: try noteCycle(order.cycle { $0 == needed } + [needed], at: entry)
          case .built, .failed, .updated, .merged: break
          }
        }
      }
    }
  }

  /// Returns the needs of an object: the document indices of the JSON objects whose objects must be built
  /// first.
  private func needs(of number: Int) -> IndexingIterator<ArraySlice<Int>> {
    graph.needs[graph.nodes[number].needs].makeIterator()
  }

  /// Reports a cycle: each of these objects must be built before the next, so no object can be built first.
  private func noteCycle(_ cycle: [Int], at index: Int) throws {
    let entries = Set(cycle.map { graph.nodes[$0].index }).sorted()
    let paths = Dictionary(uniqueKeysWithValues: zip(entries, document.locations(of: entries).map(\.path)))
    let found = ArchiveError.textOfCycle(cycle) { number in
      let node = graph.nodes[number]
      let path = paths[node.index] ?? ""
      return "\(plans[node.plan].rows.type) at \(path.isEmpty ? "the root" : path)"
    }
    try issues.note(
      .constructionCycle, at: index, found: found,
      expected: "a cycle in which one property is a 'var' that is optional or has an initial value")
  }

  /// Builds an object, from the objects that had to be built before it. If a required value is missing, marks
  /// the object as failed.
  private mutating func construct(_ number: Int) throws {
    let node = graph.nodes[number]
    for entry in graph.needs[node.needs] { addTargetToRow(ofObjectAt: entry) }
    let plan = plans[node.plan]
    graph.nodes[number].state = .failed
    var filler = plan.filler
    var refusals = RefusedValues(issueCount: issues.count)
    while true {
      if try fillEarly(node, plan, filler) {
        do {
          try decoder.construct(plan.rows, row: JSONRowFiller.row(ofObjectAt: node.index))
          graph.nodes[number].state = .built
          return
        } catch {
          guard try canRetry(after: error, node, plan, &filler, &refusals) else { return }
        }
      } else if filler === plan.filler, rules.isLenient {
        // A type may refuse further values, so each value is checked by itself.
        filler = plan.checkingFiller
        issues.removeAll(after: refusals.issueCount)
      } else {
        return
      }
    }
  }

  /// Prepares the next attempt to build or link an object. Called after a type refused a value in the
  /// object's row. The second attempt checks each value separately. Each later attempt omits the refused
  /// value. Returns false if the object must have the refused value.
  private mutating func canRetry(
    after error: any Error, _ node: TextGraph.Node, _ plan: ClassReadingState, _ filler: inout JSONRowFiller,
    _ refusals: inout RefusedValues
  ) throws -> Bool {
    if filler === plan.filler {
      filler = plan.checkingFiller
      issues.removeAll(after: refusals.issueCount)
      return true
    }
    guard let error = error as? ArchiveError else { throw error }
    return try omitRefused(error, node.index, plan, members: node.firstMember, &refusals)
  }

  /// Reports further issues of objects that could not be built: the issues in values that would be set after
  /// all objects are built. The checks of these values read references, so this method is called when all
  /// references are known.
  private mutating func noteIssuesOfFailedObjects() throws {
    for node in graph.nodes where node.state == .failed && node.firstMember >= 0 {
      let plan = plans[node.plan]
      plan.beginRow()
      for slot in plan.slots.indices where !plan.rows.slots[slot].isSetEarly {
        let value = members[node.firstMember + slot]
        if value >= 0 { _ = try fill(slot, of: plan, plan.checkingFiller, value) }
      }
    }
  }

  /// Adds an object to the row of a JSON object that describes it. Does nothing if the object was built in
  /// this row. If several JSON objects describe an object, it is built in the row of only one of them.
  private mutating func addTargetToRow(ofObjectAt entry: Int) {
    guard let number = graph.number(ofObjectAt: entry) else { return }
    let (row, target) = (
      JSONRowFiller.row(ofObjectAt: entry), JSONRowFiller.row(ofObjectAt: graph.nodes[number].index)
    )
    if row != target { decoder.placeObject(ofRow: target, alsoInRow: row) }
  }

  /// Fills the row with the values that are required to build the object. Returns false if a value is
  /// missing, and reports the missing member.
  private mutating func fillEarly(
    _ node: TextGraph.Node, _ plan: ClassReadingState, _ filler: JSONRowFiller
  ) throws -> Bool {
    plan.beginRow()
    let first = node.firstMember
    var (isWhole, lacksKeys) = (true, false)
    for number in plan.slots.indices {
      let slot = plan.slots[number]
      let value = members[first + number]
      let isEarly = plan.rows.slots[number].isSetEarly
      if isEarly, value >= 0, try fill(number, of: plan, filler, value) {
        plan.rows.setAbsent(false, slot: number)
        continue
      }
      if slot.isRequired, value < 0 { (isWhole, lacksKeys) = (false, true) }
      plan.rows.setAbsent(true, slot: number)
      switch slot.absence {
      case .keepsInitialValue: break
      case .becomesNil:
        guard isEarly else { break }
        plan.rows.setAbsent(false, slot: number)
        _ = plan.filler.fillNil(slot.node)
      case .refused, .unknown:
        if isEarly { isWhole = false }
        if value < 0 { (isWhole, lacksKeys) = (false, true) }
      }
    }
    if lacksKeys { try noteMissingKeys(of: node.index, plan, members: first) }
    return isWhole
  }

  // MARK: Linking

  /// Sets the properties that refer to other objects. Called when all objects are built.
  private mutating func linkGraph() throws {
    for reference in graph.references { addTargetToRow(ofObjectAt: reference.index) }
    for source in graph.sources { addTargetToRow(ofObjectAt: source.index) }
    for phase in DecodingPhase.linkPhases {
      let isLinked = plans.map { $0.rows.slots.contains { $0.phase == phase } }
      guard isLinked.contains(true) else { continue }
      let numbers = graph.nodes.indices.filter { number in
        graph.nodes[number].state == .built && isLinked[graph.nodes[number].plan]
      }
      if phase == .hash { try linkHashed(numbers) } else { for number in numbers { try link(number, phase) } }
    }
    if graph.isIncomplete { throw issues.error }
  }

  /// Fills sets and dictionaries. Repeats this until every key can be found, because the hash of a key can
  /// depend on another set. Only the first round reports issues.
  private mutating func linkHashed(_ numbers: [Int]) throws {
    _ = try decoder.setHashedProperties(ofObjects: numbers.count) { number, round in
      if round > 0 { issues.isSilent = true }
      try link(numbers[number], .hash)
    }
    issues.isSilent = false
  }

  /// Sets the properties of an object that are set in a given phase. If the object lacks a required value,
  /// marks the graph as incomplete, because other objects may already refer to the object.
  private mutating func link(_ number: Int, _ phase: DecodingPhase) throws {
    let node = graph.nodes[number]
    let plan = plans[node.plan]
    var filler = plan.filler
    var refusals = RefusedValues(issueCount: issues.count)
    while true {
      plan.beginRow()
      var isEmpty = true
      for number in plan.slots.indices {
        let value = plan.rows.slots[number].phase == phase ? members[node.firstMember + number] : -1
        let isFilled = try value >= 0 && fill(number, of: plan, filler, value)
        if value >= 0, !isFilled, !plan.slots[number].canBeAbsent { graph.isIncomplete = true }
        if isFilled { isEmpty = false }
        plan.rows.setAbsent(!isFilled, slot: number)
      }
      if isEmpty { return }
      do {
        return try decoder.link(plan.rows, row: JSONRowFiller.row(ofObjectAt: node.index), in: phase)
      } catch {
        guard try canRetry(after: error, node, plan, &filler, &refusals) else {
          graph.isIncomplete = true
          return
        }
      }
    }
  }

  // MARK: The end

  /// Stores the members that no property reads. Each `UnknownMemberPreserving` object receives these members
  /// of all JSON objects from which the object was read.
  private func keepUnknownMembers() throws {
    guard rules.preservesUnknownMembers else { return }
    for source in graph.sources.sorted(by: { $0.index < $1.index }) {
      guard let number = graph.number(ofObjectAt: source.index) else { continue }
      let node = graph.nodes[number]
      guard node.state == .built, plans[node.plan].preservesUnknownMembers,
        let object = decoder.object(inRow: JSONRowFiller.row(ofObjectAt: node.index))
          as? any UnknownMemberPreserving
      else { continue }
      object.unknownMembers = try unknownMembers(
        of: source.index, plans[node.plan], addedTo: object.unknownMembers)
    }
  }

  /// Calls the hook `didRead(in:)` of each object. Except in cycles, the hook of an object is called after
  /// the hooks of the objects to which this object refers. If an object rejects itself, the reading ends,
  /// because other objects already refer to it.
  private func finishGraph() throws {
    guard plans.contains(where: \.isFinishing) else { return }
    for row in decoder.rowsFromTheLeaves() {
      guard let node = graph.node(ofRow: row), node.state == .built, plans[node.plan].isFinishing,
        let object = decoder.object(inRow: row) as? any ModelFinishing
      else { continue }
      do { try object.didRead(in: rules.context) } catch {
        try issues.noteHookError(error, at: node.index)
        throw issues.error
      }
    }
  }

  /// Removes the references in the objects of certain rows, so that objects in cycles are released.
  private func unlinkGraph(where isUnlinked: (_ row: Int) -> Bool) {
    let rows = graph.nodes.lazy.filter { $0.state == .built }.map { [plans] in
      (row: JSONRowFiller.row(ofObjectAt: $0.index), reader: plans[$0.plan].rows)
    }
    decoder.unlink(rows, where: isUnlinked)
  }
}
