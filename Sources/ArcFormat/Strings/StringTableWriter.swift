/// The distinct strings of a file, numbered in the order of first use.
///
/// Strings are equal if their UTF-8 bytes are equal. This differs from Swift's comparison: `é` as one scalar
/// is not equal to `e` with a combining accent. Spec: 04-columns, section 4; 05-graph, rule F1.
package final class StringTableWriter {
  /// A cache that finds strings that share storage with an earlier string. It does not read their text.
  let cache: Handle<StringCache>
  /// The table. Columns use the table for each string. Therefore, it is stored in a handle, so that accesses
  /// need no exclusivity checks.
  let table: Handle<Table>

  struct Table {
    let cache: Handle<StringCache>
    var index = StringIndex()
    /// The lengths of the strings that are not yet in a segment. `newBytes` contains their bytes.
    var newLengths: [UInt64] = []
    var newBytes: [UInt8] = []
    /// The number of strings that were found in the table but not in the cache.
    private var missCount: UInt32 = 0

    init(cache: Handle<StringCache>) { self.cache = cache }

    /// Returns the id of a string, and whether the string is new.
    mutating func id(of text: String) -> (id: UInt32, isNew: Bool) {
      let found = text.withUTF8Bytes { id(ofUTF8: $0) }
      // A string that occurs once, or that has storage of its own, would only evict other strings from the
      // cache. A repeated string is eventually cached.
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

    /// Returns whether to cache the next string that the table contains already. The result is true for one
    /// string in eight. The pattern is irregular, so that no regular order of strings always excludes the
    /// same string.
    private mutating func isNextKnownCached() -> Bool {
      missCount &+= 1
      return missCount &* 0x9E37_79B1 < 1 << 29
    }

    /// Removes all strings. Does not free the memory if it is small.
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

  /// The number of strings that segments already contain.
  package var writtenCount: Int { count - table.value.newLengths.count }

  /// The number of bytes of the strings that no segment contains yet.
  var newByteCount: Int { table.value.newBytes.count }

  /// Returns the id of a string, and whether the string is new.
  func id(of text: String) -> (id: UInt32, isNew: Bool) { table.value.id(of: text) }

  /// Writes the strings that no segment contains yet.
  func writeNew(to writer: inout ByteWriter) {
    StringsSegment.write(lengths: table.value.newLengths, bytes: table.value.newBytes, to: &writer)
    table.value.newLengths.removeAll(keepingCapacity: true)
    table.value.newBytes.removeAll(keepingCapacity: true)
  }

  /// Removes and returns the strings that no segment contains yet. Their ids remain in the table.
  func takeNew() -> NewStrings {
    let strings = NewStrings(
      first: writtenCount, lengths: table.value.newLengths, bytes: table.value.newBytes)
    table.value.newLengths = []
    table.value.newBytes = []
    table.value.newLengths.reserveCapacity(strings.lengths.count)
    table.value.newBytes.reserveCapacity(strings.bytes.count)
    return strings
  }

  /// Removes all strings. Does not free all memory.
  func removeAll() {
    table.value.removeAll()
    cache.value.removeAll()
  }
}

/// Strings of a file that no segment contains yet.
struct NewStrings: Sendable {
  /// The id of the first of these strings.
  let first: Int
  let lengths: [UInt64]
  let bytes: [UInt8]

  /// Writes the segment of the strings. Does nothing if there are no strings.
  func write(to output: inout SegmentWriter) throws(ArchiveError) {
    guard !lengths.isEmpty else { return }
    try output.write(.strings, first: first, count: lengths.count) {
      StringsSegment.write(lengths: lengths, bytes: bytes, to: &$0)
    }
  }
}
