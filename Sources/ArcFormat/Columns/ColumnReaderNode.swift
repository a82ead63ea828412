/// The memory of one column, accessed by `ColumnReader` and `ColumnReaderSet` only.
@usableFromInline @safe struct ColumnReaderNode {
  /// The values of the bound chunk; `count` is 0 while there is none.
  @usableFromInline var values = ByteView()
  @usableFromInline var count = 0
  /// The index of the next value.
  @usableFromInline var position = 0
  /// The position from which `isPrefetchDue` holds; the maximum in columns without prefetching.
  @usableFromInline var prefetchPosition = Int.max
  @usableFromInline var width = 0
  @usableFromInline var phase: UInt8 = 0
  /// The phase of values that are never set. Phases are bits of a byte, and this one is no phase's.
  static let noPhase: UInt8 = 7
  @usableFromInline var isSigned = false
  @usableFromInline var isMissing = false
  /// Whether fields whose values these are may be without one.
  @usableFromInline var mayBeMissing = false
  /// Whether the values are the bits of an optional around a field that structures may lack.
  var isPresence = false
  /// Which fields are without a value, of a structure in a filled row; nil for any other node.
  var absences: Handle<FieldAbsences>?
  @usableFromInline var isAlwaysPresent = false
  @usableFromInline var isBytes = false
  @usableFromInline var isRecursive = false
  /// The node to which a mention inside this one leads: itself, or the enumeration whose payload it is. Nil
  /// if there is none.
  var head: Handle<ColumnReaderNode>?
  /// The number of values of the node that are being read, one inside another.
  var openCount = 0
  @usableFromInline var containsReferences = false
  /// Whether references to nothing are left out of collections whose elements cannot be nil.
  @usableFromInline var leavesOutNil = false
  /// Whether keys or elements that were distinct may be equal, because parts of them were left out.
  var mayHaveEqualKeys = false
  @usableFromInline var isUnowned = false { didSet { updateReferenceKind() } }
  @usableFromInline var isWeak = false
  @usableFromInline var usesStringTable = false
  @usableFromInline var isStrongReference = false
  @usableFromInline var context: OpaqueHandle?
  @usableFromInline var children: HandleBuffer<Handle<ColumnReaderNode>>
  @usableFromInline var builtStrings: Handle<BuiltStrings>
  /// Memory for the plain form of the bound chunk if it is not plain.
  var expanded: ByteBuffer?
  var text = ByteView()
  /// The offset in `text` of the next byte string.
  var textPosition = 0
  var kind: ColumnKind
  /// Whether the values are strings or other bytes.
  let isText: Bool
  var strings: Unmanaged<StringTable>
  /// The node of the file's layout whose chunks are bound as they are; nil if the file has none, or
  /// they are converted.
  var source: Int?
  /// For each case of the file the program's index, nil if it has none; and for each case of the program the
  /// child with the payload.
  var cases: [Int?] = []
  var payloads: [Int?] = []
  /// The names of the file's cases, and those of the program's cases or fields, for errors.
  var caseNames: [String] = []
  var labels: [String] = []
  /// What makes the values of those that the file has; nil if they are the same.
  var converter: ColumnConverter?
  /// Why the column ends before the file's values do, if no conversion ended it.
  var refusal: ColumnConverter.Refusal?
  /// The index of the node in its set.
  var index = 0
  var location: ColumnLocation?

  mutating func updateReferenceKind() { isStrongReference = kind == .reference && !isUnowned && !isWeak }

  /// The initial `prefetchPosition` of the bound chunk: 0 if it is long enough to be worth prefetching.
  var firstPrefetch: Int { (kind == .reference || kind == .weak) && count > 8 ? 0 : .max }

  /// The row that a reference to nothing led to before a revision; 0 for any other value.
  func formerRow(_ index: Int) -> Int {
    guard kind == .reference || kind == .weak, index >= 0, index < count, index < text.count / 4,
      values.unsigned(index, width: width) == 0
    else { return 0 }
    return Int(truncatingIfNeeded: text.unsigned(index, width: 4))
  }

  func payload(_ index: Int) -> Int? { payloads.indices.contains(index) ? payloads[index] : nil }

  /// Moves the column to the beginning of a chunk.
  @inline(__always) mutating func bind(_ chunk: Chunk) {
    position = 0
    textPosition = 0
    count = chunk.count
    prefetchPosition = firstPrefetch
    width = chunk.width
    usesStringTable = chunk.usesStringTable
    text = chunk.text
    values = chunk.form == .plain ? chunk.values : expand(chunk)
  }

  /// Moves the column to the beginning of plain values of the width that it has.
  @inline(__always) mutating func bind(_ count: Int, values: ByteView, text: ByteView) {
    position = 0
    textPosition = 0
    self.count = count
    prefetchPosition = firstPrefetch
    self.values = values
    self.text = text
  }

  /// Leaves the column without values.
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

  /// Moves the column to the beginning of bits that are all 0.
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

  /// The plain form of a chunk, valid until the next chunk is bound.
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

  /// Frees the memory for values if it is large.
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
