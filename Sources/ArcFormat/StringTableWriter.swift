/// Numbers distinct strings in the order in which they first occur. Two strings are the same if their UTF-8 bytes
/// are: Swift's `==` would merge `é` with `e` + accent. Spec: 04-columns, section 3.
package final class StringTableWriter {
  /// All bytes, one string behind the other, and where each string ends.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Open addressing: 0 is empty, otherwise id + 1. Never more than half full, so a free slot ends every search.
  private var slots = [UInt32](repeating: 0, count: 1024)
  /// Strings already written to a segment.
  package private(set) var writtenCount = 0
  /// Strings asked for since the last segment, and how many of them were new.
  private var asked = 0
  private var added = 0

  package init() {}

  package var count: Int { ends.count }

  /// Bytes of the strings that no segment has yet.
  var newByteCount: Int { bytes.count - (writtenCount == 0 ? 0 : ends[writtenCount - 1]) }

  /// Whether at least every second string asked for was known already. Few strings decide nothing.
  var pays: Bool { asked < 4096 || added * 2 < asked }

  /// The id of a string, new or known.
  func id(of text: String) -> UInt32 {
    var text = text
    asked += 1
    return text.withUTF8 { utf8 in
      var slot = unsafe hash(UnsafeRawBufferPointer(utf8)) & (slots.count - 1)
      while slots[slot] != 0 {
        if unsafe string(Int(slots[slot]) - 1).elementsEqual(utf8) { return slots[slot] - 1 }
        slot = (slot + 1) & (slots.count - 1)
      }
      unsafe bytes.append(contentsOf: utf8)
      ends.append(bytes.count)
      added += 1
      slots[slot] = UInt32(ends.count)
      if ends.count * 2 > slots.count { rehash() }
      return UInt32(ends.count - 1)
    }
  }

  private func string(_ id: Int) -> ArraySlice<UInt8> { bytes[(id == 0 ? 0 : ends[id - 1])..<ends[id]] }

  /// Seeded per process, so that nobody can choose strings that collide.
  private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: bytes)
    return hasher.finalize()
  }

  private func rehash() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for id in ends.indices {
      var slot = unsafe string(id).withUnsafeBytes { unsafe hash($0) } & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(id + 1)
    }
  }

  /// Writes the strings that no segment has yet: their lengths, then their bytes.
  func writeNew(to writer: inout ByteWriter) {
    let lengths = (writtenCount..<ends.count).map { UInt64(ends[$0] - ($0 == 0 ? 0 : ends[$0 - 1])) }
    writer.varint(lengths.count)
    unsafe lengths.withUnsafeBytes { bytes in
      unsafe ColumnChunk.writeIntegers(bytes, width: 8, isSigned: false, to: &writer)
    }
    writer.append(bytes[(writtenCount == 0 ? 0 : ends[writtenCount - 1])...])
    writtenCount = ends.count
    (asked, added) = (0, 0)
  }
}
