import ArcFormat

/// The rows of one class in a segment of each of two files, compared column by column without making values.
///
/// Both sets are of the same layout, and bound to chunks of it.
struct EqualColumns {
  let first: ColumnReaderSet
  let second: ColumnReaderSet
  let strings: EqualStrings

  /// The number of rows of which the first columns are the same in both, from the first row on and `count` at
  /// most. Sets and dictionaries are the same if their order is too, references if their numbers are.
  ///
  /// - Throws: what is wrong with the columns of a file.
  /// - Complexity: O(bytes of the rows).
  func equalRowCount(columns columnCount: Int, atMost count: Int) throws(ArchiveError) -> Int {
    var count = count
    for root in 0..<columnCount { count = try equalRowCount(ofRoot: root, atMost: count) }
    return count
  }

  private func equalRowCount(ofRoot root: Int, atMost count: Int) throws(ArchiveError) -> Int {
    if try takeIfEqual(count, ofRoot: root) { return count }
    var (equalCount, openCount) = (0, count)
    // The first row that differs is one of the next `openCount`.
    while openCount > 1 {
      let half = openCount / 2
      if try takeIfEqual(half, ofRoot: root) {
        equalCount += half
        openCount -= half
      } else {
        openCount = half
      }
    }
    return equalCount
  }

  /// Takes a root's values of a number of rows if they are the same in both; otherwise none.
  private func takeIfEqual(_ count: Int, ofRoot root: Int) throws(ArchiveError) -> Bool {
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

  /// Where the next value of a column is, and its text.
  private typealias Position = (value: Int, text: Int)

  /// Whether the values of a node are the same that were taken since the columns had other positions.
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

/// Tells which strings of two files have the same bytes.
struct EqualStrings {
  private let first: ArchiveFile
  private let second: ArchiveFile
  /// The number of strings with which the tables of both begin in common, as far as that is known.
  private let commonCount: UInt64
  /// Long strings that were found to be equal.
  private let known = KnownStrings()

  /// By the string of the first file, one of the second that has the same bytes.
  private final class KnownStrings {
    var partners: [UInt64: UInt64] = [:]
    /// Shorter ones are compared each time.
    static let minimumByteCount = 128
  }

  init(_ first: ArchiveFile, _ second: ArchiveFile, commonCount: Int) {
    (self.first, self.second) = (first, second)
    self.commonCount = UInt64(commonCount)
  }

  /// A string of a chunk: its index, and where its bytes are in the text if they are not in the table.
  typealias StringLocation = (chunk: Chunk, index: Int, textOffset: Int)

  /// Whether a number of strings of two chunks, or other byte strings, are the same, from two of them on.
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

  /// The bytes of a string of a chunk, which are at an offset unless the string is one of the table.
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
