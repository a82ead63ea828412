package import ArcFormat

/// A property list as a flat table of its values: containers name their elements by index, so that sharing
/// stays sharing, and nothing is ever read recursively.
///
/// Invariant: every index in `references` is that of a node, and every range of a node lies inside of
/// `references` or `content`.
package struct PropertyList: Sendable {
  /// The notation that the list was in. Tables are held as lists too, by those who read them.
  package enum Notation: String, Sendable {
    case binary
    case xml = "XML"
    case csv = "CSV"
    case jsonLines = "JSON lines"
    case sqlite = "SQLite"
  }

  /// How the bytes of a string are to be read.
  package enum TextForm: Sendable { case ascii, utf8, utf16 }

  /// A value of the list.
  package enum Node: Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    /// A part of `content`.
    case data(start: Int, count: Int)
    /// A part of `content`, in bytes.
    case string(start: Int, count: Int, TextForm)
    case uid(UInt64)
    /// A part of `references`.
    case array(start: Int, count: Int)
    /// A part of `references`.
    case set(start: Int, count: Int)
    /// A part of `references`: `count` keys, then `count` values.
    case dictionary(start: Int, count: Int)
  }

  /// The notation that the list was in.
  package let notation: Notation
  /// The bytes of strings and data.
  let content: [UInt8]
  /// All values.
  package let nodes: [Node]
  /// Where each value begins in the file.
  let byteOffsets: [Int]
  /// The elements of all containers: indices of nodes.
  let references: [UInt32]
  /// The index of the outermost value.
  package let top: Int

  /// Reads a property list, binary or XML.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - limits: what it may cost.
  /// - Throws: `unknownFormat` for anything else, `malformedPropertyList`, `malformedText`,
  ///   `unsupportedVersion`, `limitExceeded`.
  /// - Complexity: O(bytes), without recursion.
  package init(parsing bytes: [UInt8], limits: ArchiveLimits) throws(ImportError) {
    try ImportError.check(bytes.count, within: limits.fileBytes, "fileBytes")
    if bytes.starts(with: BinaryPropertyListReader.magic) {
      self = try BinaryPropertyListReader.read(bytes, limits)
    } else if XMLPropertyListReader.isLikely(bytes) {
      self = try XMLPropertyListReader.read(bytes, limits)
    } else {
      throw Self.unknownFormat(bytes)
    }
  }

  init(
    notation: Notation, content: [UInt8], nodes: [Node], byteOffsets: [Int], references: [UInt32], top: Int
  ) {
    self.notation = notation
    self.content = content
    self.nodes = nodes
    self.byteOffsets = byteOffsets
    self.references = references
    self.top = top
  }

  private static func unknownFormat(_ bytes: [UInt8]) -> ImportError {
    let known: [(String, String)] = [
      ("NIBArchive", "a NIBArchive"), ("\u{4}\u{B}streamtyped", "a typedstream, which NSArchiver writes"),
      ("SQLite format 3", "an SQLite database"), ("\u{FE}\u{FF}", "a text in UTF-16"),
    ]
    let found = known.first {
      bytes.starts(with: $0.0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    return ImportError(
      .unknownFormat,
      found: bytes.isEmpty
        ? "an empty file" : found?.1 ?? (isUTF16 ? "a text in UTF-16" : "a file in an unknown format"),
      expected: "a property list, binary (bplist00) or XML in UTF-8",
      remedy: isUTF16 ? "convert the file with `plutil -convert binary1`" : nil, byteOffset: 0)
  }
}

// Reading values.

extension PropertyList {
  /// The string of a node, and whether halves of characters in it were replaced; nil if it is none.
  func text(of index: Int) -> (text: String, isRepaired: Bool)? {
    guard case .string(let start, let count, let form) = nodes[index] else { return nil }
    let bytes = content[start..<start + count]
    guard form == .utf16 else { return (String(decoding: bytes, as: UTF8.self), false) }
    var units: [UInt16] = []
    units.reserveCapacity(count / 2)
    var isRepaired = false
    for position in stride(from: start, to: start + count, by: 2) {
      units.append(UInt16(content[position]) << 8 | UInt16(content[position + 1]))
    }
    for (position, unit) in units.enumerated() where unit & 0xF800 == 0xD800 {
      let isHigh = unit & 0x0400 == 0
      let partner = isHigh ? position + 1 : position - 1
      let hasPartner =
        units.indices.contains(partner) && units[partner] & 0xFC00 == (isHigh ? 0xDC00 : 0xD800)
      if !hasPartner { isRepaired = true }
    }
    return (String(decoding: units, as: UTF16.self), isRepaired)
  }

  /// The string of a node; nil if it is none.
  package func string(_ index: Int) -> String? { text(of: index)?.text }

  /// The bytes of data; nil if it is none.
  package func data(_ index: Int) -> ArraySlice<UInt8>? {
    guard case .data(let start, let count) = nodes[index] else { return nil }
    return content[start..<start + count]
  }

  /// The number of a node; nil if it is none, or not exactly one of 64 bits.
  func real(_ index: Int) -> Double? {
    switch nodes[index] {
    case .real(let value), .date(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// The number of bytes that a string or data takes; 0 for other values.
  func contentByteCount(_ index: Int) -> Int {
    switch nodes[index] {
    case .data(_, let count), .string(_, let count, _): count
    default: 0
    }
  }

  /// The elements of an array or set; nil if it is none.
  package func elements(_ index: Int) -> ArraySlice<UInt32>? {
    switch nodes[index] {
    case .array(let start, let count), .set(let start, let count): references[start..<start + count]
    default: nil
    }
  }

  /// The keys of a dictionary with their values, as indices; nil if it is none.
  package func entries(_ index: Int) -> (keys: ArraySlice<UInt32>, values: ArraySlice<UInt32>)? {
    guard case .dictionary(let start, let count) = nodes[index] else { return nil }
    return (references[start..<start + count], references[start + count..<start + 2 * count])
  }

  /// What kind of value a node is, in words.
  func words(_ index: Int) -> String {
    switch nodes[index] {
    case .null: "null"
    case .bool: "a boolean"
    case .integer: "an integer"
    case .real: "a real"
    case .date: "a date"
    case .data: "data"
    case .string: "a string"
    case .uid(let uid): "UID \(uid)"
    case .array: "an array"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
