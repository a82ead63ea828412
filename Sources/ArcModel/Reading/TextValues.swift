import Arc
import ArcFormat
import ArcJSON

/// Gives the values of a row right from a text, where these are as strict reading wants them, and has the
/// objects that they refer to built when they are asked for.
///
/// Whatever is otherwise makes it throw: then the row is filled instead, which reports what is wrong, or
/// converts it.
final class TextValues: ValueSource {
  /// What is asked of a node for each value.
  private struct Node {
    let kind: ColumnKind
    let place: Place
    let isNullRefused: Bool
    /// The node whose next value it takes: itself, or the URL that it is the text of.
    var holder: Int
    let child: Int
    let secondChild: Int
    /// What becomes of the objects that references lead to: whether it was looked for, and is in `targets`.
    var isResolved = false
  }

  /// Where the values of a node follow each other.
  private enum Place {
    case element, key, member
  }

  /// A value that has to be filled.
  struct Refusal: Error {}

  private let objects: DirectObjects
  private let text: TextReference
  private let nodes: HandleBuffer<Node>
  /// The entry of the next value, by node; -1 for nil.
  let next: HandleBuffer<Int>
  /// The plans of the objects that references lead to, by node; nil for those that are not built right from
  /// the text.
  private let targets: HandleBuffer<ClassPlan?>
  private unowned let shape: RowShape
  /// Makes the plan of a class; nil for one that has none.
  private let planOfClass: (any Archivable.Type) -> ClassPlan?
  /// How dates of nodes are written, of those that have a format.
  private let dateFormats: [Int: ValueFormat.DateFormat]

  init(
    _ shape: RowShape, _ objects: DirectObjects,
    planOfClass: @escaping (any Archivable.Type) -> ClassPlan?
  ) {
    self.shape = shape
    self.planOfClass = planOfClass
    self.objects = objects
    text = objects.text
    var places = [Place](repeating: .element, count: shape.nodes.count)
    for node in shape.nodes where node.kind == .dictionary {
      (places[node.child], places[node.secondChild]) = (.key, .member)
    }
    let nodes = HandleBuffer(
      shape.nodes.enumerated().map { index, node in
        Node(
          kind: node.kind, place: places[index], isNullRefused: node.refusesNull, holder: index,
          child: node.child, secondChild: node.secondChild)
      })
    for index in 0..<nodes.count where nodes[index].kind == .url { nodes[nodes[index].child].holder = index }
    self.nodes = nodes
    next = HandleBuffer(repeating: -1, count: nodes.count)
    targets = HandleBuffer(repeating: nil, count: nodes.count)
    var dateFormats: [Int: ValueFormat.DateFormat] = [:]
    for (index, format) in shape.formats.enumerated() {
      if case .date(let format)? = format?.kind { dateFormats[index] = format }
    }
    self.dateFormats = dateFormats
  }

  deinit {
    nodes.free()
    next.free()
    targets.free()
  }

  /// The plan of the objects that a reference leads to. Throws if these are not built right from the text.
  @inline(__always) func target(ofNode node: Int) throws -> ClassPlan {
    if !nodes[node].isResolved { resolve(node) }
    guard let plan = targets[node] else { throw Refusal() }
    return plan
  }

  @inline(never) private func resolve(_ node: Int) {
    nodes[node].isResolved = true
    guard let type = shape.type(ofReference: node), !(type is any JSONClassChoosing.Type),
      let plan = planOfClass(type), plan.isDirect
    else { return }
    targets[node] = plan
  }

  /// Lets go of the plans, and has the row let go of it. Called once, when nothing is read any more.
  func end(_ row: FilledRow) {
    for node in 0..<targets.count { targets[node] = nil }
    row.removeSource()
  }

  /// Whether the values of a node and all inside of it can be given.
  static func canGive(_ node: Int, in shape: RowShape) -> Bool {
    let (child, second) = (shape.nodes[node].child, shape.nodes[node].secondChild)
    let format = shape.formats[node]?.kind
    switch shape.nodes[node].kind {
    case .date:
      guard case .date? = format else { return format == nil }
      return true
    case _ where format != nil: return false
    case .string, .bool, .float64, .float32, .int64, .int32, .int16, .int8, .uint32, .uint16, .uint8, .weak,
      .uint64, .decimal, .uuid, .url:
      return true
    case .reference: return shape.nodes[node].leadsToObjects
    case .optional, .array: return canGive(child, in: shape)
    case .set: return !shape.nodes[node].holdsReferences && canGive(child, in: shape)
    case .dictionary:
      return shape.nodes[child].kind == .string && shape.formats[child] == nil && canGive(second, in: shape)
    case .enumeration:
      return shape.nodes[node].isLeaf && shape.otherCaseNames[node] == nil && shape.codedPlans[node] == nil
    default: return false
    }
  }

  /// Whether the value of an entry is certainly one of a node whose type takes all of its kind.
  func isSureToGive(_ index: Int, toNode node: Int, _ text: JSONDocument) -> Bool {
    switch nodes[node].kind {
    case .string: text.word(at: index).isString
    case .bool: text.word(at: index).kind == .true || text.word(at: index).kind == .false
    case .float64: text.word(at: index).isNumber && text.double(at: index) != nil
    case .int64, .int32, .int16, .int8, .uint32, .uint16, .uint8:
      text.word(at: index).isNumber && text.integer(at: index).map(nodes[node].kind.holds) ?? false
    case .optional:
      text.word(at: index).kind == .null || isSureToGive(index, toNode: nodes[node].child, text)
    case .array:
      text.word(at: index).kind == .array
        && text.elements(of: index).allSatisfy { isSureToGive($0, toNode: nodes[node].child, text) }
    default: false
    }
  }

  // MARK: Values

  /// Has the value of an entry be the next one of a node; -1 for nil.
  @inline(__always) func give(_ index: Int, toNode node: Int) { next[node] = index }

  /// The entry of the next value, which is taken.
  @inline(__always) private func take(_ node: Int, _ text: JSONDocument) throws -> Int {
    let index = next[node]
    guard index >= 0, index < text.wordCount else { throw Refusal() }
    switch nodes[node].place {
    case .element: next[node] = text.end(of: index)
    case .key: next[node] = text.end(of: index + 1)
    case .member: next[node] = text.end(of: index) + 1
    }
    return index
  }

  func integer(ofNode node: Int) throws -> Int64 {
    try text.read { text in
      switch nodes[node].kind {
      case .array, .set, .dictionary: try count(ofNode: node, text)
      case .reference: try row(ofNode: node, text)
      case .weak: 0
      case .enumeration: try caseNumber(ofNode: node, text)
      default: try number(ofNode: node, text)
      }
    }
  }

  @inline(__always) private func number(ofNode node: Int, _ text: JSONDocument) throws -> Int64 {
    try text.number(at: take(node, text))
  }

  private func count(ofNode node: Int, _ text: JSONDocument) throws -> Int64 {
    let index = try take(node, text)
    let word = text.word(at: index)
    if nodes[node].kind == .dictionary {
      guard word.kind == .object else { throw Refusal() }
      next[nodes[node].secondChild] = index + 3
    } else {
      guard word.kind == .array else { throw Refusal() }
    }
    next[nodes[node].child] = index + 2
    return Int64(truncatingIfNeeded: word.length)
  }

  private func caseNumber(ofNode node: Int, _ text: JSONDocument) throws -> Int64 {
    let index = try take(node, text)
    guard text.word(at: index).isString,
      let number = shape.names[node].firstIndex(where: { text.isString(at: index, $0) })
    else { throw Refusal() }
    return Int64(number)
  }

  private func row(ofNode node: Int, _ text: JSONDocument) throws -> Int64 {
    let index = next[node]
    let kind = index < 0 ? .null : text.word(at: try take(node, text)).kind
    if kind == .null, !nodes[node].isNullRefused { return 0 }
    guard kind == .object else { throw Refusal() }
    let row = RowFiller.row(ofObjectAt: index)
    if objects.decoder.hasObject(inRow: row) { return Int64(truncatingIfNeeded: row) }
    objects.decoder.handOver(try objects.build(index, try target(ofNode: node), text))
    return Int64(RowDecoder.rowOfHandedOver)
  }

  /// The object that an entry becomes, to which a reference of a node leads, or nil for null; -1 for none.
  func object(_ index: Int, ofNode node: Int, _ text: JSONDocument) throws -> AnyObject? {
    let kind = index < 0 ? .null : text.word(at: index).kind
    if kind == .null, !nodes[node].isNullRefused { return nil }
    guard kind == .object else { throw Refusal() }
    let plan = try target(ofNode: node)
    guard let object = objects.decoder.object(inRow: RowFiller.row(ofObjectAt: index)) else {
      return try objects.build(index, plan, text)
    }
    // The caller does not ask for its class.
    guard type(of: object) == plan.rows.type else { throw Refusal() }
    return object
  }

  func wideInteger(ofNode node: Int) throws -> UInt128 {
    try text.read { text in
      let index = try take(node, text)
      let conversion = ValueConversion(document: text, isLenient: false)
      if nodes[node].kind == .uuid {
        guard let value = conversion.uuid(index) else { throw Refusal() }
        return value
      }
      guard text.word(at: index).isNumber, let value = conversion.wideInteger(index, UInt64.self) else {
        throw Refusal()
      }
      return UInt128(value)
    }
  }

  func double(ofNode node: Int) throws -> Double {
    try text.read { text in
      let index = try take(node, text)
      if nodes[node].kind == .date {
        let conversion = ValueConversion(document: text, isLenient: false)
        guard let value = conversion.date(index, dateFormats[node]) else { throw Refusal() }
        return value
      }
      return try text.fraction(at: index)
    }
  }

  func float(ofNode node: Int) throws -> Float {
    try text.read { text in
      let index = try take(node, text)
      guard let value = ValueConversion(document: text, isLenient: false).float(index) else {
        throw Refusal()
      }
      return value
    }
  }

  func bit(ofNode node: Int) throws -> Bool {
    try text.read { text in
      guard nodes[node].kind == .optional else {
        return try text.truth(at: take(node, text))
      }
      let index = next[node]
      // Also of what nobody gives: the base of a URL.
      guard index >= 0 else { return false }
      guard text.word(at: try take(node, text)).kind != .null else { return false }
      next[nodes[node].child] = index
      return true
    }
  }

  func text(ofNode node: Int) throws -> String {
    try text.read { text in
      let holder = nodes[node].holder
      let index = try take(holder, text)
      if nodes[holder].kind != .string { return try rareText(of: holder, index, text) }
      return try text.text(at: index)
    }
  }

  private func rareText(of node: Int, _ index: Int, _ text: JSONDocument) throws -> String {
    let conversion = ValueConversion(document: text, isLenient: false)
    if nodes[node].kind == .decimal {
      guard let value = conversion.decimal(index) else { throw Refusal() }
      return value
    }
    guard let value = conversion.text(index), !conversion.isBlank(index) else { throw Refusal() }
    return value
  }

  func takeNilReference(ofNode node: Int) -> Bool {
    let index = next[node]
    guard index >= 0 else { return true }
    guard nodes[node].kind != .weak else { return true }
    let isNull = try? text.read { text in
      guard index < text.wordCount, text.word(at: index).kind == .null else { return false }
      _ = try take(node, text)
      return true
    }
    return isNull ?? false
  }
}
