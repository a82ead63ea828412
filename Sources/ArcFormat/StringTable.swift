/// The strings of a file by number; each is checked and built when it is first asked for, then shared.
@safe package final class StringTable {
  /// What columns look at before they ask. In memory of its own, so that no access is checked for overlapping ones.
  let built: UnsafeMutablePointer<BuiltStrings>
  /// Keeps the bytes alive that `entries` point into.
  private let payloads = Cell<[SegmentPayload]>([])
  /// Where strings come from as long as they are not all in the table.
  var segments: StringSegments?

  package init() {
    unsafe built = .allocate(capacity: 1)
    unsafe built.initialize(to: BuiltStrings())
  }

  deinit {
    unsafe built.pointee.free()
    unsafe built.deinitialize(count: 1)
    unsafe built.deallocate()
  }

  package var count: Int { unsafe built.pointee.count }

  /// Adds the strings of a `STRS` segment. Spec: 04-columns, section 4.
  func add(_ payload: SegmentPayload) throws(ArchiveError) {
    var reader = payload.reader
    let start = reader.offset
    let count = try reader.count(itemBytes: 1)
    let width = Int(try reader.fixed(UInt8.self))
    guard [1, 2, 4, 8].contains(width), count <= reader.remaining / width else {
      throw ArchiveError(
        .malformedSegment, found: "\(count) lengths of width \(width)",
        expected: "lengths of 1, 2, 4 or 8 bytes",
        byteOffset: start)
    }
    let lengths = unsafe try reader.take(count * width)
    unsafe built.pointee.reserve(count)
    for index in 0..<count {
      let length = unsafe ChunkView.unsigned(lengths, index: index, width: width)
      guard let length = Int(exactly: length), length <= reader.remaining else {
        throw ArchiveError(
          .malformedSegment, found: "a string of \(length) bytes",
          expected: "at most the \(reader.remaining) that are left", byteOffset: reader.offset)
      }
      unsafe built.pointee.prepare(try reader.take(length), at: index)
    }
    try reader.finish("string table")
    unsafe built.pointee.add(count)
    payloads.value.append(payload)
  }

  /// Adds the strings of a segment, as many as its index entry says.
  func add(_ segment: SegmentInfo, in store: ByteStore, limits: Limits) throws(ArchiveError) {
    let known = count
    try Limits.check(
      segment.first + segment.count, within: limits.elements, "elements", byteOffset: segment.byteOffset)
    try add(SegmentPayload(segment, in: store))
    guard count == known + segment.count else {
      throw ArchiveError(
        .indexMismatch, found: plural(count - known, "string"), expected: "\(segment.count)",
        byteOffset: segment.byteOffset)
    }
  }

  /// Forgets all strings, and the files that they stand in.
  func restart() {
    guard count > 0 || segments != nil || !payloads.value.isEmpty else { return }
    if segments != nil { segments = nil }
    payloads.value.cut(to: 0)
    unsafe built.pointee.restart()
  }

  /// The string with number `id`; throws if there is none or its bytes are not UTF-8.
  package func string(_ id: UInt64) throws(ArchiveError) -> String {
    guard id < UInt64(count) else {
      if let segments { return try segments.string(id) }
      throw ArchiveError(.malformedColumn, found: "string \(id)", expected: "below \(count)")
    }
    let index = Int(id)
    if let text = unsafe built.pointee.string(id) { return text }
    guard let text = unsafe String(checkedUTF8: built.pointee.entries[index]) else {
      throw ArchiveError(.invalidString, found: "string \(id), whose bytes are not UTF-8")
    }
    unsafe built.pointee.strings[index] = text
    return text
  }

  /// Throws unless the bytes of a string of the table are UTF-8.
  func checkUTF8(_ index: Int) throws(ArchiveError) {
    guard unsafe built.pointee.entries[index].isUTF8 else {
      throw ArchiveError(.invalidString, found: "string \(index), whose bytes are not UTF-8")
    }
  }
}

/// The strings of a table: their bytes, and those that are built already.
///
/// Invariant: `strings` and `entries` have room for `capacity` elements, and `count` initialised ones.
@usableFromInline @safe struct BuiltStrings {
  @usableFromInline var strings: UnsafeMutablePointer<String?>
  @usableFromInline var count = 0
  fileprivate var entries: UnsafeMutablePointer<UnsafeRawBufferPointer>
  private var capacity = 1

  init() {
    unsafe strings = .allocate(capacity: 1)
    unsafe entries = .allocate(capacity: 1)
  }

  /// The string with a number if it is there and built.
  @inlinable @inline(__always)
  func string(_ id: UInt64) -> String? {
    guard id < UInt64(truncatingIfNeeded: count) else { return nil }
    return unsafe strings[Int(truncatingIfNeeded: id)]
  }

  /// Makes room for so many more strings.
  mutating func reserve(_ more: Int) {
    guard more > capacity - count else { return }
    capacity = count + more
    let (strings, entries) = unsafe (strings, entries)
    unsafe self.strings = .allocate(capacity: capacity)
    unsafe self.strings.moveInitialize(from: strings, count: count)
    unsafe strings.deallocate()
    unsafe self.entries = .allocate(capacity: capacity)
    unsafe self.entries.moveInitialize(from: entries, count: count)
    unsafe entries.deallocate()
  }

  /// Says where the bytes of a string are that is about to be added: the one at `index` behind the last, for which
  /// there is room.
  fileprivate func prepare(_ bytes: UnsafeRawBufferPointer, at index: Int) {
    precondition(index < capacity - count)
    unsafe (entries + count + index).initialize(to: bytes)
  }

  /// Adds strings that were prepared.
  fileprivate mutating func add(_ more: Int) {
    unsafe (strings + count).initialize(repeating: nil, count: more)
    count += more
  }

  /// Lets go of all strings and keeps the room.
  mutating func restart() {
    unsafe strings.deinitialize(count: count)
    count = 0
  }

  func free() {
    unsafe strings.deinitialize(count: count)
    unsafe strings.deallocate()
    unsafe entries.deallocate()
  }
}

extension String {
  /// The string with these bytes, or nil if they are not UTF-8.
  init?(checkedUTF8 bytes: UnsafeRawBufferPointer) {
    // Nothing in ASCII needs to be repaired, and making a string that way is the fastest.
    if unsafe bytes.isASCII {
      self = unsafe String(decoding: bytes, as: UTF8.self)
    } else {
      unsafe self.init(validating: bytes, as: UTF8.self)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are well-formed UTF-8.
  var isUTF8: Bool { unsafe isASCII || String(validating: self, as: UTF8.self) != nil }

  /// Whether no byte has its highest bit set.
  fileprivate var isASCII: Bool {
    var offset = 0
    var bits: UInt64 = 0
    while offset + 8 <= count {
      unsafe bits |= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < count {
      unsafe bits |= UInt64(self[offset])
      offset += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
