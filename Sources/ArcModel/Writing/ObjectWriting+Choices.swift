import Arc
import ArcFormat
import ArcJSON

// Objects of which a member tells the type.

extension ObjectWriting {
  /// Writes an object with the member that tells its type.
  mutating func writeChosen(_ object: AnyObject, from node: Int, _ plan: WritingPlan) throws {
    let own = unsafe try self.plan(of: object, from: node, plan).takeUnretainedValue()
    guard let choice = plan.choices[node], let tag = choice.tag else { return try write(object, own) }
    let type = RowWriter.valueType(of: object)
    guard let text = choice.text(of: type) else {
      throw Failure.noNotation("a value of type '\(type)'", expected: choice.words)
    }
    pendingTag = (tag, text)
    defer { pendingTag = nil }
    try write(object, own)
    guard pendingTag == nil else {
      throw Failure.noNotation(
        "a value of type '\(type)', which is not a JSON object", expected: choice.words)
    }
  }

  /// Writes the member that tells the type of what has other members, unless one of these has its name.
  mutating func writeTag(beside members: Range<Int>, _ plan: WritingPlan) {
    guard let tag = pendingTag else { return }
    pendingTag = nil
    guard !members.contains(where: { plan.name(ofMember: $0).hasSameBytes(as: tag.name) }) else { return }
    json.key(tag.name)
    json.string(tag.text)
  }
}
