/// Distinct strings of a file, numbered in order of first use.
///
/// Strings are told apart by their UTF-8 bytes, not as Swift compares them: `é` in one scalar is another string than
/// `e` with an accent. Spec: 04-columns, section 4.
@safe package final class StringTableWriter {
  /// Finds strings that share their storage with one that came before, without reading them.
  let cache: UnsafeMutablePointer<StringCache>
  /// In memory of its own, so that no access to it is checked for overlapping ones: columns use it for each string.
  private let table: UnsafeMutablePointer<Table>

  private struct Table {
    var index = StringIndex()
    /// Strings already written to a segment.
    var writtenCount = 0
    /// Strings that the table knew and the cache did not.
    var missCount: UInt32 = 0

    /// Whether the cache is to learn of a string: one in eight, spread so that no regular order of strings keeps one
    /// out.
    mutating func isNextKnownCached() -> Bool {
      missCount &+= 1
      return missCount &* 0x9E37_79B1 < 1 << 29
    }
  }

  package init() {
    unsafe cache = .allocate(capacity: 1)
    unsafe cache.initialize(to: StringCache())
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: Table())
  }

  deinit {
    unsafe cache.pointee.free()
    unsafe cache.deallocate()
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  package var count: Int { unsafe table.pointee.index.count }

  /// Strings already written to a segment.
  package var writtenCount: Int { unsafe table.pointee.writtenCount }

  /// Bytes of the strings that no segment has yet.
  var newByteCount: Int {
    unsafe table.pointee.index.byteCount - table.pointee.index.start(of: table.pointee.writtenCount)
  }

  /// The id of a string, and whether it is a new one.
  func id(of text: String) -> (id: UInt32, isNew: Bool) {
    let found = unsafe text.withUTF8Bytes { unsafe table.pointee.index.id(ofUTF8: $0) }
    // Strings that come once, and equal ones that each have storage of their own, would only drive others out of the
    // cache, whose storage is far away by then: what repeats gets in by and by.
    if !found.isNew, unsafe table.pointee.isNextKnownCached() { unsafe cache.pointee.insert(text, id: found.id) }
    return found
  }

  /// Writes the strings that no segment has yet: their lengths, then their bytes.
  func writeNew(to writer: inout ByteWriter) {
    let ids = unsafe table.pointee.writtenCount..<table.pointee.index.count
    writer.varint(ids.count)
    unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: ids.count) { room in
      for (place, id) in ids.enumerated() {
        let length = unsafe table.pointee.index.start(of: id + 1) - table.pointee.index.start(of: id)
        unsafe room.initializeElement(at: place, to: UInt64(length))
      }
      let lengths = unsafe IntegerValues<UInt64>(UnsafeRawBufferPointer(room))
      let width = lengths.narrowestWidth
      writer.fixed(UInt8(width))
      lengths.store(width: width, to: &writer)
    }
    unsafe writer.append(table.pointee.index.bytes(from: ids.lowerBound))
    unsafe table.pointee.writtenCount = ids.upperBound
  }

  /// Forgets all strings and keeps some room.
  func restart() {
    unsafe table.pointee.index.restart()
    unsafe cache.pointee.restart()
    unsafe (table.pointee.writtenCount, table.pointee.missCount) = (0, 0)
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
