/// Converts a column of one kind to another kind, chunk by chunk.
///
/// All values of a chunk are converted when the chunk is bound, so code that reads values does not depend on
/// the conversion. The column ends at the first value that cannot be converted. An error is thrown only if
/// this value is read.
final class ChunkConverter {
  /// A value that cannot be converted, and the reason.
  struct Refusal {
    let index: Int
    /// The node of the value in the program's layout. Nil if the value belongs to the column that is
    /// converted, not to a nested column.
    var node: Int?
    let found: String
    let expected: String
    var remedy: String?

    /// Creates the refusal of a nil value, for a type that is not optional.
    static func ofNil(at index: Int, node: Int? = nil) -> Refusal {
      Refusal(
        index: index, node: node, found: "nil",
        expected: "a value, because the program's type is not optional",
        remedy: "declare the property optional, or convert the old values under a new key: "
          + "@Key(\"newKey\") @Key(\"oldKey\", from: OldType?.self, { $0 ?? … })")
    }
  }

  private let conversion: ColumnConversion
  /// The kind of the program's column.
  private let kind: ColumnKind
  private let strings: StringTable
  private var values = GrowableBuffer()
  private var text = GrowableBuffer()
  /// The memory for the plain forms of two chunks: the converted chunk, and the chunk of its elements if
  /// there is one.
  private var expanded: [ByteBuffer] = []
  /// The value that ended the column, because it could not be converted. Nil if all values were converted.
  private(set) var refusal: Refusal?

  init(_ conversion: ColumnConversion, to kind: ColumnKind, strings: StringTable) {
    self.conversion = conversion
    self.kind = kind
    self.strings = strings
  }

  deinit {
    values.free()
    text.free()
    releaseExpanded()
  }

  private func releaseExpanded() {
    for buffer in expanded { buffer.free() }
    expanded = []
  }

  func removeAll() {
    values.free()
    text.free()
    (values, text, refusal) = (GrowableBuffer(), GrowableBuffer(), nil)
    releaseExpanded()
  }

  /// Returns the converted form of a chunk, which is valid until the next call. `chunks` contains all chunks
  /// of the class in the segment.
  func convert(_ chunk: Chunk, among chunks: [Chunk?]) -> Chunk {
    values.removeAll()
    text.removeAll()
    releaseExpanded()
    refusal = nil
    let source = plain(chunk)
    var result = source
    switch conversion.form {
    case .unchanged: break
    case .values: convertValues(of: source, to: &result)
    case .single: result = lengths(of: source.count) { _ in true }
    case .present: result = lengths(of: source.count) { source.bit($0) }
    case .references: result = lengths(of: source.count) { source.unsigned($0) != 0 }
    case .objects: result = objects(in: source)
    case .absent: result = falseBits(of: source.count)
    case .nothing, .refused: convertNothing(source, to: &result)
    case .bytes(let elements):
      guard elements < chunks.count, let elements = chunks[elements] else { break }
      result.text = plain(elements).values
    }
    for condition in conversion.conditions { check(condition, chunks, &result) }
    return result
  }

  private func plain(_ chunk: Chunk) -> Chunk {
    guard chunk.form != .plain else { return chunk }
    let buffer = ByteBuffer(count: chunk.plainByteCount)
    expanded.append(buffer)
    chunk.expand(into: buffer)
    var plain = Chunk(count: chunk.count, width: chunk.width, values: buffer.view)
    plain.text = chunk.text
    plain.usesStringTable = chunk.usesStringTable
    return plain
  }

  /// Ends the column at the first bit that does not satisfy the condition. The chunk `result` has one value
  /// per bit.
  private func check(_ condition: ColumnConversion.Condition, _ chunks: [Chunk?], _ result: inout Chunk) {
    guard condition.node < chunks.count, let bits = chunks[condition.node] else { return }
    guard let index = (0..<bits.count).first(where: { bits.bit($0) != condition.isPresent }),
      index <= result.count
    else { return }
    result.count = index
    let node = condition.wanted
    refusal =
      if !condition.isPresent {
        Refusal(
          index: index, node: node, found: "a URL with a base URL",
          expected: "a URL without a base URL, because the program's type is a string")
      } else if kind == .reference || kind == .weak {
        Refusal(
          index: index, node: node, found: "nil",
          expected: "an object, or nil at the innermost level of optionals, because the file's type has more "
            + "levels of optionals than the program's type",
          remedy: "declare the property with as many levels of optionals as the type in the file")
      } else {
        Refusal.ofNil(at: index, node: node)
      }
  }

  /// Returns a chunk of `count` lengths. A length is 1 if `isOne` returns true for its index, and otherwise
  /// 0.
  private func lengths(of count: Int, _ isOne: (Int) -> Bool) -> Chunk {
    for index in 0..<count { values.append(isOne(index) ? 1 : 0 as UInt8) }
    return Chunk(count: count, width: 1, values: values.bytes)
  }

  private func falseBits(of count: Int) -> Chunk {
    for _ in 0..<(count + 7) / 8 { values.append(0 as UInt8) }
    return Chunk(count: count, width: 0, values: values.bytes)
  }

  /// Converts references without a declared class. Each nil becomes a nil optional or an empty collection.
  /// Ends the column at the first reference to an object, or at the first value if nil cannot be converted.
  private func convertNothing(_ source: Chunk, to result: inout Chunk) {
    let isRefused = conversion.form == .refused
    let end = (0..<source.count).first { isRefused || source.unsigned($0) != 0 }
    if let end, source.unsigned(end) != 0 {
      refusal = Refusal(
        index: end, found: "a reference to an object",
        expected: "nil, because the program's type is not a class")
    } else if let end {
      refusal = .ofNil(at: end)
    }
    let count = end ?? source.count
    if kind == .optional {
      result = falseBits(of: count)
    } else if isRefused {
      self.end(&result, 0)
    } else {
      result = lengths(of: count) { _ in false }
    }
  }

  private func objects(in chunk: Chunk) -> Chunk {
    var count = 0
    for index in 0..<chunk.count where chunk.unsigned(index) != 0 {
      values.append(UInt32(truncatingIfNeeded: chunk.unsigned(index)).littleEndian)
      count += 1
    }
    return Chunk(count: count, width: 4, values: values.bytes)
  }

  // MARK: Values

  private func convertValues(of source: Chunk, to result: inout Chunk) {
    // The bytes in the file were charged against its limits. The converted values may take a multiple of
    // these bytes.
    let limit = max(Self.freeByteCount, Self.maximumGrowth * (source.values.count + source.text.count))
    var count = 0
    var textPosition = 0
    while count < source.count {
      let isText = conversion.kind.storage == .text
      let value = isText ? string(source, at: count, &textPosition) : nil
      guard isText ? value.map(append) ?? false : append(source, at: count) else {
        refusal = Refusal(
          index: count, found: isText ? quoted(value) : words(for: source, at: count),
          expected: "a value that a column of kind \(kind) can contain")
        break
      }
      count += 1
      guard values.count + text.count <= limit else {
        refusal = Refusal(
          index: count,
          found: "\(plural(source.count, "value")) that need more than \(limit) bytes after conversion to "
            + "kind \(kind)",
          expected: "converted values of at most \(limit) bytes")
        break
      }
    }
    end(&result, count)
  }

  private func quoted(_ value: String?) -> String {
    guard let value else { return "bytes that are not UTF-8" }
    return value.count > 60 ? "'\(value.prefix(60))…'" : "'\(value)'"
  }

  private func words(for chunk: Chunk, at index: Int) -> String {
    if let number = StoredNumber(chunk, conversion.kind, at: index) { return "the number \(number)" }
    return "the date \(Double(bitPattern: chunk.values.integer(at: index &* 8))) seconds after 2001"
  }

  /// Ends the conversion of a chunk. Sets `result` to a chunk with the first `count` converted values.
  private func end(_ result: inout Chunk, _ count: Int) {
    let width =
      switch kind.storage {
      case .fixed(let width): width
      case .integers(let width, _): width
      case .text: 8
      case .none, .bits: 0
      }
    if kind == .bool { packBits() }
    result = Chunk(count: count, width: width, values: values.bytes)
    result.text = text.bytes
  }

  /// Packs the converted values, which are bytes of 0 or 1, into bits.
  private func packBits() {
    let bytes = (0..<values.count).map { values.bytes[$0] }
    values.removeAll()
    for start in stride(from: 0, to: bytes.count, by: 8) {
      var byte: UInt8 = 0
      for (index, bit) in bytes[start..<min(start + 8, bytes.count)].enumerated() {
        byte |= bit << UInt8(index)
      }
      values.append(byte)
    }
  }

  /// Returns the string at an index. Nil if it is not a valid string. `position` is the offset of the
  /// string's bytes, and is advanced to the next string.
  private func string(_ chunk: Chunk, at index: Int, _ position: inout Int) -> String? {
    // A string that cannot be read has no value.
    if chunk.usesStringTable { return try? strings.string(chunk.unsigned(index)) }
    let length = Int(truncatingIfNeeded: chunk.unsigned(index))
    guard length >= 0, length <= chunk.text.count - position else { return nil }
    defer { position += length }
    return String(checkedUTF8: chunk.text[position..<position + length])
  }

  /// The number of bytes that converted values may always take. More bytes are allowed only up to
  /// `maximumGrowth` times the size of the values in the file.
  private static let freeByteCount = 1 << 28
  private static let maximumGrowth = 16
  /// The maximum number of bytes of a string that is converted. A longer string cannot represent a value of
  /// another kind.
  private static let maximumTextByteCount = 256

  /// Converts a string to a value of the program's kind and appends it. Returns false if the string does not
  /// represent such a value.
  private func append(_ value: String) -> Bool {
    // Checked before parsing, because a long string of the string table can be the value of many rows.
    guard value.utf8.count <= Self.maximumTextByteCount else { return false }
    if conversion.kind == .decimal {
      return StoredNumber(decimal: value, as: kind).map(append) ?? false
    }
    switch kind {
    case .uuid: return UUIDNotation.bytes(value).map { values.append($0.littleEndian) } != nil
    case .date: return DateNotation.seconds(value).map { values.append($0.bitPattern.littleEndian) } != nil
    case .decimal: return DecimalNotation.normalized(value).map(appendText) != nil
    default: return false
    }
  }

  /// Converts a value that is not a string and appends it. Returns false if the program's kind cannot
  /// represent it.
  private func append(_ chunk: Chunk, at index: Int) -> Bool {
    switch conversion.kind {
    case .uuid:
      appendText(UUIDNotation.text((0..<16).map { chunk.values[index &* 16 &+ $0] }))
      return true
    case .date:
      let seconds = Double(bitPattern: chunk.values.integer(at: index &* 8))
      return DateNotation.text(seconds).map(appendText) != nil
    default:
      guard let number = StoredNumber(chunk, conversion.kind, at: index) else { return false }
      return kind == .decimal
        ? number.decimal(from: conversion.kind).map(appendText) != nil : append(number)
    }
  }

  private func appendText(_ value: String) {
    let utf8 = Array(value.utf8)
    values.append(UInt64(utf8.count).littleEndian)
    for byte in utf8 { text.append(byte) }
  }

  private func append(_ number: StoredNumber) -> Bool {
    switch kind {
    case .bool:
      guard let bit = number.exactly(UInt8.self), bit <= 1 else { return false }
      values.append(bit)
      return true
    case .int8: return append(number.exactly(Int8.self))
    case .int16: return append(number.exactly(Int16.self))
    case .int32: return append(number.exactly(Int32.self))
    case .int64: return append(number.exactly(Int64.self))
    case .int128: return append(number.exactly(Int128.self))
    case .uint8: return append(number.exactly(UInt8.self))
    case .uint16: return append(number.exactly(UInt16.self))
    case .uint32: return append(number.exactly(UInt32.self))
    case .uint64: return append(number.exactly(UInt64.self))
    case .uint128: return append(number.exactly(UInt128.self))
    case .float16: return append(number.exactly(Float.self).flatMap(\.exactHalfBits))
    case .float32: return append(number.exactly(Float.self)?.bitPattern)
    case .float64: return append(number.exactly(Double.self)?.bitPattern)
    default: return false
    }
  }

  private func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number?) -> Bool {
    guard let number else { return false }
    values.append(number.littleEndian)
    return true
  }
}
