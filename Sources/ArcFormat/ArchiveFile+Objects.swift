extension ArchiveFile {
  /// The named roots: row 0.
  public func roots() throws -> ArchiveObject { try object(ObjectID(rawValue: 0)) }

  /// The object with a number. Reads the segment that holds it and keeps a few segments; throws
  /// `danglingReference` if there is no such row, or what is wrong with the row.
  public func object(_ id: ObjectID) throws -> ArchiveObject {
    let row = Int(id.rawValue)
    guard let index = rowsSegment(ofRow: row) else {
      throw ArchiveError(.danglingReference, found: "row \(row)", expected: "below \(rowCount)", objectID: id)
    }
    let objects = try decodedSegments.objects(at: index) { try decodeObjects(inSegment: index) }
    return objects[row - segments[index].first]
  }

  /// The position in `segments` of the one that holds a row, if there is such a row. O(log segments).
  package func rowsSegment(ofRow row: Int) -> Int? {
    guard row < rowCount else { return nil }
    var candidates = rowsSegments[...]
    while candidates.count > 1 {
      let middle = (candidates.startIndex + candidates.endIndex) / 2
      candidates =
        segments[rowsSegments[middle]].first <= row ? candidates[middle...] : candidates[..<middle]
    }
    return candidates.first
  }

  /// Rows of the class with that coded name, subclasses not counted.
  public func rowCount(ofClass name: String) throws -> Int {
    guard let index = classes.firstIndex(where: { $0.name == name }) else { return 0 }
    return try rowCounts()[index]
  }

  /// Rows of each class, subclasses not counted, in the order of the class table.
  package func rowCounts() throws(ArchiveError) -> [Int] {
    var counts = [Int](repeating: 0, count: classes.count)
    for index in rowsSegments {
      for rows in try rows(inSegment: index).classes { counts[rows.classIndex] += rows.rowCount }
    }
    return counts
  }

  private func decodeObjects(inSegment index: Int) throws -> [ArchiveObject] {
    let segment = try rows(inSegment: index)
    _ = try strings()
    var sets: [Int: (columns: ColumnReaderSet, values: ValueReader, columnCount: Int)] = [:]
    let elements = DynamicBudget(limit: limits.elements)
    for rows in segment.classes {
      try elements.charge(rows: rows)
      let set = tables.makeColumns(ofClass: rows.classIndex)
      set.bind(rows.chunks)
      let values = ValueReader(
        layout: set.layout, areEmpty: set.layout.nodesWithoutBytes(), budget: elements,
        nesting: limits.nesting)
      sets[rows.classIndex] = (set, values, rows.columnCount)
    }
    var objects: [ArchiveObject] = []
    objects.reserveCapacity(segment.rowCount)
    for run in segment.runs {
      guard let (set, values, columnCount) = sets[run.classIndex] else { continue }
      let description = classes[run.classIndex]
      for _ in 0..<run.length {
        let id = ObjectID(rawValue: UInt32(segment.firstRow + objects.count))
        var properties: [ArchiveObject.Property] = []
        properties.reserveCapacity(columnCount)
        for position in 0..<columnCount {
          let column = description.columns[position]
          var node = set.layout.roots[position]
          var reader = set.column(position)
          if column.flags.contains(.keyed) {
            guard try reader.__bit() else { continue }
            node = set.layout.nodes[node].children[0]
            reader = reader.__child(0)
          }
          properties.append(
            ArchiveObject.Property(
              declaringClass: classes[column.declaringClass].name, key: column.key, columnIndex: position,
              value: try values.value(reader, node: node)))
        }
        objects.append(
          ArchiveObject(
            id: id, classIndex: run.classIndex, className: description.name, properties: properties))
      }
    }
    return objects
  }
}

/// The segments that were decoded last: few for a reader that goes from row to row, more for one that comes back.
final class DecodedSegments {
  private static let capacities = 8...64

  private var entries: [(index: Int, objects: [ArchiveObject])] = []
  private var decoded: Set<Int> = []
  private var capacity = capacities.lowerBound

  func objects(at index: Int, decode: () throws -> [ArchiveObject]) throws -> [ArchiveObject] {
    if let place = entries.firstIndex(where: { $0.index == index }) {
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.objects
    }
    let objects = try decode()
    let wasLetGo = !decoded.insert(index).inserted
    if wasLetGo { capacity = min(capacity * 2, Self.capacities.upperBound) }
    if entries.count >= capacity { entries.removeFirst() }
    entries.append((index, objects))
    return objects
  }
}

/// Elements that a dynamic reader may still build: sizes in a file are claims until its columns were verified.
private final class DynamicBudget {
  private var left: Int
  init(limit: Int) { left = limit }

  /// Charges the elements of a collection.
  func charge(_ count: Int, hasBytes: Bool, _ column: ColumnReader) throws {
    do throws(ArchiveError) {
      try charge(count, cost: hasBytes ? 1 : Limits.costWithoutBytes)
    } catch {
      throw column.__error(error.code, found: error.found, expected: error.expected, remedy: error.remedy)
    }
  }

  /// Charges the rows of a class in a segment, by their properties.
  func charge(rows: RowsSegment.ClassRows) throws(ArchiveError) {
    try charge(rows.rowCount, cost: rows.hasBytes ? rows.columnCount : Limits.costWithoutBytes)
  }

  private func charge(_ count: Int, cost: Int) throws(ArchiveError) {
    let total = count.multipliedReportingOverflow(by: cost)
    try Limits.check(total.overflow ? Int.max : total.partialValue, within: left, "elements")
    left -= total.partialValue
  }
}

/// Reads one value of any column.
private struct ValueReader {
  let layout: ColumnLayout
  let areEmpty: [Bool]
  let budget: DynamicBudget
  let nesting: Int

  /// `depth` counts the values of the same column that enclose the value, `level` all values that do: the first
  /// is what `Limits.nesting` speaks of, the second what the stack has to bear.
  func value(
    _ column: ColumnReader, node index: Int, depth: Int = 0, level: Int = 0
  ) throws -> ArchiveValue {
    guard depth <= nesting, level / 4 <= nesting else { throw column.nestedTooDeeply(nesting) }
    let node = layout.nodes[index]
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
    case .string: return .string(try column.__text())
    case .decimal: return .decimal(try column.__text())
    case .data: return .data(unsafe Array(try column.__bytes()))
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
      return .structure(
        name: node.name ?? "",
        fields: try node.labels.indices.map {
          ArchiveValue.Field(name: node.labels[$0], value: try child($0))
        })
    case .enumeration:
      let position = try column.__case()
      return .enumeration(
        name: node.name ?? "", case: node.labels[position], payload: try node.payloads[position].map(child))
    case .reference, .weak:
      let row = try column.__integer(UInt32.self)
      return .reference(row == 0 ? nil : ObjectID(rawValue: row))
    }
  }

  /// Reads a length and so many elements.
  private func elements<Element>(
    of column: ColumnReader, _ node: ColumnLayout.Node, _ element: () throws -> Element
  ) throws -> [Element] {
    let count = try column.__integer(Int.self)
    try budget.charge(count, hasBytes: node.children.contains { !areEmpty[$0] }, column)
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
