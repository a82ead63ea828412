import ArcFormat

/// Appends values to columns. `ValueChecker` must have accepted the values. The counterpart of `ValueReader`.
struct ValueWriter {
  let layout: ColumnLayout

  /// Appends a value to the column of a node.
  func append(_ value: ArchiveValue, to column: ColumnWriter, node index: Int) {
    let kind = layout.nodes[index].kind
    func appendChild(_ value: ArchiveValue, _ position: Int) {
      let inner = layout.nodes[index].children[position]
      StackExtension.step { append(value, to: column.child(position), node: inner) }
    }
    switch value {
    case _ where kind == .optional:
      let content = value.unwrapped
      column.append(bit: content != nil)
      if let content { appendChild(content, 0) }
    // `ValueChecker` accepts these values only for optionals, which the first case handles.
    case .null, .nestedNull: break
    case .bool(let value): column.append(bit: value)
    case .integer(let value): append(value, to: column, kind)
    case .unsigned(let value): column.append(value)
    case .float(let value) where kind == .float16: column.append(value.halfBits)
    case .float(let value): column.append(value)
    case .double(let value), .date(let value): column.append(value)
    case .string(let text): column.append(text: text)
    case .decimal(let text): append(Array(text.utf8), to: column)
    case .data(let bytes): append(bytes, to: column)
    case .uuid(let bytes):
      column.append(UInt128(littleEndian: bytes.reversed().reduce(0) { $0 << 8 | UInt128($1) }))
    case .url(let text, let base):
      appendChild(.string(text), 0)
      appendChild(base.map { .string($0) } ?? .null, 1)
    case .reference(let id): column.append(id?.rawValue ?? 0)
    default:
      if let count = value.elementCount { column.append(UInt64(count)) }
      if case .enumeration(_, let name, _) = value {
        column.append(UInt32(truncatingIfNeeded: layout.position(ofCase: name, in: index) ?? 0))
      }
      for (step, child) in value.children {
        if let position = layout.position(of: step, in: index) { appendChild(child, position) }
      }
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
