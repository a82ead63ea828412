/// The values of a column in one segment, before they become a chunk.
///
/// Does not own its memory. The values of an open column are valid until the column changes. The values of a
/// `DetachedSegment` are valid while the segment exists.
struct UnpackedColumn {
  let storage: ColumnKind.Storage
  /// Whether strings are stored as ids in the string table.
  let usesStringTable: Bool
  /// The collected values at full width: values of fixed size, lengths, bits as bytes, or string ids.
  let values: GrowableBuffer
  /// Arrays whose values were retained instead of copied to `values`.
  let borrowed: [BorrowedValues]
  /// The bytes of byte strings.
  let extra: GrowableBuffer

  @inline(__always) private var collected: CollectedValues {
    CollectedValues(bytes: values.bytes, borrowed: borrowed)
  }

  /// The number of bytes before the values are packed.
  var byteCount: Int { collected.byteCount + extra.count }

  /// Writes the chunk of all values. Spec: 04-columns, section 2.
  @inline(__always) func writeChunk(to writer: inout ByteWriter) {
    switch storage {
    case .none: break
    case .bits: Chunk.write(bits: values.bytes, to: &writer)
    case .fixed(let width): Chunk.write(fixed: collected, width: width, to: &writer)
    case .integers(let width, let isSigned):
      Chunk.write(integers: collected, width: width, isSigned: isSigned, to: &writer)
    case .text where usesStringTable: Chunk.write(stringIDs: values.bytes, to: &writer)
    case .text: Chunk.write(lengths: values.bytes, of: extra.bytes, to: &writer)
    }
  }

  /// Frees the memory of the values. Called only for values that were moved out of a column.
  func free() {
    values.free()
    extra.free()
  }
}
