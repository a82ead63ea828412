/// Distinct strings of a file, numbered in order of first use.
///
/// Strings are told apart by their UTF-8 bytes, not as Swift compares them: `é` in one scalar is another string than
/// `e` with an accent. Spec: 04-columns, section 4.
@safe package final class StringTableWriter {
  private var index = StringIndex()
  /// Strings already written to a segment.
  package private(set) var writtenCount = 0
  /// Finds strings that share their storage with one that came before, without reading them.
  let cache: UnsafeMutablePointer<StringCache>
  private var missCount = 0
  /// Room for the lengths of the strings that go into one segment.
  private var lengths: [UInt64] = []

  package init() {
    unsafe cache = .allocate(capacity: 1)
    unsafe cache.initialize(to: StringCache())
  }

  deinit {
    unsafe cache.pointee.free()
    unsafe cache.deallocate()
  }

  package var count: Int { index.count }

  /// Bytes of the strings that no segment has yet.
  var newByteCount: Int { index.byteCount - index.start(of: writtenCount) }

  /// The id of a string, and whether it is a new one.
  func id(of text: String) -> (id: UInt32, isNew: Bool) {
    let found = unsafe text.withUTF8Bytes { unsafe index.id(ofUTF8: $0) }
    missCount &+= 1
    // Equal strings that each have storage of their own would only drive each other out of the cache.
    if found.isNew || missCount & 7 == 0 { unsafe cache.pointee.insert(text, id: found.id) }
    return found
  }

  /// Writes the strings that no segment has yet: their lengths, then their bytes.
  func writeNew(to writer: inout ByteWriter) {
    lengths.removeAll(keepingCapacity: true)
    for id in writtenCount..<count { lengths.append(UInt64(index.start(of: id + 1) - index.start(of: id))) }
    writer.varint(lengths.count)
    unsafe lengths.withUnsafeBytes { bytes in
      let lengths = unsafe IntegerValues<UInt64>(bytes)
      let width = lengths.narrowestWidth
      writer.fixed(UInt8(width))
      lengths.store(width: width, to: &writer)
    }
    writer.append(index.bytes(from: writtenCount))
    writtenCount = count
  }

  /// Forgets all strings and keeps some room.
  func restart() {
    index.restart()
    unsafe cache.pointee.restart()
    (writtenCount, missCount) = (0, 0)
    lengths.removeAll(keepingCapacity: true)
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
