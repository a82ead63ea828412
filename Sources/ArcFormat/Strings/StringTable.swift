/// The strings of a file, by id. Each string is checked and created when it is first requested. Later
/// requests share this string.
package final class StringTable {
  /// The part of the table that columns access directly. Stored in a handle, so that accesses need no
  /// exclusivity checks.
  let built: Handle<BuiltStrings>
  // The rest is out of line for the same reason.
  /// The payloads that contain the bytes of `built.entries`. They are retained so that the bytes stay valid.
  private let payloads = Cell<[SegmentPayload]>([])
  /// The source from which strings are loaded on request. Nil if the table contains all strings.
  private let segments = Cell<StringSegments?>(nil)
  /// Whether each long string is plain text, by id. Contains only the strings that were requested as plain
  /// text.
  private let plainTexts = Cell<[UInt64: Bool]>([:])
  /// The maximum length, in bytes, of a string that is examined each time it is requested as plain text. A
  /// longer string is examined only once, and the result is stored in `plainTexts`, because a file can
  /// mention the string very often.
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

  /// Adds the strings of a segment. Checks that the segment contains as many strings as the index of the file
  /// states.
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

  /// Sets the source from which strings are loaded when they are requested. The table then need not contain
  /// all strings.
  package func load(from segments: StringSegments) { self.segments.value = segments }

  /// Removes all strings, and releases the segments that contain them.
  package func removeAll() {
    if !plainTexts.value.isEmpty { plainTexts.value = [:] }
    guard count > 0 || segments.value != nil || !payloads.value.isEmpty else { return }
    if segments.value != nil { segments.value = nil }
    payloads.value.truncate(to: 0)
    built.value.removeAll()
  }

  /// Returns the string with an id. Spec: 04-columns, rules X2 and X3.
  ///
  /// - Throws: `malformedColumn` if there is no such string, `invalidString` if its bytes are not valid
  ///   UTF-8.
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

  /// Returns the bytes of a string whose segment is loaded. Nil if no loaded string has the id.
  package func bytes(_ id: UInt64) -> ByteView? { id < UInt64(count) ? built.value.entries[Int(id)] : nil }

  /// Returns the bytes of a string, without checking them. Loads the string's segment if necessary. Nil if no
  /// string has the id, or if the segment is damaged.
  func loadedBytes(_ id: UInt64) -> ByteView? { bytes(id) ?? segments.value?.bytes(id) }

  /// Returns the bytes of a string, unchecked, if the string is plain text. Loads the string's segment if
  /// necessary. Nil if the string is not plain text, or cannot be loaded.
  func loadedPlainBytes(_ id: UInt64) -> ByteView? {
    guard let bytes = loadedBytes(id) else { return nil }
    guard bytes.count > Self.longByteCount else { return bytes.isPlainText ? bytes : nil }
    if let isPlain = plainTexts.value[id] { return isPlain ? bytes : nil }
    let isPlain = bytes.isPlainText
    plainTexts.value[id] = isPlain
    return isPlain ? bytes : nil
  }

  /// Throws an error if the bytes of a string are not valid UTF-8. Spec: 04-columns, rule X3.
  func checkUTF8(_ index: Int) throws(ArchiveError) {
    guard built.value.entries[index].isUTF8 else {
      throw ArchiveError(.invalidString, found: "string number \(index), whose bytes are not UTF-8")
    }
  }
}

/// The bytes of all strings of a table, and the strings that were already created from them.
///
/// Invariant: `strings` and `entries` have equal counts. Their first `count` elements belong to the strings
/// of the table.
@usableFromInline struct BuiltStrings {
  @usableFromInline var strings = HandleBuffer<String?>([])
  @usableFromInline var count = 0
  fileprivate var entries = HandleBuffer<ByteView>([])

  /// Returns the string with an id. Nil if the table does not contain the id, or if no `String` was created
  /// for the id yet.
  @inlinable @inline(__always)
  func string(_ id: UInt64) -> String? {
    guard id < UInt64(truncatingIfNeeded: count) else { return nil }
    return strings[Int(truncatingIfNeeded: id)]
  }

  mutating func reserve(_ more: Int) {
    guard more > strings.count - count else { return }
    strings.grow(to: count + more, with: nil)
    entries.grow(to: count + more, with: ByteView())
  }

  /// Sets the bytes of a string. `add` adds the string to the table later. `index` is the number of strings
  /// that were prepared before it but not added yet. There must be capacity for the string.
  func prepare(_ bytes: ByteView, at index: Int) { entries[count + index] = bytes }

  /// Adds `more` strings whose bytes `prepare` has set.
  mutating func add(_ more: Int) { count += more }

  /// Removes all strings. The capacity is unchanged.
  mutating func removeAll() {
    strings.fill(0..<count, with: nil)
    count = 0
  }

  func free() {
    strings.free()
    entries.free()
  }
}
