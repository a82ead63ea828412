import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Writing members whose JSON differs from the value of a property: members that are nested objects, have a
// custom format, or are also the tag.

extension ObjectWriting {
  /// Writes a member that is not plain: a nested object for paths of properties, a value in a custom format,
  /// or a property with the name of the tag.
  mutating func mappedMember(_ number: Int, _ plan: WritingPlan) throws {
    let member = plan.members[number]
    if member.customWrite == WritingPlan.skipped { return try skip(member.node, plan) }
    if member.node < 0 { return try group(member, plan) }
    guard let plain = try plainValue(of: member, plan) else {
      if member.isTagForNil { writeTag(plan) }
      return
    }
    let form =
      try member.customWrite < 0 || isCounting ? plain : plan.customWrites[member.customWrite](plain)
    if member.isTag, !isCounting { try checkTag(form, ofMember: number, plan) }
    json.key(member.name, of: plan.names)
    json.value(form)
  }

  /// Returns the next value of a member, before the custom format of the member is applied. Returns nil if
  /// the member is omitted.
  private mutating func plainValue(of member: WritingPlan.Member, _ plan: WritingPlan) throws -> JSONValue? {
    let (node, child) = (member.node, plan.nodes[member.node].firstChild)
    // `null` is nil of the innermost of several nested optionals.
    if member.omitsNil, plan.nodes[node].kind == .optional {
      guard try plan.rows.nextBit(ofNode: node) else { return nil }
      return try separately { writing throws in try writing.value(child, plan) }
    }
    let value = try separately { writing throws in try writing.value(node, plan) }
    return member.omitsNil && value == .null ? nil : value
  }

  /// Writes a nested object for paths of properties, such as `address` for `address.city`. Writes nothing if
  /// all members of the nested object are omitted.
  private mutating func group(_ member: WritingPlan.Member, _ plan: WritingPlan) throws {
    let start = json.position
    json.key(member.name, of: plan.names)
    try container { writing throws in
      writing.json.beginObject()
      try writing.members(member.members, plan)
      let isEmpty = !writing.json.hasValues
      writing.json.end()
      if isEmpty { writing.json.truncate(to: start) }
    }
  }

  /// Writes a case of a tagged enumeration as an object: the tag with the name of the case, and then the
  /// associated values.
  mutating func tagged(_ number: Int, _ tag: JSONNames.Name, _ plan: WritingPlan) throws {
    let node = plan.members[number].node
    try container { writing throws in
      writing.json.beginObject()
      writing.json.key(tag, of: plan.names)
      writing.json.string(plan.members[number].name, of: plan.names)
      if node >= 0, plan.members[number].payload == .fields {
        try writing.members(plan.nodes[node].members, plan)
      } else if node >= 0 {
        let field = plan.nodes[node].firstChild
        if plan.members[number].payload == .single, plan.nodes[field].kind == .structure,
          plan.nodes[field].form == .plain
        {
          try writing.members(plan.nodes[field].members, plan)
        } else {
          writing.json.key("_0")
          try writing.value(field, plan)
        }
      }
      writing.json.end()
    }
  }

  /// Writes an object whose class preserves unknown members or postprocesses its JSON.
  mutating func editedMembers(of object: AnyObject, _ plan: WritingPlan) throws {
    let unknown = try isCounting || plan.isPartial ? [] : unknownMembers(of: object, plan)
    let changing = isCounting ? nil : object as? any JSONPostprocessing
    if unknown.isEmpty, changing == nil { return try members(of: plan) }
    let areAdded = unknown.allSatisfy { !plan.namesOfProperties.contains(ExactName($0.name)) }
    if changing == nil, !rules.sortsKeys, areAdded { return try members(of: plan, unknown) }
    let value = try separately { writing throws in try writing.members(of: plan) }
    guard case .object(var members) = value else { return }
    add(unknown, to: &members, besides: plan.objectMembers, plan)
    try changing?.willWrite(&members, in: ArchiveContext(userInfo: rules.userInfo))
    json.value(.object(members), sortsKeys: rules.sortsKeys)
  }

  /// Writes the members of the object whose row was begun last, followed by its unknown members.
  private mutating func members(
    of plan: WritingPlan, _ unknown: [(name: String, value: JSONValue)]
  ) throws {
    try container { writing throws in
      writing.beginObject(plan)
      try writing.members(plan.objectMembers, plan)
      for (name, value) in unknown {
        writing.json.key(name)
        writing.json.value(value)
      }
      writing.json.end()
    }
  }

  /// Adds unknown members to the members that the properties wrote. If the JSON path of a property passes
  /// through a nested JSON object, the unknown members of that object are added to the nested object.
  private func add(
    _ unknown: [(name: String, value: JSONValue)], to members: inout JSONObject, besides known: Range<Int>,
    _ plan: WritingPlan
  ) {
    for (name, value) in unknown {
      let number = known.first { plan.names.text(of: plan.members[$0].name).hasSameBytes(as: name) }
      guard let number else {
        members[name] = value
        continue
      }
      guard plan.isGroup(number), case .object(let object) = value else { continue }
      var group = if case .object(let group)? = members[name] { group } else { JSONObject() }
      add(object.members, to: &group, besides: plan.members[number].members, plan)
      if group.count > 0 { members[name] = .object(group) }
    }
  }

  /// Returns the unknown members of an object, without members that have the name of a property or of the
  /// tag.
  private mutating func unknownMembers(
    of object: AnyObject, _ plan: WritingPlan
  ) throws -> [(name: String, value: JSONValue)] {
    guard let object = object as? any UnknownMemberPreserving else { return [] }
    var members: [(name: String, value: JSONValue)] = []
    for member in object.unknownMembers.members {
      if plan.namesOfProperties.contains(ExactName(member.name)), !plan.hasGroup(named: member.name) {
        continue
      }
      if rules.references.contains(.marked), ModelReferences.isMark(member.name) { continue }
      if try !isTag(member, plan) { members.append(member) }
    }
    return members
  }

  /// Returns the value that `body` writes, without adding it to the text.
  private mutating func separately(_ body: (inout ObjectWriting) throws -> Void) throws -> JSONValue {
    // The prepared names of plans are only valid for writers with these options.
    var other = JSONWriter(isPretty: rules.isPretty, escaping: rules.escaping)
    let depth = json.depth
    swap(&json, &other)
    outerDepth += depth
    defer {
      swap(&json, &other)
      outerDepth -= depth
    }
    try StackExtension.call { try body(&self) }
    return try JSONValue(parsing: json.text, limits: JSONLimits(depth: JSONValue.maximumDepth))
  }
}
