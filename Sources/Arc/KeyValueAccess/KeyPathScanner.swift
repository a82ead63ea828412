import ArcFormat

/// The rest of a key path, a ``ValuePath`` from an object: `friends[3].address.street`, `settings["a b"]`.
struct KeyPathRest {
  private var scanner: ValuePath.Scanner
  /// Whether a key comes next: at the beginning and after a dot.
  private(set) var awaitsKey = true

  init(_ keyPath: String) { scanner = ValuePath.Scanner(keyPath, noun: "key path") }

  /// Whether nothing is left.
  var isEnd: Bool { scanner.isAtEnd && !awaitsKey }

  /// Whether an index or a key in brackets is next.
  var isAtBracket: Bool { scanner.peek() == "[" }

  /// What is left, for people.
  var shortText: String {
    let (start, restByteCount) = scanner.rest.cut(toScalars: 80)
    return restByteCount > 0 ? start + "…" : start
  }

  /// Takes the key of a property, also after the name of its class and a dot.
  mutating func takeProperty(of properties: NamedProperties) throws(KeyAccessError) -> NamedProperty {
    let first = Result { () throws(KeyAccessError) in try key() }
    if case .success((let key, let rest)) = first, let property = properties[key] {
      self = rest
      return property
    }
    for className in properties.schema.lineage.map(\.name) {
      guard let (key, rest) = try? key(after: className + "."), let property = properties[key] else {
        continue
      }
      self = rest
      return property
    }
    throw properties.unknown(try first.get().key)
  }

  /// Takes the next key; nil in front of a bracket.
  mutating func takeKey() throws(KeyAccessError) -> String? {
    guard awaitsKey else { return nil }
    let key: String
    (key, self) = try self.key()
    return key
  }

  /// Takes an entry of a collection: in brackets, or a key where these are names of entries; nil for any
  /// other key. Throws `badPath` for what is neither.
  mutating func takeEntry(of container: any EntryContainer) throws(KeyAccessError) -> ValuePath.Step? {
    if awaitsKey {
      guard type(of: container).hasNames else { return nil }
      if scanner.isAtEnd { throw badPath }
      return try takeKey().map { .key(.text(ValuePath.Name($0))) }
    }
    guard isAtBracket, let step = try? scanner.step() else { throw badPath }
    try takeDot()
    return step
  }

  private var badPath: KeyAccessError {
    KeyAccessError(
      .badPath, found: "'\(shortText)' as the rest of a key path",
      expected:
        "an index or a key in brackets, or a dot and a name; a name that is not a word needs backticks")
  }

  /// The next key, and what is left after it. A key may be missing, which is no property then.
  private func key(after start: String = "") throws(KeyAccessError) -> (key: String, rest: KeyPathRest) {
    var rest = self
    guard scanner.scalars[scanner.position...].starts(with: start.unicodeScalars) else { throw badPath }
    rest.scanner.position += start.unicodeScalars.count
    let isMissing = [nil, ".", "["].contains(rest.scanner.peek())
    guard let name = isMissing ? "" : try? rest.scanner.name().text else { throw badPath }
    rest.awaitsKey = false
    do throws(KeyAccessError) { try rest.takeDot() } catch { throw badPath }
    return (start + name, rest)
  }

  /// Takes the dot before a key. What follows a step is a dot, a bracket, or nothing.
  private mutating func takeDot() throws(KeyAccessError) {
    scanner.skipSpaces()
    switch scanner.peek() {
    case ".":
      scanner.position += 1
      awaitsKey = true
    case "[", nil: break
    default: throw badPath
    }
  }
}
