import Arc
import ArcFormat
import ArcJSON

// Writing values that `Codable` types encoded.

extension ObjectWriting {
  /// Writes the next value that a `Codable` type encoded, which can be any JSON value.
  mutating func coded(_ node: Int, _ plan: WritingPlan) throws {
    let range = plan.nodes[node].members
    let position = Int(try plan.rows.next(UInt32.self, ofNode: node))
    guard position < range.count else {
      throw ArchiveError(
        .unknownCase, found: "case number \(position)", expected: "a case number below \(range.count)")
    }
    let payload = plan.members[range.lowerBound + position].node
    guard payload >= 0 else { return json.null() }
    let values = plan.nodes[payload].firstChild
    guard plan.nodes[values].kind == .array, plan.nodes[plan.nodes[values].firstChild].kind == .structure
    else {
      return try value(values, plan)
    }
    try container { try $0.codedFields(values, plan) }
  }

  /// Writes the members of an object that a `Codable` type encoded.
  private mutating func codedFields(_ node: Int, _ plan: WritingPlan) throws {
    let field = plan.nodes[node].firstChild
    let (key, value) = (plan.nodes[field].firstChild, plan.nodes[field].secondChild)
    var (starts, names): ([Int], [String]) = ([], [])
    json.beginObject()
    for _ in 0..<(try plan.rows.nextCount(ofNode: node)) {
      let start = json.startOfNextValue
      let name = try name(key, plan, returnsName: rules.sortsKeys)
      do { try self.value(value, plan) } catch {
        note(.name(json.name(at: start)))
        throw error
      }
      starts.append(start)
      names.append(name)
    }
    if rules.sortsKeys { json.sortValues(at: starts, names: names) }
    json.end()
  }
}
