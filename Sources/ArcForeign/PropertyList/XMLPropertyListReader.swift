import ArcFormat

/// Reads a property list in XML. Accepts only the elements of Apple's document type.
///
/// The reader loads no document type. It expands only the five entities that XML defines and numeric
/// entities. An array contains the open elements, so nesting uses no stack.
struct XMLPropertyListReader {
  private var scanner: XMLScanner
  private let limits: ArchiveLimits
  private var nodes: [PropertyList.Node] = []
  private var byteOffsets: [Int] = []
  private var references: [UInt32] = []
  /// The nodes of the elements with an attribute `ID`.
  private var nodeOfID: [String: Int] = [:]
  /// The open arrays, sets and dictionaries, outermost first.
  private var open: [OpenContainer] = []
  /// The elements of the open containers so far. Keys and values of a dictionary alternate.
  private var pending: [UInt32] = []

  private struct OpenContainer {
    let node: Int
    /// The index of the container's first element in `pending`.
    let start: Int
    let tagName: String
    var isDictionary: Bool { tagName == "dict" }
    /// Whether the last element was a key, whose value has not been read.
    var isAfterKey = false
  }

  /// Whether the first byte after white space is `<`.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return bytes[start...].first { !XMLScanner.isSpace($0) } == UInt8(ascii: "<")
  }

  static func read(_ bytes: [UInt8], _ limits: ArchiveLimits) throws(ImportError) -> PropertyList {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ImportError(
        .malformedText, found: "an XML property list that is not UTF-8", expected: "a property list in UTF-8",
        remedy: "convert the file with `plutil -convert binary1`", byteOffset: 0)
    }
    var reader = XMLPropertyListReader(scanner: XMLScanner(bytes), limits: limits)
    try reader.readDocument()
    return PropertyList(
      notation: .xml, content: reader.scanner.content, nodes: reader.nodes, byteOffsets: reader.byteOffsets,
      references: reader.references, top: 0)
  }

  private init(scanner: XMLScanner, limits: ArchiveLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  private mutating func readDocument() throws(ImportError) {
    try scanner.skipProlog()
    let outer = try scanner.tag()
    guard outer.name == "plist", !outer.isEnd, !outer.isEmpty else {
      throw scanner.malformed("the tag <\(outer.name)>", "the tag <plist>", at: outer.offset)
    }
    var isDone = false
    while !isDone {
      try scanner.skipMisc()
      let tag = try scanner.tag()
      if tag.isEnd {
        isDone = try close(tag)
      } else {
        try read(tag)
      }
    }
    try scanner.skipMisc()
    guard scanner.isAtEnd else {
      throw scanner.malformed("text after </plist>", "the end of the file", at: scanner.offset)
    }
  }

  /// Reads an end tag, and closes the innermost container. Returns true if no container is open, and the tag
  /// ends the document.
  private mutating func close(_ tag: XMLScanner.Tag) throws(ImportError) -> Bool {
    guard let container = open.popLast() else {
      guard tag.name == "plist", !nodes.isEmpty else {
        throw scanner.malformed(
          "the tag </\(tag.name)>", nodes.isEmpty ? "a value" : "the tag </plist>", at: tag.offset)
      }
      return true
    }
    guard tag.name == container.tagName, !container.isAfterKey else {
      throw scanner.malformed(
        "the tag </\(tag.name)>",
        container.isAfterKey ? "the value of a key" : "the tag </\(container.tagName)>", at: tag.offset)
    }
    let start = references.count
    if container.isDictionary {
      let count = (pending.count - container.start) / 2
      for index in 0..<count { references.append(pending[container.start + 2 * index]) }
      for index in 0..<count { references.append(pending[container.start + 2 * index + 1]) }
      nodes[container.node] =
        uid(start: start, count: count).map { .uid($0) } ?? .dictionary(start: start, count: count)
    } else {
      references += pending[container.start...]
      let count = pending.count - container.start
      nodes[container.node] =
        container.tagName == "set" ? .set(start: start, count: count) : .array(start: start, count: count)
    }
    pending.removeSubrange(container.start...)
    return false
  }

  /// Returns the number of a UID. XML represents a UID as a dictionary with the single key `CF$UID`.
  private func uid(start: Int, count: Int) -> UInt64? {
    guard count == 1, case .string(let key, 6, _) = nodes[Int(references[start])],
      scanner.content[key..<key + 6].elementsEqual("CF$UID".utf8),
      case .integer(let number) = nodes[Int(references[start + 1])]
    else { return nil }
    return UInt64(exactly: number)
  }

  private mutating func read(_ tag: XMLScanner.Tag) throws(ImportError) {
    let isKey = tag.name == "key"
    if let container = open.last, container.isDictionary {
      guard isKey != container.isAfterKey else {
        throw scanner.malformed(
          "the tag <\(tag.name)>", container.isAfterKey ? "the value of a key" : "the tag <key>",
          at: tag.offset)
      }
      open[open.count - 1].isAfterKey = isKey
    } else {
      guard !isKey, !open.isEmpty || nodes.isEmpty else {
        throw scanner.malformed("the tag <\(tag.name)>", isKey ? "a value" : "a single value", at: tag.offset)
      }
    }
    if let reference = tag.reference { return try readReference(reference, tag) }
    let index = nodes.count
    if let id = tag.id { nodeOfID[id] = index }
    try ImportError.check(index + 1, within: limits.elements, "elements", byteOffset: tag.offset)
    byteOffsets.append(tag.offset)
    if !open.isEmpty { pending.append(UInt32(truncatingIfNeeded: index)) }
    nodes.append(try value(tag, index))
  }

  /// Reads an element that has the value of an earlier element.
  private mutating func readReference(_ id: String, _ tag: XMLScanner.Tag) throws(ImportError) {
    guard let node = nodeOfID[id], !open.isEmpty else {
      throw scanner.malformed(
        "IDREF '\(printable(id))' without an element", "the ID of an earlier element", at: tag.offset)
    }
    if !tag.isEmpty {
      guard try scanner.text(until: tag.name).isEmpty else {
        throw scanner.malformed("text in an element with IDREF", "an element without text", at: tag.offset)
      }
    }
    pending.append(UInt32(truncatingIfNeeded: node))
  }

  /// Returns the value that a tag begins. The elements of a container are added when its end tag is read.
  private mutating func value(_ tag: XMLScanner.Tag, _ index: Int) throws(ImportError) -> PropertyList.Node {
    switch tag.name {
    case "dict", "array", "set":
      if !tag.isEmpty {
        open.append(OpenContainer(node: index, start: pending.count, tagName: tag.name))
      }
      switch tag.name {
      case "dict": return .dictionary(start: 0, count: 0)
      case "set": return .set(start: 0, count: 0)
      default: return .array(start: 0, count: 0)
      }
    case "true", "false":
      if !tag.isEmpty {
        guard try scanner.text(until: tag.name).isEmpty else {
          throw scanner.malformed("text in <\(tag.name)>", "an element without text", at: tag.offset)
        }
      }
      return .bool(tag.name == "true")
    case "string", "key":
      let text = try content(tag)
      return .string(start: text.lowerBound, count: text.count, .utf8)
    case "data":
      let text = try content(tag)
      return .data(start: text.lowerBound, count: try scanner.decodeBase64(text, at: tag.offset))
    case "integer", "real", "date":
      let range = try content(tag)
      let text = String(decoding: scanner.content[range], as: UTF8.self)
      scanner.removeContent(range)
      return try scalar(tag, text)
    default: throw scanner.malformed("the tag <\(tag.name)>", "a tag of property lists", at: tag.offset)
    }
  }

  private mutating func content(_ tag: XMLScanner.Tag) throws(ImportError) -> Range<Int> {
    tag.isEmpty ? scanner.content.count..<scanner.content.count : try scanner.text(until: tag.name)
  }

  private func scalar(_ tag: XMLScanner.Tag, _ text: String) throws(ImportError) -> PropertyList.Node {
    let text = String(XMLScanner.trimmed(text))
    let short = printable(text.cut(toScalars: 40).start)
    switch tag.name {
    case "integer":
      if let value = XMLScanner.integer(text) { return .integer(value) }
    case "real":
      if let value = XMLScanner.real(text) { return .real(value) }
    default:
      if let value = XMLScanner.date(text) { return .date(value) }
    }
    let examples = ["integer": "-12", "real": "2.5"]
    throw scanner.malformed(
      "'\(short)' in <\(tag.name)>", "a value such as \(examples[tag.name] ?? "2026-11-23T12:00:00Z")",
      at: tag.offset)
  }
}
