import Arc
import ArcArchive
import ArcFormat
import ArcJSON

// Objects that may lead back to themselves, as in archives: all are found, then built in the order in which
// they need each other, then linked.

extension ReadingSession {
  /// Reads the root, in which several places can have the same object.
  mutating func readGraph<Value: ArchivableValue>(_ type: Value.Type) throws -> Value {
    try withGraph { reading throws in
      let filler = reading.filler(of: try reading.plansOfRules.shape(ofValues: type))
      reading.rootFiller = filler
      try filler.findObjects(0, reading.root, &reading.found)
      try reading.addFound(in: filler)
      try reading.makeGraph()
      filler.row.removeAll()
      guard try filler.fill(0, reading.root) else { throw reading.issues.error }
      do { return try reading.decoder.value(type, of: filler.row) } catch {
        throw try reading.refusal(error, reading.root)
      }
    }
  }

  /// Updates an object with the root, in which several places can have the same object.
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

  /// Finds the objects in arrays to which an update of their owner adds, so that the text updates them.
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

  /// Calls `body`, which makes a graph, and sees to it that nothing is left over.
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
      // In a cycle nothing would free what the root does not hold.
      let isHeld = try decoder.reachableRows()
      try noteIssuesOfFailedObjects()
      if let isHeld { unlinkGraph { !isHeld[$0] } }
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

  /// Builds all objects, each after those that it needs, with an explicit stack.
  private mutating func buildGraph() throws {
    for node in graph.nodes where node.state == .updated {
      if let object = updated[node.index] {
        decoder.place(object, inRow: RowFiller.row(ofObjectAt: node.index))
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

  /// The entries of the objects that an object needs.
  private func needs(of number: Int) -> IndexingIterator<ArraySlice<Int>> {
    graph.needs[graph.nodes[number].needs].makeIterator()
  }

  /// Reports objects that need each other, from one of them back to itself.
  private func noteCycle(_ cycle: [Int], at index: Int) throws {
    let entries = Set(cycle.map { graph.nodes[$0].index }).sorted()
    let paths = Dictionary(uniqueKeysWithValues: zip(entries, document.places(of: entries).map(\.path)))
    let found = ArchiveError.textOfCycle(cycle) { number in
      let node = graph.nodes[number]
      let path = paths[node.index] ?? ""
      return "\(plans[node.plan].rows.type) at \(path.isEmpty ? "the root" : path)"
    }
    try issues.note(
      .constructionCycle, at: index, found: found,
      expected: "a cycle in which one property is a 'var' that is optional or has an initial value")
  }

  /// Builds an object of whose needs nothing is missing, if it has all that it must have.
  private mutating func construct(_ number: Int) throws {
    let node = graph.nodes[number]
    for entry in graph.needs[node.needs] { placeTarget(ofObjectAt: entry) }
    let plan = plans[node.plan]
    graph.nodes[number].state = .failed
    var filler = plan.filler
    var refusals = RefusedValues(issueCount: issues.count)
    while true {
      if try fillEarly(node, plan, filler) {
        do {
          try decoder.construct(plan.rows, row: RowFiller.row(ofObjectAt: node.index))
          graph.nodes[number].state = .built
          return
        } catch {
          guard try canRetry(after: error, node, plan, &filler, &refusals) else { return }
        }
      } else if filler === plan.filler, rules.isLenient {
        // A type may reject further values.
        filler = plan.checkingFiller
        issues.removeAll(after: refusals.issueCount)
      } else {
        return
      }
    }
  }

  /// Prepares another attempt to make an object whose row a type rejected. The first such attempt checks each
  /// value by itself; the next ones omit the rejected value. Returns false if the object needs this value.
  private mutating func canRetry(
    after error: any Error, _ node: TextGraph.Node, _ plan: ClassReadingState, _ filler: inout RowFiller,
    _ refusals: inout RefusedValues
  ) throws -> Bool {
    if filler === plan.filler {
      filler = plan.checkingFiller
      issues.removeAll(after: refusals.issueCount)
      return true
    }
    guard let error = error as? ArchiveError else { throw error }
    return try leaveOutRefused(error, node.index, plan, members: node.firstMember, &refusals)
  }

  /// Reports the issues of values that are set after all objects are built, of the objects that could not be
  /// built. Called when it is known which object holds which, because checks read references too.
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

  /// Has a JSON object that leads to another one stand for the object of that, if it is built.
  private mutating func placeTarget(ofObjectAt entry: Int) {
    guard let number = graph.number(ofObjectAt: entry) else { return }
    let (row, target) = (
      RowFiller.row(ofObjectAt: entry), RowFiller.row(ofObjectAt: graph.nodes[number].index)
    )
    if row != target { decoder.placeObject(ofRow: target, alsoInRow: row) }
  }

  /// Fills a row with what an object is built of. Returns false if something is missing, which is reported.
  private mutating func fillEarly(
    _ node: TextGraph.Node, _ plan: ClassReadingState, _ filler: RowFiller
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

  /// Sets what refers to other objects, when all of them are built.
  private mutating func linkGraph() throws {
    for reference in graph.references { placeTarget(ofObjectAt: reference.index) }
    for source in graph.sources { placeTarget(ofObjectAt: source.index) }
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

  /// Fills sets and dictionaries until each finds its keys. Issues are reported in the first round.
  private mutating func linkHashed(_ numbers: [Int]) throws {
    _ = try decoder.setHashedProperties(ofObjects: numbers.count) { number, round in
      if round > 0 { issues.isSilent = true }
      try link(numbers[number], .hash)
    }
    issues.isSilent = false
  }

  /// Sets those properties of an object that are set in a phase. If the object lacks a value that it needs,
  /// the graph is incomplete: others may have the object already.
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
        return try decoder.link(plan.rows, row: RowFiller.row(ofObjectAt: node.index), in: phase)
      } catch {
        guard try canRetry(after: error, node, plan, &filler, &refusals) else {
          graph.isIncomplete = true
          return
        }
      }
    }
  }

  // MARK: The end

  /// Has objects keep the members that no property is read from, of all JSON objects that they are made of.
  private func keepUnknownMembers() throws {
    guard rules.preservesUnknownMembers else { return }
    for source in graph.sources.sorted(by: { $0.index < $1.index }) {
      guard let number = graph.number(ofObjectAt: source.index) else { continue }
      let node = graph.nodes[number]
      guard node.state == .built, plans[node.plan].isKeeping,
        let object = decoder.object(inRow: RowFiller.row(ofObjectAt: node.index))
          as? any UnknownMemberPreserving
      else { continue }
      object.unknownMembers = try unknownMembers(
        of: source.index, plans[node.plan], addedTo: object.unknownMembers)
    }
  }

  /// Tells objects that they were read, each after those that it refers to, unless these lead back to it. One
  /// that refuses itself ends reading: others have it already.
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

  /// Undoes the links of objects in certain rows.
  private func unlinkGraph(where isUnlinked: (_ row: Int) -> Bool) {
    let rows = graph.nodes.lazy.filter { $0.state == .built }.map { [plans] in
      (row: RowFiller.row(ofObjectAt: $0.index), reader: plans[$0.plan].rows)
    }
    decoder.unlink(rows, where: isUnlinked)
  }
}
