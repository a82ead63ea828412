import ArcFormat

/// Appends values that `ValueChecker` accepted to columns; the counterpart of `ValueReader`.
struct ValueWriter {
  let layout: ColumnLayout

  /// Appends a value to the column of a node.
  func append(_ value: ArchiveValue, to column: ColumnWriter, node index: Int) {
    let node = layout.nodes[index]
    func child(_ value: ArchiveValue, _ position: Int) {
      StackExtension.step { append(value, to: column.child(position), node: node.children[position]) }
    }
    switch value {
    case _ where node.kind == .optional:
      let content = value.unwrapped
      column.append(bit: content != nil)
      if let content { child(content, 0) }
    // The checker lets only optionals have them.
    case .null, .nestedNull: break
    case .bool(let value): column.append(bit: value)
    case .integer(let value): append(value, to: column, node.kind)
    case .unsigned(let value): column.append(value)
    case .float(let value) where node.kind == .float16: column.append(value.halfBits)
    case .float(let value): column.append(value)
    case .double(let value), .date(let value): column.append(value)
    case .string(let text): column.append(text: text)
    case .decimal(let text): append(Array(text.utf8), to: column)
    case .data(let bytes): append(bytes, to: column)
    case .uuid(let bytes):
      column.append(UInt128(littleEndian: bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }))
    case .url(let text, let base):
      child(.string(text), 0)
      child(base.map { .string($0) } ?? .null, 1)
    case .reference(let id): column.append(id?.rawValue ?? 0)
    case .array(let elements), .set(let elements):
      column.append(UInt64(elements.count))
      for element in elements { child(element, 0) }
    case .dictionary(let entries):
      column.append(UInt64(entries.count))
      for entry in entries {
        child(entry.key, 0)
        child(entry.value, 1)
      }
    case .structure(_, let fields):
      for (position, field) in fields.enumerated() { child(field.value, position) }
    case .enumeration(_, let name, let payload):
      let position = node.labels.firstIndex(of: name) ?? 0
      column.append(UInt32(truncatingIfNeeded: position))
      if let payload, let inner = node.payloads[position] { child(payload, inner) }
    }
  }

  private func append(_ bytes: [UInt8], to column: ColumnWriter) {
    bytes.withByteView { column.append(bytes: $0) }
  }

  private func append(_ value: Int128, to column: ColumnWriter, _ kind: ColumnKind) {
    switch kind {
    case .int8, .uint8: column.append(UInt8(truncatingIfNeeded: value))
    case .int16, .uint16: column.append(UInt16(truncatingIfNeeded: value))
    case .int32, .uint32: column.append(UInt32(truncatingIfNeeded: value))
    case .int64, .uint64: column.append(UInt64(truncatingIfNeeded: value))
    default: column.append(value)
    }
  }
}
