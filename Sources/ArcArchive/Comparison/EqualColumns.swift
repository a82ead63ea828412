import ArcFormat

/// Compares the rows of one class in a segment of one file with the rows of this class in a segment of a
/// second file. The rows are compared column by column, without building values.
///
/// Invariant: `first` and `second` have the same layout, and are bound to chunks.
struct EqualColumns {
  let first: ColumnReaderSet
  let second: ColumnReaderSet
  let strings: EqualStrings

  /// Returns the number of equal rows before the first difference, at most `count`. Only the first
  /// `columnCount` columns are compared. Sets and dictionaries are equal if their elements also have the same
  /// order. References are equal if their targets have the same row number.
  ///
  /// - Throws: `ArchiveError` if a column of a file is damaged.
  /// - Complexity: O(bytes of the rows).
  func equalRowCount(columns columnCount: Int, atMost count: Int) throws(ArchiveError) -> Int {
    var count = count
    for root in 0..<columnCount { count = try equalRowCount(ofRoot: root, atMost: count) }
    return count
  }

  private func equalRowCount(ofRoot root: Int, atMost count: Int) throws(ArchiveError) -> Int {
    if try advanceIfEqual(count, ofRoot: root) { return count }
    var (equalCount, openCount) = (0, count)
    // The first row that differs is one of the next `openCount`.
    while openCount > 1 {
      let half = openCount / 2
      if try advanceIfEqual(half, ofRoot: root) {
        equalCount += half
        openCount -= half
      } else {
        openCount = half
      }
    }
    return equalCount
  }

  /// Compares the values of one column in the next `count` rows. If the values are equal, advances both sets
  /// past these rows and returns true. Otherwise, returns false and does not advance the sets.
  private func advanceIfEqual(_ count: Int, ofRoot root: Int) throws(ArchiveError) -> Bool {
    let (state, other) = (first.state(ofRoot: root), second.state(ofRoot: root))
    try first.skip(root: root, count: count)
    try second.skip(root: root, count: count)
    for (offset, node) in first.layout.nodes(ofRoot: root).enumerated() {
      let isEqual = try isEqual(
        node, from: (state[2 * offset], state[2 * offset + 1]), (other[2 * offset], other[2 * offset + 1]))
      guard !isEqual else { continue }
      first.restore(state, ofRoot: root)
      second.restore(other, ofRoot: root)
      return false
    }
    return true
  }

  /// The index of the next value of a column, and the offset of this value's text.
  private typealias Position = (value: Int, text: Int)

  /// Whether both sets contain equal values of a node between their start positions and their current
  /// positions.
  private func isEqual(
    _ node: Int, from start: Position, _ otherStart: Position
  ) throws(ArchiveError) -> Bool {
    let count = first.position(ofNode: node) - start.value
    guard count == second.position(ofNode: node) - otherStart.value else { return false }
    let (chunk, other) = (first.chunk(ofNode: node), second.chunk(ofNode: node))
    switch first.layout.nodes[node].kind.storage {
    case .none: return true
    case .bits:
      return (0..<count).allSatisfy { chunk.bit(start.value + $0) == other.bit(otherStart.value + $0) }
    case .text:
      return try strings.areEqual(
        count, (chunk, start.value, start.text), (other, otherStart.value, otherStart.text))
    case .integers, .fixed:
      let (width, otherWidth) = (chunk.width, other.width)
      if width == otherWidth {
        return chunk.values[start.value * width..<(start.value + count) * width]
          .isEqual(to: other.values[otherStart.value * width..<(otherStart.value + count) * width])
      }
      if case .integers(_, isSigned: true) = first.layout.nodes[node].kind.storage {
        return (0..<count).allSatisfy {
          chunk.values.signed(start.value + $0, width: width)
            == other.values.signed(otherStart.value + $0, width: otherWidth)
        }
      }
      return (0..<count).allSatisfy {
        chunk.unsigned(start.value + $0) == other.unsigned(otherStart.value + $0)
      }
    }
  }
}

/// Compares strings of two files by their bytes.
struct EqualStrings {
  private let first: ArchiveFile
  private let second: ArchiveFile
  /// The number of strings that are known to be equal, at the beginning of both string tables.
  private let commonCount: UInt64
  /// The long strings that were found to be equal.
  private let known = KnownStrings()

  /// The index of an equal string in the second file, by the index of a string in the first file.
  private final class KnownStrings {
    var partners: [UInt64: UInt64] = [:]
    /// The minimum length of a string in the cache. Shorter strings are compared each time.
    static let minimumByteCount = 128
  }

  init(_ first: ArchiveFile, _ second: ArchiveFile, commonCount: Int) {
    (self.first, self.second) = (first, second)
    self.commonCount = UInt64(commonCount)
  }

  /// The location of a string in a chunk: the index of the string, and the offset of its bytes in the chunk's
  /// text. The offset is not used if the string is in the string table.
  typealias StringLocation = (chunk: Chunk, index: Int, textOffset: Int)

  /// Whether two chunks contain equal strings, or equal other byte strings, in `count` consecutive values
  /// from the two locations on.
  func areEqual(_ count: Int, _ left: StringLocation, _ right: StringLocation) throws(ArchiveError) -> Bool {
    let (ids, others) = (left.chunk, right.chunk)
    if ids.usesStringTable, others.usesStringTable {
      for index in 0..<count {
        let (id, otherID) = (ids.unsigned(left.index + index), others.unsigned(right.index + index))
        if id == otherID, id < commonCount { continue }
        guard let bytes = try first.strings().bytes(id), let otherBytes = try second.strings().bytes(otherID),
          bytes.count == otherBytes.count
        else { return false }
        if bytes.count < KnownStrings.minimumByteCount {
          guard bytes.isEqual(to: otherBytes) else { return false }
        } else if known.partners[id] != otherID {
          guard bytes.isEqual(to: otherBytes) else { return false }
          known.partners[id] = otherID
        }
      }
      return true
    }
    var (offset, otherOffset) = (left.textOffset, right.textOffset)
    for index in 0..<count {
      guard let bytes = try Self.bytes(ids, left.index + index, &offset, first),
        let otherBytes = try Self.bytes(others, right.index + index, &otherOffset, second),
        bytes.isEqual(to: otherBytes)
      else { return false }
    }
    return true
  }

  /// Returns the bytes of a string of a chunk. If the chunk stores its strings as text, the bytes begin at
  /// `offset` in the text, and `offset` advances to the next string. Nil if the bytes would end after the end
  /// of the text.
  private static func bytes(
    _ chunk: Chunk, _ index: Int, _ offset: inout Int, _ file: ArchiveFile
  ) throws(ArchiveError) -> ByteView? {
    let value = chunk.unsigned(index)
    if chunk.usesStringTable { return try file.strings().bytes(value) }
    guard let length = Int(exactly: value), length <= chunk.text.count - offset else { return nil }
    defer { offset += length }
    return chunk.text[offset..<offset + length]
  }
}
