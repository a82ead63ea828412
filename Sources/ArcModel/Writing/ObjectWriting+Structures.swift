import ArcFormat
import ArcJSON

// Writing structures whose members differ from their fields in order.

extension ObjectWriting {
  /// Writes members in the order of their columns. If several members have the same name, writes only the
  /// first of them that is not nil. Sorts the members by name afterwards if the plan requires it.
  @inline(never) mutating func membersInOrder(_ range: Range<Int>, _ plan: WritingPlan) throws {
    let isSorted = !range.isEmpty && plan.members[range.lowerBound].isSortedLater
    var (starts, names): ([Int], [String]) = ([], [])
    var writtenNames: Set<Int> = []
    for number in range {
      let sharedName = plan.members[number].sharedName
      let start = json.startOfNextValue
      do {
        if writtenNames.contains(sharedName) {
          try skip(plan.members[number].node, plan)
        } else {
          try member(number, plan)
        }
      } catch {
        note(.name(plan.name(ofMember: number)))
        throw error
      }
      // A member that is nil or not written adds nothing to the text.
      guard json.startOfNextValue > start else { continue }
      if sharedName >= 0 { writtenNames.insert(sharedName) }
      guard isSorted else { continue }
      starts.append(start)
      names.append(plan.name(ofMember: number))
    }
    json.sortValues(at: starts, names: names)
  }

  /// Writes a `JSONValue`. It is a structure whose only field contains the JSON text.
  mutating func ownJSON(_ node: Int, _ plan: WritingPlan) throws {
    let bytes = try plan.rows.nextBytes(ofNode: plan.nodes[node].firstChild).withSpan { span in
      span.indices.map { span[$0] }
    }
    let limits = JSONLimits(depth: JSONValue.maximumDepth)
    let value = try JSONValue(parsing: String(decoding: bytes, as: UTF8.self), limits: limits)
    json.value(value, sortsKeys: rules.sortsKeys)
  }

  /// Skips the next value of a node.
  mutating func skip(_ node: Int, _ plan: WritingPlan) throws {
    let rows = plan.rows
    let (first, second) = (plan.nodes[node].firstChild, plan.nodes[node].secondChild)
    switch plan.nodes[node].kind {
    case .bool: _ = try rows.nextBit(ofNode: node)
    case .int8, .uint8: _ = try rows.next(UInt8.self, ofNode: node)
    case .int16, .uint16, .float16: _ = try rows.next(UInt16.self, ofNode: node)
    case .int32, .uint32, .float32, .reference, .weak: _ = try rows.next(UInt32.self, ofNode: node)
    case .int64, .uint64, .float64, .date: _ = try rows.next(UInt64.self, ofNode: node)
    case .int128, .uint128, .uuid: _ = try rows.next(UInt128.self, ofNode: node)
    case .string, .data, .decimal: _ = try rows.nextBytes(ofNode: node)
    case .url: _ = try ScalarText.url(node, plan)
    case .optional: if try rows.nextBit(ofNode: node) { try skip(first, plan) }
    case .array, .set: for _ in 0..<(try rows.nextCount(ofNode: node)) { try skip(first, plan) }
    case .dictionary:
      for _ in 0..<(try rows.nextCount(ofNode: node)) {
        try skip(first, plan)
        try skip(second, plan)
      }
    case .structure: for child in rows.layout.nodes[node].children { try skip(inside: child, plan) }
    case .enumeration:
      let position = Int(try rows.next(UInt32.self, ofNode: node))
      guard position < plan.nodes[node].members.count else { return }
      let payload = plan.members[plan.nodes[node].members.lowerBound + position].node
      if payload >= 0 { try skip(inside: payload, plan) }
    }
  }

  /// Skips the value of a nested node. The value can have the type of the outer value, so the nesting depth
  /// is checked.
  private mutating func skip(inside node: Int, _ plan: WritingPlan) throws {
    try container { writing throws in
      writing.outerDepth += 1
      defer { writing.outerDepth -= 1 }
      try writing.skip(node, plan)
    }
  }
}
