/// Distinct strings of a file, numbered in order of first use.
///
/// Strings are told apart by their UTF-8 bytes, not as Swift compares them: `é` in one scalar is another string than
/// `e` with an accent. Spec: 04-columns, section 4.
@safe package final class StringTableWriter {
  /// Finds strings that share their storage with one that came before, without reading them.
  let cache: UnsafeMutablePointer<StringCache>
  /// In memory of its own, so that no access to it is checked for overlapping ones: columns use it for each string.
  let table: UnsafeMutablePointer<Table>

  @safe struct Table {
    let cache: UnsafeMutablePointer<StringCache>
    var index = StringIndex()
    /// The strings that no segment has yet: lengths, and all bytes.
    var newLengths: [UInt64] = []
    var newBytes: [UInt8] = []
    /// Strings that the table knew and the cache did not.
    private var missCount: UInt32 = 0

    init(cache: UnsafeMutablePointer<StringCache>) { unsafe self.cache = unsafe cache }

    /// The id of a string, and whether it is a new one.
    mutating func id(of text: String) -> (id: UInt32, isNew: Bool) {
      let found = unsafe text.withUTF8Bytes { unsafe id(ofUTF8: $0) }
      // Strings that come once, and equal ones that each have storage of their own, would only drive others out of the
      // cache, whose storage is far away by then: what repeats gets in by and by.
      if !found.isNew, isNextKnownCached() { unsafe cache.pointee.insert(text, id: found.id) }
      return found
    }

    private mutating func id(ofUTF8 utf8: UnsafeRawBufferPointer) -> (id: UInt32, isNew: Bool) {
      let found = unsafe index.id(ofUTF8: utf8)
      if found.isNew {
        newLengths.append(UInt64(utf8.count))
        unsafe newBytes.append(contentsOf: utf8)
      }
      return found
    }

    /// Whether the cache is to learn of a string: one in eight, spread so that no regular order of strings keeps
    /// one out.
    private mutating func isNextKnownCached() -> Bool {
      missCount &+= 1
      return missCount &* 0x9E37_79B1 < 1 << 29
    }

    mutating func restart() {
      index.restart()
      newLengths.removeAll(keepingCapacity: true)
      newBytes.removeAll(keepingCapacity: true)
      missCount = 0
    }
  }

  package init() {
    unsafe cache = .allocate(capacity: 1)
    unsafe cache.initialize(to: StringCache())
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: Table(cache: cache))
  }

  deinit {
    unsafe cache.pointee.free()
    unsafe cache.deallocate()
    unsafe table.pointee.index.free()
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  package var count: Int { unsafe table.pointee.index.count }

  /// Strings already written to a segment.
  package var writtenCount: Int { unsafe count - table.pointee.newLengths.count }

  /// Bytes of the strings that no segment has yet.
  var newByteCount: Int { unsafe table.pointee.newBytes.count }

  /// The id of a string, and whether it is a new one.
  func id(of text: String) -> (id: UInt32, isNew: Bool) { unsafe table.pointee.id(of: text) }

  /// Writes the strings that no segment has yet: their lengths, then their bytes.
  func writeNew(to writer: inout ByteWriter) {
    unsafe writer.varint(table.pointee.newLengths.count)
    unsafe table.pointee.newLengths.withUnsafeBytes { bytes in
      let lengths = unsafe IntegerValues<UInt64>(bytes)
      let width = lengths.narrowestWidth
      writer.fixed(UInt8(width))
      lengths.store(width: width, to: &writer)
    }
    unsafe writer.append(table.pointee.newBytes)
    unsafe table.pointee.newLengths.removeAll(keepingCapacity: true)
    unsafe table.pointee.newBytes.removeAll(keepingCapacity: true)
  }

  /// Forgets all strings and keeps some room.
  func restart() {
    unsafe table.pointee.restart()
    unsafe cache.pointee.restart()
  }
}

extension String {
  /// Calls `body` with the bytes as they lie in memory; only a string of another runtime is copied.
  func withUTF8Bytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let result = unsafe utf8.withContiguousStorageIfAvailable({ unsafe body(UnsafeRawBufferPointer($0)) })
    {
      return result
    }
    var copy = self
    return copy.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }
}
