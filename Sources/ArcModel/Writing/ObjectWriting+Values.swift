import ArcFormat
import ArcJSON

// Writing the values of rows as JSON.

extension ObjectWriting {
  /// Writes the next value of a node.
  mutating func value(_ node: Int, _ plan: WritingPlan) throws {
    let rows = plan.rows
    switch plan.nodes[node].kind {
    case .bool: json.bool(try rows.nextBit(ofNode: node))
    case .int8: json.integer(Int64(try rows.next(Int8.self, ofNode: node)))
    case .int16: json.integer(Int64(try rows.next(Int16.self, ofNode: node)))
    case .int32: json.integer(Int64(try rows.next(Int32.self, ofNode: node)))
    case .int64: json.integer(try rows.next(Int64.self, ofNode: node))
    case .uint8: json.integer(UInt64(try rows.next(UInt8.self, ofNode: node)))
    case .uint16: json.integer(UInt64(try rows.next(UInt16.self, ofNode: node)))
    case .uint32: json.integer(UInt64(try rows.next(UInt32.self, ofNode: node)))
    case .uint64: json.integer(try rows.next(UInt64.self, ofNode: node))
    case .float64: try number(try rows.next(Double.self, ofNode: node))
    case .string: try rows.nextBytes(ofNode: node).withSpan { json.string(utf8: $0) }
    case .optional:
      let child = plan.nodes[node].firstChild
      if try rows.nextBit(ofNode: node) { try value(child, plan) } else { json.null() }
    case .reference, .weak: try reference(Int(try rows.next(UInt32.self, ofNode: node)), from: node, plan)
    case .array, .set, .dictionary, .structure, .enumeration: try compound(node, plan)
    case .data:
      try rows.nextBytes(ofNode: node).withSpan { json.string(plain: Base64.text($0).span) }
    default: try notation(node, plan)
    }
  }

  /// Writes a value of a kind that is not a JSON kind, such as a date.
  private mutating func notation(_ node: Int, _ plan: WritingPlan) throws {
    switch try ScalarText.next(node, plan) {
    case .number(let text): json.literal(text)
    case .string(let text): json.literal(text, isQuoted: true)
    case .notFinite(let text): try notFinite(text)
    case .text(let text): json.string(text)
    }
  }

  mutating func number(_ value: Double) throws {
    if value.isFinite { json.number(value) } else { try notFinite(ScalarText.name(of: value)) }
  }

  private mutating func notFinite(_ name: String) throws {
    if rules.writesNonFiniteAsNull { return json.null() }
    guard rules.writesNonFiniteAsText else { throw Failure.notFinite(name) }
    json.literal(name, isQuoted: true)
  }

  /// Writes the next value of a node as the name of a member. Returns the name. Returns an empty string
  /// instead if `returnsName` is false and the value is a string.
  mutating func name(_ node: Int, _ plan: WritingPlan, returnsName: Bool) throws -> String {
    if plan.nodes[node].kind == .string, !returnsName {
      try plan.rows.nextBytes(ofNode: node).withSpan { json.key(utf8: $0) }
      return ""
    }
    let name: String
    switch try ScalarText.next(node, plan) {
    case .number(let text), .string(let text), .text(let text): name = text
    case .notFinite(let text):
      guard rules.writesNonFiniteAsText else { throw Failure.notFinite(text) }
      name = text
    }
    json.key(name)
    return name
  }
}
