import ArcFormat

/// Counts the elements and the bytes of memory that reading without classes allocates, and enforces their
/// limits. Elements are counted because a size in a file is not trustworthy until its columns are verified.
/// Memory is counted because one byte of a file may require thousands of bytes. Spec: 07-limits, rules A2 and
/// A7.
final class DynamicBudget {
  private let limits: ArchiveLimits
  private var elementCount = 0
  private var byteCount = 0
  /// The numbers of elements and bytes charged so far. A caller that reads some values twice restores the
  /// earlier numbers before the second time, so that the values are charged only once.
  var charged: (elements: Int, bytes: Int) {
    get { (elementCount, byteCount) }
    set { (elementCount, byteCount) = newValue }
  }
  /// The number of values read so far. A long value is counted as several values.
  private(set) var valueCount = 0

  init(_ limits: ArchiveLimits) { self.limits = limits }

  /// Resets all counts.
  func begin() { (elementCount, byteCount, valueCount) = (0, 0, 0) }

  /// Counts a value that needs `byteCount` bytes of memory in addition to the value itself.
  func count(byteCount: Int = 0, _ column: ColumnReader) throws {
    valueCount += 1 + byteCount / 64
    try charge(bytes: byteCount, column)
  }

  /// Charges the elements of a collection and their memory. Called before the memory is reserved. `hasBytes`
  /// states whether each element has bytes in the file. Elements without bytes are charged more, because a
  /// few bytes of a file can claim many such elements.
  ///
  /// Spec: 07-limits, rules A2 and A7.
  func charge(_ count: Int, hasBytes: Bool, byteCountOfEach: Int, _ column: ColumnReader) throws {
    let cost = count.multipliedReportingOverflow(by: hasBytes ? 1 : ArchiveLimits.costWithoutBytes)
    let total = elementCount.addingReportingOverflow(cost.partialValue)
    elementCount = cost.overflow || total.overflow ? .max : total.partialValue
    try check(elementCount, within: limits.elements, "elements", column)
    // With a sensible limit the product is below 2^56. With a larger limit it may overflow, and then exceeds
    // every limit.
    let bytes = count.multipliedReportingOverflow(by: byteCountOfEach)
    try charge(bytes: bytes.overflow ? .max : bytes.partialValue, column)
  }

  private func charge(bytes: Int, _ column: ColumnReader) throws {
    let total = byteCount.addingReportingOverflow(bytes)
    byteCount = total.overflow ? .max : total.partialValue
    try check(byteCount, within: limits.rawBytes, "rawBytes", column)
  }

  private func check(_ value: Int, within limit: Int, _ name: String, _ column: ColumnReader) throws {
    do throws(ArchiveError) {
      try ArchiveLimits.check(value, within: limit, name)
    } catch {
      throw column.located(error)
    }
  }
}

/// Reads values of any column of a layout, without the program's types.
struct ValueReader {
  let layout: ColumnLayout
  let areEmpty: [Bool]
  let budget: DynamicBudget
  let nesting: Int

  /// The approximate number of bytes that a separate allocation needs in addition to its content.
  private static let boxByteCount = 32

  /// Charges the approximate memory of a structure with `fieldCount` fields.
  func chargeStructure(fieldCount: Int, _ column: ColumnReader) throws {
    try budget.count(
      byteCount: Self.boxByteCount + fieldCount * MemoryLayout<ArchiveValue.Field>.stride, column)
  }

  /// Charges the approximate memory of an enumeration case with associated values.
  func chargeEnumeration(_ column: ColumnReader) throws {
    try budget.count(byteCount: Self.boxByteCount + 2 * MemoryLayout<ArchiveValue>.stride, column)
  }

  /// Reads the next value of a column. `level` is the number of enclosing values. `depth` is the number of
  /// times that a recursive type contains itself again on the path to the value. To bound the stack, `depth`
  /// may be at most `ArchiveLimits.nesting`, and `level` at most a multiple of this limit. Spec: 07-limits,
  /// rule A8.
  func value(
    _ column: ColumnReader, node index: Int, depth: Int = 0, level: Int = 0
  ) throws -> ArchiveValue {
    guard depth <= nesting, level / 4 <= nesting else { throw column.nestedTooDeeply(nesting) }
    try budget.count(column)
    // The node is not copied, because a copy would retain its four lists for each value. Each case reads only
    // the lists that it needs.
    func child(_ position: Int) throws -> ArchiveValue {
      let inner = layout.nodes[index].children[position]
      // A nested node has a larger index than its parent, except if a recursive type refers back to an
      // enclosing node.
      let innerDepth = depth + (inner <= index ? 1 : 0)
      // The stack is checked only at every fourth level. Its reserve is sufficient for the levels between the
      // checks.
      guard level % 4 == 3 else {
        return try value(column.child(position), node: inner, depth: innerDepth, level: level + 1)
      }
      return try StackExtension.call {
        try value(column.child(position), node: inner, depth: innerDepth, level: level + 1)
      }
    }
    switch layout.nodes[index].kind {
    case .bool: return .bool(try column.bit())
    case .int8, .int16, .int32, .int64, .int128, .uint8, .uint16, .uint32, .uint64:
      return .integer(try column.integer())
    case .uint128: return .unsigned(try column.integer())
    case .float16: return .float(Float(half: try column.fixed(UInt16.self)))
    case .float32: return .float(try column.float())
    case .float64: return .double(try column.double())
    case .date: return .date(try column.fixed())
    case .uuid: return .uuid(bytes(of: try column.fixed(UInt128.self)))
    case .string: return .string(try text(column))
    case .decimal: return .decimal(try text(column))
    case .data:
      let bytes = try column.bytes()
      try budget.count(byteCount: bytes.count, column)
      return .data(Array(bytes))
    case .url:
      guard case .string(let text) = try child(0) else { return .null }
      if case .string(let base) = try child(1) { return .url(text, base: base) }
      return .url(text, base: nil)
    case .optional:
      return try column.bit() ? try child(0).wrapped : .null
    case .array where column.isBytes:
      let bytes = try column.bytes()
      try budget.count(byteCount: bytes.count * MemoryLayout<ArchiveValue>.stride, column)
      return .array([UInt8](bytes).map { .integer(Int128($0)) })
    case .array: return .array(try elements(of: column, index) { try child(0) })
    case .set: return .set(try elements(of: column, index) { try child(0) })
    case .dictionary:
      return .dictionary(
        try elements(of: column, index) { ArchiveValue.Entry(key: try child(0), value: try child(1)) })
    case .structure:
      let labels = layout.nodes[index].labels
      try chargeStructure(fieldCount: labels.count, column)
      return .structure(
        name: layout.nodes[index].name ?? "",
        fields: try labels.indices.map { ArchiveValue.Field(name: labels[$0], value: try child($0)) })
    case .enumeration:
      let position = try column.readCase()
      try chargeEnumeration(column)
      return .enumeration(
        name: layout.nodes[index].name ?? "", case: layout.nodes[index].labels[position],
        payload: try layout.nodes[index].payloads[position].map(child))
    case .reference, .weak:
      let row = try column.integer(UInt32.self)
      return .reference(row == 0 ? nil : ObjectID(rawValue: row))
    }
  }

  private func text(_ column: ColumnReader) throws -> String {
    let text = try column.text()
    try budget.count(byteCount: text.utf8.count, column)
    return text
  }

  /// Reads the length of a collection, then its elements. Spec: 07-limits, rule A7.
  private func elements<Element>(
    of column: ColumnReader, _ index: Int, _ element: () throws -> Element
  ) throws -> [Element] {
    let count = try count(column, node: index, byteCountOfEach: MemoryLayout<Element>.stride)
    return try column.child(0).array(count, element)
  }

  /// Reads the length of a collection, and charges its elements and their memory. Spec: 07-limits, rule A7.
  func count(_ column: ColumnReader, node index: Int, byteCountOfEach: Int) throws -> Int {
    let count = try column.integer(Int.self)
    try budget.charge(
      count, hasBytes: layout.nodes[index].children.contains { !areEmpty[$0] },
      byteCountOfEach: byteCountOfEach, column)
    return count
  }
}

/// Returns the bytes of a value in the order of memory, which is also their order in the file.
private func bytes(of value: UInt128) -> [UInt8] {
  unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
}
