import ArcFormat

/// A reader of the next value of a column. The reader returns the value as tokens, so that a printer can
/// write text without creating values in memory.
///
///     var value = column
///     switch try value.next() {
///     case .elements(let count, _): for _ in 0..<count { try write(value.inside(0)) }
///     …
///     }
///
/// The caller must read all nested values of a value, in order, before the next value, because a recursive
/// type has one column for several levels. The tokens are valid as long as the `ObjectTokens` that returned
/// them.
package struct ColumnTokens {
  private let source: Handle<TokenSource>
  private var column: ColumnReader
  private var node: Int
  /// The nesting depths of the value; see the parameters of `ValueReader.value(_:node:depth:level:)`.
  private var depth = 0
  private var level = 0

  init(_ source: Handle<TokenSource>, _ column: ColumnReader, node: Int) {
    self.source = source
    self.column = column
    self.node = node
  }

  /// Reads the token of the value. If the value is an optional, `self` is then the value inside the optional.
  ///
  /// - Throws: `ArchiveError` if the value is damaged, or `limitExceeded` if the values of the object would
  ///   need too much memory.
  package mutating func next() throws -> ValueToken {
    do {
      return try token()
    } catch let error as ArchiveError {
      throw error.located(byteOffset: source.value.byteOffset)
    }
  }

  /// Returns the nested value at a position of the token. For a collection, returns the next element, key or
  /// value.
  package func inside(_ position: Int) -> ColumnTokens {
    var value = self
    value.enter(position)
    return value
  }

  /// Calls `body`, which reads nested values. If `body` returns false, the nested values can be read again.
  package func attempt(_ body: () throws -> Bool) rethrows -> Bool {
    let charged = source.value.values.budget.charged
    source.value.beginNoting()
    defer { source.value.endNoting() }
    if try body() { return true }
    source.value.putBack()
    source.value.values.budget.charged = charged
    return false
  }

  /// Whether the value certainly contains a reference to an object. The caller has already read the value's
  /// token and passes it as `token`. Only the first element of the value, and the fields of this element, are
  /// inspected. If the result is false, the value may or may not contain a reference.
  package func surelyMentionsObject(_ token: ValueToken) -> Bool {
    switch token {
    case .fields: mentionsObjectNext
    case .elements(let count, _), .entries(let count): count > 0 && mentionsObjectNext
    case .plainText, .scalar, .reference, .enumerationCase: false
    }
  }

  /// Whether the next value directly contains a reference that is not nil, or contains a structure with such
  /// a field.
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
    // A nested node has a larger index than its parent, except if a recursive type refers back to an
    // enclosing node.
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
    // Only the depth is checked here. Memory is charged when strings, collections and structures are read.
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
    // Printing does not need this memory. It is charged so that the limits are the same as for readers that
    // create values.
    let isDictionary = source.value.values.layout.nodes[node].kind == .dictionary
    return try source.value.values.count(
      column, node: node,
      byteCountOfEach: isDictionary
        ? MemoryLayout<ArchiveValue.Entry>.stride : MemoryLayout<ArchiveValue>.stride)
  }
}

/// The positions, names and limits that the columns of a class share while tokens are read from them.
struct TokenSource {
  let values: ValueReader
  let nesting: Int
  /// The byte offset of the segment.
  let byteOffset: Int
  /// The names of each structure and enumeration, by node. An element is nil until the names are first used.
  private var names: [ValueNames?]
  /// The positions that the columns had before they were read, in the order of reading. `putBack` restores
  /// them.
  private var positions: [ColumnPosition] = []
  private var isNoting = false

  init(_ values: ValueReader, byteOffset: Int) {
    self.values = values
    self.byteOffset = byteOffset
    nesting = values.nesting
    names = Array(repeating: nil, count: values.layout.nodes.count)
  }

  /// Returns the names of the structure or enumeration at a node.
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

  /// Records the current position of a column, for `putBack`. Called before a value is read from the column.
  /// Does nothing unless `beginNoting` was called.
  @inline(__always) mutating func note(_ column: ColumnReader) {
    guard isNoting else { return }
    positions.append(ColumnPosition(of: column))
  }

  /// Restores the positions that the columns had when `beginNoting` was called.
  func putBack() {
    for position in positions.reversed() { position.restore() }
  }
}
