/// What a dynamic reader may still build: elements, because sizes in a file are claims until its columns were verified,
/// and bytes of memory, because a byte in a file may stand for thousands in memory.
final class DynamicBudget {
  private let limits: Limits
  private var elementCount = 0
  private var byteCount = 0
  /// Values so far; long ones count as several.
  private(set) var valueCount = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Begins anew.
  func restart() { (elementCount, byteCount, valueCount) = (0, 0, 0) }

  /// Notes a value that takes so many bytes beside its own.
  func count(byteCount: Int = 0, _ column: ColumnReader) throws {
    valueCount += 1 + byteCount / 64
    try charge(bytes: byteCount, column)
  }

  /// Charges the elements of a collection, and the memory for them, before it is reserved.
  func charge(_ count: Int, hasBytes: Bool, byteCountOfEach: Int, _ column: ColumnReader) throws {
    let cost = count.multipliedReportingOverflow(by: hasBytes ? 1 : Limits.costWithoutBytes)
    let total = elementCount.addingReportingOverflow(cost.partialValue)
    elementCount = cost.overflow || total.overflow ? .max : total.partialValue
    try check(elementCount, within: limits.elements, "elements", column)
    // Elements are fewer than 2^56 here, if the limit is sensible; if not, this is more than any other.
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
      try Limits.check(value, within: limit, name)
    } catch {
      throw column.__error(error.code, found: error.found, expected: error.expected, remedy: error.remedy)
    }
  }
}

/// Reads one value of any column.
struct ValueReader {
  let layout: ColumnLayout
  let areEmpty: [Bool]
  let budget: DynamicBudget
  let nesting: Int

  /// What the system and Swift take for memory of its own that a value has, about.
  private static let boxByteCount = 32

  /// `depth` counts the values of the same column that enclose the value, `level` all values that do: the first
  /// is what `Limits.nesting` speaks of, the second what the stack has to bear.
  func value(
    _ column: ColumnReader, node index: Int, depth: Int = 0, level: Int = 0
  ) throws -> ArchiveValue {
    guard depth <= nesting, level / 4 <= nesting else { throw column.nestedTooDeeply(nesting) }
    let node = layout.nodes[index]
    try budget.count(column)
    func child(_ position: Int) throws -> ArchiveValue {
      let inner = node.children[position]
      // What stands inside a column stands behind it; only the mention of a recursive type leads back.
      return try value(
        column.__child(position), node: inner, depth: depth + (inner <= index ? 1 : 0), level: level + 1)
    }
    switch node.kind {
    case .bool: return .bool(try column.__bit())
    case .int8, .int16, .int32, .int64, .int128, .uint8, .uint16, .uint32, .uint64:
      return .integer(try column.__integer())
    case .uint128: return .unsigned(try column.__integer())
    case .float16: return .float(Float(half: try column.__fixed(UInt16.self)))
    case .float32: return .float(try column.__fixed())
    case .float64: return .double(try column.__fixed())
    case .date: return .date(try column.__fixed())
    case .uuid: return .uuid(bytes(of: try column.__fixed(UInt128.self)))
    case .string: return .string(try text(column))
    case .decimal: return .decimal(try text(column))
    case .data:
      let bytes = unsafe try column.__bytes()
      try budget.count(byteCount: bytes.count, column)
      return .data(unsafe Array(bytes))
    case .url:
      guard case .string(let text) = try child(0) else { return .null }
      if case .string(let base) = try child(1) { return .url(text, base: base) }
      return .url(text, base: nil)
    case .optional: return try column.__bit() ? try child(0) : .null
    case .array: return .array(try elements(of: column, node) { try child(0) })
    case .set: return .set(try elements(of: column, node) { try child(0) })
    case .dictionary:
      return .dictionary(
        try elements(of: column, node) { ArchiveValue.Entry(key: try child(0), value: try child(1)) })
    case .structure:
      try budget.count(
        byteCount: Self.boxByteCount + node.labels.count * MemoryLayout<ArchiveValue.Field>.stride, column)
      return .structure(
        name: node.name ?? "",
        fields: try node.labels.indices.map {
          ArchiveValue.Field(name: node.labels[$0], value: try child($0))
        })
    case .enumeration:
      let position = try column.__case()
      try budget.count(byteCount: Self.boxByteCount + 2 * MemoryLayout<ArchiveValue>.stride, column)
      return .enumeration(
        name: node.name ?? "", case: node.labels[position], payload: try node.payloads[position].map(child))
    case .reference, .weak:
      let row = try column.__integer(UInt32.self)
      return .reference(row == 0 ? nil : ObjectID(rawValue: row))
    }
  }

  private func text(_ column: ColumnReader) throws -> String {
    let text = try column.__text()
    try budget.count(byteCount: text.utf8.count, column)
    return text
  }

  /// Reads a length and so many elements.
  private func elements<Element>(
    of column: ColumnReader, _ node: ColumnLayout.Node, _ element: () throws -> Element
  ) throws -> [Element] {
    let count = try column.__integer(Int.self)
    try budget.charge(
      count, hasBytes: node.children.contains { !areEmpty[$0] },
      byteCountOfEach: MemoryLayout<Element>.stride, column)
    var elements: [Element] = []
    elements.reserveCapacity(column.__child(0).__capacity(count))
    for _ in 0..<count { elements.append(try element()) }
    return elements
  }
}

/// The bytes of a value as they stand in memory and in the file.
private func bytes(of value: UInt128) -> [UInt8] {
  unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
}

extension Float {
  /// IEEE 754 binary16, widened by hand: `Float16` does not exist on every platform.
  init(half bits: UInt16) {
    let sign: UInt32 = UInt32(bits >> 15) << 31
    let exponent = UInt32(bits >> 10 & 0x1F)
    let fraction = UInt32(bits & 0x3FF)
    switch exponent {
    case 0: self = (sign == 0 ? 1 : -1) * Float(fraction) * 0x1p-24
    case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
    default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
    }
  }
}
