import ArcFormat

/// The next value of a column, which a writer of text reads as tokens, so that it builds no values.
///
///     var value = column
///     switch try value.next() {
///     case .elements(let count, _): for _ in 0..<count { try write(value.inside(0)) }
///     …
///     }
///
/// The reader reads everything inside a value before the next value, in order, because a recursive type has
/// one column for several levels. The value is valid as long as the `ObjectTokens` that returned it.
package struct ColumnTokens {
  private let source: Handle<TokenSource>
  private var column: ColumnReader
  private var node: Int
  /// As in `ValueReader.value(_:node:depth:level:)`.
  private var depth = 0
  private var level = 0

  init(_ source: Handle<TokenSource>, _ column: ColumnReader, node: Int) {
    self.source = source
    self.column = column
    self.node = node
  }

  /// Reads the token of the value. Afterwards, an optional is the value that it contains.
  ///
  /// - Throws: what is wrong with the value, or `limitExceeded` if the values of the object would need too
  ///   much memory.
  package mutating func next() throws -> ValueToken {
    do {
      return try token()
    } catch let error as ArchiveError {
      throw error.located(byteOffset: source.value.byteOffset)
    }
  }

  /// The value inside at a position of the token; for a collection, the next value at the position.
  package func inside(_ position: Int) -> ColumnTokens {
    var value = self
    value.enter(position)
    return value
  }

  /// Calls `body`, which reads values inside this one. If `body` returns false, they can be read again.
  package func attempt(_ body: () throws -> Bool) rethrows -> Bool {
    let charged = source.value.values.budget.charged
    source.value.beginNoting()
    defer { source.value.endNoting() }
    if try body() { return true }
    source.value.putBack()
    source.value.values.budget.charged = charged
    return false
  }

  /// Whether a value whose token was read surely contains a reference to an object: in its first element, or
  /// in the fields of that element. If not, the value may contain one.
  package func surelyMentionsObject(_ token: ValueToken) -> Bool {
    switch token {
    case .fields: mentionsObjectNext
    case .elements(let count, _), .entries(let count): count > 0 && mentionsObjectNext
    case .plainText, .scalar, .reference, .enumerationCase: false
    }
  }

  /// Whether one of the next values inside, or one of their fields, is a reference to an object.
  private var mentionsObjectNext: Bool {
    for position in source.value.values.layout.nodes[node].children.indices {
      let inner = source.value.values.layout.nodes[node].children[position]
      switch source.value.values.layout.nodes[inner].kind {
      case .reference, .weak: if column.child(position).nextRow != 0 { return true }
      case .structure where inner > node: if inside(position).mentionsObjectNext { return true }
      default: break
      }
    }
    return false
  }

  private mutating func enter(_ position: Int) {
    let inner = source.value.values.layout.nodes[node].children[position]
    // Nested nodes are after their parent; only the mention of a recursive type leads back.
    if inner <= node { depth += 1 }
    level += 1
    column = column.child(position)
    node = inner
  }

  private mutating func token() throws -> ValueToken {
    var enclosing = 0
    while true {
      switch source.value.values.layout.nodes[node].kind {
      case .optional:
        try begin()
        guard try column.bit() else { return .scalar(.null(depth: enclosing)) }
        enclosing += 1
        enter(0)
      case .string:
        try begin()
        guard let text = column.takePlainText() else { return try scalar() }
        try source.value.values.budget.count(byteCount: text.count, column)
        return .plainText(text)
      case .reference:
        try begin()
        return .reference(try target(), isWeak: false)
      case .weak:
        try begin()
        return .reference(try target(), isWeak: true)
      case .array: return .elements(count: try count(), isOrdered: true)
      case .set: return .elements(count: try count(), isOrdered: false)
      case .dictionary: return .entries(count: try count())
      case .structure:
        try begin()
        let names = source.value.names(ofNode: node)
        try source.value.values.chargeStructure(fieldCount: names.labels.count, column)
        return .fields(names)
      case .enumeration:
        try begin()
        let position = try column.readCase()
        try source.value.values.chargeEnumeration(column)
        return .enumerationCase(
          source.value.names(ofNode: node), index: position,
          payload: source.value.values.layout.nodes[node].payloads[position])
      case .url:
        for position in 0...1 { source.value.note(column.child(position)) }
        source.value.note(column.child(1).child(0))
        return try scalar()
      case .bool, .int8, .int16, .int32, .int64, .int128, .uint8, .uint16, .uint32, .uint64, .uint128,
        .float16, .float32, .float64, .date, .uuid, .decimal, .data:
        source.value.note(column)
        return try scalar()
      }
    }
  }

  private func begin() throws {
    source.value.note(column)
    // Memory is charged where strings, collections and structures are read.
    let nesting = source.value.nesting
    guard depth <= nesting, level / 4 <= nesting else { throw column.nestedTooDeeply(nesting) }
  }

  private func scalar() throws -> ValueToken {
    let value = try source.value.values.value(column, node: node, depth: depth, level: level)
    guard let scalar = ValueScalar(value) else { return ValueToken(value) }
    return .scalar(scalar)
  }

  private func target() throws -> ObjectID? {
    let row = try column.integer(UInt32.self)
    return row == 0 ? nil : ObjectID(rawValue: row)
  }

  private func count() throws -> Int {
    try begin()
    // The limits are for readers that build values, which need this memory.
    let isDictionary = source.value.values.layout.nodes[node].kind == .dictionary
    return try source.value.values.count(
      column, node: node,
      byteCountOfEach: isDictionary
        ? MemoryLayout<ArchiveValue.Entry>.stride : MemoryLayout<ArchiveValue>.stride)
  }
}

/// The state that the columns of a class share while tokens are read from them.
struct TokenSource {
  let values: ValueReader
  let nesting: Int
  /// The byte offset of the segment.
  let byteOffset: Int
  /// The names of each node that is a structure or an enumeration, from their first use on.
  private var names: [ValueNames?]
  /// The positions of columns before the values that `putBack` returns to them.
  private var positions: [ColumnPosition] = []
  private var isNoting = false

  init(_ values: ValueReader, byteOffset: Int) {
    self.values = values
    self.byteOffset = byteOffset
    nesting = values.nesting
    names = Array(repeating: nil, count: values.layout.nodes.count)
  }

  /// The names of a structure or an enumeration.
  mutating func names(ofNode index: Int) -> ValueNames {
    if let known = names[index] { return known }
    let node = values.layout.nodes[index]
    let new = ValueNames(type: node.name ?? "", labels: node.labels)
    names[index] = new
    return new
  }

  mutating func beginNoting() {
    positions.removeAll(keepingCapacity: true)
    isNoting = true
  }

  mutating func endNoting() { isNoting = false }

  /// Notes the position of a column from which a value will be read.
  @inline(__always) mutating func note(_ column: ColumnReader) {
    guard isNoting else { return }
    positions.append(ColumnPosition(of: column))
  }

  /// Moves the columns back to where they were when noting began.
  func putBack() {
    for position in positions.reversed() { position.restore() }
  }
}
