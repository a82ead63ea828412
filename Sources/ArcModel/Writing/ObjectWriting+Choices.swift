import Arc
import ArcFormat
import ArcJSON
import ArcRuntime

// Writing objects with a tag: a member that states the type.

extension ObjectWriting {
  /// Returns the number of the plan for an object's class. The plan writes the tag that the referring
  /// property requires.
  ///
  /// - Throws: `Failure` if the tag has no string for the object's type, or if the object is not written as a
  ///   JSON object.
  func planNumber(
    of object: AnyObject, _ part: ObjectPart, from node: Int, _ plan: WritingPlan, in plans: WritingPlans
  ) throws -> Int {
    guard let choice = plan.choices[node], choice.tag != nil else {
      return try plans.number(of: object, part, nil, rules)
    }
    let type = RowWriter.valueType(of: object)
    guard let tag = choice.typeTag(of: type) else {
      throw Failure.noNotation("a value of type '\(type)'", expected: choice.words)
    }
    let number = try plans.number(of: object, part, tag, rules)
    guard plans[number].tag != nil else {
      throw Failure.noNotation(
        "a value of type '\(type)', which is not a JSON object", expected: choice.words)
    }
    return number
  }

  /// Writes the type tag of the object that was begun last.
  mutating func writeTag(_ plan: WritingPlan) {
    guard let tag = plan.tag else { return }
    json.key(tag.name, of: plan.names)
    json.string(tag.text, of: plan.names)
  }

  /// Writes the value of a box object's only property. If the box has a tag, writes the tag as a member of
  /// the value.
  mutating func boxedValue(_ node: Int, _ plan: WritingPlan) throws {
    guard plan.beginsWithTag else { return try value(node, plan) }
    try container { writing throws in try writing.structure(node, plan, isTagged: true) }
  }

  /// Throws if the value of a property with the name of the tag is not one of the tag's strings.
  func checkTag(_ value: JSONValue, ofMember number: Int, _ plan: WritingPlan) throws {
    guard let tag = plan.tag, !tag.type.contains(value) else { return }
    throw ModelWritingError.wrongTag(
      found: "\(value.words) for property '\(tag.properties[number] ?? tag.type.name)' of \(tag.owner), "
        + "whose tag is '\(tag.type.name)'",
      expected: tag.type.words)
  }

  /// Whether an unknown member is the tag, which is already written.
  ///
  /// - Throws: ``ModelWritingError`` if the member has the name of the tag and a different value.
  mutating func isTag(_ member: (name: String, value: JSONValue), _ plan: WritingPlan) throws -> Bool {
    guard let tag = plan.tag, member.name.hasSameBytes(as: tag.type.name) else { return false }
    if tag.type.contains(member.value) { return true }
    note(.name(member.name))
    throw ModelWritingError.wrongTag(
      found: "\(member.value.words) for an unknown member of \(tag.owner), whose tag is "
        + "'\(tag.type.name)'",
      expected: tag.type.words, remedy: "remove the member from unknownMembers")
  }
}

extension TypeTag {
  fileprivate func contains(_ value: JSONValue) -> Bool {
    guard case .string(let text) = value else { return false }
    return texts.contains { $0.hasSameBytes(as: text) }
  }

  /// A description of the tag's strings, for errors.
  fileprivate var words: String { texts.map { "\"\(printableName($0))\"" }.joined(separator: " or ") }
}

extension JSONValue {
  /// A description of the value, for errors.
  fileprivate var words: String {
    switch self {
    case .null, .bool, .number: "\(self)"
    case .string(let text): "\"\(printableName(text))\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}
