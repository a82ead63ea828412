/// The memory of one column, accessed by `ColumnReader` and `ColumnReaderSet` only.
@usableFromInline @safe struct ColumnReaderNode {
  /// The values of the bound chunk. If no chunk is bound, `count` is 0.
  @usableFromInline var values = ByteView()
  @usableFromInline var count = 0
  /// The index of the next value in the bound chunk.
  @usableFromInline var position = 0
  /// The position at which `isPrefetchDue` becomes true. `Int.max` in columns without prefetching.
  @usableFromInline var prefetchPosition = Int.max
  @usableFromInline var width = 0
  @usableFromInline var phase: UInt8 = 0
  /// The phase of values that are never set. No phase of unarchiving has this number.
  static let noPhase: UInt8 = 7
  @usableFromInline var isSigned = false
  @usableFromInline var isMissing = false
  /// Whether the node belongs to a field that some structures may lack.
  @usableFromInline var mayBeMissing = false
  /// Whether the values are presence bits, which state for each structure whether it has a value for a field.
  var isPresence = false
  /// Records which fields have no value, if the node is a structure of an `InputRow`. Otherwise nil.
  var absences: Handle<FieldAbsences>?
  @usableFromInline var isAlwaysPresent = false
  @usableFromInline var isBytes = false
  @usableFromInline var isRecursive = false
  /// The node whose `openCount` counts the nested values of a recursive type: this node, or the enumeration
  /// whose payload this node is. Nil for all other nodes.
  var head: Handle<ColumnReaderNode>?
  /// The number of values of the node that are open: the reader has begun but not finished each of them. Each
  /// open value is nested in the previous open value.
  var openCount = 0
  @usableFromInline var containsReferences = false
  /// Whether a collection, if its elements cannot be nil, omits references to objects that a revision
  /// removed.
  @usableFromInline var omitsNilReferences = false
  /// Whether keys or elements that are distinct in the file may be equal, because parts of them are omitted.
  var mayHaveEqualKeys = false
  @usableFromInline var isUnowned = false { didSet { updateReferenceKind() } }
  @usableFromInline var isWeak = false
  @usableFromInline var usesStringTable = false
  @usableFromInline var isStrongReference = false
  @usableFromInline var context: OpaqueHandle?
  @usableFromInline var children: HandleBuffer<Handle<ColumnReaderNode>>
  @usableFromInline var builtStrings: Handle<BuiltStrings>
  /// Memory for the expanded values of a chunk that is not plain.
  var expanded: ByteBuffer?
  var text = ByteView()
  /// The offset of the next byte string in `text`.
  var textPosition = 0
  var kind: ColumnKind
  /// Whether each value is a sequence of bytes, such as a string or data.
  let isText: Bool
  var strings: Unmanaged<StringTable>
  /// The index of the file's node whose chunks are bound to this node without a conversion. Nil if the file
  /// has no such node, or if its values are converted.
  var source: Int?
  /// For each case of the file's enumeration, the index of the case in the program. Nil if the program does
  /// not have the case.
  var cases: [Int?] = []
  /// The index of each case's payload in `children`, by case of the program's enumeration. Nil if the case
  /// has no payload.
  var payloads: [Int?] = []
  // For errors: the names of the file's cases, and the names of the program's cases or fields.
  var caseNames: [String] = []
  var labels: [String] = []
  /// Converts the values of the file to the program's kind. Nil if they are read unchanged.
  var converter: ChunkConverter?
  /// The reason why the column ends before the values of the file end, if this reason is not a failed
  /// conversion. Otherwise nil.
  var refusal: ChunkConverter.Refusal?
  /// The index of the node in its `ColumnReaderSet`.
  var index = 0
  var location: ColumnLocation?

  mutating func updateReferenceKind() { isStrongReference = kind == .reference && !isUnowned && !isWeak }

  /// The `prefetchPosition` at the beginning of the bound chunk. 0 if the chunk has more than 8 references,
  /// so that prefetching pays; otherwise `Int.max`.
  var firstPrefetch: Int { (kind == .reference || kind == .weak) && count > 8 ? 0 : .max }

  /// Returns the former target of a reference that a revision made nil. Returns 0 for any other value.
  func formerRow(_ index: Int) -> Int {
    guard kind == .reference || kind == .weak, index >= 0, index < count, index < text.count / 4,
      values.unsigned(index, width: width) == 0
    else { return 0 }
    return Int(truncatingIfNeeded: text.unsigned(index, width: 4))
  }

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Moves the column to the beginning of a chunk.
  mutating func bind(_ chunk: Chunk) {
    bind(plain: chunk)
    if chunk.form != .plain { values = expand(chunk) }
  }

  /// Moves the column to the beginning of a plain chunk.
  @inline(__always) mutating func bind(plain chunk: Chunk) {
    width = chunk.width
    usesStringTable = chunk.usesStringTable
    bind(chunk.count, values: chunk.values, text: chunk.text)
  }

  /// Moves the column to the beginning of plain values. Their width must be set already.
  @inline(__always) mutating func bind(_ count: Int, values: ByteView, text: ByteView) {
    position = 0
    textPosition = 0
    self.count = count
    prefetchPosition = firstPrefetch
    self.values = values
    self.text = text
  }

  /// Removes the values from the column.
  mutating func unbind() {
    position = 0
    textPosition = 0
    prefetchPosition = .max
    count = 0
    width = 0
    usesStringTable = false
    text = ByteView()
    values = ByteView()
  }

  /// Binds the column to `count` bits that are all 0, for a column of presence bits that the segment does not
  /// have.
  mutating func bindAbsent(_ count: Int) {
    let byteCount = (count + 7) / 8
    if expanded.map({ $0.count < byteCount }) ?? true {
      expanded?.free()
      expanded = ByteBuffer(count: byteCount)
    }
    guard let expanded else { return }
    expanded.fill(with: 0)
    bind(Chunk(count: count, width: 0, values: expanded.view))
  }

  /// Expands a chunk to its plain form, which is valid until the next chunk is bound.
  @inline(never) private mutating func expand(_ chunk: Chunk) -> ByteView {
    let byteCount = chunk.plainByteCount
    if let expanded, expanded.count >= byteCount {
      chunk.expand(into: expanded)
      return expanded.view
    }
    expanded?.free()
    let buffer = ByteBuffer(count: byteCount)
    expanded = buffer
    chunk.expand(into: buffer)
    return buffer.view
  }

  private static var maximumKeptByteCount: Int { 1 << 12 }

  /// Frees the memory for expanded values if it is large.
  mutating func freeIfLarge() {
    guard let buffer = expanded, buffer.count > Self.maximumKeptByteCount else { return }
    buffer.free()
    expanded = nil
  }
}

/// The class and key of a column, for errors.
package final class ColumnLocation: Sendable {
  package let className: String
  package let key: String
  package init(className: String, key: String) {
    self.className = className
    self.key = key
  }
}
