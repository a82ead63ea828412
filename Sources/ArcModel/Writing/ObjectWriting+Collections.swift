import ArcFormat
import ArcJSON

// Writing values that contain other values: members, collections, structures and enumerations.

extension ObjectWriting {
  /// Writes the next value of each member in a range.
  mutating func members(_ range: Range<Int>, _ plan: WritingPlan) throws {
    if plan.hasOrderedMembers { return try membersInOrder(range, plan) }
    var number = range.lowerBound
    do {
      while number < range.upperBound {
        try member(number, plan)
        number &+= 1
      }
    } catch {
      note(.name(plan.name(ofMember: number)))
      throw error
    }
  }

  @inline(__always) mutating func member(_ number: Int, _ plan: WritingPlan) throws {
    let (node, name) = (plan.members[number].node, plan.members[number].name)
    guard plan.members[number].isPlain else { return try mappedMember(number, plan) }
    let kind = plan.nodes[node].kind
    guard plan.members[number].omitsNil else {
      json.key(name, of: plan.names)
      // The two most frequent kinds are written here, without the switch over all kinds.
      switch kind {
      case .string: return try plan.rows.nextBytes(ofNode: node).withSpan { json.string(utf8: $0) }
      case .int64: return json.integer(try plan.rows.next(Int64.self, ofNode: node))
      default: return try value(node, plan)
      }
    }
    switch kind {
    case .optional:
      guard try plan.rows.nextBit(ofNode: node) else { return }
      json.key(name, of: plan.names)
      try value(plan.nodes[node].firstChild, plan)
    case .reference, .weak:
      let object = Int(try plan.rows.next(UInt32.self, ofNode: node))
      guard object != 0 else { return }
      json.key(name, of: plan.names)
      try reference(object, from: node, plan)
    default:
      json.key(name, of: plan.names)
      try value(node, plan)
    }
  }

  /// Writes the next value of a node whose values contain other values.
  mutating func compound(_ node: Int, _ plan: WritingPlan) throws {
    switch plan.nodes[node].kind {
    case .array, .set: try container { try $0.collection(node, plan) }
    case .dictionary: try container { try $0.dictionary(node, plan) }
    case .structure: try container { try $0.structure(node, plan) }
    default:
      if plan.nodes[node].form == .coded { try coded(node, plan) } else { try enumeration(node, plan) }
    }
  }

  private mutating func collection(_ node: Int, _ plan: WritingPlan) throws {
    let child = plan.nodes[node].firstChild
    let count = try plan.rows.nextCount(ofNode: node)
    json.beginArray()
    if plan.nodes[node].kind == .set, rules.sortsKeys {
      try inOrder(count) { writing throws in try writing.value(child, plan) }
    } else {
      try elements(count) { writing throws in try writing.value(child, plan) }
    }
    json.end()
  }

  /// Calls `body` for each element. If `body` throws, adds the element's index to the path of the error.
  @inline(__always) private mutating func elements(
    _ count: Int, _ body: (inout ObjectWriting) throws -> Void
  ) throws {
    var index = 0
    do {
      while index < count {
        try body(&self)
        index &+= 1
      }
    } catch {
      note(.element(index))
      throw error
    }
  }

  private mutating func dictionary(_ node: Int, _ plan: WritingPlan) throws {
    let (key, value) = (plan.nodes[node].firstChild, plan.nodes[node].secondChild)
    let count = try plan.rows.nextCount(ofNode: node)
    guard plan.nodes[node].form == .plain else {
      json.beginArray()
      let pair = { (writing: inout ObjectWriting) throws in
        try writing.container { try $0.pair(key, value, plan) }
      }
      if rules.sortsKeys { try inOrder(count, pair) } else { try elements(count, pair) }
      return json.end()
    }
    json.beginObject()
    var (starts, names): ([Int], [String]) = ([], [])
    for _ in 0..<count {
      let start = json.startOfNextValue
      let name = try name(key, plan, returnsName: rules.sortsKeys)
      do { try self.value(value, plan) } catch {
        note(.name(json.name(at: start)))
        throw error
      }
      if rules.sortsKeys {
        starts.append(start)
        names.append(name)
      }
    }
    json.sortValues(at: starts, names: names)
    json.end()
  }

  private mutating func pair(_ key: Int, _ value: Int, _ plan: WritingPlan) throws {
    json.beginArray()
    try self.value(key, plan)
    try self.value(value, plan)
    json.end()
  }

  /// Calls `body`, which writes one element, for each element. Sorts the written elements by their JSON text.
  private mutating func inOrder(_ count: Int, _ body: (inout ObjectWriting) throws -> Void) throws {
    var starts: [Int] = []
    try elements(count) { writing throws in
      starts.append(writing.json.startOfNextValue)
      try body(&writing)
    }
    json.sortValues(at: starts, names: [])
  }

  /// Writes the fields of a structure. If `isTagged` is true, writes the type tag before the fields.
  mutating func structure(_ node: Int, _ plan: WritingPlan, isTagged: Bool = false) throws {
    let range = plan.nodes[node].members
    guard plan.nodes[node].form == .array else {
      if plan.nodes[node].form == .json { return try ownJSON(node, plan) }
      json.beginObject()
      if isTagged { writeTag(plan) }
      try members(range, plan)
      return json.end()
    }
    json.beginArray()
    var number = range.lowerBound
    try elements(range.count) { writing throws in
      try writing.value(plan.members[number].node, plan)
      number += 1
    }
    json.end()
  }

  /// Writes an enumeration value: the name of its case, or an object with the name and the associated values.
  private mutating func enumeration(_ node: Int, _ plan: WritingPlan) throws {
    let range = plan.nodes[node].members
    let position = Int(try plan.rows.next(UInt32.self, ofNode: node))
    guard position < range.count else {
      throw ArchiveError(
        .unknownCase, found: "case number \(position)", expected: "a case number below \(range.count)")
    }
    let number = range.lowerBound + position
    if let tag = plan.nodes[node].tag { return try tagged(number, tag, plan) }
    guard plan.members[number].node >= 0 else {
      return json.string(plan.members[number].name, of: plan.names)
    }
    if plan.nodes[node].isUntagged { return try payload(number, plan) }
    try container { writing throws in
      writing.json.beginObject()
      writing.json.key(plan.members[number].name, of: plan.names)
      do { try writing.payload(number, plan) } catch {
        writing.note(.name(plan.name(ofMember: number)))
        throw error
      }
      writing.json.end()
    }
  }

  private mutating func payload(_ number: Int, _ plan: WritingPlan) throws {
    let node = plan.members[number].node
    let field = plan.nodes[node].firstChild
    switch plan.members[number].payload {
    case .fields: try value(node, plan)
    case .wrapped: try wrapped { writing throws in try writing.value(field, plan) }
    case .single:
      guard plan.nodes[field].kind == .reference else { return try value(field, plan) }
      let object = Int(try plan.rows.next(UInt32.self, ofNode: field))
      if try hasMemberZero(object, from: field, plan) {
        try wrapped { writing throws in try writing.reference(object, from: field, plan) }
      } else {
        try reference(object, from: field, plan)
      }
    }
  }

  private mutating func wrapped(_ body: (inout ObjectWriting) throws -> Void) throws {
    try container { writing throws in
      writing.json.beginObject()
      writing.json.key("_0")
      try body(&writing)
      writing.json.end()
    }
  }
}
