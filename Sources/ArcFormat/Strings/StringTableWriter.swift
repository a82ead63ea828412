/// The distinct strings of a file, numbered in the order of first use.
///
/// Strings are equal if their UTF-8 bytes are, not as Swift compares them: `é` as one scalar is another
/// string than `e` with a combining accent. Spec: 04-columns, section 4; 05-graph, rule F1.
package final class StringTableWriter {
  /// Finds strings that share storage with an earlier one without reading them.
  let cache: Handle<StringCache>
  /// In memory of its own, since columns use it for each string: a stored property would be checked for
  /// overlapping accesses.
  let table: Handle<Table>

  struct Table {
    let cache: Handle<StringCache>
    var index = StringIndex()
    /// The strings that are in no segment yet: their lengths, and all their bytes.
    var newLengths: [UInt64] = []
    var newBytes: [UInt8] = []
    /// How often the table knew a string that the cache did not.
    private var missCount: UInt32 = 0

    init(cache: Handle<StringCache>) { self.cache = cache }

    /// The id of a string, and whether it is a new one.
    mutating func id(of text: String) -> (id: UInt32, isNew: Bool) {
      let found = text.withUTF8Bytes { id(ofUTF8: $0) }
      // Strings that occur once, and equal ones with storage of their own, would only evict others from the
      // cache. What repeats is cached sooner or later.
      if !found.isNew, isNextKnownCached() { cache.value.insert(text, id: found.id) }
      return found
    }

    private mutating func id(ofUTF8 utf8: ByteView) -> (id: UInt32, isNew: Bool) {
      let found = index.id(ofUTF8: utf8)
      if found.isNew {
        newLengths.append(UInt64(utf8.count))
        newBytes.append(contentsOf: utf8)
      }
      return found
    }

    /// Whether to cache the next known string: one in eight, spread so that no regular order of strings
    /// excludes one.
    private mutating func isNextKnownCached() -> Bool {
      missCount &+= 1
      return missCount &* 0x9E37_79B1 < 1 << 29
    }

    /// Removes all strings and keeps the memory if it is small.
    mutating func removeAll() {
      index.removeAll()
      newLengths.removeAll(keepingCapacity: true)
      newBytes.removeAll(keepingCapacity: true)
      missCount = 0
    }
  }

  package init() {
    cache = Handle(StringCache())
    table = Handle(Table(cache: cache))
  }

  deinit {
    cache.value.free()
    cache.free()
    table.value.index.free()
    table.free()
  }

  package var count: Int { table.value.index.count }

  /// The number of strings that are in a segment.
  package var writtenCount: Int { count - table.value.newLengths.count }

  /// Bytes of the strings that are in no segment yet.
  var newByteCount: Int { table.value.newBytes.count }

  /// The id of a string, and whether it is a new one.
  func id(of text: String) -> (id: UInt32, isNew: Bool) { table.value.id(of: text) }

  /// Writes the strings that are in no segment yet.
  func writeNew(to writer: inout ByteWriter) {
    StringsSegment.write(lengths: table.value.newLengths, bytes: table.value.newBytes, to: &writer)
    table.value.newLengths.removeAll(keepingCapacity: true)
    table.value.newBytes.removeAll(keepingCapacity: true)
  }

  /// Moves the strings that are in no segment yet out of the table, which keeps their ids.
  func takeNew() -> NewStrings {
    let strings = NewStrings(
      first: writtenCount, lengths: table.value.newLengths, bytes: table.value.newBytes)
    table.value.newLengths = []
    table.value.newBytes = []
    table.value.newLengths.reserveCapacity(strings.lengths.count)
    table.value.newBytes.reserveCapacity(strings.bytes.count)
    return strings
  }

  /// Removes all strings and keeps some memory.
  func removeAll() {
    table.value.removeAll()
    cache.value.removeAll()
  }
}

/// Strings of a file that are in no segment yet.
struct NewStrings: Sendable {
  /// The id of the first.
  let first: Int
  let lengths: [UInt64]
  let bytes: [UInt8]

  /// Writes their segment, if there are any.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    guard !lengths.isEmpty else { return }
    try output.write(.strings, first: first, count: lengths.count) {
      StringsSegment.write(lengths: lengths, bytes: bytes, to: &$0)
    }
  }
}
