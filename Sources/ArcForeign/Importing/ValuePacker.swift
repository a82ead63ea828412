import ArcFormat

/// Appends the values of an imported graph to columns. The types of the columns fit these values.
///
/// Recursion follows the types of the columns, so it is at most as deep as the types that the program
/// declares.
struct ValuePacker {
  let graph: ImportedGraph
  /// The row number of the graph's first row in the archive.
  let firstRow: Int

  func append(
    _ value: ImportedValue, _ type: ImportedType, to outer: ColumnWriter
  ) throws(ImportError) {
    var column = outer
    if type.hasPresence {
      let isNil = value.kind == .nothing || value.kind == .missing
      column.append(bit: !isNil)
      if isNil { return }
      column = column.child(0)
    }
    let index = Int(value.index)
    switch type.family {
    case .any: try appendAny(value, to: column)
    case .nothing, .object:
      column.append(value.kind == .object ? UInt32(truncatingIfNeeded: graph.row(value) + firstRow) : 0)
    case .list:
      let range = graph.collections[index]
      column.append(UInt64(range.count))
      for element in graph.elements[range] { try append(element, type.children[0], to: column.child(0)) }
    case .dictionary:
      let range = graph.collections[index]
      let middle = range.lowerBound + range.count / 2
      column.append(UInt64(range.count / 2))
      for key in graph.elements[range.lowerBound..<middle] {
        try append(key, type.children[0], to: column.child(0))
      }
      for inner in graph.elements[middle..<range.upperBound] {
        try append(inner, type.children[1], to: column.child(1))
      }
    case .structure:
      var position = 0
      for (field, type) in zip(graph.elements[graph.structures[index].fields], type.children)
      where !type.isAbsent {
        try append(field, type, to: column.child(position))
        position += 1
      }
    case .integer: append(integer(index), type.width, to: column)
    case .real: column.append(try real(index))
    case .decimal where value.kind != .decimal: try appendDecimal(value, to: column)
    case .bool, .date, .string, .data, .uuid, .url, .decimal: append(single: value, to: column)
    }
  }

  /// Appends an integer or a real as a decimal.
  private func appendDecimal(_ value: ImportedValue, to column: ColumnWriter) throws(ImportError) {
    let index = Int(value.index)
    let text = value.kind == .integer ? integer(index).description : try real(index).description
    guard let decimal = DecimalNotation.normalized(text) else {
      throw ImportError(
        .valueOutOfRange, found: "the number \(text) in a column of decimals",
        expected: "numbers between 1e-130 and 1e130")
    }
    append(Array(decimal.utf8), to: column)
  }

  private func append(_ number: Int128, _ width: ImportedType.Width, to column: ColumnWriter) {
    switch width {
    case .signed64: column.append(Int64(truncatingIfNeeded: number))
    case .unsigned64: column.append(UInt64(truncatingIfNeeded: number))
    case .signed128: column.append(number)
    }
  }

  /// Appends a value whose stored form depends only on its kind.
  private func append(single value: ImportedValue, to column: ColumnWriter) {
    let index = Int(value.index)
    switch value.kind {
    case .bool: column.append(bit: bool(index))
    case .date: column.append(graph.list.real(index) ?? 0)
    case .string: column.append(text: graph.list.string(index) ?? "")
    case .data: append(graph.list.data(index).map(Array.init) ?? [], to: column)
    case .uuid:
      // The first byte is the least significant byte.
      let bytes = graph.list.data(index).map(Array.init) ?? []
      column.append(UInt128(littleEndian: bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }))
    case .url:
      let url = graph.urls[index]
      column.child(0).append(text: url.text)
      column.child(1).append(bit: url.base != nil)
      if let base = url.base { column.child(1).child(0).append(text: base) }
    case .decimal: append(Array(graph.decimals[index].utf8), to: column)
    case .nothing, .null, .integer, .real, .object, .list, .dictionary, .structure, .missing: break
    }
  }

  private func appendAny(_ value: ImportedValue, to column: ColumnWriter) throws(ImportError) {
    let index = Int(value.index)
    let number = value.kind == .integer ? integer(index) : 0
    let isBig = Int64(exactly: number) == nil
    let position = AnyValue.caseIndex(value.kind, isBig: isBig)
    column.append(UInt32(truncatingIfNeeded: position))
    guard position > 1 else { return }
    let payload = column.payload(position).child(0)
    switch value.kind {
    case .integer: append(number, isBig ? .signed128 : .signed64, to: payload)
    case .real: payload.append(try real(index))
    case .object: payload.append(UInt32(truncatingIfNeeded: graph.row(value) + firstRow))
    default: append(single: value, to: payload)
    }
  }

  private func append(_ bytes: [UInt8], to column: ColumnWriter) {
    bytes.withByteView { column.append(bytes: $0) }
  }

  private func bool(_ index: Int) -> Bool {
    if case .bool(let value) = graph.list.nodes[index] { value } else { false }
  }

  /// Returns an integer, or a Boolean as an integer if the program declares a number.
  private func integer(_ index: Int) -> Int128 {
    switch graph.list.nodes[index] {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    case .uid(let value): Int128(value)
    default: 0
    }
  }

  /// Returns a real, or another number as a real if the program declares a real.
  private func real(_ index: Int) throws(ImportError) -> Double {
    if case .bool(let value) = graph.list.nodes[index] { return value ? 1 : 0 }
    guard let value = graph.list.real(index) else {
      throw ImportError(
        .valueOutOfRange, found: "the integer \(integer(index))",
        expected: "an integer that a Double can represent exactly")
    }
    return value
  }
}
