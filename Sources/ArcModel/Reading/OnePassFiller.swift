import ArcFormat
import ArcJSON

/// Fills the rows of values directly from a text, in one pass. It accepts only what a strict reader accepts.
///
/// `reads(_:)` returns whether the filler supports a node. A `RowFiller` reads all other values, reports
/// issues, and converts values for lenient readers. `ReadingStrategyTests` compares the results of the two
/// fillers.
final class OnePassFiller {
  private let row: InputRow
  private let nodes: HandleBuffer<Node>
  /// The cases of enumerations, by node.
  private let cases: HandleBuffer<JSONKeyTable?>
  /// The fields of structures, by node.
  private let structures: HandleBuffer<Structure?>

  /// Whether a structure must have members for all fields. True during an update that keeps fields without
  /// members, because this filler cannot read the existing fields.
  var requiresAllFields = false

  /// The facts about a node that are used for each value that is read. The type contains no references, so
  /// copying it retains nothing.
  private struct Node {
    let kind: ColumnKind
    let child: Int
    let secondChild: Int
    let dateFormat: ValueFormat.DateFormat?
    /// Whether the filler can read the values of the node.
    var isRead = false
  }

  private struct Structure {
    let members: MemberTable
    let fields: HandleBuffer<Field>
  }

  /// The facts about a field that are used when a structure is read.
  private struct Field {
    let node: Int
    let position: Int
    /// Whether the field has an initial value. The row then records whether each structure lacks a value for
    /// the field.
    let isTracked: Bool
    /// Whether the field keeps its initial value if it has no member.
    let keepsInitialValue: Bool
    /// Whether the field is nil if it has no member.
    let becomesNil: Bool
  }

  init(_ shape: RowShape) {
    row = shape.row
    nodes = HandleBuffer(
      shape.nodes.indices.map { index in
        let node = shape.nodes[index]
        return Node(
          kind: node.kind, child: node.child, secondChild: node.secondChild,
          dateFormat: shape.dateFormat(ofNode: index))
      })
    cases = HandleBuffer(repeating: nil, count: nodes.count)
    structures = HandleBuffer(repeating: nil, count: nodes.count)
    // Nested nodes come after the nodes that they are nested in.
    for node in shape.nodes.indices.reversed() { nodes[node].isRead = prepare(node, shape) }
  }

  deinit {
    for node in 0..<nodes.count { structures[node]?.fields.free() }
    nodes.free()
    cases.free()
    structures.free()
  }

  /// Whether the filler can read the values of a node.
  func reads(_ node: Int) -> Bool { nodes[node].isRead }

  /// Whether the filler can read the values of a node. Also prepares the names of its fields and cases.
  private func prepare(_ node: Int, _ shape: RowShape) -> Bool {
    let plan = shape.nodes[node]
    if plan.canContainItself || plan.holdsReferences || shape.codedPlans[node] != nil { return false }
    if let format = shape.formats[node] {
      guard case .date = format.kind else { return false }
    }
    switch plan.kind {
    case .string, .bool, .float64, .float32, .int64, .int32, .int16, .int8, .uint32, .uint16, .uint8, .uint64,
      .date, .decimal, .uuid, .url:
      return true
    case .optional, .array, .set: return nodes[plan.child].isRead
    case .dictionary:
      return shape.nodes[plan.child].kind == .string && !shape.nodes[plan.child].isChecked
        && nodes[plan.secondChild].isRead
    case .enumeration:
      let cases = shape.names[node]
      guard plan.isLeaf, shape.otherCaseNames[node] == nil, !cases.isEmpty else { return false }
      self.cases[node] = JSONKeyTable(cases)
      return true
    case .structure: return prepareStructure(node, shape)
    default: return false
    }
  }

  private func prepareStructure(_ node: Int, _ shape: RowShape) -> Bool {
    guard let plan = shape.structures[node], !plan.isJSON, !plan.isEmbedded, !shape.reportsUnknownKeys,
      plan.fields.allSatisfy({
        nodes[$0.node].isRead && $0.customRead == nil && !$0.rules.contains(.embedded)
      }),
      let members = MemberTable(plan.fields.map { $0.paths })
    else { return false }
    let fields = plan.fields.map { field in
      Field(
        node: field.node, position: field.position, isTracked: field.hasInitialValue,
        keepsInitialValue: field.hasInitialValue && !field.rules.contains(.required),
        becomesNil: nodes[field.node].kind == .optional && !field.rules.contains(.required))
    }
    structures[node] = Structure(members: members, fields: HandleBuffer(fields))
    return true
  }

  // MARK: Values

  /// Appends the next value to a node that the filler reads.
  ///
  /// - Throws: `Refusal` if the value does not fit.
  func fill(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    switch nodes[node].kind {
    case .optional:
      // As in `JSONRowFiller`, `null` is nil of the innermost of several nested optionals.
      let isInnermost = nodes[nodes[node].child].kind != .optional
      let isNil = try isInnermost && cursor.takeNull()
      row.append(bit: !isNil, to: node)
      if !isNil { try fill(nodes[node].child, from: &cursor, levels: levels) }
    case .string: try cursor.withString { row.append(text: $0, to: node) }
    case .int64: row.append(try cursor.integer(), to: node)
    case .float64: row.append(try cursor.double(), to: node)
    case .bool: row.append(bit: try cursor.bool(), to: node)
    case .int32, .int16, .int8, .uint32, .uint16, .uint8:
      let value = try cursor.integer()
      guard nodes[node].kind.holds(value) else { throw JSONCursor.Refusal() }
      row.append(value, to: node)
    case .structure: try fillStructure(node, from: &cursor, levels: levels)
    case .array, .set: try fillElements(node, from: &cursor, levels: levels)
    case .dictionary: try fillEntries(node, from: &cursor, levels: levels)
    case .enumeration: try fillCase(node, from: &cursor)
    default: try fillNotation(node, from: &cursor)
    }
  }

  private func fillNotation(_ node: Int, from cursor: inout JSONCursor) throws {
    switch nodes[node].kind {
    case .date: row.append(try cursor.date(nodes[node].dateFormat), to: node)
    case .url:
      try cursor.withURL { row.append(text: $0, to: nodes[node].child) }
      row.append(bit: false, to: nodes[node].secondChild)
    case .decimal: try cursor.withDecimal { notation, _ in row.append(text: notation, to: node) }
    case .uuid: row.append(try cursor.uuid(), to: node)
    case .uint64:
      guard let value = try cursor.exactNumber().integer(UInt64.self) else { throw JSONCursor.Refusal() }
      row.append(value, to: node)
    case .float32:
      // The digits are converted directly: rounding to `Double` first might not give the nearest value.
      guard let value = Float(try cursor.exactNumber().description), value.isFinite else {
        throw JSONCursor.Refusal()
      }
      row.append(value, to: node)
    default: throw JSONCursor.Refusal()
    }
  }

  private func fillElements(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0 else { throw JSONCursor.Refusal() }
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    try cursor.take(UInt8(ascii: "["))
    if cursor.takeIfNext(UInt8(ascii: "]")) { return }
    let child = nodes[node].child
    var count = 0
    repeat {
      try fill(child, from: &cursor, levels: levels - 1)
      count += 1
      cursor.skipSpace()
    } while cursor.takeIfNext(UInt8(ascii: ","))
    try cursor.take(UInt8(ascii: "]"))
    row.setLength(count, at: position, ofNode: node)
  }

  private func fillEntries(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0 else { throw JSONCursor.Refusal() }
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    try cursor.take(UInt8(ascii: "{"))
    if cursor.takeIfNext(UInt8(ascii: "}")) { return }
    let (key, value) = (nodes[node].child, nodes[node].secondChild)
    var count = 0
    repeat {
      try cursor.withString { row.append(text: $0, to: key) }
      cursor.skipSpace()
      try cursor.take(UInt8(ascii: ":"))
      try fill(value, from: &cursor, levels: levels - 1)
      count += 1
      cursor.skipSpace()
    } while cursor.takeIfNext(UInt8(ascii: ","))
    try cursor.take(UInt8(ascii: "}"))
    row.setLength(count, at: position, ofNode: node)
  }

  private func fillCase(_ node: Int, from cursor: inout JSONCursor) throws {
    guard let number = try cases[node].map({ try cursor.string(in: $0) }) ?? nil else {
      throw JSONCursor.Refusal()
    }
    row.append(UInt32(truncatingIfNeeded: number), to: node)
  }

  private func fillStructure(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0, let structure = structures[node] else { throw JSONCursor.Refusal() }
    let fields = structure.fields
    var seen: UInt64 = 0
    try fillMembers(structure.members, fields, of: node, from: &cursor, levels: levels - 1, &seen)
    for number in 0..<fields.count where seen >> UInt64(truncatingIfNeeded: number) & 1 == 0 {
      try fillMissing(fields[number], of: node)
    }
  }

  /// Appends fields of a structure. The values of the fields are members of the next JSON object.
  private func fillMembers(
    _ members: MemberTable, _ fields: HandleBuffer<Field>, of node: Int, from cursor: inout JSONCursor,
    levels: Int, _ seen: inout UInt64
  ) throws {
    try cursor.takeMembers(members, levels: levels, &seen) { number, cursor in
      if fields[number].isTracked { row.beginField(fields[number].position, ofNode: node) }
      try fill(fields[number].node, from: &cursor, levels: levels)
    } objects: { number, cursor, seen in
      try fillMembers(members[inner: number], fields, of: node, from: &cursor, levels: levels - 1, &seen)
    }
  }

  /// Appends a field for which the JSON has no member.
  private func fillMissing(_ field: Field, of node: Int) throws {
    if requiresAllFields {
      throw JSONCursor.Refusal()
    } else if field.keepsInitialValue {
      row.beginField(field.position, ofNode: node)
      row.setFieldAbsent(field.position, ofNode: node)
    } else if field.becomesNil {
      row.append(bit: false, to: field.node)
    } else {
      throw JSONCursor.Refusal()
    }
  }
}

extension JSONCursor {
  /// Reads a date. Returns the seconds since 2001-01-01 00:00:00 UTC.
  mutating func date(_ format: ValueFormat.DateFormat?) throws -> Double {
    if byte == UInt8(ascii: "\"") {
      let seconds = try withString { bytes in
        format == nil || format == .iso8601 ? DateNotation.seconds(bytes) : nil
      }
      // After its UTC offset is applied, a date can be in a year that the notation cannot represent.
      guard let seconds, format == nil || DateNotation.hasText(seconds) else { throw Refusal() }
      return seconds
    }
    let number = try double()
    switch format {
    case nil, .seconds: return number - DateNotation.secondsFrom1970
    case .milliseconds: return number / 1000 - DateNotation.secondsFrom1970
    case .iso8601, .rfc1123: throw Refusal()
    }
  }
}
