import ArcRuntime

/// The attributes that the line of a property contains.
struct PropertyWords {
  var absence: DeclaredClass.Absence?
  var isReadOnly = false
  var isWeak = false
  var isKeyed = false
  var olderKeys: [String] = []
  var older: [[String]] = []
}

/// A line whose text is consumed from its beginning.
struct SnapshotLine {
  private let bytes: ArraySlice<UInt8>
  private var index: Int

  /// Creates a line. Removes the spaces at its end.
  init(_ bytes: some Collection<UInt8>) {
    var bytes = Array(bytes)[...]
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\r") {
      bytes.removeLast()
    }
    self.bytes = bytes
    index = bytes.startIndex
  }

  var isAtEnd: Bool { index == bytes.endIndex }

  /// The whole line, for error messages.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Consumes `text` if the rest of the line begins with it. Returns whether `text` was consumed.
  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  mutating func number() -> UInt64? {
    let digits = bytes[index...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    index = digits.endIndex
    return UInt64(String(decoding: digits, as: UTF8.self))
  }

  /// Consumes a name, plain or in quotes. Returns nil if no name is next.
  mutating func name() -> String? {
    guard take("\"") else {
      let name = bytes[index...].prefix(while: SchemaNotation.isPlain)
      index = name.endIndex
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
    guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    let name = bytes[index..<end]
    index = end + 1
    return SchemaNotation.unescaped(name)
  }

  /// Consumes one or more names with separators between them. Returns nil if a name is missing.
  mutating func names(separator: String = ", ") -> [String]? {
    var names: [String] = []
    repeat {
      guard let name = name() else { return nil }
      names.append(name)
    } while take(separator)
    return names
  }

  /// Returns the two or three fields in the rest of the line, without the spaces around them. Nil if the rest
  /// has fewer or more fields.
  func fields() -> [ArraySlice<UInt8>]? {
    let parts = bytes[index...].split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
    let space = UInt8(ascii: " ")
    return (2...3).contains(parts.count)
      ? parts.map { part in
        let end = part.lastIndex { $0 != space }.map { $0 + 1 } ?? part.startIndex
        return part[..<end].drop { $0 == space }
      } : nil
  }

  mutating func classEntry() -> SchemaSnapshot.Class? {
    guard let name = name() else { return nil }
    var superclass: String?
    if take(": ") {
      guard let name = self.name() else { return nil }
      superclass = name
    }
    let isKeyed = take(", keyed")
    var version: UInt64? = 0
    if take(", version ") { version = number() }
    let formerNames = take(", was ") ? names() : []
    guard let version, let formerNames, isAtEnd else { return nil }
    return SchemaSnapshot.Class(
      name: name, superclass: superclass, version: version, isKeyed: isKeyed, formerNames: formerNames)
  }

  /// Consumes and returns the older names of a field or case (`names`), or the keys of the older fields from
  /// which a field is converted (`conversions`). One of the two lists is empty. Returns nil if the text is
  /// malformed.
  mutating func olderNames() -> (names: [String], conversions: [[String]])? {
    if take(" was ") { return names().map { ($0, []) } }
    var conversions: [[String]] = []
    while take(conversions.isEmpty ? " from " : ", from ") {
      guard let keys = names(separator: " + ") else { return nil }
      conversions.append(keys)
    }
    return conversions.isEmpty ? nil : ([], conversions)
  }

  /// Parses the whole line as the attributes of a property. Returns nil if a word is unknown, or if two words
  /// contradict each other.
  consuming func propertyWords() -> PropertyWords? {
    var words = PropertyWords()
    var isFirst = true
    while !isAtEnd {
      guard isFirst || take(", ") else { return nil }
      isFirst = false
      if take("was ") {
        guard let names = names(), isAtEnd else { return nil }
        words.olderKeys = names
        return words
      }
      if take("from ") {
        guard let keys = names(separator: " + ") else { return nil }
        words.older.append(keys)
        continue
      }
      guard let word = name() else { return nil }
      switch word {
      case "let": words.isReadOnly = true
      case "weak": words.isWeak = true
      case "keyed": words.isKeyed = true
      default:
        guard let absence = DeclaredClass.Absence(word: word), words.absence == nil else { return nil }
        words.absence = absence
      }
    }
    return words
  }
}
