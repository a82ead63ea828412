/// What is left of a key path: keys with dots between them, and positions or names in brackets.
///
///     friends[3].address.street
///     settings["a b"]
struct KeyPathRest {
  private(set) var text: Substring
  /// Whether a key comes next: at the beginning and behind a dot.
  private(set) var awaitsKey = true

  /// An entry of a collection: `[3]`, `["name"]`, or the name alone.
  enum Entry {
    case position(Int)
    case name(String)

    /// The entry in the notation of paths.
    var notation: String {
      switch self {
      case .position(let position): "[\(position)]"
      case .name(let name): "[\"\(name)\"]"
      }
    }
  }

  init(_ keyPath: String) { text = keyPath[...] }

  /// Whether nothing is left.
  var isEnd: Bool { text.isEmpty && !awaitsKey }

  /// What is left, for people.
  var shortText: String {
    let end = text.unicodeScalars.index(text.startIndex, offsetBy: 80, limitedBy: text.endIndex)
    return end.map { String(text[..<$0]) + "…" } ?? String(text)
  }

  /// Takes the key of a property, that with the name of a class too.
  mutating func takeProperty(of properties: NamedProperties) throws(KeyAccessError) -> NamedProperty {
    let first = key(after: "")
    let classNames = properties.schema.lineage.map { $0.name + "." }
      .filter { text.utf8.starts(with: $0.utf8) }
    for key in [first] + classNames.map({ key(after: $0) }) {
      guard let property = properties[key] else { continue }
      take(key)
      return property
    }
    throw properties.unknown(first)
  }

  /// Takes the next key; nil in front of a bracket.
  mutating func takeKey() -> String? {
    guard awaitsKey else { return nil }
    let key = key(after: "")
    take(key)
    return key
  }

  /// Takes an entry of a collection: in brackets, or a key where these are names of entries; nil for any
  /// other key. Throws `badPath` for what is neither.
  mutating func takeEntry(of container: any EntryContainer) throws(KeyAccessError) -> Entry? {
    if awaitsKey {
      guard type(of: container).hasNames else { return nil }
      if text.isEmpty { throw badPath }
      return takeKey().map { .name($0) }
    }
    guard text.utf8.first == UInt8(ascii: "["), let end = closingBracket() else { throw badPath }
    // Not characters: a mark at the beginning of a name is one with the quote before it.
    let content = Substring(text.utf8[..<end].dropFirst())
    let entry: Entry
    if let position = Int(content), "\(position)" == content {
      entry = .position(position)
    } else if content.utf8.count > 1, content.utf8.first == UInt8(ascii: "\""),
      content.utf8.last == UInt8(ascii: "\"")
    {
      entry = .name(String(Substring(content.utf8.dropFirst().dropLast())))
    } else {
      throw badPath
    }
    text = Substring(text.utf8[end...].dropFirst())
    try takeDot()
    return entry
  }

  /// The bracket that ends an entry: behind a quoted name the one behind its quotes.
  private func closingBracket() -> String.Index? {
    let content = text.utf8.dropFirst()
    guard content.first == UInt8(ascii: "\"") else { return content.firstIndex(of: UInt8(ascii: "]")) }
    return zip(content.indices.dropFirst(), content.indices.dropFirst(2)).first {
      content[$0] == UInt8(ascii: "\"") && content[$1] == UInt8(ascii: "]")
    }?.1
  }

  private var badPath: KeyAccessError {
    KeyAccessError(
      .badPath, found: "'\(shortText)' as the rest of a key path",
      expected: "an index or a quoted key in brackets, or a dot that a key follows")
  }

  private mutating func take(_ key: String) {
    text = Substring(text.utf8.dropFirst(key.utf8.count))
    awaitsKey = false
    // What follows a key is a dot, a bracket, or nothing.
    if text.utf8.first == UInt8(ascii: ".") {
      text = Substring(text.utf8.dropFirst())
      awaitsKey = true
    }
  }

  private mutating func takeDot() throws(KeyAccessError) {
    switch text.utf8.first {
    case UInt8(ascii: "."): take("")
    case UInt8(ascii: "["), nil: break
    default: throw badPath
    }
  }

  /// The path up to the first dot or bracket behind what it begins with.
  private func key(after start: String) -> String {
    let end = text.utf8.dropFirst(start.utf8.count).firstIndex {
      $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[")
    }
    return String(text[..<(end ?? text.endIndex)])
  }
}
