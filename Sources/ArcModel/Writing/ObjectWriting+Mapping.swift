import ArcFormat
import ArcJSON

// Members that are not just the value of a property.

extension ObjectWriting {
  /// Writes a member that is an object of other properties, or a value in a form that the program makes.
  mutating func mappedMember(_ number: Int, _ plan: WritingPlan) throws {
    let member = plan.members[number]
    guard member.customWrite >= 0 else {
      json.key(member.name, of: plan.names)
      return try container { writing throws in
        writing.json.beginObject()
        try writing.members(member.members, plan)
        writing.json.end()
      }
    }
    let plain = try separately { writing throws in try writing.value(member.node, plan) }
    if member.leavesOutNil, plain == .null { return }
    let form = try plan.customWrites[member.customWrite](plain)
    json.key(member.name, of: plan.names)
    json.value(form)
  }

  /// What `body` writes, as a value and not in the text.
  private mutating func separately(_ body: (inout ObjectWriting) throws -> Void) throws -> JSONValue {
    var other = JSONWriter()
    swap(&json, &other)
    defer { swap(&json, &other) }
    try body(&self)
    return try JSONValue(parsing: json.text)
  }
}
