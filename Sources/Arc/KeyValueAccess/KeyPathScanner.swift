import ArcFormat

/// A parser for key paths, positioned before the rest of the path. A key path is a ``ValuePath`` that begins
/// at an object: `friends[3].address.street`, `settings["a b"]`.
struct KeyPathScanner {
  private var scanner: ValuePath.Scanner
  /// Whether a key comes next. True at the beginning and after a period.
  private(set) var awaitsKey = true

  init(_ keyPath: String) { scanner = ValuePath.Scanner(keyPath, noun: "key path") }

  /// Whether the rest of the path is empty.
  var isEnd: Bool { scanner.isAtEnd && !awaitsKey }

  /// Whether an index or key in brackets comes next.
  var isAtBracket: Bool { scanner.peek() == "[" }

  /// The rest of the path for error messages, truncated.
  var shortText: String {
    let (start, restByteCount) = scanner.rest.cut(toScalars: 80)
    return restByteCount > 0 ? start + "…" : start
  }

  /// Parses the key of a property, which may be preceded by the name of its class and a period.
  mutating func parseProperty(of properties: NamedProperties) throws(KeyAccessError) -> NamedProperty {
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

  /// Parses the next key. Returns nil if a bracket comes next.
  mutating func parseKey() throws(KeyAccessError) -> String? {
    guard awaitsKey else { return nil }
    let key: String
    (key, self) = try self.key()
    return key
  }

  /// Parses an entry of a collection: in brackets or, if the collection's keys can be names, as a key.
  /// Returns nil if a key comes next, but the collection's keys cannot be names. Throws `badPath` if neither
  /// a key nor a bracket comes next.
  mutating func parseEntry(of container: any EntryContainer) throws(KeyAccessError) -> ValuePath.Step? {
    if awaitsKey {
      guard type(of: container).hasNames else { return nil }
      if scanner.isAtEnd { throw badPath }
      return try parseKey().map { .key(.text(ValuePath.Name($0))) }
    }
    guard isAtBracket, let step = try? scanner.step() else { throw badPath }
    try parseDot()
    return step
  }

  private var badPath: KeyAccessError {
    KeyAccessError(
      .badPath, found: "'\(shortText)' as the rest of a key path",
      expected:
        "an index or a key in brackets, or a dot and a name; a name that is not a word needs backticks")
  }

  /// Parses the next key. Returns the key and the rest of the path. If the key is missing, returns an empty
  /// key, which no property has.
  private func key(after start: String = "") throws(KeyAccessError) -> (key: String, rest: KeyPathScanner) {
    var rest = self
    guard scanner.scalars[scanner.position...].starts(with: start.unicodeScalars) else { throw badPath }
    rest.scanner.position += start.unicodeScalars.count
    let isMissing = [nil, ".", "["].contains(rest.scanner.peek())
    guard let name = isMissing ? "" : try? rest.scanner.name().text else { throw badPath }
    rest.awaitsKey = false
    do throws(KeyAccessError) { try rest.parseDot() } catch { throw badPath }
    return (start + name, rest)
  }

  /// Skips the period before a key. After a step, the path must continue with a period or a bracket, or must
  /// end.
  private mutating func parseDot() throws(KeyAccessError) {
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
