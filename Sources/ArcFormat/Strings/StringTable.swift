/// The strings of a file by id; each is checked and built when it is first asked for, then shared.
package final class StringTable {
  /// The part that columns access directly, in memory of its own: a stored property would be checked for
  /// overlapping accesses.
  let built: Handle<BuiltStrings>
  // The rest is out of line for the same reason.
  /// Retains the bytes to which `built.entries` points.
  private let payloads = Cell<[SegmentPayload]>([])
  /// Supplies the strings while the table does not contain all of them.
  private let segments = Cell<StringSegments?>(nil)
  /// For each long string whose text was requested, whether it is plain text, by the string's id.
  private let plainTexts = Cell<[UInt64: Bool]>([:])
  /// A string with more bytes is long: it is judged once, however often it is mentioned.
  private static let longByteCount = 256

  package init() {
    built = Handle(BuiltStrings())
  }

  deinit {
    built.value.free()
    built.free()
  }

  package var count: Int { built.value.count }

  /// Adds the strings of a `STRS` segment. Spec: 04-columns, rule X1.
  func add(_ payload: SegmentPayload) throws(ArchiveError) {
    var reader = payload.reader
    try StringsSegment.read(&reader, into: built)
    payloads.value.append(payload)
  }

  /// Adds the strings of a segment and compares their number with its index entry.
  ///
  /// Spec: 02-container, rule I5; 07-limits, rule A7.
  package func add(_ segment: SegmentInfo, in store: ByteStore, limits: ArchiveLimits) throws(ArchiveError) {
    let known = count
    try ArchiveLimits.check(
      segment.firstIndex + segment.count, within: limits.elements, "elements", byteOffset: segment.byteOffset)
    try add(SegmentPayload(segment, in: store))
    guard count == known + segment.count else {
      throw ArchiveError(
        .indexMismatch, found: "a segment of \(plural(count - known, "string"))",
        expected: "\(plural(segment.count, "string")), as in the index",
        byteOffset: segment.byteOffset)
    }
  }

  /// Has strings loaded from segments when they are needed, for a table that does not contain all of them.
  package func load(from segments: StringSegments) { self.segments.value = segments }

  /// Removes all strings, and releases the segments that contain them.
  package func removeAll() {
    if !plainTexts.value.isEmpty { plainTexts.value = [:] }
    guard count > 0 || segments.value != nil || !payloads.value.isEmpty else { return }
    if segments.value != nil { segments.value = nil }
    payloads.value.truncate(to: 0)
    built.value.removeAll()
  }

  /// The string with an id. Spec: 04-columns, rules X2 and X3.
  ///
  /// - Throws: `malformedColumn` if there is none, `invalidString` if its bytes are not UTF-8.
  package func string(_ id: UInt64) throws(ArchiveError) -> String {
    guard id < UInt64(count) else {
      if let segments = segments.value { return try segments.string(id) }
      throw ArchiveError(
        .malformedColumn, found: "string number \(id)", expected: "a string number below \(count)")
    }
    let index = Int(id)
    if let text = built.value.string(id) { return text }
    guard let text = String(checkedUTF8: built.value.entries[index]) else {
      throw ArchiveError(.invalidString, found: "string number \(id), whose bytes are not UTF-8")
    }
    built.value.strings[index] = text
    return text
  }

  /// The bytes of a string that is loaded; nil if there is none with the id.
  package func bytes(_ id: UInt64) -> ByteView? { id < UInt64(count) ? built.value.entries[Int(id)] : nil }

  /// The bytes of a string that are not checked; its segment is loaded if necessary. Nil if there is none
  /// with the id, or its segment is damaged.
  func loadedBytes(_ id: UInt64) -> ByteView? { bytes(id) ?? segments.value?.bytes(id) }

  /// The bytes of a string as `loadedBytes` returns them, if all of them are plain text.
  func loadedPlainBytes(_ id: UInt64) -> ByteView? {
    guard let bytes = loadedBytes(id) else { return nil }
    guard bytes.count > Self.longByteCount else { return bytes.isPlainText ? bytes : nil }
    if let isPlain = plainTexts.value[id] { return isPlain ? bytes : nil }
    let isPlain = bytes.isPlainText
    plainTexts.value[id] = isPlain
    return isPlain ? bytes : nil
  }

  /// Checks that the bytes of a string are UTF-8. Spec: 04-columns, rule X3.
  func checkUTF8(_ index: Int) throws(ArchiveError) {
    guard built.value.entries[index].isUTF8 else {
      throw ArchiveError(.invalidString, found: "string number \(index), whose bytes are not UTF-8")
    }
  }
}

/// The strings of a table: the bytes of all, and those that are built already.
///
/// Invariant: `strings` and `entries` have as many elements; the first `count` are those of the table.
@usableFromInline struct BuiltStrings {
  @usableFromInline var strings = HandleBuffer<String?>([])
  @usableFromInline var count = 0
  fileprivate var entries = HandleBuffer<ByteView>([])

  /// The string with an id if it is in the table and built; otherwise nil.
  @inlinable @inline(__always)
  func string(_ id: UInt64) -> String? {
    guard id < UInt64(truncatingIfNeeded: count) else { return nil }
    return strings[Int(truncatingIfNeeded: id)]
  }

  /// Reserves capacity for `more` strings.
  mutating func reserve(_ more: Int) {
    guard more > strings.count - count else { return }
    strings.grow(to: count + more, with: nil)
    entries.grow(to: count + more, with: ByteView())
  }

  /// Sets the bytes of the string that will be added `index` after the last; there must be capacity for it.
  func prepare(_ bytes: ByteView, at index: Int) { entries[count + index] = bytes }

  /// Adds `more` strings whose bytes were set by `prepare`.
  mutating func add(_ more: Int) { count += more }

  /// Removes all strings and keeps the capacity.
  mutating func removeAll() {
    strings.fill(0..<count, with: nil)
    count = 0
  }

  func free() {
    strings.free()
    entries.free()
  }
}
