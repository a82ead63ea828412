import ArcFormat

/// The next value of a column, which is taken as tokens: for a writer of text, which makes no values.
///
///     var value = column
///     switch try value.next() {
///     case .array(let count): for _ in 0..<count { try write(value.inside(0)) }
///     …
///     }
///
/// All that is inside a value is taken before what follows it, in order: a recursive type has one column for
/// several. It is as good as a pointer to what `ObjectTokens` keeps, and no longer valid.
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

  /// Takes the value, or of one with others inside what is not them. This is what is in an optional then.
  ///
  /// - Throws: what is wrong with the value, or `limitExceeded` if the values of the object would take too
  ///   much memory.
  package mutating func next() throws -> ValueToken {
    do {
      return try token()
    } catch let error as ArchiveError {
      throw error.located(byteOffset: source.value.byteOffset)
    }
  }

  /// What is inside the value at a position that its token says, of a collection the next there.
  package func inside(_ position: Int) -> ColumnTokens {
    var value = self
    value.enter(position)
    return value
  }

  /// Does something that takes values inside this one; if that returns false, they are there again.
  package func attempt(_ body: () throws -> Bool) rethrows -> Bool {
    let charged = source.value.values.budget.charged
    source.value.beginNoting()
    defer { source.value.endNoting() }
    if try body() { return true }
    source.value.putBack()
    source.value.values.budget.charged = charged
    return false
  }

  /// Whether the value, of which only this token was taken, is sure to have a reference inside that leads to
  /// an object: one in its first element, or in the fields of that. If not, it may have one.
  package func surelyMentionsObject(_ token: ValueToken) -> Bool {
    switch token {
    case .structure: mentionsObjectNext
    case .array(let count), .set(let count), .dictionary(let count): count > 0 && mentionsObjectNext
    case .plainText, .scalar, .reference, .enumeration: false
    }
  }

  /// Whether one of the next values inside, or of their fields, is a reference that leads to an object.
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
        guard try column.bit() else { return .scalar(enclosing == 0 ? .null : .nestedNull(depth: enclosing)) }
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
      case .array: return .array(count: try count())
      case .set: return .set(count: try count())
      case .dictionary: return .dictionary(count: try count())
      case .structure:
        try begin()
        let names = source.value.names(ofNode: node)
        try source.value.values.chargeStructure(fieldCount: names.labels.count, column)
        return .structure(names)
      case .enumeration:
        try begin()
        let position = try column.readCase()
        try source.value.values.chargeEnumeration(column)
        return .enumeration(
          source.value.names(ofNode: node), case: position,
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
    // What would be in memory is charged where texts, collections and structures are taken.
    let nesting = source.value.nesting
    guard depth <= nesting, level / 4 <= nesting else { throw column.nestedTooDeeply(nesting) }
  }

  private func scalar() throws -> ValueToken {
    .scalar(try source.value.values.value(column, node: node, depth: depth, level: level))
  }

  private func target() throws -> ObjectID? {
    let row = try column.integer(UInt32.self)
    return row == 0 ? nil : ObjectID(rawValue: row)
  }

  private func count() throws -> Int {
    try begin()
    // As if the values were made: so much memory is what the limits are for.
    let isDictionary = source.value.values.layout.nodes[node].kind == .dictionary
    return try source.value.values.count(
      column, node: node,
      byteCountOfEach: isDictionary
        ? MemoryLayout<ArchiveValue.Entry>.stride : MemoryLayout<ArchiveValue>.stride)
  }
}

/// What the columns of a class have in common while tokens are taken from them.
struct TokenSource {
  let values: ValueReader
  let nesting: Int
  /// The byte offset of the segment.
  let byteOffset: Int
  /// For each node that is a structure or an enumeration its names, once they were asked for.
  private var names: [ValueNames?]
  /// Where columns were before values were taken that may be put back; nil if none may be.
  private var places: [ColumnPosition] = []
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
    let made = ValueNames(type: node.name ?? "", labels: node.labels)
    names[index] = made
    return made
  }

  mutating func beginNoting() {
    places.removeAll(keepingCapacity: true)
    isNoting = true
  }

  mutating func endNoting() { isNoting = false }

  /// Notes where a column is from which a value will be taken.
  @inline(__always) mutating func note(_ column: ColumnReader) {
    guard isNoting else { return }
    places.append(ColumnPosition(of: column))
  }

  /// Puts back all values that were taken since noting began.
  func putBack() {
    for place in places.reversed() { place.restore() }
  }
}
