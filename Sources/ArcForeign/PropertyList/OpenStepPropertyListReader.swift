import ArcFormat

/// Reads a property list in the notation of OpenStep (old-style ASCII): `{ name = "Arc"; sizes = (1, 2); }`.
///
/// All single values are strings or data, except values with a type of GNUstep, such as `<*I5>`. The reader
/// also accepts a file of strings, whose outermost dictionary has no braces. An array contains the open
/// containers, so nesting uses no stack.
struct OpenStepPropertyListReader {
  private var scanner: OpenStepScanner
  private let limits: ArchiveLimits
  private var nodes: [PropertyList.Node] = []
  private var byteOffsets: [Int] = []
  private var references: [UInt32] = []
  /// The open containers, outermost first.
  private var open: [OpenContainer] = []
  /// The elements of the open containers so far. Keys and values of a dictionary alternate.
  private var pending: [UInt32] = []

  private struct OpenContainer {
    let node: Int
    /// The index of the container's first element in `pending`.
    let start: Int
    /// The byte that ends the container. Nil for the dictionary of a file of strings.
    let end: UInt8?
    var isDictionary: Bool { end != UInt8(ascii: ")") }
  }

  /// Whether the file begins with an array, with a dictionary, or with a string and `=`.
  static func isLikely(_ bytes: [UInt8]) -> Bool {
    var scanner = OpenStepScanner(bytes)
    do throws(ImportError) {
      try scanner.skipSpaces()
      switch scanner.next {
      case UInt8(ascii: "("): return true
      case UInt8(ascii: "\""): break
      case UInt8(ascii: "{"):
        scanner.take()
        try scanner.skipSpaces()
        if scanner.next == UInt8(ascii: "}") { return true }
      default: return false
      }
      _ = try scanner.string()
      try scanner.skipSpaces()
      return scanner.next == UInt8(ascii: "=") || scanner.next == UInt8(ascii: ";")
    } catch {
      return false
    }
  }

  static func read(_ bytes: [UInt8], _ limits: ArchiveLimits) throws(ImportError) -> PropertyList {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ImportError(
        .malformedText, found: "an OpenStep property list that is not UTF-8",
        expected: "a property list in ASCII or UTF-8",
        remedy: "convert the file to UTF-8, for example with iconv",
        byteOffset: 0)
    }
    var reader = OpenStepPropertyListReader(scanner: OpenStepScanner(bytes), limits: limits)
    try reader.readDocument()
    return PropertyList(
      notation: .openStep, content: reader.scanner.content, nodes: reader.nodes,
      byteOffsets: reader.byteOffsets, references: reader.references, top: 0)
  }

  private init(scanner: OpenStepScanner, limits: ArchiveLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  private mutating func readDocument() throws(ImportError) {
    try scanner.skipSpaces()
    if scanner.next == UInt8(ascii: "\"") {
      try add(.dictionary(start: 0, count: 0), at: scanner.offset)
      open.append(OpenContainer(node: 0, start: 0, end: nil))
    } else {
      try readValue()
    }
    while let container = open.last {
      try scanner.skipSpaces()
      if scanner.next == container.end {
        if container.end != nil { scanner.take() }
        close(container)
      } else if container.isDictionary {
        try readEntry()
        continue
      } else {
        try readValue()
        continue
      }
      try readSeparator()
    }
    try scanner.skipSpaces()
    guard scanner.next == nil else {
      throw scanner.malformed("text after the property list", "the end of the file", at: scanner.offset)
    }
  }

  private mutating func close(_ container: OpenContainer) {
    open.removeLast()
    let start = references.count
    let count = pending.count - container.start
    if container.isDictionary {
      for index in stride(from: container.start, to: pending.count, by: 2) {
        references.append(pending[index])
      }
      for index in stride(from: container.start + 1, to: pending.count, by: 2) {
        references.append(pending[index])
      }
      nodes[container.node] = .dictionary(start: start, count: count / 2)
    } else {
      references += pending[container.start...]
      nodes[container.node] = .array(start: start, count: count)
    }
    pending.removeSubrange(container.start...)
  }

  /// Reads a key of a dictionary, and the beginning of its value. A key without a value is its own value.
  private mutating func readEntry() throws(ImportError) {
    let offset = scanner.offset
    let text = try scanner.string()
    try add(.string(start: text.lowerBound, count: text.count, .utf8), at: offset)
    try scanner.skipSpaces()
    switch scanner.next {
    case UInt8(ascii: "="):
      scanner.take()
      try scanner.skipSpaces()
      try readValue()
    case UInt8(ascii: ";"):
      scanner.take()
      try add(.string(start: text.lowerBound, count: text.count, .utf8), at: offset)
    default: throw scanner.malformed(scanner.nextInWords, "'=' or ';' after a key", at: scanner.offset)
    }
  }

  /// Reads a single value and its separator, or the beginning of a container.
  private mutating func readValue() throws(ImportError) {
    let offset = scanner.offset
    switch scanner.next {
    case UInt8(ascii: "{"), UInt8(ascii: "("):
      let isDictionary = scanner.next == UInt8(ascii: "{")
      scanner.take()
      let node = try add(
        isDictionary ? .dictionary(start: 0, count: 0) : .array(start: 0, count: 0), at: offset)
      open.append(
        OpenContainer(
          node: node, start: pending.count, end: isDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")")))
      return
    case UInt8(ascii: "<"): try add(try scanner.dataOrTypedValue(), at: offset)
    default:
      let text = try scanner.string()
      try add(.string(start: text.lowerBound, count: text.count, .utf8), at: offset)
    }
    try readSeparator()
  }

  /// Reads the separator after a value of the innermost container.
  private mutating func readSeparator() throws(ImportError) {
    guard let container = open.last else { return }
    try scanner.skipSpaces()
    let separator = container.isDictionary ? UInt8(ascii: ";") : UInt8(ascii: ",")
    if scanner.next == separator { return scanner.take() }
    // The last element needs no separator.
    guard scanner.next == container.end else {
      let expected = container.isDictionary ? "';' or '}' after a value" : "',' or ')' after an element"
      throw scanner.malformed(scanner.nextInWords, expected, at: scanner.offset)
    }
  }

  @discardableResult
  private mutating func add(_ node: PropertyList.Node, at offset: Int) throws(ImportError) -> Int {
    try ImportError.check(nodes.count + 1, within: limits.elements, "elements", byteOffset: offset)
    if !open.isEmpty { pending.append(UInt32(truncatingIfNeeded: nodes.count)) }
    nodes.append(node)
    byteOffsets.append(offset)
    return nodes.count - 1
  }
}
