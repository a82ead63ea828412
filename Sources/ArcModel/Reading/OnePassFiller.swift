import ArcFormat
import ArcJSON

/// Fills the rows of values with the next values of a text, as a strict reader requires.
///
/// It reads the kinds of values that `init` accepts. A `RowFiller` reads all others, reports what is wrong, and
/// converts values for lenient readers. `OnePassTests` compare both.
final class OnePassFiller {
  private let row: FilledRow
  private let nodes: HandleBuffer<Node>
  /// The fields of structures, and the cases of enumerations, by node.
  private let names: HandleBuffer<Names?>

  /// What reading needs of a node for each value: nothing that would have to be retained.
  private struct Node {
    let kind: ColumnKind
    let child: Int
    let secondChild: Int
    let dateFormat: ValueFormat.DateFormat?
    /// Whether the filler reads the values of the node.
    var isRead = false
  }

  /// The names of the fields of a structure, or of the cases of an enumeration.
  private final class Names {
    let keys: JSONKeyTable
    let fields: [StructurePlan.Field]
    /// The field that probably follows a field; the last element is for the first field.
    let following: HandleBuffer<Int>

    init(_ names: [String], fields: [StructurePlan.Field]) {
      keys = JSONKeyTable(names)
      self.fields = fields
      following = HandleBuffer(Array(1..<names.count + 1) + [0])
    }

    deinit { following.free() }
  }

  init(_ shape: RowShape) {
    row = shape.row
    nodes = HandleBuffer(
      shape.nodes.indices.map { index in
        let node = shape.nodes[index]
        var dateFormat: ValueFormat.DateFormat?
        if case .date(let format)? = shape.formats[index]?.kind { dateFormat = format }
        return Node(kind: node.kind, child: node.child, secondChild: node.secondChild, dateFormat: dateFormat)
      })
    names = HandleBuffer(repeating: nil, count: nodes.count)
    // Nested nodes come after the nodes that they are nested in.
    for node in shape.nodes.indices.reversed() { nodes[node].isRead = prepare(node, shape) }
  }

  deinit {
    nodes.free()
    names.free()
  }

  /// Whether the filler reads the values of a node.
  func reads(_ node: Int) -> Bool { nodes[node].isRead }

  /// Determines whether the values of a node are read, and the names in them.
  private func prepare(_ node: Int, _ shape: RowShape) -> Bool {
    let plan = shape.nodes[node]
    if plan.isMentioned || plan.holdsReferences || shape.codedPlans[node] != nil { return false }
    if let format = shape.formats[node] {
      guard case .date = format.kind, plan.kind == .date else { return false }
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
      names[node] = Names(cases, fields: [])
      return true
    case .structure: return prepareStructure(node, shape)
    default: return false
    }
  }

  private func prepareStructure(_ node: Int, _ shape: RowShape) -> Bool {
    guard let plan = shape.structures[node], !plan.isJSON, !plan.isEmbedded, !shape.reportsUnknownKeys,
      1...UInt64.bitWidth ~= plan.fields.count
    else { return false }
    for field in plan.fields {
      guard let name = field.name, field.others.isEmpty, field.customRead == nil, !field.rules.contains(.embedded),
        nodes[field.node].isRead, plan.fields.count(where: { $0.name == name }) == 1
      else { return false }
    }
    let table = Names(plan.fields.compactMap(\.name), fields: plan.fields)
    guard table.keys.arePlain else { return false }
    names[node] = table
    return true
  }

  // MARK: Values

  /// Appends the next value to a node that the filler reads.
  ///
  /// - Throws: `Refusal` if the value does not fit.
  func fill(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    switch nodes[node].kind {
    case .optional:
      let isNil = try cursor.takeNull()
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
    case .date: row.append(try date(nodes[node].dateFormat, from: &cursor), to: node)
    case .url:
      try cursor.withString { bytes in
        // `ValueConversion.isBlank` has the reason.
        guard bytes.indices.contains(where: { bytes[$0] > UInt8(ascii: " ") }) else {
          throw JSONCursor.Refusal()
        }
        row.append(text: bytes, to: nodes[node].child)
      }
      row.append(bit: false, to: nodes[node].secondChild)
    case .decimal:
      try cursor.withNumber { bytes in
        guard DecimalNotation.isShortNotation(bytes) else { throw JSONCursor.Refusal() }
        row.append(text: bytes, to: node)
      }
    case .uuid:
      let value = try cursor.withString { UUIDNotation.bytes($0) }
      guard let value else { throw JSONCursor.Refusal() }
      row.append(value, to: node)
    case .uint64:
      guard let value = try cursor.exactNumber().integer(UInt64.self) else { throw JSONCursor.Refusal() }
      row.append(value, to: node)
    case .float32:
      // Of the digits themselves: rounded twice, it need not be the nearest.
      guard let value = Float(try cursor.exactNumber().description), value.isFinite else {
        throw JSONCursor.Refusal()
      }
      row.append(value, to: node)
    default: throw JSONCursor.Refusal()
    }
  }

  private func date(_ format: ValueFormat.DateFormat?, from cursor: inout JSONCursor) throws -> Double {
    if cursor.byte == UInt8(ascii: "\"") {
      let seconds = try cursor.withString { bytes in
        format == nil || format == .iso8601 ? DateNotation.seconds(bytes) : nil
      }
      // The offset of a date can lead to a year that no text has.
      guard let seconds, format == nil || DateNotation.hasText(seconds) else { throw JSONCursor.Refusal() }
      return seconds
    }
    let number = try cursor.double()
    switch format {
    case nil, .seconds: return number - DateNotation.secondsFrom1970
    case .milliseconds: return number / 1000 - DateNotation.secondsFrom1970
    case .iso8601, .rfc1123: throw JSONCursor.Refusal()
    }
  }

  private func fillElements(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0 else { throw JSONCursor.Refusal() }
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    try cursor.take(UInt8(ascii: "["))
    if cursor.takeIfThere(UInt8(ascii: "]")) { return }
    let child = nodes[node].child
    var count = 0
    repeat {
      try fill(child, from: &cursor, levels: levels - 1)
      count += 1
      cursor.skipSpace()
    } while cursor.takeIfThere(UInt8(ascii: ","))
    try cursor.take(UInt8(ascii: "]"))
    row.setLength(count, at: position, ofNode: node)
  }

  private func fillEntries(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0 else { throw JSONCursor.Refusal() }
    let position = row.count(ofNode: node)
    row.append(UInt64(0), to: node)
    try cursor.take(UInt8(ascii: "{"))
    if cursor.takeIfThere(UInt8(ascii: "}")) { return }
    let (key, value) = (nodes[node].child, nodes[node].secondChild)
    var count = 0
    repeat {
      try cursor.withString { row.append(text: $0, to: key) }
      cursor.skipSpace()
      try cursor.take(UInt8(ascii: ":"))
      try fill(value, from: &cursor, levels: levels - 1)
      count += 1
      cursor.skipSpace()
    } while cursor.takeIfThere(UInt8(ascii: ","))
    try cursor.take(UInt8(ascii: "}"))
    row.setLength(count, at: position, ofNode: node)
  }

  private func fillCase(_ node: Int, from cursor: inout JSONCursor) throws {
    guard let names = names[node], let number = try cursor.string(in: names.keys) else {
      throw JSONCursor.Refusal()
    }
    row.append(UInt32(truncatingIfNeeded: number), to: node)
  }

  private func fillStructure(_ node: Int, from cursor: inout JSONCursor, levels: Int) throws {
    guard levels > 0, let names = names[node] else { throw JSONCursor.Refusal() }
    let fields = names.fields
    var seen: UInt64 = 0
    try cursor.members(in: names.keys, following: names.following, levels: levels - 1) { number, cursor in
      let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: number)
      guard seen & bit == 0 else { throw JSONCursor.Refusal() }
      seen |= bit
      if fields[number].hasInitialValue { row.beginField(fields[number].position, ofNode: node) }
      try fill(fields[number].node, from: &cursor, levels: levels - 1)
    }
    for number in fields.indices where seen >> UInt64(truncatingIfNeeded: number) & 1 == 0 {
      try fillMissing(fields[number], of: node)
    }
  }

  /// Appends the field of a structure without a member for the field.
  private func fillMissing(_ field: StructurePlan.Field, of node: Int) throws {
    guard !field.rules.contains(.required) else { throw JSONCursor.Refusal() }
    if field.hasInitialValue {
      row.beginField(field.position, ofNode: node)
      row.setFieldAbsent(field.position, ofNode: node)
    } else if nodes[field.node].kind == .optional {
      row.append(bit: false, to: field.node)
    } else {
      throw JSONCursor.Refusal()
    }
  }
}

extension JSONCursor {
  /// Reads an object. Calls `takeValue` with the number of the name of each member, before the member's value.
  /// Skips members whose names the table does not contain.
  ///
  /// - Parameters:
  ///   - names: the known names.
  ///   - following: for each name, the name that probably comes next; the last element is for the first name.
  ///     The function updates the numbers.
  ///   - levels: the maximum nesting depth of skipped values.
  ///   - refusesOthers: whether members with other names are refused.
  @inline(__always) mutating func members(
    in names: JSONKeyTable, following: HandleBuffer<Int>, levels: Int, refusesOthers: Bool = false,
    _ takeValue: (Int, inout JSONCursor) throws -> Void
  ) throws {
    try take(UInt8(ascii: "{"))
    if takeIfThere(UInt8(ascii: "}")) { return }
    let count = following.count &- 1
    var previous = count
    repeat {
      let likely = following[previous]
      guard let number = try name(likely < count ? likely : 0, of: names) else {
        guard !refusesOthers else { throw Refusal() }
        try skipValue(levels: levels)
        continue
      }
      if number != likely { following[previous] = number }
      previous = number
      try takeValue(number, &self)
      skipSpace()
    } while takeIfThere(UInt8(ascii: ","))
    try take(UInt8(ascii: "}"))
  }
}
