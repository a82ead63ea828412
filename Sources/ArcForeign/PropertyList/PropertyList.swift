package import ArcFormat

/// A property list as a flat table of its values.
///
/// Containers refer to their elements by index. So several containers can share a value, and reading needs no
/// recursion.
///
/// Invariant: every index in `references` is an index in `nodes`, and every range of a node is within
/// `references` or `content`.
package struct PropertyList: Sendable {
  /// The notation of a file.
  ///
  /// Tables are also represented as property lists.
  package enum Notation: String, Sendable {
    case binary
    case xml = "XML"
    case openStep = "OpenStep"
    case csv = "CSV"
    case jsonLines = "JSON lines"
    case sqlite = "SQLite"
  }

  /// The encoding of the bytes of a string.
  package enum TextForm: Sendable { case ascii, utf8, utf16 }

  /// A value of a property list. `start` and `count` are a range of `content` for strings and data, and a
  /// range of `references` for containers.
  package enum Node: Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    case real(Double)
    /// A date, in seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// Data: a range of `content`.
    case data(start: Int, count: Int)
    /// A string: a range of `content`, in bytes.
    case string(start: Int, count: Int, TextForm)
    case uid(UInt64)
    /// An array: a range of `references`.
    case array(start: Int, count: Int)
    /// A set: a range of `references`.
    case set(start: Int, count: Int)
    /// A dictionary: a range of `references`, with `count` keys, then `count` values.
    case dictionary(start: Int, count: Int)
  }

  /// The notation of the file.
  package let notation: Notation
  /// The bytes of strings and data.
  private(set) var content: [UInt8]
  /// All values of the property list.
  package private(set) var nodes: [Node]
  /// The byte offset of each value in the file.
  private(set) var byteOffsets: [Int]
  /// The elements of all containers, as indices in `nodes`.
  private(set) var references: [UInt32]
  /// The index of the outermost value in `nodes`.
  package let top: Int

  /// Parses a property list: binary, XML or OpenStep.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - limits: the limits for the file.
  /// - Throws: `ImportError` with code `unknownFormat` if the file is not a property list,
  ///   `malformedPropertyList`, `malformedText`, `unsupportedVersion` or `limitExceeded`.
  /// - Complexity: O(bytes), without recursion.
  package init(parsing bytes: [UInt8], limits: ArchiveLimits) throws(ImportError) {
    try ImportError.check(bytes.count, within: limits.fileBytes, "fileBytes")
    if bytes.starts(with: BinaryPropertyListReader.magic) {
      self = try BinaryPropertyListReader.read(bytes, limits)
    } else if XMLPropertyListReader.isLikely(bytes) {
      self = try XMLPropertyListReader.read(bytes, limits)
    } else if OpenStepPropertyListReader.isLikely(bytes) {
      self = try OpenStepPropertyListReader.read(bytes, limits)
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
    let knownFormats: [(String, String)] = [
      ("NIBArchive", "a NIBArchive"), ("\u{4}\u{B}streamtyped", "a typedstream, which NSArchiver writes"),
      ("SQLite format 3", "an SQLite database"), ("\u{FE}\u{FF}", "a text in UTF-16"),
    ]
    let knownFormat = knownFormats.first {
      bytes.starts(with: $0.0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    return ImportError(
      .unknownFormat,
      found: bytes.isEmpty
        ? "an empty file" : knownFormat?.1 ?? (isUTF16 ? "a text in UTF-16" : "a file in an unknown format"),
      expected: "a property list: binary (bplist00), XML in UTF-8, or OpenStep",
      remedy: isUTF16 ? "convert the file with `plutil -convert binary1`" : nil, byteOffset: 0)
  }
}

extension PropertyList {
  /// Adds a value that the file does not contain directly, such as a number that was parsed from a string.
  /// `offset` is the location of the string. Returns the index of the value.
  mutating func append(_ node: Node, at offset: Int) -> Int {
    nodes.append(node)
    byteOffsets.append(offset)
    return nodes.count - 1
  }

  /// Adds a string that the file does not contain. Returns the index of the string.
  mutating func append(_ text: String, at offset: Int) -> Int {
    let start = content.count
    content += text.utf8
    return append(.string(start: start, count: content.count - start, .utf8), at: offset)
  }

  /// Adds the values of another list, which is stored as data in this list.
  ///
  /// - Parameters:
  ///   - list: the other list.
  ///   - offset: the location of the data.
  ///   - firstUID: the number to add to each UID of the other list.
  ///   - uidCount: the number of UIDs of the other list. A UID that is not less than this number becomes
  ///     invalid.
  mutating func append(_ list: PropertyList, at offset: Int, firstUID: UInt64, uidCount: Int) {
    let (firstByte, firstNode, firstReference) = (content.count, nodes.count, references.count)
    content += list.content
    references += list.references.map { $0 &+ UInt32(truncatingIfNeeded: firstNode) }
    for node in list.nodes {
      let moved: Node =
        switch node {
        case .data(let start, let count): .data(start: start + firstByte, count: count)
        case .string(let start, let count, let form):
          .string(start: start + firstByte, count: count, form)
        case .uid(let uid): .uid(uid < UInt64(uidCount) ? uid + firstUID : .max)
        case .array(let start, let count): .array(start: start + firstReference, count: count)
        case .set(let start, let count): .set(start: start + firstReference, count: count)
        case .dictionary(let start, let count): .dictionary(start: start + firstReference, count: count)
        case .null, .bool, .integer, .real, .date: node
        }
      _ = append(moved, at: offset)
    }
  }

  /// Returns a string, and whether unpaired surrogates in it were replaced. Nil if the node is not a string.
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

  /// Returns the string of a node. Nil if the node is not a string.
  package func string(_ index: Int) -> String? { text(of: index)?.text }

  /// Returns the bytes of a node. Nil if the node is not data.
  package func data(_ index: Int) -> ArraySlice<UInt8>? {
    guard case .data(let start, let count) = nodes[index] else { return nil }
    return content[start..<start + count]
  }

  /// Returns a real, a date in seconds, or an integer that a Double represents exactly. Nil for other nodes.
  func real(_ index: Int) -> Double? {
    switch nodes[index] {
    case .real(let value), .date(let value): value
    case .integer(let value): Double(exactly: value)
    default: nil
    }
  }

  /// Whether a node is an array, set or dictionary.
  func isContainer(_ index: Int) -> Bool {
    switch nodes[index] {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// The number of bytes of a string or data. 0 for other values.
  func contentByteCount(_ index: Int) -> Int {
    switch nodes[index] {
    case .data(_, let count), .string(_, let count, _): count
    default: 0
    }
  }

  /// Returns the indices of an array's or set's elements. Nil for other nodes.
  package func elements(_ index: Int) -> ArraySlice<UInt32>? {
    switch nodes[index] {
    case .array(let start, let count), .set(let start, let count): references[start..<start + count]
    default: nil
    }
  }

  /// Returns the indices of a dictionary's keys and values. Nil if the node is not a dictionary.
  package func entries(_ index: Int) -> (keys: ArraySlice<UInt32>, values: ArraySlice<UInt32>)? {
    guard case .dictionary(let start, let count) = nodes[index] else { return nil }
    return (references[start..<start + count], references[start + count..<start + 2 * count])
  }

  /// Returns a description of the kind of a value, for errors.
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
